//go:build e2e && !race

package e2e_test

const raceDetector = false
