package rdfgraph_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestWhatIsNotUnderstoodBars holds that a domain is never served more openly than
// its owner meant: whatever is not understood at the top of a domain.yaml, or in what
// decides, makes the domain unavailable, with the place.
func TestWhatIsNotUnderstoodBars(t *testing.T) {
	texts := []struct{ text, reason string }{
		{"<<: {policy: {disabled_tools: [describe_entity]}, publish: false}", "1:1: a key is plain text and a colon; found an anchor or alias, which are not read here"},
		{"base: http://e/\n<<: &p {policy: {disabled_tools: [describe_entity]}}", "2:1: a key is plain text and a colon; found an anchor or alias"},
		{"&x policy: {disabled_tools: [describe_entity]}", "1:1: a key is plain text and a colon; found an anchor or alias"},
		{"!!str policy: {disabled_tools: [describe_entity]}", "1:1: a key is plain text and a colon; found a tag"},
		{"? policy\n: {disabled_tools: [describe_entity]}", `1:1: a key is plain text and a colon; found a "?"`},
		{"policies: {disabled_tools: [describe_entity]}", `1:1: unknown key "policies" in domain.yaml: the keys are name, `},
		{"Policy: {disabled_tools: [describe_entity]}", `1:1: unknown key "Policy" in domain.yaml: did you mean "policy"?`},
		{"disabled_tools: [describe_entity]", `1:1: unknown key "disabled_tools" in domain.yaml: did you mean the "disabled_tools" of "policy"? Write it below policy: and further in`},
		{"policy:\ndisabled_tools: [describe_entity]", `2:1: unknown key "disabled_tools"`},
		{"\"\": {disabled_tools: [describe_entity]}", `1:1: unknown key ""`},
		{"policy: &p {disabled_tools: [describe_entity]}", "1:9: policy is a map of keys; found an anchor or alias"},
		{"policy: {<<: {disabled_tools: [describe_entity]}}", "1:10: a key is plain text and a colon; found an anchor or alias"},
		{"policy: {disabled_tools: {describe_entity: true}}", "1:26: policy.disabled_tools[0] is text; found a map"},
		{"publish: !!bool false", "1:10: publish is true or false; found a tag"},
		{"endpoints: {graphql: maybe}", `1:22: endpoints.graphql is true or false; found "maybe"`},
		{"endpoints: {introspection: closed}", `1:28: endpoints.introspection is true or false; found "closed"`},
		{"endpoints: {introspections: off}", `1:13: unknown key "introspections" in endpoints: did you mean "introspection"?`},
		{"endpoints: {graphlq: off}", `1:13: unknown key "graphlq" in endpoints: did you mean "graphql"?`},
		{"endpoints: [graphql]", "1:12: endpoints is a map of keys; found a list"},
		{"versions: {? v1 : DRAFT}", `1:12: a key is plain text and a colon; found a "?"`},
	}
	files := fstest.MapFS{}
	for i, c := range texts {
		files[fmt.Sprintf("d%d/domain.yaml", i)] = &fstest.MapFile{Data: []byte(c.text)}
		files[fmt.Sprintf("d%d/a.ttl", i)] = &fstest.MapFile{Data: []byte("<http://e/a> a <http://e/A> .")}
	}
	b := newBackend(t, rdfgraph.Config{FS: files})
	for i, c := range texts {
		d, err := b.Open(t.Context(), domains.Name(fmt.Sprintf("d%d", i)))
		var e *domains.Error
		if d != nil || !errors.As(err, &e) || !errors.Is(err, domains.ErrUnavailable) || !strings.HasPrefix(e.Message, "domain.yaml:"+c.reason) {
			t.Errorf("%s\nserved %v, error %v; want it unavailable: domain.yaml:%s", c.text, d != nil, err, c.reason)
		}
	}
}
