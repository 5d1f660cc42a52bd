package graphql_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/graphql"
)

// faulty is a small graph whose columns fail at one call.
func faulty(t testing.TB, call string, fail func(context.Context) error) (*graphql.Service, *toy) {
	t.Helper()
	g := newToy(turtle(t, `@prefix : <`+toyBase+`> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:p1 a :Person ; rdfs:label "Ann" ; :age 1 ; :knows :p2 ; :likes :p2 .
:p2 a :Person ; rdfs:label "Bob" ; :age 2 .`))
	g.before = func(ctx context.Context, called string) error {
		if strings.HasPrefix(called, call) {
			return fail(ctx)
		}
		return nil
	}
	return service(t, graphql.Config{Columns: g}), g
}

func service(t testing.TB, c graphql.Config) *graphql.Service {
	t.Helper()
	c.Model, c.Languages = toyModel(t), []string{"en"}
	s, err := graphql.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const faultyQuery = `{ n: countPerson allPerson { id label age knows { id label age likes { id } } likes { __typename types } } }`

// TestFault holds what becomes of a call that fails: the field is null as far as it may
// be, the rest stands, and words that are not for the caller are kept from him.
func TestFault(t *testing.T) {
	secret := errors.New("dial tcp 10.0.0.1: secret")
	for _, row := range []struct {
		call, want string
		err        error
		causes     int
	}{
		{"Values(age, 1", `{"n":2,"allPerson":[{"id":"p1","label":"Ann","age":1,"knows":[{"id":"p2","label":"Bob","age":null,"likes":[]}],"likes":[{"__typename":"Person","types":["https://toy.test/Person"]}]},
{"id":"p2","label":"Bob","age":2,"knows":[],"likes":[]}]}
{"message":"internal error","locations":[{"line":1,"column":60}],"path":["allPerson",0,"knows",0,"age"]}
`, secret, 1},
		{"Related(knows", `{"n":2,"allPerson":[{"id":"p1","label":"Ann","age":1,"knows":null,"likes":[{"__typename":"Person","types":["https://toy.test/Person"]}]},
{"id":"p2","label":"Bob","age":2,"knows":null,"likes":[]}]}
{"message":"Too many: ask for less.","locations":[{"line":1,"column":43}],"path":["allPerson",0,"knows"]}
`, fmt.Errorf("reading: %w", &domains.Error{Kind: domains.ErrLimit, Message: "Too many: ask for less.", Err: secret}), 0},
		{"IRIs(1", `{"n":2,"allPerson":[{"id":"p1","label":"Ann","age":1,"knows":[null],"likes":[{"__typename":"Person","types":["https://toy.test/Person"]}]},
{"id":"p2","label":"Bob","age":2,"knows":[],"likes":[]}]}
{"message":"internal error","locations":[{"line":1,"column":51}],"path":["allPerson",0,"knows",0,"id"]}
`, secret, 1},
		{"IRIs(2", "null\n" + `{"message":"internal error","locations":[{"line":1,"column":30}],"path":["allPerson",0,"id"]}
`, secret, 1},
		{"Types(1", `{"n":2,"allPerson":[{"id":"p1","label":"Ann","age":1,"knows":[{"id":"p2","label":"Bob","age":2,"likes":[]}],"likes":null},
{"id":"p2","label":"Bob","age":2,"knows":[],"likes":null}]}
{"message":"internal error","locations":[{"line":1,"column":79}],"path":["allPerson",0,"likes"]}
`, secret, 1},
		{"Select(2 classes, limit 0", "null\n" + `{"message":"internal error","locations":[{"line":1,"column":3}],"path":["n"]}
`, context.DeadlineExceeded, 1}, // a deadline of somebody else's is no word for the caller
	} {
		for _, how := range []string{"error", "panic", "error ahead", "panic ahead"} {
			s, _ := faulty(t, row.call, func(context.Context) error {
				if strings.HasPrefix(how, "panic") && row.causes > 0 {
					panic(row.err)
				}
				return row.err
			})
			if strings.HasSuffix(how, "ahead") {
				s.ReadAheadFrom(1)
			}
			r := s.Run(t.Context(), graphql.Request{Query: faultyQuery}, graphql.Options{})
			if diff := cmp.Diff(row.want, spread(t, r)); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", how, row.call, diff)
			}
			if len(r.Causes) != row.causes || row.causes > 0 && !strings.Contains(r.Causes[0].Error(), row.err.Error()) {
				t.Errorf("%s of %s: causes %v", how, row.call, r.Causes)
			}
			if !r.Executed {
				t.Errorf("%s of %s: not executed", how, row.call)
			}
		}
	}
}

// TestFaultOfTwins holds that fields that are read together tell what failed each for
// itself.
func TestFaultOfTwins(t *testing.T) {
	s, _ := faulty(t, "Labels", func(context.Context) error {
		return &domains.Error{Kind: domains.ErrLimit, Message: "Too many: ask for less."}
	})
	r := s.Run(t.Context(), graphql.Request{Query: `{ person(id: "p1") { a: label b: label } }`}, graphql.Options{})
	want := `{"person":{"a":null,"b":null}}
{"message":"Too many: ask for less.","locations":[{"line":1,"column":22}],"path":["person","a"]}
{"message":"Too many: ask for less.","locations":[{"line":1,"column":31}],"path":["person","b"]}
`
	if diff := cmp.Diff(want, spread(t, r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDeadline holds that the answer at the deadline has what was read till then, with a
// shape that is never broken: lists leave out entities of which something is missing that
// must not be null.
func TestDeadline(t *testing.T) {
	const told = `{"message":"Reading stopped at the deadline (10s at most), and the answer has only what was read till then: ask for fewer entities with limit, or for fewer relations.",`
	for _, row := range []struct{ call, want string }{
		{"Select(2 classes, limit 50", `{"n":2,"allPerson":[]}` + "\n" + told + `"locations":[{"line":1,"column":18}],"path":["allPerson"]}` + "\n"},
		{"IRIs(2", `{"n":2,"allPerson":[]}` + "\n" + told + `"locations":[{"line":1,"column":30}],"path":["allPerson",0,"id"]}` + "\n"},
		{"Related(likes, 2", `{"n":2,"allPerson":[{"id":"p1","label":"Ann","age":1,"knows":null,"likes":null},
{"id":"p2","label":"Bob","age":2,"knows":[],"likes":null}]}
` + told + `"locations":[{"line":1,"column":79}],"path":["allPerson",0,"likes"]}` + "\n"},
		{"Values(age, 1", `{"n":2,"allPerson":[{"id":"p1","label":"Ann","age":1,"knows":[{"id":"p2","label":"Bob","age":null,"likes":null}],"likes":null},
{"id":"p2","label":"Bob","age":2,"knows":[],"likes":[]}]}
` + told + `"locations":[{"line":1,"column":60}],"path":["allPerson",0,"knows",0,"age"]}` + "\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, _ := faulty(t, row.call, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
			start := time.Now()
			r := s.Run(t.Context(), graphql.Request{Query: faultyQuery}, graphql.Options{})
			if took := time.Since(start); took != 10*time.Second {
				t.Errorf("it took %v", took)
			}
			if diff := cmp.Diff(row.want, spread(t, r)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.call, diff)
			}
			if len(r.Causes) > 0 {
				t.Errorf("causes %v", r.Causes)
			}
		})
	}
}

// TestCallersDeadline holds that an earlier deadline of the caller's wins, and that one of
// the service's is its Timeout.
func TestCallersDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newToy(nil)
		g.before = func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
		s := service(t, graphql.Config{Columns: g, Timeout: time.Minute})
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s.Run(ctx, graphql.Request{Query: "{ countPerson }"}, graphql.Options{})
		if took := time.Since(start); took != time.Second {
			t.Errorf("it took %v", took)
		}
		s.Run(t.Context(), graphql.Request{Query: "{ countPerson }"}, graphql.Options{})
		if took := time.Since(start); took != time.Second+time.Minute {
			t.Errorf("both took %v", took)
		}
	})
}

// TestCancelled holds that a request that was cancelled ends at once: no further call, and
// no answer.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, g := faulty(t, "Values(age, 2", func(context.Context) error { cancel(); return nil })
	r := s.Run(ctx, graphql.Request{Query: faultyQuery}, graphql.Options{})
	if diff := cmp.Diff("null\n"+`{"message":"The request was cancelled."}`+"\n", spread(t, r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if last := g.calls[len(g.calls)-1]; last != "Values(age, 2 nodes)" {
		t.Errorf("a call after the end: %s", last)
	}
}

// TestManyErrors holds that errors at many places are told for 100 of them and counted
// for the others.
func TestManyErrors(t *testing.T) {
	var facts strings.Builder
	fmt.Fprintf(&facts, "@prefix : <%s> .\n", toyBase)
	for i := range 120 {
		fmt.Fprintf(&facts, ":p%03d a :Person ; :age \"x%d\" .\n", i, i)
	}
	s := service(t, graphql.Config{Columns: newToy(turtle(t, facts.String()))})
	r := s.Run(t.Context(), graphql.Request{Query: `{ allPerson(limit: 1000) { age } }`}, graphql.Options{})
	if len(r.Errors) != 101 || r.Errors[100].Message != "And 20 more errors, which are not listed." || r.Errors[100].Path != nil {
		t.Errorf("%d errors, the last %+v", len(r.Errors), r.Errors[len(r.Errors)-1])
	}
}

// TestManyValues holds that a list of values ends at 1,000, and says so.
func TestManyValues(t *testing.T) {
	p := rdf.NewIRI(toyBase + "p")
	facts := []rdf.Triple{{Subject: p, Predicate: rdf.NewIRI(rdfType), Object: rdf.NewIRI(toyBase + "Person")}}
	for i := range 1001 {
		facts = append(facts, rdf.Triple{Subject: p, Predicate: rdf.NewIRI(toyBase + "nick"), Object: rdf.NewString(fmt.Sprint(i))})
	}
	s := service(t, graphql.Config{Columns: newToy(facts)})
	r := s.Run(t.Context(), graphql.Request{Query: `{ allPerson { nick } }`}, graphql.Options{})
	if n := strings.Count(string(r.Data), ","); n != 999 || len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Message, "more than 1,000 values") {
		t.Errorf("%d values, errors %+v", n+1, r.Errors)
	}
}

// TestHostileText holds that an answer is valid JSON and UTF-8 whatever a literal holds.
func TestHostileText(t *testing.T) {
	p := rdf.NewIRI(toyBase + "p")
	hostile := "\xff\xfe\x00\x1f\"\\\u2028\xed\xa0\x80</script>"
	g := newToy([]rdf.Triple{
		{Subject: p, Predicate: rdf.NewIRI(rdfType), Object: rdf.NewIRI(toyBase + "Person")},
		{Subject: p, Predicate: rdf.NewIRI(rdfsLabel), Object: rdf.NewString(hostile)},
		{Subject: p, Predicate: rdf.NewIRI(toyBase + "age"), Object: rdf.NewString(hostile)},
	})
	r := service(t, graphql.Config{Columns: g}).Run(t.Context(), graphql.Request{Query: `{ allPerson { label age } }`}, graphql.Options{})
	body := r.JSON()
	if !json.Valid(body) || strings.ToValidUTF8(string(body), "") != string(body) {
		t.Errorf("not JSON in UTF-8: %q", body)
	}
	const want = `{"data":{"allPerson":[{"label":"��\u0000\u001f\"\\\u2028���</script>","age":null}]},` +
		`"errors":[{"message":"The value \"�\\u0000\\u001f\\\"\\\\\\u2028�</script>\" is not an Int.","locations":[{"line":1,"column":21}],"path":["allPerson",0,"age"]}]}`
	if diff := cmp.Diff(want, string(body)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
