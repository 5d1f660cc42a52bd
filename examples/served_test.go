package examples_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
)

// TestServed holds what the documentation says of the samples: which there are,
// what each hides, and that nothing in them is at fault.
func TestServed(t *testing.T) {
	type summary struct {
		Version  string
		HasFacts bool
		Hides    []string
	}
	want := map[domains.Name]summary{
		"customer360":  {Version: "1", HasFacts: true},
		"finance":      {Version: "1", HasFacts: true, Hides: []string{"get_status"}},
		"hr_analytics": {Version: "1"},
		"supply_chain": {Version: "2", HasFacts: true, Hides: []string{"list_entity_types"}},
	}
	b := serve(t)
	infos, err := b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[domains.Name]summary{}
	for _, info := range infos {
		d := open(t, b, info.Name)
		got[info.Name] = summary{d.Version, d.Facts != nil, d.Info.Policy.DisabledTools}
		for _, p := range d.Problems {
			t.Errorf("%s: %s", info.Name, p)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("domains (-want +got):\n%s", diff)
	}
}

// TestJacobMartinez holds the example of the documentation: one customer under two
// IRIs, with one interaction and one contract, and nothing else within two steps.
func TestJacobMartinez(t *testing.T) {
	facts := open(t, serve(t), "customer360").Facts
	m := find(t, facts, domains.Query{Text: "jacob martinez", Limit: 5})
	if m.Total != 1 {
		t.Fatalf("%d entities are called Jacob Martinez: %+v", m.Total, m.Hits)
	}
	var labels []string
	triples := 0
	for e, err := range facts.Walk(t.Context(), []string{m.Hits[0].IRI}, domains.WalkOptions{Depth: 2, Fanout: 10}) {
		if err != nil {
			t.Fatal(err)
		}
		labels = append(labels, e.Labels[0].Value)
		triples += e.Triples
		if e.Distance == 0 {
			if diff := cmp.Diff([]string{"https://ontobricks.com/ontology/CUST00094"}, e.Aliases); diff != "" {
				t.Errorf("aliases (-want +got):\n%s", diff)
			}
		}
	}
	slices.Sort(labels)
	want := []string{"Broadband contract CON00131", "Jacob Martinez", "Service_Activation via in_person"}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	if triples != 33 {
		t.Errorf("%d triples, want 33", triples)
	}
	if m := find(t, facts, domains.Query{Text: "martinez", Limit: 5}); m.Total < 3 {
		t.Errorf("only %d customers are called Martinez", m.Total)
	}
}

// TestFinanceKnowsCustomers holds that the contracts of a customer are found in
// finance by the customer's number.
func TestFinanceKnowsCustomers(t *testing.T) {
	facts := open(t, serve(t), "finance").Facts
	m := find(t, facts, domains.Query{Text: "CUST00094", Types: []string{"https://ontobricks.com/finance#Contract"}, Limit: 5})
	if m.Total != 1 || m.Hits[0].IRI != "https://ontobricks.com/finance/Contract/CON00131" {
		t.Errorf("found %d: %+v", m.Total, m.Hits)
	}
}

func serve(t *testing.T) *rdfgraph.Backend {
	t.Helper()
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: examples.FS()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func open(t *testing.T, b domains.Backend, name domains.Name) *domains.Domain {
	t.Helper()
	d, err := b.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func find(t *testing.T, facts domains.Facts, q domains.Query) *domains.Matches {
	t.Helper()
	m, err := facts.Find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
