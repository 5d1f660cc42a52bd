package bricktest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Deployment is an OntoBricks deployment. All methods may be called while it serves.
type Deployment struct {
	// URL is its base, without a slash at the end.
	URL string

	server *httptest.Server
	closed chan struct{} // ends what hangs

	mu       sync.Mutex
	registry Registry
	order    []string
	domains  map[string]*state // name → domain
	requests []Recorded
	cookies  int
	faults   []*fault
	token    func(string) bool
	gate     func(email, domain string) bool
	shows    func(email, domain string) bool
}

// Registry is where the domains are registered. Without a catalog or a schema it is
// not configured.
type Registry struct{ Catalog, Schema, Volume string }

// Recorded is a request that came in, whatever was answered.
type Recorded struct {
	Method, Path string // the path is decoded, EscapedPath is not
	EscapedPath  string
	Query        url.Values
	Body         []byte
	// Header has all headers: Authorization, X-Forwarded-*, X-Request-Id, Cookie, …
	Header http.Header
}

// New starts a deployment with a configured registry (catalog "main", schema
// "registry", volume "OntoBricksRegistry") and no domains. It ends with the test.
func New(t testing.TB) *Deployment {
	t.Helper()
	d := &Deployment{
		closed:   make(chan struct{}),
		registry: Registry{Catalog: "main", Schema: "registry", Volume: "OntoBricksRegistry"},
		domains:  map[string]*state{},
	}
	d.server = httptest.NewServer(http.HandlerFunc(d.serve))
	d.URL = d.server.URL
	t.Cleanup(d.close)
	return d
}

func (d *Deployment) close() {
	close(d.closed)
	d.server.CloseClientConnections()
	d.server.Close()
}

// Add registers domains, in this order. A domain whose name is taken replaces it.
func (d *Deployment) Add(domains ...Domain) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, domain := range domains {
		if d.domains[domain.Name] == nil {
			d.order = append(d.order, domain.Name)
		}
		d.domains[domain.Name] = newState(domain)
	}
}

// Change changes a domain; requests see it as it was before or as it is after. The
// name stays. A domain that is not there is a mistake of the test.
func (d *Deployment) Change(name string, change func(*Domain)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.domains[name]
	if old == nil {
		panic(fmt.Sprintf("bricktest: there is no domain %q to change", name))
	}
	domain := newState(old.Domain).Domain
	change(&domain)
	domain.Name = name
	d.domains[name] = newState(domain)
}

// Remove takes a domain away.
func (d *Deployment) Remove(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.domains, name)
	d.order = slices.DeleteFunc(d.order, func(n string) bool { return n == name })
}

// SetRegistry says where the registry is; the zero Registry is not configured.
func (d *Deployment) SetRegistry(r Registry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.registry = r
}

// RequireToken answers 401 to requests whose bearer token is not accepted; nil
// accepts all, with or without a token.
func (d *Deployment) RequireToken(accept func(token string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.token = accept
}

// Gate is the team gate of a Databricks App: reading the graph of a domain is
// refused with 403 to a user who is not let in, and to requests that forward no user.
// nil lets all in.
func (d *Deployment) Gate(allow func(email, domain string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gate = allow
}

// Show says which domains are there for a user, by address ("" where a request forwards
// none): the others are not listed, and unknown at every address. nil shows all to all.
func (d *Deployment) Show(shows func(email, domain string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shows = shows
}

// Requests are the requests so far, in the order of their arrival.
func (d *Deployment) Requests() []Recorded {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.requests)
}

// Count counts the requests whose path ends with a suffix, such as "/nodes/action".
func (d *Deployment) Count(suffix string) int {
	n := 0
	for _, r := range d.Requests() {
		if strings.HasSuffix(r.Path, suffix) {
			n++
		}
	}
	return n
}

// Forget forgets the requests so far.
func (d *Deployment) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests = nil
}

func (d *Deployment) record(r *http.Request, body []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests = append(d.requests, Recorded{
		Method: r.Method, Path: r.URL.Path, EscapedPath: r.URL.EscapedPath(), Query: r.URL.Query(), Body: body, Header: r.Header.Clone(),
	})
}

// view is the deployment at the moment of a request.
type view struct {
	registry Registry
	order    []string
	domains  map[string]*state
	token    func(string) bool
	gate     func(email, domain string) bool
}

// view is what there is for a request.
func (d *Deployment) view(r *http.Request) view {
	d.mu.Lock()
	v := view{d.registry, slices.Clone(d.order), maps.Clone(d.domains), d.token, d.gate}
	shows := d.shows
	d.mu.Unlock()
	if shows == nil {
		return v
	}
	hidden := func(name string) bool { return !shows(r.Header.Get("X-Forwarded-Email"), name) }
	v.order = slices.DeleteFunc(v.order, hidden)
	maps.DeleteFunc(v.domains, func(name string, _ *state) bool { return hidden(name) })
	return v
}

// newCookie numbers the server sessions.
func (d *Deployment) newCookie() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cookies++
	return fmt.Sprintf("session-%d", d.cookies)
}
