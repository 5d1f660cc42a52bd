//go:build e2e && race

package e2e_test

// raceDetector is true when the tests are built with the race detector: the
// program then is, too.
const raceDetector = true
