// Package store keeps a graph in memory so that every question about it is
// answered by an index: terms in a dictionary, triples in three sorted orders, and
// names in an index of their own.
//
// A [Builder] collects triples and becomes a [Snapshot], which never changes
// again: any number of goroutines may read it, and a newer revision is another
// Snapshot. Terms have numbers in the order of their text, so the order of an
// index is the order in which answers are shown.
//
// What an answer costs is counted ([Work]), so that a test can hold the claim that
// nothing is scanned when an index answers.
package store
