package ontobricks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/domains/wire"
)

// listing is a list of domains as it was read. It is immutable.
type listing struct {
	infos []domains.Info // by name
	read  time.Time      // when it was asked for
	turn  uint64         // of news, when it was asked for
}

func (l *listing) find(name domains.Name) (domains.Info, bool) {
	i, ok := slices.BinarySearchFunc(l.infos, name, func(i domains.Info, name domains.Name) int { return cmp.Compare(i.Name, name) })
	if !ok {
		return domains.Info{}, false
	}
	return l.infos[i], true
}

// states are the states of the domains, to compare.
func (l *listing) states() map[domains.Name]string {
	out := make(map[domains.Name]string, len(l.infos))
	for _, i := range l.infos {
		out[i.Name] = state(i)
	}
	return out
}

// state is what decides the tools of a domain, as text.
func state(i domains.Info) string {
	// A map and lists of strings can always be written.
	text, _ := json.Marshal([]any{wire.NewPolicy(i.Policy), i.Policy.Closed, i.HasGraph, i.Unavailable})
	return string(text)
}

// listCache is the list of domains of one principal. A list that is known outlives
// failures of the deployment, so that policies stay what they were.
type listCache struct {
	flight singleflight.Group

	mu     sync.Mutex
	known  *listing // nil before the first, and after a refusal
	failed time.Time
	outage bool // the known list is served instead of a new one, and that was logged
}

// listing returns the list of domains, read at most age ago where the deployment
// answers. Where it does not, the known list counts for listMost.
func (b *Backend) listing(ctx context.Context, age time.Duration) (*listing, error) {
	var l *listing
	for range 2 { // a load that began before a change was noticed is not the answer
		if known := b.usable(age); known != nil {
			return known, nil
		}
		v, err := b.flights.run(ctx, &b.mine.list.flight, "", func(ctx context.Context) (any, error) {
			if known := b.usable(age); known != nil {
				return known, nil
			}
			return b.readList(ctx)
		})
		if err != nil {
			return nil, err
		}
		if l = v.(*listing); !b.news.outdates(l) {
			break
		}
	}
	return l, nil
}

// usable is the known list, if it is new enough or nothing newer can be had.
func (b *Backend) usable(age time.Duration) *listing {
	c, now := &b.mine.list, b.clock()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.known == nil || b.news.outdates(c.known):
		return nil
	case now.Sub(c.known.read) < age:
		return c.known
	case !c.failed.IsZero() && now.Sub(c.failed) < failureTTL && now.Sub(c.known.read) < listMost:
		return c.known
	}
	return nil
}

// readList asks for the list, and falls back to the known one.
func (b *Backend) readList(ctx context.Context) (*listing, error) {
	l := &listing{read: b.clock(), turn: b.news.turn()}
	infos, err := b.askList(ctx)
	c := &b.mine.list
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		return b.failedLocked(err)
	}
	l.infos = infos
	if c.known != nil {
		b.news.compare(c.known, l)
	}
	if c.outage {
		b.log.InfoContext(ctx, "the list of domains can be read again")
	}
	c.known, c.failed, c.outage = l, time.Time{}, false
	return l, nil
}

// failedLocked is what a failure to read the list leaves: the known list, unless the
// deployment refused to give one, it is too old, or a change is known that is not in
// it.
func (b *Backend) failedLocked(err error) (*listing, error) {
	c, now := &b.mine.list, b.clock()
	if isRefusal(err) {
		c.known = nil
	}
	if c.known == nil || now.Sub(c.known.read) >= listMost || b.news.outdates(c.known) {
		return nil, err
	}
	c.failed = now
	if !c.outage {
		c.outage = true
		b.log.Warn("the list of domains could not be read; the known one is served", append(reason(err), "most", listMost)...)
	}
	return c.known, nil
}

// isRefusal reports whether an error is a decided answer, and not a deployment in
// trouble.
func isRefusal(err error) bool {
	var f *rest.Failure
	if !errors.As(err, &f) {
		return false
	}
	return f.Status >= 400 && f.Status < 500 && f.Status != http.StatusTooManyRequests && f.Status != http.StatusRequestTimeout
}

// reason is an error for the log, without what could hold an address or a token.
func reason(err error) []any {
	var f *rest.Failure
	if errors.As(err, &f) {
		return []any{"status", f.Status, "code", f.Code}
	}
	var e *domains.Error
	if errors.As(err, &e) {
		return []any{"message", e.Message}
	}
	return nil
}

// askList sends the request.
func (b *Backend) askList(ctx context.Context) ([]domains.Info, error) {
	const doing = "listing the domains"
	var in wire.Domains
	if err := b.get(ctx, "/api/v1/domains", nil, "", doing, &in); err != nil {
		return nil, err
	}
	if !in.Success {
		return nil, b.refused(soft{doing: doing, fallback: "Could not retrieve domains."}, in.Message, "")
	}
	return in.Infos(), nil
}

// get asks for an address of the interface: with the registry, the domain if there is
// one, and more parameters.
func (b *Backend) get(ctx context.Context, path string, more map[string]string, name domains.Name, doing string, into any) error {
	w, err := b.whereabouts(ctx, name)
	if err != nil {
		return err
	}
	q := query(w)
	for key, value := range more {
		q.Set(key, value)
	}
	return b.client.JSON(ctx, rest.Request{
		Method: http.MethodGet, Path: path, Query: q, Principal: b.who, Domain: name, Doing: doing,
	}, into)
}
