package rdfgraph

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/ontogate/ontogate/domains/rdf"
)

// header is what a file says of the ontologies in it (OWL 2 Mapping to RDF Graphs, table 4),
// each list in order and without doubles.
type header struct {
	ontologies []string // IRIs that it says are ontologies
	versions   []string // IRIs of versions
	imports    []string // IRIs of ontologies that it imports
	contexts   []usedContext
}

// usedContext is a JSON-LD context that was read for a file.
type usedContext struct{ iri, file string }

// The terms of a header.
const (
	owlOntology   = rdf.OWL + "Ontology"
	owlVersionIRI = rdf.OWL + "versionIRI"
	owlImports    = rdf.OWL + "imports"
)

// note takes what a quad says; most say nothing.
func (h *header) note(q *rdf.Quad) {
	switch q.Predicate.Value {
	case rdf.RDFType:
		if q.Object.Value == owlOntology && q.Object.Kind == rdf.IRI && q.Subject.Kind == rdf.IRI {
			h.ontologies = append(h.ontologies, q.Subject.Value)
		}
	case owlVersionIRI:
		if q.Object.Kind == rdf.IRI {
			h.versions = append(h.versions, q.Object.Value)
		}
	case owlImports:
		if q.Object.Kind == rdf.IRI {
			h.imports = append(h.imports, q.Object.Value)
		}
	}
}

// add takes what another part of the file says.
func (h *header) add(o *header) {
	h.ontologies = append(h.ontologies, o.ontologies...)
	h.versions = append(h.versions, o.versions...)
	h.imports = append(h.imports, o.imports...)
}

// settle puts the lists in order.
func (h *header) settle() {
	for _, list := range []*[]string{&h.ontologies, &h.versions, &h.imports} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	slices.SortFunc(h.contexts, usedContext.compare)
	h.contexts = slices.Compact(h.contexts)
}

const (
	// headStatements is how many statements of a file are read to find its header.
	headStatements = 10_000
	// headSize is how many bytes of its text.
	headSize = 16 << 20
)

// errHeadRead ends the reading of a file of which enough is known.
var errHeadRead = errors.New("the header is read")

// readHead reads the beginning of a file, up to the end of its first ontology header. An error
// says that it is broken before that.
func readHead(ctx context.Context, fsys fs.FS, s source, o rdf.Options) (h header, err error) {
	in, err := openRegular(fsys, s.path)
	if err != nil {
		return h, err
	}
	defer in.Close()
	text, err := unpack(&storedReader{ctx: ctx, r: in, sum: sha256.New()}, rdf.CompressionOf(s.path))
	if err != nil {
		return h, err
	}
	defer text.Close()
	n, limited := 0, &io.LimitedReader{R: text, N: headSize}
	err = rdf.Read(limited, s.format, o, func(q rdf.Quad) error {
		ended := len(h.ontologies) > 0 && q.Subject.Kind == rdf.IRI && q.Subject.Value != h.ontologies[0]
		if n++; ended || n > headStatements {
			return errHeadRead
		}
		h.note(&q)
		return nil
	})
	h.settle()
	if errors.Is(err, errHeadRead) || len(h.ontologies) > 0 || limited.N == 0 {
		err = nil // what follows is for loading to tell
	}
	return h, err
}
