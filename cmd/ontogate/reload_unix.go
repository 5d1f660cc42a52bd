//go:build unix

package main

import (
	"os"
	"syscall"
)

// reloadSignals are the signals that make the program look for changes now.
var reloadSignals = []os.Signal{syscall.SIGHUP}
