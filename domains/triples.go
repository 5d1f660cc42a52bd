package domains

import (
	"context"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Triples reads the graph of a domain as it was written: IRIs of one entity stay apart,
// and nothing is named, merged or summarised. It is what the REST interface of OntoBricks
// tells of a graph (OntoBricks contract 1.1, triples/find, and 1.2, triples). All methods
// may be called concurrently. Equal questions get equal answers in equal order.
type Triples interface {
	// Find finds subjects, and tells all triples of these and of what is around them, by
	// subject, predicate and object. ErrInvalid: neither Type nor Search is set.
	Find(ctx context.Context, q TripleQuery) (*TriplePage, error)
	// List lists the triples that fit a pattern, by subject, predicate and object.
	List(ctx context.Context, p TriplePattern) (*TriplePage, error)
}

// TripleQuery says which subjects Triples.Find looks for. Type and Search must both hold
// where both are set.
type TripleQuery struct {
	// Type is the end of the IRI of a class, behind a slash or a number sign, whatever the
	// case.
	Type string
	// Search is a part of a label or the beginning of a part of the subject's IRI, whatever
	// the case; % stands for any characters and _ for one. With Words it is looked for as
	// Facts.Find looks for Query.Text, and the subjects are ranked.
	Search string
	Words  bool
	// Depth is how far to go from the subjects along links in both directions, 1–10.
	Depth int
	// Offset triples are skipped and at most Limit returned, 1–10,000.
	Offset, Limit int
	// Cache says whether a search cache may be used.
	Cache CacheUse
}

// TriplePattern says which triples Triples.List lists; what is empty fits all. Texts are
// compared as they are written.
type TriplePattern struct {
	// Subject and Object are parts of these, Predicate is the whole IRI, Type a part of the
	// IRI of a class of the subject, and Search a part of any of the three.
	Subject, Predicate, Object, Type, Search string
	// Offset triples are skipped and at most Limit returned, at least 1.
	Offset, Limit int
}

// TriplePage is a part of the triples that were asked for.
type TriplePage struct {
	Triples []RankedTriple
	// Total counts the triples of all pages.
	Total int
	// Seeds counts the subjects that Find found, Entities all that the triples describe.
	Seeds, Entities int
	// Message is what is to be known besides; empty for nothing.
	Message string
	// CacheUsed is set when a search cache was.
	CacheUsed bool
}

// RankedTriple is a triple. Rank is the place of its subject among those that were found,
// from 1; 0 where the subject is none of them, or nothing ranks them.
type RankedTriple struct {
	rdf.Triple
	Rank int
}
