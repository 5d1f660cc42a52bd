package domaintest

// Rounds is how many rounds a test runs that would run n: a third, and at least one, under
// the race detector, which makes each slow and looks at how goroutines meet rather than at
// values. Without it, as in "make test", the test runs whole.
func Rounds(n int) int {
	if Race {
		return max(1, n/3)
	}
	return n
}
