//go:build unix

package gitstate

import "io/fs"

// executable reports whether git would run a hook with that mode.
func executable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
