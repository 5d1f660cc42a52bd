package rdfgraph_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// The IRI of a blank node is its domain's own: files of one name in two domains give none in
// common, and no bridge leads by it.
func TestBlankNodesAreTheirDomains(t *testing.T) {
	b := newBackend(t, rdfgraph.Config{FS: fstest.MapFS{
		"a/data.ttl": {Data: []byte(`@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Address a <http://www.w3.org/2002/07/owl#Class> . [] a :Address ; rdfs:label "Paris office" .`)},
		"a/domain.yaml": {Data: []byte("classes: {Address: {bridges: [{domain: b, class: Invoice}]}}\n")},
		"b/data.ttl": {Data: []byte(`@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Invoice a <http://www.w3.org/2002/07/owl#Class> . [] a :Invoice ; rdfs:label "Invoice of someone else" .`)},
	}})
	iris := map[domains.Name]string{}
	for name, class := range map[domains.Name]string{"a": "http://e/Address", "b": "http://e/Invoice"} {
		d, err := b.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := d.Facts.Find(t.Context(), domains.Query{Types: []string{class}, Limit: 2})
		if err != nil || len(found.Hits) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		if iris[name] = found.Hits[0].IRI; !strings.HasPrefix(iris[name], "https://"+string(name)+".invalid/.well-known/genid/") {
			t.Errorf("the blank node of %s is %s", name, iris[name])
		}
	}
	d, err := b.Among(b).Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Context.Entity(t.Context(), iris["a"], domains.ContextOptions{FollowBridges: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Bridges) != 1 || !e.Bridges[0].Followed || len(e.Bridges[0].Entities) > 0 {
		t.Errorf("the bridge leads to %+v", e.Bridges)
	}
}
