#!/bin/sh
echo "not written yet"
