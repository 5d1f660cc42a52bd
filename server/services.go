package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/graphql"
)

// The GraphQL of a domain, for tools, resources and HTTP alike: the back end's own
// service, or one that is derived from the ontology of a domain that has Columns.

// What is kept. A service takes some dozens of times the memory of its SDL, and holds the
// graph that it reads.
const (
	mostServices, mostDerivedSDL = 256, 32 << 20 // bytes
	mostSchemas, mostSchemaSDL   = 16, 64 << 20  // bytes
	// buildsAtOnce is how many services are made at a time.
	buildsAtOnce = 2
)

// services makes services, each once for a revision of a domain, and keeps them and the
// schemas of other services that were read.
type services struct {
	server *Server
	ctx    context.Context // of what is being made; ends with close
	stop   context.CancelFunc
	turns  chan struct{} // holds one for each service that is being made

	mu     sync.Mutex
	closed bool
	making sync.WaitGroup
	// derived has one revision of each domain: an older one goes when a newer is asked for.
	derived shelf[derivedKey, *derivation]
	// newest are the revisions that changes of domains were told with: domain → revision.
	newest map[domains.Name]string
	// schemas are pure functions of the SDL, whoever was shown it, by its digest.
	schemas shelf[[sha256.Size]byte, func() (*graphql.Schema, error)]
}

// derivedKey is what a service depends on.
type derivedKey struct {
	domain          domains.Name
	revision        string
	noIntrospection bool
}

// derivation is a service that is being made or was made.
type derivation struct {
	done chan struct{} // closed when the others may be read
	// err says in words for the caller why there is no service.
	err     error
	service *graphql.Service
	model   *graphql.Model
	schema  func() (*graphql.Schema, error) // reads model.SDL once
}

func newServices(s *Server) *services {
	v := &services{server: s, turns: make(chan struct{}, buildsAtOnce), newest: map[domains.Name]string{}}
	v.ctx, v.stop = context.WithCancel(context.Background())
	v.derived.most, v.derived.mostBytes = mostServices, mostDerivedSDL
	v.schemas.most, v.schemas.mostBytes = mostSchemas, mostSchemaSDL
	return v
}

// isDerived reports whether a domain's GraphQL is ours.
func isDerived(d *domains.Domain) bool { return d.GraphQL == nil && d.Columns != nil }

// likeDerived reports whether a domain's GraphQL is derived, by this program or by another
// Ontogate that is asked: texts say the same of both.
func likeDerived(d *domains.Domain) bool { return isDerived(d) || d.DerivedGraphQL }

// graphQLOf is the GraphQL service of a domain: its own, else one that is derived; nil
// when it has none.
func (s *Server) graphQLOf(d *domains.Domain) domains.GraphQL {
	if isDerived(d) {
		return &derivedGraphQL{s, d}
	}
	return d.GraphQL
}

// derived is the service that is derived from a domain, and what its schema stands for. It
// is made once for a revision, whoever waits; waiting ends with ctx.
func (s *Server) derived(ctx context.Context, d *domains.Domain) (*graphql.Service, *graphql.Model, error) {
	made, err := s.services.wait(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	return made.service, made.model, nil
}

// errNoSchema is the cause of the error for a service that has no schema now.
var errNoSchema = errors.New("the domain has no GraphQL schema")

// schemaOf is the schema of a domain that has GraphQL, read and as text. Where the text
// cannot be read, err says why and sdl is the text all the same; where there is none, err
// says why (errNoSchema, or that of the service) and sdl is empty.
func (s *Server) schemaOf(ctx context.Context, d *domains.Domain) (schema *graphql.Schema, sdl string, err error) {
	if isDerived(d) {
		made, err := s.services.wait(ctx, d)
		if err != nil {
			return nil, "", err
		}
		schema, err = made.schema()
		return schema, made.model.SDL, err
	}
	of, err := d.GraphQL.Schema(ctx)
	switch {
	case err != nil:
		return nil, "", err
	case strings.TrimSpace(of.SDL) == "":
		message := "The domain has no GraphQL schema."
		if of.Reason != "" {
			message = of.Reason
		}
		return nil, "", &domains.Error{Kind: domains.ErrRefused, Domain: d.Info.Name, Err: errNoSchema, Message: message}
	}
	schema, err = s.services.read(of.SDL)
	return schema, of.SDL, err
}

// prepare begins to make the service of a domain that will probably be asked for one.
func (s *Server) prepare(c *caller, d *domains.Domain) {
	if !isDerived(d) || s.cfg.OneCall || c.once {
		return
	}
	if d.Info.Policy.Closes(domains.EndpointGraphQL) && !offers(d, s.tool("get_graphql_schema")) && !offers(d, s.tool("query_graphql")) {
		return
	}
	s.services.begin(d)
}

// wait waits until the service of a domain is made, at most until ctx ends.
func (v *services) wait(ctx context.Context, d *domains.Domain) (*derivation, error) {
	made := v.begin(d)
	if made == nil {
		return nil, errStopping
	}
	select {
	case <-made.done:
		return made, made.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin finds the service of a domain, or begins to make it; nil after close.
func (v *services) begin(d *domains.Domain) *derivation {
	key := derivedKey{d.Info.Name, d.Revision, d.Info.Policy.Closes(domains.EndpointIntrospection)}
	if !v.server.cfg.OneCall {
		v.server.watch() // a change lets go of what is kept
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil
	}
	if made, ok := v.derived.find(key); ok {
		return made
	}
	made := &derivation{done: make(chan struct{})}
	if newest, told := v.newest[key.domain]; !told || newest == key.revision {
		v.derived.drop(func(other derivedKey, _ *derivation) bool { return other.domain == key.domain })
		v.derived.put(key, made, 0)
	} // else it is for a call that began before a change, and kept for nobody else
	v.making.Go(func() { v.finish(key, made, v.make(d, key)) })
	return made
}

// letGo drops what is kept of other revisions of a domain than the newest, which is empty
// when there is none, and reports whether there was any.
func (v *services) letGo(name domains.Name, newest string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.newest[name] = newest
	return v.derived.drop(func(key derivedKey, _ *derivation) bool { return key.domain == name && key.revision != newest })
}

// watchedAnew forgets which revisions are the newest: changes may have been missed.
func (v *services) watchedAnew() {
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.newest)
}

// finish tells those who wait what became of a service. What may go better next time is
// not kept.
func (v *services) finish(key derivedKey, made, with *derivation) {
	var told *domains.Error
	again := with.err != nil && (v.ctx.Err() != nil || errors.As(with.err, &told) && told.Err != errNotDerived)
	v.mu.Lock()
	made.err, made.service, made.model, made.schema = with.err, with.service, with.model, with.schema
	if v.derived.drop(func(_ derivedKey, other *derivation) bool { return other == made }) && !again {
		size := 0
		if made.model != nil {
			size = len(made.model.SDL)
		}
		v.derived.put(key, made, size)
	}
	v.mu.Unlock()
	close(made.done)
}

// errNotDerived is the cause of the error for a service that could not be made, which is a
// fault of ours.
var errNotDerived = errors.New("the GraphQL schema could not be derived")

// make makes the service of a domain. Why it failed is logged where that is a fault of
// ours.
func (v *services) make(d *domains.Domain, key derivedKey) *derivation {
	made, err := &derivation{}, error(nil)
	select {
	case v.turns <- struct{}{}:
		err = v.derive(d, key, made)
		<-v.turns
	case <-v.ctx.Done():
		err = v.ctx.Err()
	}
	var told *domains.Error
	switch {
	case err == nil:
		return made
	case v.ctx.Err() != nil:
		return &derivation{err: errStopping}
	case errors.As(err, &told) && told.Message != "":
		return &derivation{err: err}
	}
	v.server.cfg.Logger.Error("the GraphQL schema could not be derived", "domain", string(key.domain), "revision", key.revision, "cause", err.Error())
	return &derivation{err: &domains.Error{
		Kind: domains.ErrUnavailable, Domain: key.domain, Err: errNotDerived,
		Message: fmt.Sprintf("Domain '%s' has no GraphQL now: its schema could not be made, which is a fault of this server. "+
			"Tell the person who runs it; the log says why.", shown(string(key.domain))),
	}}
}

// derive makes the service of a domain; a panic is its error.
func (v *services) derive(d *domains.Domain, key derivedKey, made *derivation) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	from := graphql.Derivation{Name: string(key.domain), Languages: d.Languages}
	if from.Ontology, err = d.Ontology(v.ctx); err != nil {
		return fmt.Errorf("reading the ontology: %w", err)
	}
	if d.Facts != nil {
		usage := d.Usage
		if d.Columns != nil {
			usage = d.Columns.Usage
		}
		if from.Usage, err = usage(v.ctx); err != nil {
			return fmt.Errorf("reading how the graph uses the ontology: %w", err)
		}
	}
	if made.model, err = graphql.Derive(v.ctx, from); err != nil {
		return fmt.Errorf("deriving the schema: %w", err)
	}
	if !isDerived(d) {
		return nil // it is asked elsewhere
	}
	made.service, err = graphql.New(graphql.Config{
		Model: made.model, Columns: d.Columns, Languages: d.Languages, NoIntrospection: key.noIntrospection,
	})
	if err != nil {
		return fmt.Errorf("parsing the derived schema: %w", err)
	}
	sdl := made.model.SDL
	made.schema = sync.OnceValues(func() (*graphql.Schema, error) { return graphql.ParseSDL(sdl) })
	return nil
}

// read reads a schema, unless it is one of those that were read last.
func (v *services) read(sdl string) (*graphql.Schema, error) {
	digest := sha256.Sum256([]byte(sdl))
	v.mu.Lock()
	parsed, ok := v.schemas.find(digest)
	if !ok {
		parsed = sync.OnceValues(func() (*graphql.Schema, error) { return graphql.ParseSDL(sdl) })
		v.schemas.put(digest, parsed, len(sdl))
	}
	v.mu.Unlock()
	return parsed()
}

// close ends what is being made and waits for it, at most until ctx ends.
func (v *services) close(ctx context.Context) error {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.stop()
	ended := make(chan struct{})
	go func() {
		v.making.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for GraphQL schemas that are being made: %w", ctx.Err())
	}
}

// shelf keeps the values that were used last. Whoever uses it holds a lock.
type shelf[K comparable, V any] struct {
	most, mostBytes int
	kept            []shelved[K, V] // last used last
}

type shelved[K comparable, V any] struct {
	key   K
	value V
	size  int // bytes
}

// find finds a value, and makes it the one used last.
func (s *shelf[K, V]) find(key K) (value V, ok bool) {
	i := slices.IndexFunc(s.kept, func(e shelved[K, V]) bool { return e.key == key })
	if i < 0 {
		return value, false
	}
	e := s.kept[i]
	s.kept = append(slices.Delete(s.kept, i, i+1), e)
	return e.value, true
}

// put adds a value, and lets go of those not used for longest that are too much. The value
// itself stays, however large.
func (s *shelf[K, V]) put(key K, value V, size int) {
	s.kept = append(s.kept, shelved[K, V]{key, value, size})
	total := 0
	for _, e := range s.kept {
		total += e.size
	}
	for len(s.kept) > 1 && (len(s.kept) > s.most || total > s.mostBytes) {
		total -= s.kept[0].size
		s.kept = slices.Delete(s.kept, 0, 1)
	}
}

// drop lets go of the values for which which holds, and reports whether there were any.
func (s *shelf[K, V]) drop(which func(K, V) bool) bool {
	before := len(s.kept)
	s.kept = slices.DeleteFunc(s.kept, func(e shelved[K, V]) bool { return which(e.key, e.value) })
	return len(s.kept) < before
}
