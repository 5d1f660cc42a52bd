package ontobricks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

const (
	base = "https://acme.example/onto/"
	typ  = rdf.RDFType
	lab  = rdf.RDFSLabel
)

// service is triples/find over HTTP, with the requests that came.
type service struct {
	asked []findParams
}

// serve is the facts of a graph. Classes are given as "Class" or "Class<Super".
func serve(t testing.TB, o *domains.Ontology, triples [][3]string) (*facts, *service) {
	t.Helper()
	d := bricktest.New(t)
	d.Add(bricktest.Domain{Name: "acme", Triples: triples})
	s := &service{}
	find := func(_ context.Context, p findParams) (*wire.Found, error) {
		s.asked = append(s.asked, p)
		q := url.Values{"domain_name": {"acme"}, "depth": {strconv.Itoa(p.Depth)}, "limit": {strconv.Itoa(p.Limit)}, "offset": {strconv.Itoa(p.Offset)}}
		if p.EntityType != "" {
			q.Set("entity_type", p.EntityType)
		}
		if p.Search != "" {
			q.Set("search", p.Search)
		}
		if p.Cache != domains.CacheAuto {
			q.Set("cache", strconv.FormatBool(p.Cache == domains.CacheOn))
		}
		res, err := http.Get(d.URL + "/api/v1/digitaltwin/triples/find?" + q.Encode())
		if err != nil {
			return nil, err
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("status %d", res.StatusCode)
		}
		var found wire.Found
		return &found, json.NewDecoder(res.Body).Decode(&found)
	}
	return factsOf(o, find), s
}

// factsOf are the facts of what find answers.
func factsOf(o *domains.Ontology, find func(context.Context, findParams) (*wire.Found, error)) *facts {
	return newFacts(graphSource{
		find: find, name: "acme",
		ontology: func(context.Context) (*domains.Ontology, error) { return o, nil },
	}).(*facts)
}

// schema is an ontology with classes, each after its super-class, and properties by kind.
func schema(classes [][2]string, properties map[string]domains.PropertyKind) *domains.Ontology {
	var o domains.Ontology
	for _, c := range classes {
		class := domains.Class{IRI: base + c[0], Declared: true}
		if c[1] != "" {
			class.Supers = []string{base + c[1]}
		}
		o.Classes = append(o.Classes, class)
	}
	for name, kind := range properties {
		o.Properties = append(o.Properties, domains.Property{IRI: base + name, Kind: kind, Declared: true})
	}
	return domains.NewOntology(o)
}

func empty() *domains.Ontology { return schema(nil, nil) }

// find is one Find that works, and the IRIs of its hits without the base.
func find(t testing.TB, f *facts, q domains.Query) (*domains.Matches, []string) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 1_000
	}
	m, err := f.Find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return m, hitNames(m)
}

func hitNames(m *domains.Matches) []string {
	out := []string{}
	for _, h := range m.Hits {
		out = append(out, short(h.IRI))
	}
	return out
}

func short(iri string) string {
	if len(iri) > len(base) && iri[:len(base)] == base {
		return iri[len(base):]
	}
	return iri
}

// walked are the entities of a walk as "distance name". read is what a Find has read for
// it, or nil.
func walked(t testing.TB, f *facts, read domains.Reading, from []string, depth int) (names []string, entities []domains.Entity) {
	t.Helper()
	for i := range from {
		from[i] = base + from[i]
	}
	for e, err := range f.Walk(t.Context(), from, domains.WalkOptions{Depth: depth, Fanout: 10, Read: read}) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprintf("%d %s", e.Distance, short(e.IRI)))
		entities = append(entities, e)
	}
	return names, entities
}

// types are class IRIs, as the argument entity_type gives them.
func types(o *domains.Ontology, class string) []string {
	out := o.WithSubClasses(base + class)
	slices.Sort(out)
	return out
}

// factLines writes the facts of an entity, one a line.
func factLines(e domains.Entity) []string {
	var out []string
	for _, f := range e.Facts {
		arrow := "→"
		if f.Incoming {
			arrow = "←"
		}
		line := fmt.Sprintf("%s %s %d:", arrow, short(f.Property), f.Total)
		for _, v := range f.Values {
			if v.Ref != nil {
				line += fmt.Sprintf(" <%s|%s>", short(v.Ref.IRI), v.Ref.Label)
				continue
			}
			line += fmt.Sprintf(" %q", v.Literal.Value)
		}
		out = append(out, line)
	}
	return out
}
