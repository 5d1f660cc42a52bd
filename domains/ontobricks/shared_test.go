package ontobricks_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// TestEqualTextsAreReadOnce holds that principals who are sent an ontology at the same time
// have one in memory, and the same for schemas.
func TestEqualTextsAreReadOnce(t *testing.T) {
	var large strings.Builder
	large.WriteString("@prefix owl: <http://www.w3.org/2002/07/owl#> .\n")
	for i := range 500 {
		fmt.Fprintf(&large, "<urn:c%d> a owl:Class .\n", i)
	}
	yes := true
	r := newRig(t, bricktest.Domain{Name: "large", HasGraph: &yes, Ontology: large.String(), SDL: "type Query { a: Int }"})
	const users = 8
	var all sync.WaitGroup
	var models [users]*domains.Ontology
	var schemas [users]*domains.GraphQLSchema
	for i := range users {
		d := r.open(t, "large", domains.Principal{User: fmt.Sprint(i)})
		all.Go(func() {
			var err1, err2 error
			models[i], err1 = d.Ontology(t.Context())
			schemas[i], err2 = d.GraphQL.Schema(t.Context())
			if err1 != nil || err2 != nil {
				t.Error(err1, err2)
			}
		})
	}
	all.Wait()
	for i := range users {
		if models[i] != models[0] || schemas[i] != schemas[0] {
			t.Errorf("user %d has an ontology or a schema of its own", i)
		}
	}
	if n, m := r.Count("/domain/ontology"), r.Count("/schema"); n != users || m != users {
		t.Errorf("%d and %d requests of %d users", n, m, users)
	}
}

// TestOldAnswersGo holds that answers about domains which are not asked for any more do not
// stay.
func TestOldAnswersGo(t *testing.T) {
	r := newRig(t)
	r.open(t, "finance", domains.Principal{})
	r.wait(ontobricks.VersionMost)
	r.open(t, "customer360", domains.Principal{})
	if n := r.b.KnownVersions(); n != 1 {
		t.Errorf("versions of %d domains are kept", n)
	}
}

// TestTokenOfNobody holds that a token that comes without a user is not used: what it is
// answered would be the program's.
func TestTokenOfNobody(t *testing.T) {
	r := newRig(t)
	r.open(t, "finance", domains.Principal{Token: "x"})
	for _, q := range r.Requests() {
		if q.Header.Get("X-Forwarded-Access-Token") != "" {
			t.Errorf("%s has the token", q.EscapedPath)
		}
	}
}
