package ontobricks

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

// ontology is an ontology as it was read, and what could not be read of it.
type ontology struct {
	model    *domains.Ontology
	usage    *domains.Usage // nil where it is not told
	problems []domains.Problem
}

// ontology implements domains.Domain.Ontology.
func (v *view) ontology(ctx context.Context) (*domains.Ontology, error) {
	o, err := v.mine.ontologies.get(ctx, v.key(), v.readOntology)
	if err != nil {
		return nil, err
	}
	return o.model, nil
}

// usage implements domains.Domain.Usage.
func (v *view) usage(ctx context.Context) (*domains.Usage, error) {
	o, err := v.mine.ontologies.get(ctx, v.key(), v.readOntology)
	if err != nil {
		return nil, err
	}
	if o.usage == nil {
		return &domains.Usage{}, nil
	}
	return o.usage, nil
}

func (v *view) readOntology(ctx context.Context) (*ontology, error) {
	const doing = "loading the ontology"
	var in wire.Ontology
	var more map[string]string
	if v.ofOntogate {
		more = map[string]string{"model": "true"}
	}
	if err := v.get(ctx, "/api/v1/domain/ontology", more, v.info.Name, doing, &in); err != nil {
		return nil, err
	}
	if in.Success && in.Model != nil {
		if err := v.isCurrent(in.Model.Revision, doing); err != nil {
			return nil, err
		}
		return &ontology{model: in.Model.Ontology(), usage: in.Model.Used()}, nil
	}
	if !in.Success {
		return nil, v.refused(soft{doing: doing, name: v.info.Name, fallback: "Could not load the ontology."}, in.Message, "")
	}
	base := ""
	if in.BaseURI != nil {
		base = strings.TrimSpace(*in.BaseURI)
	}
	o, err := v.parsed.get(ctx, v.flights, digest(base, in.Content), func(ctx context.Context) (*ontology, error) {
		return readTurtle(ctx, in.Content, base)
	})
	switch {
	case err == nil:
		return o, nil
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return nil, &domains.Error{Kind: domains.ErrLimit, Op: doing, Domain: v.info.Name, Err: err, Message: "The ontology that OntoBricks sent could not be read in time. Try again."}
	}
	return nil, &domains.Error{Kind: domains.ErrUpstream, Op: doing, Domain: v.info.Name, Err: err, Message: fmt.Sprintf(
		"The ontology that OntoBricks sent cannot be read (%s). Ask the owner of the domain to generate its OWL again.", err)}
}

// defaultBase is the base of ontologies that have none (OntoBricks contract 0).
const defaultBase = "https://databricks-ontology.com/"

// usualPrefixes are declared before a text that uses one without declaring it.
const usualPrefixes = "@prefix owl: <" + rdf.OWL + "> . @prefix rdf: <" + rdf.RDF + "> . @prefix rdfs: <" + rdf.RDFS +
	"> . @prefix xsd: <" + rdf.XSD + "> . @prefix skos: <" + rdf.SKOS + "> . "

// readTurtle reads an ontology. What stands before a fault is used, and the fault is a
// problem; an error is a text of which nothing can be used.
func readTurtle(ctx context.Context, text, base string) (*ontology, error) {
	d, fault := readDocument(ctx, text, base)
	if fault != nil {
		// An undeclared prefix of a usual vocabulary leaves no doubt. The place of a fault
		// is that of the text as it was sent.
		if lenient, err := readDocument(ctx, usualPrefixes+text, base); err == nil {
			d, fault = lenient, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o := &ontology{}
	if fault != nil {
		if len(d.triples) == 0 {
			return nil, fault
		}
		o.problems = []domains.Problem{problem(fault)}
	}
	model, _, err := owl.Build(ctx, owl.NewMemoryGraph(d.triples), owl.Options{Base: base, Prefixes: d.prefixes})
	if err != nil {
		return nil, err
	}
	o.model = model
	return o, nil
}

// document is what stands in a Turtle text.
type document struct {
	triples  []rdf.Triple
	prefixes []rdf.Prefix // each name once, as it was declared last
}

// readDocument reads a Turtle text as far as it goes. Errors: *rdf.SyntaxError; that
// ctx ended.
func readDocument(ctx context.Context, text, base string) (document, error) {
	if u, err := url.Parse(base); err != nil || !u.IsAbs() || len(base) > rdf.MaxNamespace {
		base = defaultBase
	}
	var d document
	prefix := func(p rdf.Prefix) {
		for i := range d.prefixes {
			if d.prefixes[i].Name == p.Name {
				d.prefixes[i] = p
				return
			}
		}
		d.prefixes = append(d.prefixes, p)
	}
	err := rdf.Read(strings.NewReader(text), rdf.Turtle, rdf.Options{Base: base, Prefix: prefix}, func(q rdf.Quad) error {
		d.triples = append(d.triples, q.Triple)
		if len(d.triples)%1024 == 0 {
			return ctx.Err()
		}
		return nil
	})
	return d, err
}

// problem says where an ontology breaks off.
func problem(fault error) domains.Problem {
	message := fault.Error()
	var s *rdf.SyntaxError
	if errors.As(fault, &s) {
		message = fmt.Sprintf("line %d, column %d: %s", s.Line, s.Column, s.Message)
	}
	return domains.Problem{Message: "the ontology that OntoBricks sent is used up to a fault at " + message}
}
