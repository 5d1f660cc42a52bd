package rdfgraph

import "github.com/ontogate/ontogate/domains"

// NewTriples reads the graph of NewFacts as it was written.
func NewTriples(f domains.Facts) domains.Triples { return newRawTriples(f.(*graph)) }

// Like reports whether a pattern of SQL's LIKE fits a text.
func Like(pattern, text string) bool { return newLike(pattern).matches(text) }
