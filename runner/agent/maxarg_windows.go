package agent

// MaxArgPrompt is how many bytes of prompt, in all, are given in arguments or a variable; a longer prompt goes to
// standard input. Windows takes 32 KiB in a whole command line.
const MaxArgPrompt = 24 << 10
