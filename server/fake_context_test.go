package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
)

// fakeAbilities are what the domains of a fake back end can do besides facts, and what
// was asked of them.
type fakeAbilities struct {
	// classes, ontology and stats, when set, are what reading those fails with.
	classes, ontology, stats error
	// used is a type that facts have and the ontology does not know; empty for none.
	used string

	mu    sync.Mutex
	asked []string
}

func (a *fakeAbilities) note(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, fmt.Sprintf(format, args...))
}

// took are the questions since the last time.
func (a *fakeAbilities) took() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.asked
	a.asked = nil
	return out
}

// extend gives a domain of the fake back end context, and with a graph also actions and
// rules. Its class Thing has one of each element, and its bridge leads to supply_chain.
func (b *fakeBackend) extend(d *domains.Domain) *domains.Domain {
	a, ontology := b.abilities, d.Ontology
	iri := "https://example.org/" + string(d.Info.Name) + "#"
	f := fakeContext{a: a, hold: b.held, domain: d.Info.Name, class: domains.ClassContext{
		Name: "Thing", IRI: iri + "Thing",
		Dataset:   &domains.Dataset{FullName: "main." + string(d.Info.Name) + ".things", Key: "id"},
		Bridges:   []domains.Bridge{{Domain: "supply_chain", Class: "Thing", DomainDescription: "parts"}},
		Actions:   []domains.Action{{FullName: "main.ops.risk"}},
		Rules:     []domains.Rule{{Name: "Vip"}},
		Functions: []domains.Function{{FullName: "main.kg.score", Attributes: []domains.VirtualAttribute{{Name: "score"}}}},
	}}
	if b.bare {
		f.class = domains.ClassContext{}
	}
	d.Context = f
	if d.Facts != nil {
		d.GraphQL = fakeGraphQL{domain: d.Info.Name, hold: b.held}
		d.Actions, d.Rules, d.Facts = f, f, countedFacts{d.Facts, a}
	}
	d.Ontology = func(ctx context.Context) (*domains.Ontology, error) {
		if a.ontology != nil {
			return nil, a.ontology
		}
		return ontology(ctx)
	}
	return d
}

// countedFacts fail to count where they are told to.
type countedFacts struct {
	domains.Facts
	a *fakeAbilities
}

func (f countedFacts) Stats(ctx context.Context) (*domains.Stats, error) {
	if f.a.stats != nil {
		return nil, f.a.stats
	}
	stats, err := f.Facts.Stats(ctx)
	if err == nil && f.a.used != "" {
		stats.Types = append(stats.Types, domains.Count{IRI: f.a.used, Count: 1})
	}
	return stats, err
}

// fakeContext is the context of a domain in which one class has some.
type fakeContext struct {
	a      *fakeAbilities
	hold   func(context.Context) error
	domain domains.Name
	class  domains.ClassContext
}

func (f fakeContext) Classes(ctx context.Context) ([]domains.ClassContext, error) {
	if err := f.hold(ctx); err != nil {
		return nil, err
	}
	f.a.note("classes of %s", f.domain)
	if f.a.classes != nil || f.class.IsEmpty() {
		return nil, f.a.classes
	}
	return []domains.ClassContext{f.class}, nil
}

func (f fakeContext) Entity(ctx context.Context, iri string, o domains.ContextOptions) (*domains.EntityContext, error) {
	if err := f.hold(ctx); err != nil {
		return nil, err
	}
	f.a.note("context of <%s>, rows %d, bridges %v, computed %v", iri, o.Rows, o.FollowBridges, o.Compute)
	ec := &domains.EntityContext{IRI: iri, LocalID: domains.LocalID(iri), ClassContext: f.class}
	if ec.Dataset != nil && o.Rows > 0 {
		d := *ec.Dataset
		d.Fetched, d.Rows = true, []json.RawMessage{json.RawMessage(`{"id":"1","vip":true}`)}
		ec.Dataset = &d
	}
	if o.FollowBridges {
		ec.Bridges = slices.Clone(ec.Bridges)
		for i := range ec.Bridges {
			ec.Bridges[i].Followed, ec.Bridges[i].Entities = true, []domains.BridgeEntity{{IRI: "https://example.org/supply_chain#1"}}
		}
	}
	return ec, nil
}

func (f fakeContext) Compute(ctx context.Context, iri, function string) (*domains.EntityContext, error) {
	if err := f.hold(ctx); err != nil {
		return nil, err
	}
	f.a.note("compute %q of <%s>", function, iri)
	ec := &domains.EntityContext{IRI: iri, LocalID: domains.LocalID(iri), ClassContext: f.class}
	ec.Functions = slices.Clone(ec.Functions)
	for i := range ec.Functions {
		ec.Functions[i].Values = json.RawMessage(`{"score":0.820}`)
	}
	return ec, nil
}

func (f fakeContext) Invoke(ctx context.Context, iri, action string) (*domains.ActionResult, error) {
	if err := f.hold(ctx); err != nil {
		return nil, err
	}
	f.a.note("invoke %q on <%s>", action, iri)
	return &domains.ActionResult{Class: f.class.Name, Rows: []json.RawMessage{json.RawMessage(`{"result":"done"}`)}}, nil
}

func (f fakeContext) Apply(ctx context.Context, iri, rule string) (*domains.RuleResult, error) {
	if err := f.hold(ctx); err != nil {
		return nil, err
	}
	f.a.note("apply %q to <%s>", rule, iri)
	return &domains.RuleResult{Class: f.class.Name, Inferred: 1, Written: 1, Triples: [][3]string{{iri, "type", "Vip"}}}, nil
}

// told is what the abilities of a domain answer in an archive: the file contexts/DOMAIN,
// JSON with the names of the Go fields.
type told struct {
	Policy  domains.Policy
	Classes []domains.ClassContext
	Entity  domains.EntityContext
	Compute domains.EntityContext
	Action  domains.ActionResult
	Rule    domains.RuleResult
}

// withContexts gives the domains of a back end what an archive says that they can do.
func withContexts(t testing.TB, b domains.Backend, a *txtar.Archive) domains.Backend {
	t.Helper()
	out := toldBackend{b, map[domains.Name]*told{}}
	for _, f := range a.Files {
		name, ok := strings.CutPrefix(f.Name, "contexts/")
		if !ok {
			continue
		}
		var answers told
		if err := json.Unmarshal(f.Data, &answers); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		out.told[domains.Name(name)] = &answers
	}
	if len(out.told) == 0 {
		return b
	}
	return out
}

type toldBackend struct {
	domains.Backend
	told map[domains.Name]*told
}

func (b toldBackend) As(domains.Principal) domains.Backend { return b }

func (b toldBackend) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	d, err := b.Backend.Open(ctx, name)
	answers := b.told[name]
	if err != nil || answers == nil {
		return d, err
	}
	with := *d
	with.Info.Policy = answers.Policy
	abilities := toldAbilities{answers}
	with.Context, with.Actions, with.Rules, with.ComputesNothing = abilities, abilities, abilities, false
	return &with, nil
}

// toldAbilities answer what they were told, about every entity.
type toldAbilities struct{ *told }

func (a toldAbilities) Classes(context.Context) ([]domains.ClassContext, error) {
	return a.told.Classes, nil
}

func (a toldAbilities) Entity(_ context.Context, iri string, _ domains.ContextOptions) (*domains.EntityContext, error) {
	ec := a.told.Entity
	ec.IRI = iri
	return &ec, nil
}

func (a toldAbilities) Compute(_ context.Context, iri, _ string) (*domains.EntityContext, error) {
	ec := a.told.Compute
	ec.IRI = iri
	return &ec, nil
}

func (a toldAbilities) Invoke(context.Context, string, string) (*domains.ActionResult, error) {
	return &a.told.Action, nil
}

func (a toldAbilities) Apply(context.Context, string, string) (*domains.RuleResult, error) {
	return &a.told.Rule, nil
}
