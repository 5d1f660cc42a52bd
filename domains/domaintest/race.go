//go:build race

package domaintest

// Race reports whether the race detector is on.
const Race = true
