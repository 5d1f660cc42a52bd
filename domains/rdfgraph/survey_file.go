package rdfgraph

import (
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

const (
	// mostDistinct bounds what one file's classes, properties, individuals and graphs are told
	// apart by: eight bytes each, and what a map takes.
	mostDistinct = 1_000_000
	// mostTags bounds the language tags of a file that are told apart.
	mostTags = 1_000
	// mostExamples is how many examples a finding has.
	mostExamples = 3
	// mostShownText is how many bytes of a literal an example has.
	mostShownText = 80
)

// fileSurvey is what one goroutine counts in a file.
type fileSurvey struct {
	classes, properties, individuals, graphs distinct
	languages                                map[string]int // tag → literals
	bad                                      badLiterals
}

func newFileSurvey() *fileSurvey { return &fileSurvey{languages: map[string]int{}} }

// declaring are the types that declare a class or a property (OWL 2 Mapping to RDF Graphs, table 7;
// RDF Schema §2.2 and §3.3): type → whether it is a property.
var declaring = map[string]bool{
	rdf.OWL + "Class": false, rdf.RDFS + "Class": false,
	rdf.RDF + "Property": true, rdf.OWL + "ObjectProperty": true, rdf.OWL + "DatatypeProperty": true, rdf.OWL + "AnnotationProperty": true,
}

// note counts what a quad says.
func (s *fileSurvey) note(q *rdf.Quad) {
	if q.Graph.Kind != 0 {
		s.graphs.put(q.Graph.Value)
	}
	switch o := &q.Object; {
	case o.Kind == rdf.Literal && o.Lang != "":
		if n, known := s.languages[o.Lang]; known || len(s.languages) < mostTags {
			s.languages[o.Lang] = n + 1
		}
	case o.Kind == rdf.Literal && o.Datatype != "":
		s.bad.note(o)
	case o.Kind == rdf.IRI && q.Subject.Kind == rdf.IRI && q.Predicate.Value == rdf.RDFType:
		s.noteType(q.Subject.Value, o.Value)
	}
}

func (s *fileSurvey) noteType(subject, class string) {
	property, declares := declaring[class]
	switch {
	case declares && property:
		s.properties.put(subject)
	case declares:
		s.classes.put(subject)
	case class == rdf.OWL+"NamedIndividual", !owl.IsMeta(class) && !strings.HasPrefix(class, rdf.SH):
		s.individuals.put(subject)
	}
}

// add takes what another goroutine counted in the same file.
func (s *fileSurvey) add(o *fileSurvey) {
	s.classes.add(&o.classes)
	s.properties.add(&o.properties)
	s.individuals.add(&o.individuals)
	s.graphs.add(&o.graphs)
	for tag, n := range o.languages {
		s.languages[tag] += n
	}
	s.bad.add(&o.bad)
}

// distinct tells names apart by their hashes. Two of a million have one hash once in tens of
// millions of files.
type distinct struct {
	hashes map[uint64]struct{}
	last   string
	more   bool // some were not taken
}

var surveySeed = maphash.MakeSeed()

func (d *distinct) put(name string) {
	if name == d.last && d.hashes != nil {
		return
	}
	d.last = name
	d.putHash(maphash.String(surveySeed, name))
}

func (d *distinct) putHash(h uint64) {
	if d.hashes == nil {
		d.hashes = map[uint64]struct{}{}
	}
	if _, known := d.hashes[h]; known {
		return
	}
	if len(d.hashes) >= mostDistinct {
		d.more = true
		return
	}
	d.hashes[h] = struct{}{}
}

func (d *distinct) add(o *distinct) {
	for h := range o.hashes {
		d.putHash(h)
	}
	d.more = d.more || o.more
}

func (d *distinct) count() Distinct { return Distinct{len(d.hashes), d.more} }

// badLiterals counts literals that are no values of their datatype. The examples are the first
// in the order of their texts, so that any number of goroutines finds the same.
type badLiterals struct {
	n        int
	examples []string

	last string // datatype
	kind xsd.Kind
	know bool
}

func (b *badLiterals) note(t *rdf.Term) {
	if t.Datatype != b.last {
		b.last = t.Datatype
		b.kind, b.know = xsd.KindOf(t.Datatype)
	}
	if !b.know || b.kind == xsd.String {
		return
	}
	if _, err := xsd.Parse(b.kind, t.Value); err != nil {
		b.n++
		text := t.Value
		if len(text) > mostShownText {
			text = strings.ToValidUTF8(text[:mostShownText], "") + "…"
		}
		b.example(strconv.Quote(text) + "^^xsd:" + strings.TrimPrefix(t.Datatype, rdf.XSD))
	}
}

// example keeps the smallest few.
func (b *badLiterals) example(text string) { b.examples = smallest(b.examples, text) }

func (b *badLiterals) add(o *badLiterals) {
	b.n += o.n
	for _, text := range o.examples {
		b.example(text)
	}
}
