//go:build !unix

package main

import "os"

// reloadSignals are none where there is no SIGHUP.
var reloadSignals []os.Signal
