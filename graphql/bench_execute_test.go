package graphql_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gql "github.com/graph-gophers/graphql-go"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/graphql"
)

// nestedQuery asks for 100 people, their 5 friends, and so on: 15,600 people.
const (
	nestedQuery = `{ allPerson(limit: 100) { id label age friends(limit: 5) { id label age friends(limit: 5) {
	id label age friends(limit: 5) { id label age } } } } }`
	nestedPeople = 100 * (1 + 5 + 25 + 125)
)

// staticSDL is what nestedQuery needs, for a schema with static types.
const staticSDL = `type Query { allPerson(limit: Int = 50): [Person!]! }
type Person { id: String! label: String age: Int friends(limit: Int = 50): [Person] }`

// person is a person as somebody would write one for graph-gophers: its fields are read
// without a call, which is the fastest that the library has.
type person struct {
	ID    string
	Label *string
	Age   *int32

	friends []*person
}

type limited struct{ Limit int32 }

// Friends are the first friends.
func (p *person) Friends(a limited) *[]*person {
	friends := p.friends[:min(int(a.Limit), len(p.friends))]
	return &friends
}

// people are all people, the root of the schema.
type people struct{ all []*person }

// AllPerson are the first people.
func (p *people) AllPerson(a limited) []*person { return p.all[:min(int(a.Limit), len(p.all))] }

// newPeople makes n people, each with 5 friends. Ids and friends ascend.
func newPeople(n int) *people {
	out := make([]*person, n)
	for i := range out {
		label, age := fmt.Sprintf("Person %d of %d", i, n), int32(18+i*7%60)
		out[i] = &person{ID: fmt.Sprintf("person/%06d", i), Label: &label, Age: &age}
	}
	for i, p := range out {
		friends := make([]bool, n)
		for j := range 5 {
			friends[(i+1+j*n/5+i*j%(n/5))%n] = true
		}
		for j, is := range friends {
			if is {
				p.friends = append(p.friends, out[j])
			}
		}
	}
	return &people{out}
}

// turtle is people as an ontology with a graph.
func (p *people) turtle() []byte {
	var b bytes.Buffer
	b.WriteString(`@prefix : <https://people.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<https://people.example/> a owl:Ontology .
:Person a owl:Class .
:age a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:int .
:friends a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Person .
`)
	for _, x := range p.all {
		fmt.Fprintf(&b, "<https://people.example/%s> a :Person ; rdfs:label %q ; :age %q^^xsd:int", x.ID, *x.Label, fmt.Sprint(*x.Age))
		for _, f := range x.friends {
			fmt.Fprintf(&b, " ; :friends <https://people.example/%s>", f.ID)
		}
		b.WriteString(" .\n")
	}
	return b.Bytes()
}

// openDomain opens the only domain of some files.
func openDomain(t testing.TB, c rdfgraph.Config) *domains.Domain {
	t.Helper()
	backend, err := rdfgraph.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { backend.Close() })
	infos, err := backend.Domains(t.Context())
	if err != nil || len(infos) != 1 {
		t.Fatalf("domains %v, %v", infos, err)
	}
	d, err := backend.Open(t.Context(), infos[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if d.Columns == nil {
		t.Skip("the domain has no columns")
	}
	return d
}

// derivation is what the schema of a domain is derived from.
func derivation(t testing.TB, d *domains.Domain) graphql.Derivation {
	t.Helper()
	ontology, err := d.Ontology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	usage, err := d.Columns.Usage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return graphql.Derivation{Name: string(d.Info.Name), Ontology: ontology, Usage: usage, Languages: d.Languages}
}

// serve is the service of a domain.
func serve(t testing.TB, d *domains.Domain, from graphql.Derivation) *graphql.Service {
	t.Helper()
	model, err := graphql.Derive(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	s, err := graphql.New(graphql.Config{Model: model, Columns: d.Columns, Languages: d.Languages})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// answerer answers nestedQuery as JSON, from the text of the query on.
type answerer func(context.Context) []byte

// nested are two ways to answer nestedQuery about the same people: ours, from an
// embedded graph, and graph-gophers with static types over Go slices, with the options
// with which it is fastest. They are checked to agree.
func nested(t testing.TB, n int) (ours, theirs answerer) {
	t.Helper()
	p := newPeople(n)
	d := openDomain(t, rdfgraph.Config{FS: fstest.MapFS{"people/people.ttl": {Data: p.turtle()}}})
	s := serve(t, d, derivation(t, d))
	ours = func(ctx context.Context) []byte {
		return s.Run(ctx, graphql.Request{Query: nestedQuery}, graphql.Options{}).JSON()
	}
	schema := gql.MustParseSchema(staticSDL, p, gql.UseFieldResolvers(), gql.MaxParallelism(runtime.GOMAXPROCS(0)))
	theirs = func(ctx context.Context) []byte {
		b, err := json.Marshal(schema.Exec(ctx, nestedQuery, "", nil))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b := ours(t.Context()), theirs(t.Context())
	if got := strings.Count(string(b), `"id"`); got != nestedPeople {
		t.Fatalf("%d people from graph-gophers, want %d: %.500s", got, nestedPeople, b)
	}
	if got := strings.Count(string(a), `"id"`); got != nestedPeople {
		t.Fatalf("%d people, want %d: %.500s", got, nestedPeople, a)
	}
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(x, y) {
		t.Fatalf("the answers differ:\n%.1000s\n%.1000s", a, b)
	}
	return ours, theirs
}

// TestNested holds that a nested query has the answer of graph-gophers with static types.
func TestNested(t *testing.T) { nested(t, 1_000) }

// BenchmarkNested15600 answers a nested query with 15,600 people from 10,000, parsing and
// validation included. The second asks both in turns, since a machine is seldom equally
// fast for long, and says how many times as long as ours graph-gophers takes in the median.
func BenchmarkNested15600(b *testing.B) {
	ours, theirs := nested(b, 10_000)
	b.Run("ontogate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ours(b.Context())
		}
	})
	b.Run("graph-gophers", func(b *testing.B) {
		b.ReportAllocs()
		var short, long []time.Duration
		for b.Loop() {
			b.StopTimer()
			for range 3 {
				short = append(short, taken(b, ours))
			}
			b.StartTimer()
			long = append(long, taken(b, theirs))
		}
		slices.Sort(short)
		slices.Sort(long)
		b.ReportMetric(float64(long[len(long)/2])/float64(short[len(short)/2]), "x-ontogate")
	})
}

// taken is how long an answer takes.
func taken(b *testing.B, answer answerer) time.Duration {
	start := time.Now()
	answer(b.Context())
	return time.Since(start)
}

// BenchmarkSchemaOrg derives and parses the schema of schema.org, which has about 63,000
// inherited fields. It says how much memory the service holds, and what is in use at most
// while it is made, garbage included.
func BenchmarkSchemaOrg(b *testing.B) {
	folder := domaintest.Shared(b, "data", "ontologies", "schemaorg")
	d := openDomain(b, rdfgraph.Config{FS: os.DirFS(folder)})
	from := derivation(b, d)
	before := inUse()
	var held, peak uint64
	b.ReportAllocs()
	for b.Loop() {
		most := watchHeap()
		s := serve(b, d, from)
		b.StopTimer()
		peak = max(peak, most()-before)
		held = inUse() - before
		runtime.KeepAlive(s)
		b.StartTimer()
	}
	const mb = 1 << 20
	b.ReportMetric(float64(held)/mb, "MB-held")
	b.ReportMetric(float64(peak)/mb, "MB-peak")
}

// inUse is how much memory is in use, in bytes.
func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	return heap()
}

// heap is what the heap's objects take, in bytes, those that are not collected yet
// included.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// watchHeap looks at the heap every millisecond, until the function that it returns is
// called, which tells the most that was seen.
func watchHeap() (stop func() uint64) {
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for {
			most = max(most, heap())
			select {
			case <-ticker.C:
			case <-done:
				result <- most
				return
			}
		}
	}()
	return func() uint64 {
		close(done)
		return <-result
	}
}
