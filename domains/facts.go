package domains

import (
	"context"
	"iter"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Facts reads the graph of a domain at one revision. All methods may be called
// concurrently. Equal questions get equal answers in equal order.
type Facts interface {
	// Stats counts the graph.
	Stats(ctx context.Context) (*Stats, error)
	// Find looks entities up. Hits are ordered by tier, then schema terms last,
	// then by IRI.
	Find(ctx context.Context, q Query) (*Matches, error)
	// Walk describes the entities of from, in that order, and then their
	// neighbours, breadth first in both directions and by IRI within one
	// distance, up to o.Depth hops. Each entity comes once. Reading happens as the
	// consumer pulls; when it stops, so does the work. IRIs that are not in
	// the graph are skipped. After an error the sequence ends.
	Walk(ctx context.Context, from []string, o WalkOptions) iter.Seq2[Entity, error]
}

// Query says which entities to look up. At least one of Text, Types and IRI is
// set; those that are set must all hold.
type Query struct {
	// Text is looked for in labels and local names, folded for case and accents;
	// in whole IRIs only when it looks like one.
	Text string
	// Types are class IRIs; an entity with any of them matches. Sub-classes are
	// the caller's to add.
	Types []string
	// IRI is one entity, by any of its IRIs.
	IRI string
	// Languages choose the labels of the hits, best first.
	Languages []string
	// Offset hits are skipped and at most Limit returned; Limit is at least 1.
	Offset, Limit int
	// Resume is where reading starts: Matches.Resume of an earlier answer to the same
	// query, or 0 for the beginning. Offset counts from there.
	Resume int
	// Depth is how far a walk from the hits is going to go, so that a back end that can
	// reads both at once.
	Depth int
	// Cache says whether a back end may answer from a search cache of its own.
	Cache CacheUse
	// Probe is set when only the first hit and a rough count are wanted and no walk
	// follows: a back end may look at less then, and the hit need not be the best.
	Probe bool
	// After is the Matches.Read of an earlier Find of the same tool call: a back end that
	// may read only so much for one call counts what that one cost. Where nothing may be
	// read any more, Matches has no hits and AtLeast. nil is the first.
	After Reading
}

// CacheUse is what a caller wants of a search cache.
type CacheUse uint8

// The uses of a search cache; the zero value leaves it to the back end.
const (
	CacheAuto CacheUse = iota
	CacheOn
	CacheOff
)

// Tier says how well a hit matches; smaller is better.
type Tier uint8

// The tiers of a search for names.
const (
	TierExact     Tier = iota + 1 // a name equals the text, or the query has no text
	TierPrefix                    // a name begins with the text
	TierWords                     // a name holds all words of the text, in any order
	TierSubstring                 // words of a name hold those of the text inside them; only when no better tier hit
)

// What a back end that searches names itself looks for, at most. Where a text has
// more, Matches.Shortened is set.
const (
	MaxText  = 400 // bytes of the text, folded
	MaxWords = 16  // different words of it
)

// Matches is the answer to a Query.
type Matches struct {
	Hits []Hit
	// Total counts all hits; with AtLeast there may be more, even when it is 0.
	Total   int
	AtLeast bool
	// Shortened is set when a part of Text was not looked for, and that may have
	// made a difference.
	Shortened bool
	// Suggestions are labels near to Text, nearest first, when nothing matched.
	Suggestions []string
	// Resume is more than 0 when reading stopped before the end because it grew too
	// long: Hits are among those that were wholly read, and a query that resumes there
	// finds the others.
	Resume int
	// ReadTriples counts the triples that a back end read to find the hits, ReadHits the
	// hits among them from Query.Resume on; both are 0 where it does not read that way.
	ReadTriples, ReadHits int
	// Partial is set when neighbours of the hits may be missing from what was read.
	Partial bool
	// Unpinned is set by a back end whose domains can change within one revision: a
	// cursor then has to hold Total too.
	Unpinned bool
	// Uncached is set when CacheOff was asked for and obeyed.
	Uncached bool
	// Read is for WalkOptions.Read of a walk from the hits, and for Query.After of another
	// Find; nil where reading costs no requests.
	Read Reading
}

// Reading is what a back end read of the graph to find hits. It means something to
// that back end alone, never changes, and may be used concurrently. String says how
// much it holds.
type Reading interface{ String() string }

// Hit is one entity found.
type Hit struct {
	Ref
	Tier Tier
	// Schema marks a term of the ontology rather than an entity of the graph.
	Schema bool
}

// Ref is a mention of an entity: enough to print it in one line.
type Ref struct {
	IRI string
	// Label is the chosen label; empty when the entity has none.
	Label string
	// Types are the entity's types, most specific first, then by IRI.
	Types []string
}

// WalkOptions bound a walk.
type WalkOptions struct {
	// Depth is the number of hops, 0–10; 0 describes the start alone.
	Depth int
	// Fanout is the most values of one property in one direction that are read
	// and followed; of the others only the count is told. At least 1.
	Fanout int
	// Languages choose the labels of mentioned entities, best first.
	Languages []string
	// Skip, Passed and Shown are what the consumer has no use for: a back end that reads
	// from an index leaves it out, others may tell it all the same. What is told, in which
	// order, and what is followed stays as it is without them.
	//
	// The first Skip entities may come with IRI and Distance alone.
	Skip int
	// Passed is a place in the first entity behind those: what its facts lead to before that
	// place may come with IRI alone.
	Passed Passed
	// Shown is the most values that are entities which are told of a property, besides those
	// that are passed; what it leaves out is marked with Fact.Cut. 0 is no limit but Fanout.
	Shown int
	// Read is the Matches.Read of a Find on the same Facts whose hits the walk starts
	// from: what it holds is not read again. It is a part of the question. nil reads
	// all anew.
	Read Reading
}

// Passed is a place among the facts of an entity: before it are the facts with an index
// below Fact, and of that fact the first Value values that are no literals.
type Passed struct{ Fact, Value int }

// Entity is one entity with its facts.
type Entity struct {
	// IRI is the one shown; Aliases are the others that the entity has.
	IRI     string
	Aliases []string
	// Labels are the values of label properties, best property first, in all
	// languages, without repetition.
	Labels []Text
	// Types are as in Ref.
	Types []string
	// Distance is the number of hops from the start; 0 is the start itself.
	Distance int
	// Facts are the entity's properties without rdf:type and labels: outgoing
	// ones first, then by property IRI.
	Facts []Fact
	// Triples counts the triples that have the entity (or a blank node shown
	// inside it) as subject, whether or not all were read.
	Triples int
	// Schema marks a term of the ontology.
	Schema bool
}

// Fact is what an entity has of one property in one direction.
type Fact struct {
	Property string
	// Incoming is true when the entity is the object and Values are subjects. What
	// an inverse of the property says among the outgoing facts is left out.
	Incoming bool
	// Total counts the values; Values holds the first of them, at most Fanout.
	// Literals in WalkOptions.Languages come before the others, so that a text in
	// many languages is read in the one that is wanted.
	// With AtLeast there may be more than Total: not all were looked at.
	// The members of an RDF list stand for it when it is the only value; other lists
	// are Nested, with their members as values of rdfs:member.
	Total   int
	AtLeast bool
	Values  []Value
	// Cut is set when WalkOptions.Shown left values out that are within Fanout.
	Cut bool
}

// Value is one value of a property. Exactly one of the fields is set.
type Value struct {
	Literal rdf.Term // Kind is rdf.Literal
	Ref     *Ref     // another entity
	Nested  *Entity  // a blank node, described in place
}

// Stats counts a graph: the triples about entities, not those about schema terms.
type Stats struct {
	// Triples, Subjects and Predicates count as written (OntoBricks contract 1.1,
	// stats).
	Triples, Subjects, Predicates int
	// Entities counts the entities that are subjects, each once whatever number of
	// IRIs it has; 0 means that it is not known.
	Entities int
	// Labels, TypeAssertions, Attributes and Relationships part the triples: labels,
	// types, other literals, other links. A back end that cannot tell attributes
	// from relationships counts them all as Relationships and says so with
	// AttributesUnknown. Inferred counts what reasoning added.
	Labels, TypeAssertions, Attributes, Relationships, Inferred int
	AttributesUnknown                                           bool
	// Types and Properties are ordered by count, largest first, then by IRI. A class
	// that has entities by the classes below it alone is there with the count 0.
	Types, Properties []Count
}

// Count is how often a class or property is used.
type Count struct {
	IRI   string
	Count int
	// Below counts the entities of a class and of the classes below it, each once;
	// 0 where that is not known or no other than Count. Unused for properties.
	Below int
}
