package rdfgraph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/remote"
)

// calls are the calls of function endpoints that a back end runs.
type calls struct {
	client *remote.Client
	ctx    context.Context // ends with the back end
	end    context.CancelFunc
	mu     sync.Mutex
	closed bool
	all    sync.WaitGroup
}

func newCalls(c Config) *calls {
	out := &calls{client: remote.New(remote.Config{Hosts: c.ActionHosts, Transport: c.Transport})}
	out.ctx, out.end = context.WithCancel(context.Background())
	return out
}

// close ends the calls that run, and waits for them.
func (c *calls) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.end()
	c.all.Wait()
	c.client.Close()
}

// run runs a call, which ends with ctx and with the back end.
func (c *calls) run(ctx context.Context, call func(context.Context) ([]json.RawMessage, error)) ([]json.RawMessage, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, &domains.Error{Kind: domains.ErrUnavailable, Op: "calling a function", Message: "The server is shutting down: nothing was called."}
	}
	c.all.Add(1)
	c.mu.Unlock()
	defer c.all.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	return call(ctx)
}

// endpoint is that of the nearest class which has one of that name; nil for none.
func endpoint(of []*declaredClass, name string, urls func(*declaredClass) map[string]*url.URL) *url.URL {
	for _, class := range of {
		if u := urls(class)[name]; u != nil {
			return u
		}
	}
	return nil
}

func actionURLs(c *declaredClass) map[string]*url.URL   { return c.actionURLs }
func functionURLs(c *declaredClass) map[string]*url.URL { return c.functionURLs }

// call calls the endpoint of an action or function for an entity.
func (c classContext) call(ctx context.Context, e *domains.EntityContext, at *url.URL, function string) ([]json.RawMessage, error) {
	if at == nil {
		return nil, fmt.Errorf("no endpoint of %s", function)
	}
	return c.calls.run(ctx, func(ctx context.Context) ([]json.RawMessage, error) {
		return c.calls.client.Call(ctx, at, remote.Request{
			Function: function, EntityURI: e.IRI, LocalID: e.LocalID, Domain: string(c.info.Name), Class: e.Name,
		})
	})
}

// Compute computes virtual attributes of an entity.
func (c classContext) Compute(ctx context.Context, iri, function string) (*domains.EntityContext, error) {
	const op = "computing virtual attributes"
	e, of, err := c.using(ctx, iri, domains.ElementVirtualAttributes, op)
	if err != nil {
		return nil, err
	}
	chosen := e.Functions
	if function != "" {
		i := named(chosen, function, func(f domains.Function) (string, string) { return f.FullName, f.Function })
		if i < 0 {
			return nil, c.notConfigured(op, "Virtual attribute function", function, e.Name, namesOf(chosen, func(f domains.Function) string { return f.FullName }))
		}
		chosen = chosen[i : i+1]
	}
	out := *e
	out.ClassContext = domains.ClassContext{Name: e.Name, IRI: e.IRI, Functions: slices.Clone(chosen)}
	return &out, c.compute(ctx, &out, of, out.Functions)
}

// mostAtOnce is how many functions of one entity are computed side by side.
const mostAtOnce = 4

// compute computes functions side by side. One that fails says so and hides no other; the
// only error is that ctx ended.
func (c classContext) compute(ctx context.Context, e *domains.EntityContext, of []*declaredClass, functions []domains.Function) error {
	var g errgroup.Group
	g.SetLimit(mostAtOnce)
	for i := range functions {
		f := &functions[i]
		g.Go(func() error {
			rows, err := c.call(ctx, e, endpoint(of, f.FullName, functionURLs), f.FullName)
			var told *domains.Error
			switch {
			case err == nil:
				f.Values, f.Message = valuesOf(f, rows)
			case errors.As(err, &told):
				f.Values, f.Error = json.RawMessage("{}"), told.Message
			default:
				f.Values, f.Error = json.RawMessage("{}"), "It could not be called."
			}
			return nil
		})
	}
	_ = g.Wait() // none returns an error
	return ctx.Err()
}

// resultColumn is the column of a function that gives one value (OntoBricks contract 1.1).
const resultColumn = "result"

// valuesOf are the values of the attributes of a function, in their order, by the columns
// of the first row.
func valuesOf(f *domains.Function, rows []json.RawMessage) (values json.RawMessage, message string) {
	if len(rows) == 0 {
		return json.RawMessage("{}"), "No row returned for this entity"
	}
	if len(rows) > 1 {
		message = fmt.Sprintf("Function returned %d rows; only the first one is used", len(rows))
	}
	var row map[string]json.RawMessage
	if json.Unmarshal(rows[0], &row) != nil {
		return json.RawMessage("{}"), "The row that the function returned is no object"
	}
	var b strings.Builder
	for _, a := range f.Attributes {
		value, ok := row[a.Column]
		if only, scalar := row[resultColumn]; !ok && scalar && len(row) == 1 && len(f.Attributes) == 1 {
			value, ok = only, true
		}
		if !ok {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(a.Name) // a string can always be written
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	if b.Len() == 0 && message == "" {
		message = "The function returned none of these attributes"
	}
	return json.RawMessage("{" + b.String() + "}"), message
}

// Invoke runs an action on an entity of the graph, once.
func (c classContext) Invoke(ctx context.Context, iri, action string) (*domains.ActionResult, error) {
	const op = "invoking an action"
	e, of, err := c.using(ctx, iri, domains.ElementActions, op)
	if err != nil {
		return nil, err
	}
	i := named(e.Actions, action, func(a domains.Action) (string, string) { return a.FullName, a.Function })
	if i < 0 {
		return nil, c.notConfigured(op, "Action", action, e.Name, namesOf(e.Actions, func(a domains.Action) string { return a.FullName }))
	}
	if !c.isThere(ctx, iri) {
		return nil, &domains.Error{Kind: domains.ErrInvalid, Op: op, Domain: c.info.Name,
			Message: "The graph says nothing of this entity, so no action is run on it: take the URI that describe_entity shows."}
	}
	a := e.Actions[i]
	rows, err := c.call(ctx, e, endpoint(of, a.FullName, actionURLs), a.FullName)
	if err != nil {
		return nil, err
	}
	return &domains.ActionResult{Action: a.FullName, LocalID: e.LocalID, Class: e.Name, ReturnsTable: a.ReturnsTable, Rows: rows}, nil
}

// named finds the item with a full name, or else the only one with that short name; -1 for
// none.
func named[T any](list []T, name string, of func(T) (full, short string)) int {
	found := -1
	for i, item := range list {
		full, short := of(item)
		switch {
		case full == name:
			return i
		case short == name && found >= 0:
			return -1
		case short == name:
			found = i
		}
	}
	return found
}

func namesOf[T any](list []T, of func(T) string) (out []string) {
	for _, item := range list {
		out = append(out, of(item))
	}
	return out
}

// using is the entity for which an element is to be used: policy has to leave the element,
// and the entity has to be of a class with context.
func (c classContext) using(ctx context.Context, iri string, element domains.Element, op string) (*domains.EntityContext, []*declaredClass, error) {
	if err := c.element(element, op); err != nil {
		return nil, nil, err
	}
	e, of, err := c.entity(ctx, iri)
	if err == nil && e.Name == "" {
		err = c.noClass(op)
	}
	return e, of, err
}

// noClass is the error for an entity of no class with context.
func (c *declared) noClass(op string) error {
	return &domains.Error{Kind: domains.ErrInvalid, Op: op, Domain: c.info.Name,
		Message: "No ontology class matches this entity URI, so there is nothing to call: take the URI that describe_entity shows; get_entity_context shows what its class has."}
}

// notConfigured is the error for a function that the class of an entity does not have.
func (c *declared) notConfigured(op, what, name, class string, there []string) error {
	message := fmt.Sprintf("%s '%s' is not configured on class '%s'. ", what, name, class)
	if len(there) == 0 {
		message += "There is none that can be called."
	} else {
		message += "There is: " + strings.Join(there, ", ") + "."
	}
	return &domains.Error{Kind: domains.ErrInvalid, Op: op, Domain: c.info.Name, Message: message}
}
