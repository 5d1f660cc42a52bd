//go:build !unix

package main

import "os"

const exeSuffix = ".exe"

// peakOf is not known here.
func peakOf(*os.ProcessState) int64 { return 0 }
