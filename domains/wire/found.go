package wire

import (
	"encoding/json"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// Found is the answer of GET /digitaltwin/triples/find. Members that older versions
// do not send have the value that the contract gives them: HasMore and CacheUsed are
// false, CacheMode is empty, Total is the number of Triples.
type Found struct {
	Success bool `json:"success"`
	// SeedCount counts the subjects that match, EntityCount all that the triples
	// describe, on every page.
	SeedCount int      `json:"seed_count"`
	Depth     int      `json:"depth"`
	Triples   []Triple `json:"triples"`
	// Count is the number of Triples, Total that of all pages.
	Count       int     `json:"count"`
	Total       int     `json:"total"`
	HasMore     bool    `json:"has_more"`
	Limit       int     `json:"limit"`
	Offset      int     `json:"offset"`
	EntityCount int     `json:"entity_count"`
	Message     *string `json:"message"`
	// CacheUsed is true when the service answered from its search cache; CacheMode is
	// auto, force_on or force_off.
	CacheUsed bool   `json:"cache_used"`
	CacheMode string `json:"cache_mode"`
	Scope
	// Revision is ours: what the domain's content is at, see domains.Domain.
	Revision string `json:"revision"`
}

// NewFound is the answer to a question, whose numbers are within their limits. Where
// nothing matches, limit and offset are back at their defaults, as the contract has it.
func NewFound(p *domains.TriplePage, q domains.TripleQuery, in Scope, revision string) Found {
	out := Found{
		Success: true, SeedCount: p.Seeds, Depth: q.Depth, Triples: newTriples(p.Triples), Count: len(p.Triples),
		Total: p.Total, HasMore: q.Offset+len(p.Triples) < p.Total, Limit: q.Limit, Offset: q.Offset, EntityCount: p.Entities,
		Message: nullable(p.Message), CacheUsed: p.CacheUsed, CacheMode: cacheMode(q.Cache), Scope: in, Revision: revision,
	}
	if p.Seeds == 0 {
		out.Limit, out.Offset, out.HasMore = defaultLimit, 0, false
		if out.Message == nil {
			out.Message = nullable(NothingFound)
		}
	}
	return out
}

// NothingFound is the message of a Found without seeds.
const NothingFound = "No matching entities found"

// defaultLimit is how many triples are returned where no limit is given.
const defaultLimit = 1000

// cacheMode names a use of the search cache.
func cacheMode(c domains.CacheUse) string {
	switch c {
	case domains.CacheOn:
		return "force_on"
	case domains.CacheOff:
		return "force_off"
	}
	return "auto"
}

// Page is the answer in the words of package domains.
func (f Found) Page() *domains.TriplePage {
	out := &domains.TriplePage{Triples: ranked(f.Triples), Total: f.Total, Seeds: f.SeedCount, Entities: f.EntityCount, CacheUsed: f.CacheUsed}
	if m := orEmpty(f.Message); m != NothingFound {
		out.Message = m
	}
	return out
}

// UnmarshalJSON reads an answer of any version.
func (f *Found) UnmarshalJSON(b []byte) error {
	type plain Found // without this method
	in := plain{Total: absent}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if in.Total == absent {
		in.Total = len(in.Triples)
	}
	*f = Found(in)
	return nil
}

// absent is no number of triples.
const absent = -1

// Triples is the answer of GET /digitaltwin/triples.
type Triples struct {
	Success bool     `json:"success"`
	Triples []Triple `json:"triples"`
	// Count is the number of Triples, Total that of all pages.
	Count   int     `json:"count"`
	Total   int     `json:"total"`
	Message *string `json:"message"`
	Scope
	// Revision is as in Found.
	Revision string `json:"revision"`
}

// NewTriples is a page of a list of triples.
func NewTriples(p *domains.TriplePage, in Scope, revision string) Triples {
	return Triples{
		Success: true, Triples: newTriples(p.Triples), Count: len(p.Triples), Total: p.Total,
		Message: nullable(p.Message), Scope: in, Revision: revision,
	}
}

// Page is the answer in the words of package domains.
func (t Triples) Page() *domains.TriplePage {
	return &domains.TriplePage{Triples: ranked(t.Triples), Total: t.Total, Message: orEmpty(t.Message)}
}

// Triple is one statement, its three terms as plain strings. What the strings do not tell
// is in members that are ours: without them, whether an object is an IRI or a text is not
// told.
type Triple struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
	// ObjectKind is what Object is, one of the Kinds; empty from others.
	ObjectKind string `json:"object_kind,omitempty"`
	// Lang, Direction and Datatype are those of a literal, the last absent for plain text
	// and for text in a language.
	Lang      string `json:"lang,omitempty"`
	Direction string `json:"direction,omitempty"`
	Datatype  string `json:"datatype,omitempty"`
	// MatchRank is the place of the subject among those that were looked for, from 1.
	MatchRank int `json:"match_rank,omitempty"`
}

// The kinds of objects. A triple term (RDF 1.2) is written as in N-Triples. A blank node
// is an IRI that was made for it (RDF 1.1 Concepts §3.5), or its label after _:.
const (
	KindIRI     = "uri"
	KindLiteral = "literal"
	KindBlank   = "bnode"
	KindTriple  = "triple"
)

// genid is in the path of the IRIs that stand for blank nodes.
const genid = "/.well-known/genid/"

// NewTriple is a triple as it is sent.
func NewTriple(t domains.RankedTriple) Triple {
	out := Triple{Subject: termText(t.Subject), Predicate: termText(t.Predicate), Object: termText(t.Object), MatchRank: t.Rank}
	switch t.Object.Kind {
	case rdf.IRI:
		if out.ObjectKind = KindIRI; strings.Contains(t.Object.Value, genid) {
			out.ObjectKind = KindBlank
		}
	case rdf.Literal:
		out.ObjectKind, out.Lang, out.Direction, out.Datatype = KindLiteral, t.Object.Lang, t.Object.Dir, t.Object.Datatype
	case rdf.Blank:
		out.ObjectKind = KindBlank
	case rdf.TripleTerm:
		out.ObjectKind = KindTriple
	}
	return out
}

// termText is a term as a plain string.
func termText(t rdf.Term) string {
	switch t.Kind {
	case rdf.Blank, rdf.TripleTerm:
		return t.String()
	}
	return t.Value
}

// Ranked is the triple in the words of package domains. Without our members an object is
// an IRI when it begins as those of the web do, as the contract has it, and text else; so
// is a triple term.
func (t Triple) Ranked() domains.RankedTriple {
	object := rdf.NewString(t.Object)
	switch t.ObjectKind {
	case KindIRI, KindBlank:
		object = resource(t.Object)
	case KindLiteral:
		object = rdf.NewTyped(t.Object, t.Datatype)
		if t.Lang != "" {
			object = rdf.Term{Kind: rdf.Literal, Value: t.Object, Lang: t.Lang, Dir: t.Direction}
		}
	case "":
		if strings.HasPrefix(t.Object, "http://") || strings.HasPrefix(t.Object, "https://") {
			object = rdf.NewIRI(t.Object)
		}
	}
	return domains.RankedTriple{Triple: rdf.Triple{Subject: resource(t.Subject), Predicate: rdf.NewIRI(t.Predicate), Object: object}, Rank: t.MatchRank}
}

// resource is the IRI or blank node of a text.
func resource(s string) rdf.Term {
	if label, ok := strings.CutPrefix(s, "_:"); ok {
		return rdf.NewBlank(label)
	}
	return rdf.NewIRI(s)
}

func newTriples(in []domains.RankedTriple) []Triple {
	out := make([]Triple, 0, len(in))
	for _, t := range in {
		out = append(out, NewTriple(t))
	}
	return out
}

func ranked(in []Triple) []domains.RankedTriple {
	out := make([]domains.RankedTriple, 0, len(in))
	for _, t := range in {
		out = append(out, t.Ranked())
	}
	return out
}
