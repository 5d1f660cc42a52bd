package rdfgraph_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestEndpoints holds that a domain's endpoints are open unless its owner closes them,
// in the list and in the domain alike.
func TestEndpoints(t *testing.T) {
	texts := map[domains.Name]string{
		"none": "publish: true", "empty": "endpoints: {}", "on": "endpoints: {graphql: on, sparql: true}", "nothing": "endpoints: {graphql: }",
		"graphql": "endpoints: {graphql: off}", "both": "endpoints: {sparql: false, graphql: no}",
		"introspection": "endpoints: {introspection: off}", "asked": "endpoints: {introspection: on}", "all": "endpoints: {sparql: off, introspection: no, graphql: false}",
	}
	want := map[domains.Name][]domains.Endpoint{
		"none": nil, "empty": nil, "on": nil, "nothing": nil,
		"graphql": {domains.EndpointGraphQL}, "both": {domains.EndpointGraphQL, domains.EndpointSPARQL},
		"introspection": {domains.EndpointIntrospection}, "asked": nil, "all": {domains.EndpointGraphQL, domains.EndpointIntrospection, domains.EndpointSPARQL},
	}
	files := fstest.MapFS{}
	for name, text := range texts {
		files[string(name)+"/domain.yaml"] = &fstest.MapFile{Data: []byte(text)}
		files[string(name)+"/a.ttl"] = &fstest.MapFile{Data: []byte("<http://e/a> a <http://e/A> .")}
	}
	b := newBackend(t, rdfgraph.Config{FS: files})
	infos, err := b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	listed, opened := map[domains.Name][]domains.Endpoint{}, map[domains.Name][]domains.Endpoint{}
	for _, i := range infos {
		listed[i.Name] = i.Policy.Closed
		d, err := b.Open(t.Context(), i.Name)
		if err != nil {
			t.Fatal(err)
		}
		opened[i.Name] = d.Info.Policy.Closed
	}
	for what, got := range map[string]map[domains.Name][]domains.Endpoint{"list": listed, "domain": opened} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("closed endpoints in the %s (-want +got):\n%s", what, diff)
		}
	}
}
