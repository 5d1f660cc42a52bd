//go:build !linux && !darwin

package rdfgraph

import "io/fs"

// changedAt is not known here.
func changedAt(fs.FileInfo) int64 { return 0 }
