package rdf

import "iter"

// Statement is everything that is said of one subject, in Turtle.
type Statement struct {
	Subject Term
	// Text is one or more lines without a final newline, and ends with " .".
	Text string
	// Prefixes are the names of the prefixes that Text uses, sorted.
	Prefixes []string
}

// Statements writes triples as Turtle, one statement for each subject.
func Statements(triples iter.Seq[Triple], prefixes []Prefix) iter.Seq[Statement] {
	return func(func(Statement) bool) {}
}
