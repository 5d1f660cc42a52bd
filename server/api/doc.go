// Package api is the REST interface of OntoBricks (OntoBricks contract 1.0 to 1.2), answered
// from any back end. One table says which addresses there are, what each takes and what it
// answers; requests are read by it, and the OpenAPI document is written from it, so that
// neither knows anything that the other does not.
//
// The package turns a request into a value or an error. What HTTP is about (who asks, how
// long it may take, how many at once) is the server's.
package api

import (
	"context"
	"net/url"

	"github.com/ontogate/ontogate/domains"
)

// Site is what a request is answered from.
type Site struct {
	// Backend is the back end as whoever asks sees it.
	Backend domains.Backend
	// Open opens a domain of it.
	Open func(context.Context, domains.Name) (*domains.Domain, error)
	// Domain is the domain of requests that name none; empty for none.
	Domain domains.Name
	// Version is the version of the program.
	Version string
	// ReadOnly is set when nothing may write.
	ReadOnly bool
}

// Request is a request at one of Paths.
type Request struct {
	// Method is GET or POST; HEAD is GET.
	Method, Path string
	Query        url.Values
	// Body is what was posted.
	Body []byte
}

// Path is an address, with the method that it takes.
type Path struct{ Method, Path string }

// Paths are all addresses but that of the document, in the order of the document.
func Paths() []Path {
	var out []Path
	for _, e := range endpoints() {
		out = append(out, Path{e.method, e.path})
	}
	return out
}

// Serve answers a request: a value that is written as JSON, and the domain that it is
// about, empty for none. Errors: *Unfit for a request that its form is refused for; *domains.Error; that
// ctx ended; any other is a fault of ours.
func Serve(ctx context.Context, s Site, r Request) (answer any, about domains.Name, err error) {
	e, err := find(r)
	if err != nil {
		return nil, "", err
	}
	q := &asked{endpoint: e, site: s}
	if err := q.read(r); err != nil {
		return nil, "", err
	}
	if e.domain != noDomain {
		if q.d, err = q.open(ctx); err != nil {
			return nil, q.name, err
		}
	}
	answer, err = e.answer(ctx, q)
	return answer, q.name, err
}

// find finds an endpoint by its address.
func find(r Request) (*endpoint, error) {
	var there *endpoint
	for _, e := range endpoints() {
		if e.path != r.Path {
			continue
		}
		if e.method == r.Method {
			return e, nil
		}
		there = e
	}
	if there != nil {
		return nil, NotAllowed(there.method)
	}
	return nil, NotFound()
}
