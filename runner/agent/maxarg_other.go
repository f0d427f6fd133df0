//go:build !windows

package agent

// MaxArgPrompt is how many bytes of prompt, in all, are given in arguments or a variable; a longer prompt goes to
// standard input. Linux takes 128 KiB in one argument.
const MaxArgPrompt = 100 << 10
