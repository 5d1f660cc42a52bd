//go:build unix

package server_test

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has taken. On a machine that does other
// work too it says more than the time that passed.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
