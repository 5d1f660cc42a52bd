// Package format turns what a back end knows into the text that a model reads.
//
// Every public function of the package writes the answer of one tool. It is given
// a [Frame] (budget, languages, where the page starts, what the answer speaks of)
// and the facts, and returns a text that is never longer than the budget. What
// does not fit is left out at a whole item, and the text says how much that was
// and how to get it: with a cursor (see [Scope]), a limit or a narrower call.
//
// The functions do no I/O beyond the abilities of the domain they are given, keep
// no state, and give equal text for equal facts. Headings, bullets and labels are
// those of the texts of OntoBricks; DESIGN.md of this package lists what differs.
package format
