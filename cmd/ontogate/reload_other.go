//go:build !unix

package main

import "os"

// reloadSignals are none where there is no SIGHUP.
var reloadSignals []os.Signal

// terminalWatch has nothing to watch where no signal tells that the terminal is gone.
func terminalWatch() (hungUp func() bool) { return func() bool { return false } }
