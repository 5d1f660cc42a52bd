package wire

import (
	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// What OntoBricks does not have: a graph as domains.Facts tells it, so that an Ontogate
// in front of an Ontogate loses nothing. Each structure means what the one of package
// domains means that it is made of.

// FindRequest is the body of POST /digitaltwin/entities/find.
type FindRequest struct {
	Where
	Text      string   `json:"text,omitempty"`
	Types     []string `json:"types,omitempty"`
	IRI       string   `json:"iri,omitempty"`
	Languages []string `json:"languages,omitempty"`
	Offset    int      `json:"offset,omitempty"`
	Limit     int      `json:"limit,omitempty"`
	Resume    int      `json:"resume,omitempty"`
	Depth     int      `json:"depth,omitempty"`
	// Cache is auto, force_on or force_off; empty is auto.
	Cache string `json:"cache,omitempty"`
	Probe bool   `json:"probe,omitempty"`
}

// NewFindRequest asks a domain a question. Query.After stays behind.
func NewFindRequest(w Where, q domains.Query) FindRequest {
	return FindRequest{
		Where: w, Text: q.Text, Types: q.Types, IRI: q.IRI, Languages: q.Languages, Offset: q.Offset, Limit: q.Limit,
		Resume: q.Resume, Depth: q.Depth, Cache: cacheMode(q.Cache), Probe: q.Probe,
	}
}

// Query is the question in the words of package domains.
func (r FindRequest) Query() domains.Query {
	q := domains.Query{
		Text: r.Text, Types: r.Types, IRI: r.IRI, Languages: r.Languages, Offset: max(r.Offset, 0), Limit: max(r.Limit, 1),
		Resume: r.Resume, Depth: r.Depth, Probe: r.Probe,
	}
	switch r.Cache {
	case cacheMode(domains.CacheOn):
		q.Cache = domains.CacheOn
	case cacheMode(domains.CacheOff):
		q.Cache = domains.CacheOff
	}
	return q
}

// Matches is the answer to a FindRequest.
type Matches struct {
	Success     bool     `json:"success"`
	Revision    string   `json:"revision"`
	Hits        []Hit    `json:"hits"`
	Total       int      `json:"total"`
	AtLeast     bool     `json:"at_least,omitempty"`
	Shortened   bool     `json:"shortened,omitempty"`
	Suggestions []string `json:"suggestions,omitempty"`
	Resume      int      `json:"resume,omitempty"`
	ReadTriples int      `json:"read_triples,omitempty"`
	ReadHits    int      `json:"read_hits,omitempty"`
	Partial     bool     `json:"partial,omitempty"`
	Unpinned    bool     `json:"unpinned,omitempty"`
	Uncached    bool     `json:"uncached,omitempty"`
}

// Hit is one entity found. Tier is from 1, the best.
type Hit struct {
	Ref
	Tier   int  `json:"tier"`
	Schema bool `json:"schema,omitempty"`
}

// Ref mentions an entity.
type Ref struct {
	IRI   string   `json:"iri"`
	Label string   `json:"label,omitempty"`
	Types []string `json:"types,omitempty"`
}

// NewMatches is the answer that a domain at a revision gives.
func NewMatches(m *domains.Matches, revision string) Matches {
	out := Matches{
		Success: true, Revision: revision, Hits: make([]Hit, 0, len(m.Hits)), Total: m.Total, AtLeast: m.AtLeast, Shortened: m.Shortened,
		Suggestions: m.Suggestions, Resume: m.Resume, ReadTriples: m.ReadTriples, ReadHits: m.ReadHits, Partial: m.Partial,
		Unpinned: m.Unpinned, Uncached: m.Uncached,
	}
	for _, h := range m.Hits {
		out.Hits = append(out.Hits, Hit{Ref(h.Ref), int(h.Tier), h.Schema})
	}
	return out
}

// Matches is the answer in the words of package domains.
func (m Matches) Matches() *domains.Matches {
	out := &domains.Matches{
		Total: m.Total, AtLeast: m.AtLeast, Shortened: m.Shortened, Suggestions: m.Suggestions, Resume: m.Resume,
		ReadTriples: m.ReadTriples, ReadHits: m.ReadHits, Partial: m.Partial, Unpinned: m.Unpinned, Uncached: m.Uncached,
	}
	for _, h := range m.Hits {
		out.Hits = append(out.Hits, domains.Hit{Ref: domains.Ref(h.Ref), Tier: domains.Tier(h.Tier), Schema: h.Schema})
	}
	return out
}

// WalkRequest is the body of POST /digitaltwin/entities/walk.
type WalkRequest struct {
	Where
	From      []string `json:"from"`
	Depth     int      `json:"depth,omitempty"`
	Fanout    int      `json:"fanout,omitempty"`
	Languages []string `json:"languages,omitempty"`
	Skip      int      `json:"skip,omitempty"`
	// PassedFact and PassedValue are domains.Passed.
	PassedFact  int `json:"passed_fact,omitempty"`
	PassedValue int `json:"passed_value,omitempty"`
	Shown       int `json:"shown,omitempty"`
	// Drop entities are left out of the answer, and then at most Max are told; 0 is the
	// most there can be.
	Drop int `json:"drop,omitempty"`
	Max  int `json:"max,omitempty"`
}

// NewWalkRequest asks a domain for a part of a walk: at most n entities behind the first
// drop. What these held, and what the options say is of no use, is not asked for.
func NewWalkRequest(w Where, from []string, o domains.WalkOptions, drop, n int) WalkRequest {
	out := WalkRequest{
		Where: w, From: from, Depth: o.Depth, Fanout: o.Fanout, Languages: o.Languages, Skip: max(o.Skip, drop), Shown: o.Shown, Drop: drop, Max: n,
	}
	if drop <= o.Skip {
		out.PassedFact, out.PassedValue = o.Passed.Fact, o.Passed.Value
	}
	return out
}

// Options are the options of the walk.
func (r WalkRequest) Options() domains.WalkOptions {
	return domains.WalkOptions{
		Depth: min(max(r.Depth, 0), 10), Fanout: max(r.Fanout, 1), Languages: r.Languages, Skip: max(r.Skip, 0),
		Passed: domains.Passed{Fact: max(r.PassedFact, 0), Value: max(r.PassedValue, 0)}, Shown: max(r.Shown, 0),
	}
}

// Entities is the answer to a WalkRequest. More is set when there may be more behind them.
type Entities struct {
	Success  bool     `json:"success"`
	Revision string   `json:"revision"`
	Entities []Entity `json:"entities"`
	More     bool     `json:"more"`
}

// Entity is one entity with its facts.
type Entity struct {
	IRI      string   `json:"iri"`
	Aliases  []string `json:"aliases,omitempty"`
	Labels   []Text   `json:"labels,omitempty"`
	Types    []string `json:"types,omitempty"`
	Distance int      `json:"distance,omitempty"`
	Facts    []Fact   `json:"facts,omitempty"`
	Triples  int      `json:"triples,omitempty"`
	Schema   bool     `json:"schema,omitempty"`
}

// Text is a text with its language.
type Text struct {
	Value string `json:"value"`
	Lang  string `json:"lang,omitempty"`
}

// Fact is what an entity has of a property in one direction.
type Fact struct {
	Property string  `json:"property"`
	Incoming bool    `json:"incoming,omitempty"`
	Total    int     `json:"total"`
	AtLeast  bool    `json:"at_least,omitempty"`
	Values   []Value `json:"values,omitempty"`
	Cut      bool    `json:"cut,omitempty"`
}

// Value is one value of a property: one of its members.
type Value struct {
	Literal *Term   `json:"literal,omitempty"`
	Ref     *Ref    `json:"ref,omitempty"`
	Nested  *Entity `json:"nested,omitempty"`
}

// Term is an RDF term. Kind is one of the Kinds; empty for a literal.
type Term struct {
	Kind      string  `json:"kind,omitempty"`
	Value     string  `json:"value,omitempty"`
	Datatype  string  `json:"datatype,omitempty"`
	Lang      string  `json:"lang,omitempty"`
	Direction string  `json:"direction,omitempty"`
	Triple    *[]Term `json:"triple,omitempty"` // subject, predicate and object of a triple term
}

// kinds are the kinds of terms as they are sent.
var kinds = map[rdf.Kind]string{rdf.IRI: KindIRI, rdf.Blank: KindBlank, rdf.TripleTerm: KindTriple}

// NewTerm is a term as it is sent.
func NewTerm(t rdf.Term) Term {
	out := Term{Kind: kinds[t.Kind], Value: t.Value, Datatype: t.Datatype, Lang: t.Lang, Direction: t.Dir}
	if t.Triple != nil {
		out.Triple = &[]Term{NewTerm(t.Triple.Subject), NewTerm(t.Triple.Predicate), NewTerm(t.Triple.Object)}
	}
	return out
}

// Term is the term in the words of package rdf.
func (t Term) Term() rdf.Term {
	out := rdf.Term{Kind: rdf.Literal, Value: t.Value, Datatype: t.Datatype, Lang: t.Lang, Dir: t.Direction}
	for kind, name := range kinds {
		if name == t.Kind {
			out.Kind = kind
		}
	}
	if t.Triple != nil && len(*t.Triple) == 3 {
		parts := *t.Triple
		out.Triple = &rdf.Triple{Subject: parts[0].Term(), Predicate: parts[1].Term(), Object: parts[2].Term()}
	}
	return out
}

// NewEntity is an entity as it is sent.
func NewEntity(e domains.Entity) Entity {
	out := Entity{IRI: e.IRI, Aliases: e.Aliases, Labels: newTexts(e.Labels), Types: e.Types, Distance: e.Distance, Triples: e.Triples, Schema: e.Schema}
	for _, f := range e.Facts {
		fact := Fact{Property: f.Property, Incoming: f.Incoming, Total: f.Total, AtLeast: f.AtLeast, Cut: f.Cut}
		for _, v := range f.Values {
			var value Value
			switch {
			case v.Ref != nil:
				ref := Ref(*v.Ref)
				value.Ref = &ref
			case v.Nested != nil:
				nested := NewEntity(*v.Nested)
				value.Nested = &nested
			default:
				term := NewTerm(v.Literal)
				value.Literal = &term
			}
			fact.Values = append(fact.Values, value)
		}
		out.Facts = append(out.Facts, fact)
	}
	return out
}

// Entity is the entity in the words of package domains.
func (e Entity) Entity() domains.Entity {
	out := domains.Entity{IRI: e.IRI, Aliases: e.Aliases, Labels: texts(e.Labels), Types: e.Types, Distance: e.Distance, Triples: e.Triples, Schema: e.Schema}
	for _, f := range e.Facts {
		fact := domains.Fact{Property: f.Property, Incoming: f.Incoming, Total: f.Total, AtLeast: f.AtLeast, Cut: f.Cut}
		for _, v := range f.Values {
			var value domains.Value
			switch {
			case v.Ref != nil:
				ref := domains.Ref(*v.Ref)
				value.Ref = &ref
			case v.Nested != nil:
				nested := v.Nested.Entity()
				value.Nested = &nested
			case v.Literal != nil:
				value.Literal = v.Literal.Term()
			default:
				continue
			}
			fact.Values = append(fact.Values, value)
		}
		out.Facts = append(out.Facts, fact)
	}
	return out
}

func newTexts(in []domains.Text) (out []Text) {
	for _, t := range in {
		out = append(out, Text(t))
	}
	return out
}

func texts(in []Text) (out []domains.Text) {
	for _, t := range in {
		out = append(out, domains.Text(t))
	}
	return out
}
