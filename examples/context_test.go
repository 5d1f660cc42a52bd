package examples_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
)

// TestContext holds what the documentation says of the context of customer360, with
// the functions that examples/actions answers.
func TestContext(t *testing.T) {
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: examples.FS(), ActionHosts: []string{"127.0.0.1:9101"}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	d := open(t, b, "customer360")
	if d.Context == nil || d.Actions == nil {
		t.Fatal("customer360 has no context, or no actions")
	}
	classes, err := d.Context.Classes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{} // class → what it has
	for _, c := range classes {
		var has []string
		if c.Dataset != nil {
			has = append(has, "dataset "+c.Dataset.FullName)
		}
		for _, b := range c.Bridges {
			has = append(has, "bridge "+string(b.Domain)+" "+b.Class)
		}
		for _, a := range c.Actions {
			has = append(has, "action "+a.FullName)
		}
		for _, f := range c.Functions {
			has = append(has, "function "+f.FullName)
		}
		got[c.Name] = has
	}
	want := map[string][]string{
		"Contract": {"bridge finance Invoice"},
		"Customer": {"dataset main.crm.customers", "bridge finance Contract", "action main.ops.open_ticket", "function main.analytics.customer_value"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

// TestBridgesLeadSomewhere holds that the target class of each bridge exists, and that
// entities are found there by the number that both domains know.
func TestBridgesLeadSomewhere(t *testing.T) {
	b := serve(t)
	d := open(t, b, "customer360")
	classes, err := d.Context.Classes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bridges := 0
	for _, c := range classes {
		for _, bridge := range c.Bridges {
			bridges++
			target := open(t, b, bridge.Domain)
			o, err := target.Ontology(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(o.Classes, func(oc domains.Class) bool { return domains.LocalName(oc.IRI) == bridge.Class }); i < 0 {
				t.Errorf("%s leads to %s of %s, which is no class there", c.Name, bridge.Class, bridge.Domain)
			}
			if bridge.DomainDescription == "" {
				t.Errorf("%s: the bridge does not say what %s holds", c.Name, bridge.Domain)
			}
		}
	}
	if bridges < 2 {
		t.Errorf("there are %d bridges", bridges)
	}
	for iri, want := range map[string]string{
		"https://ontobricks.com/ontology/Customer/CUST00094": "https://ontobricks.com/finance/Contract/CON00131",
		"https://ontobricks.com/ontology/Contract/CON00131":  "https://ontobricks.com/finance/Invoice/INV-CON00131-2604",
	} {
		ec, err := d.Context.Entity(t.Context(), iri, domains.ContextOptions{FollowBridges: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(ec.Bridges) != 1 || !slices.ContainsFunc(ec.Bridges[0].Entities, func(e domains.BridgeEntity) bool { return e.IRI == want }) {
			t.Errorf("behind the bridges of %s there is no %s: %+v", iri, want, ec.Bridges)
		}
	}
}
