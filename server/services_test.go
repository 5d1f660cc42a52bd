package server_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// someTurtle is a small domain.
const someTurtle = `@prefix : <https://example.org/zoo#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
: a owl:Ontology .
:Animal a owl:Class .
:keptBy a owl:ObjectProperty ; rdfs:domain :Animal ; rdfs:range :Keeper .
:Keeper a owl:Class .
:legs a owl:DatatypeProperty ; rdfs:domain :Animal ; rdfs:range xsd:int .
:leo a :Animal ; rdfs:label "Leo" ; :legs 4 ; :keptBy :ann .
:odd a :Animal ; rdfs:label "Odd" ; :legs "several"^^xsd:int .
:ann a :Keeper ; rdfs:label "Ann" .
`

// folders serves small domains: zoo, and others that are closed in part.
func folders(t testing.TB) domains.Backend {
	t.Helper()
	files := fstest.MapFS{}
	for name, settings := range map[string]string{
		"zoo": "", "shut": "endpoints: {graphql: off}", "quiet": "endpoints: {introspection: off}",
		"hidden": "policy: {disabled_tools: [query_graphql, get_graphql_schema]}",
	} {
		files[name+"/zoo.ttl"] = &fstest.MapFile{Data: []byte(someTurtle)}
		files[name+"/domain.yaml"] = &fstest.MapFile{Data: []byte("description: animals\n" + settings + "\n")}
	}
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: files})
	if err != nil {
		t.Fatalf("loading the domains: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// derivedFrom is a back end whose domains are watched while services are made of them.
type derivedFrom struct {
	domains.Backend
	revision atomic.Value // of string: what Open gives, when set
	// usage, when set, is called for each service that is made; an error of it counts.
	usage func(ctx context.Context) error
	made  atomic.Int64
}

func (b *derivedFrom) As(domains.Principal) domains.Backend { return b }

func (b *derivedFrom) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	d, err := b.Backend.Open(ctx, name)
	if err != nil || d.Columns == nil {
		return d, err
	}
	copied := *d
	if r, ok := b.revision.Load().(string); ok {
		copied.Revision = r
	}
	copied.Columns = watchedColumns{d.Columns, b}
	return &copied, nil
}

type watchedColumns struct {
	domains.Columns
	of *derivedFrom
}

func (c watchedColumns) Usage(ctx context.Context) (*domains.Usage, error) {
	c.of.made.Add(1)
	if c.of.usage != nil {
		if err := c.of.usage(ctx); err != nil {
			return nil, err
		}
	}
	return c.Columns.Usage(ctx)
}

const countAnimals = `{"query":"{ countAnimal }"}`

// However many ask at once, and by whichever address, a service is made once; another
// revision has one of its own, and the one before is let go.
func TestServiceIsMadeOnce(t *testing.T) {
	b, asked := &derivedFrom{Backend: folders(t)}, make(chan struct{})
	b.usage = func(context.Context) error { <-asked; return nil }
	allAsked := sync.OnceFunc(func() { close(asked) })
	s := newServer(t, func(c *server.Config) { c.Backend = b })
	askAll := func() {
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				body, method, path := countAnimals, http.MethodPost, "/graphql/zoo"
				if i%5 == 0 {
					body, method, path = "", http.MethodGet, "/api/v1/graphql/zoo/schema"
				}
				if w := send(t, s.Handler(), method, path, body); w.Code != http.StatusOK {
					t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
				}
			})
		}
		allAsked()
		all.Wait()
	}
	askAll()
	equal(t, "services made", int64(1), b.made.Load())
	b.revision.Store("r2")
	askAll()
	equal(t, "services made for two revisions", int64(2), b.made.Load())
	b.revision.Store("r1")
	askAll()
	equal(t, "services made when the first was let go", int64(3), b.made.Load())
	equal(t, "services kept", 1, s.Services())
}

// A service is made when its domain is first opened, before anybody asks for it, unless
// nobody can.
func TestServiceIsPrepared(t *testing.T) {
	b, made := &derivedFrom{Backend: folders(t)}, make(chan struct{}, 9)
	b.usage = func(context.Context) error { made <- struct{}{}; return nil }
	s := newServer(t, func(c *server.Config) { c.Backend = b })
	c := connect(t, serve(t, s)+"/mcp")
	c.call("get_status", `{"domain_name":"zoo"}`)
	<-made
	for _, target := range []string{"/graphql", "/graphql/settings/depth", "/"} {
		send(t, s.Handler(), http.MethodGet, target, "")
	}
	equal(t, "services made", int64(1), b.made.Load())

	b = &derivedFrom{Backend: folders(t)}
	s, err := server.New(t.Context(), server.Config{Backend: b, OneCall: true, Domain: "zoo"})
	if err != nil {
		t.Fatal(err)
	}
	if _, isError, err := s.Call(t.Context(), "get_status", nil); err != nil || isError {
		t.Fatal(err)
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "services made for one call of another tool", int64(0), b.made.Load())
}

// A service that cannot be made is one line in the log, whoever asks, and says so.
func TestServiceThatCannotBeMade(t *testing.T) {
	for name, fault := range map[string]func(context.Context) error{
		"error": func(context.Context) error { return errors.New("secret cause") },
		"panic": func(context.Context) error { panic("secret cause") },
	} {
		var log syncBuffer
		b := &derivedFrom{Backend: folders(t), usage: fault}
		s := newServer(t, func(c *server.Config) { c.Backend, c.Logger = b, slog.New(slog.NewJSONHandler(&log, nil)) })
		for range 3 {
			w := send(t, s.Handler(), http.MethodPost, "/graphql/zoo", countAnimals)
			equal(t, name, http.StatusServiceUnavailable, w.Code)
			contains(t, name, w.Body.String(), "Domain 'zoo' has no GraphQL now", "the log says why")
			if strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s: the client is shown the cause: %s", name, w.Body)
			}
		}
		equal(t, name+": attempts", int64(1), b.made.Load())
		equal(t, name+": lines in the log", 1, strings.Count(log.String(), `"msg":"the GraphQL schema could not be derived"`))
		contains(t, name+": the log", log.String(), "secret cause", `"domain":"zoo"`)
	}
}

// What a back end says of itself is told, and may be better the next time.
func TestServiceIsTriedAgain(t *testing.T) {
	b := &derivedFrom{Backend: folders(t)}
	var back atomic.Bool
	b.usage = func(context.Context) error {
		if !back.Load() {
			return &domains.Error{Kind: domains.ErrUpstream, Message: "The disk is away."}
		}
		return nil
	}
	s := newServer(t, func(c *server.Config) { c.Backend = b })
	w := send(t, s.Handler(), http.MethodPost, "/graphql/zoo", countAnimals)
	equal(t, "status", http.StatusBadGateway, w.Code)
	contains(t, "the answer", w.Body.String(), "The disk is away.")
	back.Store(true)
	w = send(t, s.Handler(), http.MethodPost, "/graphql/zoo", countAnimals)
	equal(t, "the answer", `{"data":{"countAnimal":2}}`, w.Body.String())
}

// One who waits for a service leaves when their time is over; the service is made all the
// same. Shutdown ends what is being made and waits for it.
func TestServiceOutlivesThoseWhoWait(t *testing.T) {
	b, begun, ended := &derivedFrom{Backend: folders(t)}, make(chan struct{}, 1), make(chan struct{})
	b.usage = func(ctx context.Context) error {
		begun <- struct{}{}
		<-ctx.Done()
		close(ended)
		return fmt.Errorf("stopped: %w", ctx.Err())
	}
	var log syncBuffer
	s := newServer(t, func(c *server.Config) { c.Backend, c.Logger = b, slog.New(slog.NewJSONHandler(&log, nil)) })
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/graphql/zoo", strings.NewReader(countAnimals))
		r.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(discardWriter{}, r)
	}()
	<-begun
	leave()
	<-left
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-ended
	if strings.Contains(log.String(), `"msg":"the GraphQL schema could not be derived"`) {
		t.Errorf("the end of the server is logged as a fault:\n%s", log.String())
	}
	w := send(t, s.Handler(), http.MethodPost, "/graphql/zoo", countAnimals)
	equal(t, "status after the end", http.StatusServiceUnavailable, w.Code)
}

// discardWriter is for a client that has gone.
type discardWriter struct{}

func (discardWriter) Header() http.Header         { return http.Header{} }
func (discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (discardWriter) WriteHeader(int)             {}

// What is kept is bounded by number and size, and what was used last stays.
func TestShelf(t *testing.T) {
	for name, c := range map[string]struct {
		most, mostBytes int
		puts            []string
		find            string // before the last is put
		want            []string
	}{
		"number":     {2, 100, []string{"a:1", "b:1", "c:1"}, "", []string{"b", "c"}},
		"bytes":      {9, 10, []string{"a:4", "b:4", "c:4"}, "", []string{"b", "c"}},
		"used":       {2, 100, []string{"a:1", "b:1", "c:1"}, "a", []string{"a", "c"}},
		"one stays":  {9, 10, []string{"a:4", "b:40"}, "", []string{"b"}},
		"room again": {9, 10, []string{"a:40", "b:4", "c:4"}, "", []string{"b", "c"}},
	} {
		equal(t, name, c.want, server.Shelve(c.most, c.mostBytes, c.puts, c.find))
	}
}
