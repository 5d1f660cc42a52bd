package ontobricks

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// Config says which deployment to serve, and how.
type Config struct {
	// URL is the base of the deployment: http(s)://host[:port][/path]. Required.
	URL string
	// Tokens gives the token of each request; nil sends no Authorization.
	Tokens rest.Tokens
	// Registry is sent with every request. Members that are empty are asked of the
	// deployment when first needed; with Catalog and Schema nothing is asked.
	Registry Registry
	// Transport, UserAgent, Timeout, RetryFor, Sleep and Random are those of
	// rest.Config; zero values mean what they mean there.
	Transport http.RoundTripper
	UserAgent string
	Timeout   time.Duration
	RetryFor  time.Duration
	Sleep     func(context.Context, time.Duration) error
	Random    func() float64
	// Logger is told of outages and of repeats; nil means silence.
	Logger *slog.Logger
	// Clock decides the age of what is cached; nil means time.Now.
	Clock func() time.Time
	// Tick waits between the refreshes of Watch; nil means a timer. It returns an error
	// when the context ends.
	Tick func(context.Context, time.Duration) error
}

// Backend serves the domains of a deployment to one principal: New's is the program
// itself, As gives the others. It implements [domains.Backend], [domains.Forwarder]
// and [domains.Prober]. It lives for one request, except New's.
type Backend struct {
	*deployment
	who  domains.Principal
	mine *caches // of who
}

// deployment is what all principals share: nothing that any of them was answered.
type deployment struct {
	client   *rest.Client
	log      *slog.Logger
	clock    func() time.Time
	tick     func(context.Context, time.Duration) error
	flights  *flights
	registry discovery
	tenants  tenants
	parsed   shared[ontology]
	schemas  shared[domains.GraphQLSchema]
	news     news

	versionsWait time.Duration
}

// New returns the back end of a deployment. It sends nothing: what is wrong with the
// deployment is the error of the first call. Errors: the Config cannot be used.
func New(c Config) (*Backend, error) {
	log := c.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	client, err := rest.New(rest.Config{
		URL: c.URL, Tokens: c.Tokens, Transport: c.Transport, Timeout: c.Timeout, RetryFor: c.RetryFor,
		UserAgent: c.UserAgent, Logger: c.Logger, Clock: c.Clock, Sleep: c.Sleep, Random: c.Random,
	})
	if err != nil {
		return nil, fmt.Errorf("opening the deployment: %w", err)
	}
	d := &deployment{client: client, log: log, clock: c.Clock, tick: c.Tick, flights: newFlights(), versionsWait: versionsWait}
	if d.clock == nil {
		d.clock = time.Now
	}
	if d.tick == nil {
		d.tick = wait
	}
	d.registry.given = c.Registry
	d.tenants.program = newCaches(d)
	return &Backend{deployment: d, mine: d.tenants.program}, nil
}

// wait is Config.Tick for real.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// As is the deployment as a principal sees it. A token of nobody is not used: its answers
// would be taken for the program's.
func (b *Backend) As(p domains.Principal) domains.Backend {
	if p.IsProgram() {
		p = domains.Principal{}
	}
	return &Backend{deployment: b.deployment, who: p, mine: b.tenants.of(p.Key(), b.deployment)}
}

// Close ends loads and Watch, waits for them, and closes connections.
func (b *Backend) Close() error {
	b.flights.close()
	return b.client.Close()
}

// Ready asks the deployment for its health, as the program itself.
func (b *Backend) Ready(ctx context.Context) error {
	return b.client.JSON(ctx, rest.Request{Method: http.MethodGet, Path: "/api/v1/health", Doing: "asking for the health"}, nil)
}

// Domains lists the domains that have a published version, by name. While the
// deployment does not answer it is the list that is known, for at most 10 minutes.
func (b *Backend) Domains(ctx context.Context) ([]domains.Info, error) {
	l, err := b.listing(ctx, listTTL)
	if err != nil {
		return nil, err
	}
	return append([]domains.Info(nil), l.infos...), nil
}

// Open returns a domain. It reads no more than the list of domains and the versions,
// where those that are known are too old.
func (b *Backend) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	info, l, err := b.find(ctx, "opening domain", name)
	if err != nil {
		return nil, err
	}
	version, served, err := b.served(ctx, name)
	if err != nil {
		return nil, err
	}
	v := &view{Backend: b, info: info, listed: l, version: version, revision: revision(name, version)}
	if served != nil {
		v.revision, v.ofOntogate = served.Revision, true
	}
	d := &domains.Domain{
		Info: info, Version: version, Revision: v.revision,
		Ontology: v.ontology, Status: v.status, Context: classContext{v}, GraphQL: graphQL{v},
	}
	if known, ok := b.mine.ontologies.peek(v.key()); ok {
		d.Problems = known.problems
	}
	if info.HasGraph {
		d.Facts = newFacts(graphSource{find: v.find, stats: v.stats, ontology: v.ontology, name: name})
		d.Actions, d.Rules = writes{v}, writes{v}
		d.Triples = rawTriples{v}
	}
	if served != nil {
		v.likeServed(d, served)
	}
	return d, nil
}

// view is a domain as Open found it.
type view struct {
	*Backend
	info    domains.Info
	listed  *listing
	version string
	// revision is that of the domain; ofOntogate is set when the deployment is an Ontogate
	// and tells it.
	revision   string
	ofOntogate bool
}

// key is what the domain's answers are cached under: a new version has none.
func (v *view) key() string { return string(v.info.Name) + "\x00" + v.version + "\x00" + v.revision }

// find returns a domain that can be opened, and the list in which it stands. A name
// that is not in the list is looked for in a newer one, unless it was just read.
func (b *Backend) find(ctx context.Context, op string, name domains.Name) (domains.Info, *listing, error) {
	l, err := b.listing(ctx, listTTL)
	if err != nil {
		return domains.Info{}, nil, err
	}
	info, ok := l.find(name)
	if !ok && name != "" {
		if l, err = b.listing(ctx, listMinimum); err != nil {
			return domains.Info{}, nil, err
		}
		info, ok = l.find(name)
	}
	switch {
	case !ok:
		return info, l, l.unknown(op, name, "")
	case info.Unavailable != "":
		return info, l, &domains.Error{Kind: domains.ErrUnavailable, Op: op, Domain: name, Message: info.Unavailable}
	}
	return info, l, nil
}

// unknown is the error for a domain that is not listed: what the deployment says of
// it, or that there is none.
func (l *listing) unknown(op string, name domains.Name, own string) error {
	if own = strings.TrimRight(own, "."); own != "" {
		own += "."
	}
	return domains.NoDomain(op, name, own, l.infos)
}

// soft is a request whose answer can come with success false.
type soft struct {
	doing string
	name  domains.Name
	// fallback is the text where the answer has none.
	fallback string
	writes   bool
}

// refused is the error of an answer that came with success false: its own words, or
// the fallback, and the next step.
func (b *Backend) refused(s soft, message *string, fault string) error {
	var own string
	if message != nil {
		own = b.clean(*message)
	}
	step := "Try again; if it stays so, the log of OntoBricks says more."
	if s.writes {
		step = "It may have been carried out all the same: check before you ask for it again."
	}
	text := cmp.Or(own, b.clean(fault), s.fallback)
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return &domains.Error{Kind: domains.ErrUpstream, Op: s.doing, Domain: s.name, Message: text + " " + step}
}

// clean is a text of the deployment as the caller may see it: one line that is not too
// long, without addresses of the deployment and without tokens.
func (b *Backend) clean(s string) string { return b.client.Clean(s, b.who) }
