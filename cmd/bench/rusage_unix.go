//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

const exeSuffix = ""

// peakAtEnd is the most resident memory that a process that ended had, in bytes, or its
// parent's when it was started, if that was more.
func peakAtEnd(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) * 1024
}
