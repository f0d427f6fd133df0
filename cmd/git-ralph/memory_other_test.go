//go:build !linux

package main

// useMemory does nothing here.
func useMemory() {}
