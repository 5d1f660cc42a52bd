package server_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// fakeBackend serves four small domains whose tool lists all differ, and one that
// is not available. Each graph has one entity, which carries the domain's name, so
// that an answer from the wrong domain shows.
type fakeBackend struct {
	infos []domains.Info
	// find, when set, answers every search.
	find func(ctx context.Context) (*domains.Matches, error)
	// fail, when set, answers every list of domains.
	fail error
	// problems are those of every domain.
	problems []domains.Problem
	// bare leaves every domain without classes, facts and versions.
	bare bool
	// abilities are what the domains can do besides facts.
	abilities *fakeAbilities
	// hold, when set, is called whenever the back end is asked anything.
	hold func(ctx context.Context) error
}

func (b *fakeBackend) held(ctx context.Context) error {
	if b.hold == nil {
		return nil
	}
	return b.hold(ctx)
}

func newFake() *fakeBackend {
	return &fakeBackend{abilities: &fakeAbilities{}, infos: []domains.Info{
		{Name: "broken", Description: "nothing loads", Unavailable: "broken.ttl:1:1: expected a subject"},
		{Name: "crm", Description: "customers and contracts", HasGraph: true},
		{Name: "hr", Description: "staff", HasGraph: false},
		{Name: "shop", Description: "orders", HasGraph: true, Policy: domains.Policy{DisabledTools: []string{"get_status", "describe_ontology", "select_domain"}}},
		{Name: "supply_chain", Description: "parts", HasGraph: true, Policy: domains.Policy{DisabledTools: []string{"list_entity_types"}}},
	}}
}

func (b *fakeBackend) Domains(ctx context.Context) ([]domains.Info, error) {
	if err := b.held(ctx); err != nil {
		return nil, err
	}
	return slices.Clone(b.infos), b.fail
}

func (b *fakeBackend) info(name domains.Name) (domains.Info, error) {
	for _, i := range b.infos {
		if i.Name == name {
			return i, nil
		}
	}
	return domains.Info{}, &domains.Error{Kind: domains.ErrUnknownDomain, Domain: name, Message: "Unknown domain '" + string(name) + "'."}
}

func (b *fakeBackend) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	if err := b.held(ctx); err != nil {
		return nil, err
	}
	info, err := b.info(name)
	if err != nil {
		return nil, err
	}
	if info.Unavailable != "" {
		return nil, &domains.Error{Kind: domains.ErrUnavailable, Domain: name, Message: info.Unavailable}
	}
	iri := "https://example.org/" + string(name) + "#"
	if b.bare {
		return b.extend(bareDomain(info)), nil
	}
	o := domains.NewOntology(domains.Ontology{
		IRI: iri, Prefixes: []rdf.Prefix{{Name: "", IRI: iri}},
		Classes:    []domains.Class{{IRI: iri + "Thing", Declared: true}, {IRI: iri + "SmallThing", Supers: []string{iri + "Thing"}, Declared: true}},
		Properties: []domains.Property{{IRI: iri + "firstName", Kind: domains.DataProperty, Domains: []string{iri + "Thing"}, Declared: true}},
	})
	d := &domains.Domain{
		Info: info, Version: "1", Revision: "r1", Problems: b.problems,
		Ontology: func(context.Context) (*domains.Ontology, error) { return o, nil },
		Status: func(context.Context) (*domains.Status, error) {
			return &domains.Status{Graph: string(name) + "_V1", HasData: info.HasGraph, Triples: 3}, nil
		},
	}
	if info.HasGraph {
		d.Facts = fakeFacts{iri: iri, name: string(name), find: b.find}
	}
	return b.extend(d), nil
}

func (b *fakeBackend) Versions(ctx context.Context, name domains.Name) ([]domains.Version, error) {
	if err := b.held(ctx); err != nil {
		return nil, err
	}
	if _, err := b.info(name); err != nil {
		return nil, err
	}
	if b.bare {
		return nil, nil
	}
	return []domains.Version{{Name: "2", State: "DRAFT", Latest: true}, {Name: "1", State: domains.StatePublished, Active: true}}, nil
}

func (b *fakeBackend) Design(ctx context.Context, name domains.Name) (*domains.Design, error) {
	if err := b.held(ctx); err != nil {
		return nil, err
	}
	if _, err := b.info(name); err != nil {
		return nil, err
	}
	return &domains.Design{BuildReady: !b.bare}, nil
}

func (b *fakeBackend) As(domains.Principal) domains.Backend { return b }

func (b *fakeBackend) Watch(ctx context.Context, _ func(domains.Name)) error {
	<-ctx.Done()
	return nil
}

func (b *fakeBackend) Close() error { return nil }

// bareDomain is a domain in which there is nothing.
func bareDomain(info domains.Info) *domains.Domain {
	return &domains.Domain{
		Info: info, Version: "1", Revision: "r1", Facts: bareFacts{},
		Ontology: func(context.Context) (*domains.Ontology, error) { return domains.NewOntology(domains.Ontology{}), nil },
		Status:   func(context.Context) (*domains.Status, error) { return &domains.Status{}, nil },
	}
}

// bareFacts is a graph without anything.
type bareFacts struct{}

func (bareFacts) Stats(context.Context) (*domains.Stats, error) { return &domains.Stats{}, nil }

func (bareFacts) Find(context.Context, domains.Query) (*domains.Matches, error) {
	return &domains.Matches{}, nil
}

func (bareFacts) Walk(context.Context, []string, domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(func(domains.Entity, error) bool) {}
}

// matches is short for what a search returns.
type matches = domains.Matches

// fakeFacts is a graph of one entity.
type fakeFacts struct {
	iri, name string
	find      func(ctx context.Context) (*domains.Matches, error)
}

func (f fakeFacts) Stats(context.Context) (*domains.Stats, error) {
	return &domains.Stats{
		Triples: 3, Subjects: 1, Predicates: 3, Labels: 1, TypeAssertions: 1, Relationships: 1,
		Types:      []domains.Count{{IRI: f.iri + "Thing", Count: 1}},
		Properties: []domains.Count{{IRI: f.iri + "firstName", Count: 1}},
	}, nil
}

func (f fakeFacts) label() string { return "thing of " + f.name }

func (f fakeFacts) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	if f.find != nil {
		return f.find(ctx)
	}
	hit := domains.Ref{IRI: f.iri + "1", Label: f.label(), Types: []string{f.iri + "Thing"}}
	switch {
	case q.Text != "" && !strings.Contains(f.label(), q.Text),
		q.IRI != "" && q.IRI != hit.IRI,
		len(q.Types) > 0 && !slices.Contains(q.Types, f.iri+"Thing"),
		q.Offset > 0:
		return &domains.Matches{Suggestions: []string{f.label()}}, nil
	}
	return &domains.Matches{Hits: []domains.Hit{{Ref: hit, Tier: domains.TierWords}}, Total: 1}, nil
}

func (f fakeFacts) Walk(_ context.Context, from []string, _ domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(yield func(domains.Entity, error) bool) {
		if !slices.Contains(from, f.iri+"1") {
			return
		}
		yield(domains.Entity{
			IRI: f.iri + "1", Labels: []domains.Text{{Value: f.label()}}, Types: []string{f.iri + "Thing"}, Triples: 3,
			Facts: []domains.Fact{{Property: f.iri + "firstName", Total: 1, Values: []domains.Value{{Literal: rdf.NewString("one of " + f.name)}}}},
		}, nil)
	}
}

// panicking panics when it lists its domains, once it is armed.
type panicking struct {
	*fakeBackend
	armed atomic.Bool
}

func (b *panicking) As(domains.Principal) domains.Backend { return b }

func (b *panicking) Domains(ctx context.Context) ([]domains.Info, error) {
	if b.armed.Load() {
		panic("secret")
	}
	return b.fakeBackend.Domains(ctx)
}
