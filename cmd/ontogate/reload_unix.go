//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// reloadSignals are the signals that make the program look for changes now.
var reloadSignals = []os.Signal{syscall.SIGHUP}

// terminalWatch looks whether the program has a terminal; hungUp reports whether it is gone
// since. A program that was started to outlast its terminal (nohup) never hears of that.
func terminalWatch() (hungUp func() bool) {
	if signal.Ignored(syscall.SIGHUP) || !hasTerminal() {
		return func() bool { return false }
	}
	return func() bool { return !hasTerminal() }
}

// hasTerminal reports whether the program has a terminal that controls it.
func hasTerminal() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err == nil {
		f.Close()
	}
	return err == nil
}
