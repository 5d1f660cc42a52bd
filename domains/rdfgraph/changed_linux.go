package rdfgraph

import (
	"io/fs"
	"syscall"
)

// changedAt is when a file's content, name or rights were last changed, in nanoseconds
// since 1970; 0 where that is not known.
func changedAt(info fs.FileInfo) int64 {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return s.Ctim.Nano()
}
