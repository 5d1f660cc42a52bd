package ontobricks

import (
	"context"
	"maps"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// How long answers count. A policy is at most a minute old, the time of its request
// included.
const (
	listTTL     = 45 * time.Second
	listMinimum = 5 * time.Second  // a name that is not listed is looked for in a list of this age
	listMost    = 10 * time.Minute // of the known list while the deployment does not answer
	versionsTTL = 60 * time.Second
	versionMost = 10 * time.Minute // of known versions while they cannot be read
	statsTTL    = 30 * time.Second
	schemaTTL   = 5 * time.Minute // of what belongs to one version: ontology, classes, GraphQL schema
	failureTTL  = 5 * time.Second // of a failure
)

// versionsWait is how long Open waits for the versions of a domain: they are for texts and
// cursors, and the deadline of the call is for what was asked.
const versionsWait = 5 * time.Second

// mostEntries bounds a cache of one principal.
const mostEntries = 64

// caches hold what one principal was answered. They hold no token.
type caches struct {
	list       listCache
	versions   cache[versionsOf]
	classes    cache[[]domains.ClassContext]
	ontologies cache[*ontology]
	schemas    cache[*domains.GraphQLSchema]
	stats      cache[*wire.Stats]
}

func newCaches(d *deployment) *caches {
	return &caches{
		versions:   cache[versionsOf]{deployment: d, ttl: versionsTTL},
		classes:    cache[[]domains.ClassContext]{deployment: d, ttl: schemaTTL},
		ontologies: cache[*ontology]{deployment: d, ttl: schemaTTL},
		schemas:    cache[*domains.GraphQLSchema]{deployment: d, ttl: schemaTTL},
		stats:      cache[*wire.Stats]{deployment: d, ttl: statsTTL},
	}
}

// cache keeps what was loaded, by key. Concurrent loads of a key are one. Values are
// shared by all who get them and must not be changed.
type cache[T any] struct {
	*deployment
	ttl    time.Duration
	flight singleflight.Group

	mu    sync.Mutex
	cells map[string]*cell[T]
}

// cell is the last value of a key and, newer than it, a failure to load another.
type cell[T any] struct {
	value T
	read  time.Time // when value was asked for; zero where there is none
	err   error
	tried time.Time // when err was met
}

// get returns the value of a key, loading it where that is too old. A failure is not
// tried again for some seconds.
func (c *cache[T]) get(ctx context.Context, key string, load func(context.Context) (T, error)) (T, error) {
	if v, err, ok := c.fresh(key); ok {
		return v, err
	}
	out, err := c.flights.run(ctx, &c.flight, key, func(ctx context.Context) (any, error) {
		if v, err, ok := c.fresh(key); ok {
			return v, err
		}
		asked := c.clock()
		v, err := load(ctx)
		c.keep(key, v, err, asked)
		return v, err
	})
	v, _ := out.(T)
	return v, err
}

// fresh is what is known of a key, when it is new enough.
func (c *cache[T]) fresh(key string) (v T, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, now := c.cells[key], c.clock()
	switch {
	case e == nil:
		return v, nil, false
	case e.err != nil && now.Sub(e.tried) < failureTTL:
		return v, e.err, true
	case e.err == nil && now.Sub(e.read) < c.ttl:
		return e.value, nil, true
	}
	return v, nil, false
}

// forget drops the value of a key.
func (c *cache[T]) forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.cells, key)
}

// peek is the value of a key, however old.
func (c *cache[T]) peek(key string) (v T, ok bool) {
	v, _, ok = c.last(key)
	return v, ok
}

// last is the value of a key and its age.
func (c *cache[T]) last(key string) (v T, age time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.cells[key]; e != nil && !e.read.IsZero() {
		return e.value, c.clock().Sub(e.read), true
	}
	return v, 0, false
}

func (c *cache[T]) keep(key string, v T, err error, asked time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cells == nil {
		c.cells = map[string]*cell[T]{}
	}
	e := c.cells[key]
	if e == nil {
		e = &cell[T]{}
		c.cells[key] = e
		c.evictLocked(key)
	}
	if err != nil {
		e.err, e.tried = err, c.clock()
		return
	}
	*e = cell[T]{value: v, read: asked}
}

// evictLocked drops the cells that are too old to be of use, and the oldest but a new one's
// when there are too many.
func (c *cache[T]) evictLocked(added string) {
	maps.DeleteFunc(c.cells, func(key string, e *cell[T]) bool { return key != added && c.clock().Sub(e.newest()) >= versionMost })
	if len(c.cells) <= mostEntries {
		return
	}
	oldest, found := "", false
	for key, e := range c.cells {
		if key != added && (!found || e.newest().Before(c.cells[oldest].newest())) {
			oldest, found = key, true
		}
	}
	delete(c.cells, oldest)
}

// newest is when a cell was last changed.
func (e *cell[T]) newest() time.Time {
	if e.tried.After(e.read) {
		return e.tried
	}
	return e.read
}

// Bounds on the principals whose answers are kept.
const (
	mostTenants = 1000
	tenantIdle  = 30 * time.Minute
)

// tenants are the caches of principals, by their Key. Those of the program itself stay
// for good.
type tenants struct {
	program *caches

	mu    sync.Mutex
	byKey map[string]*tenant
	swept time.Time
}

type tenant struct {
	caches *caches
	used   time.Time
}

// of returns the caches of a principal.
func (t *tenants) of(key string, d *deployment) *caches {
	if key == "" {
		return t.program
	}
	now := d.clock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweepLocked(now)
	known := t.byKey[key]
	if known == nil {
		if len(t.byKey) >= mostTenants {
			t.evictLocked()
		}
		if t.byKey == nil {
			t.byKey = map[string]*tenant{}
		}
		known = &tenant{caches: newCaches(d)}
		t.byKey[key] = known
	}
	known.used = now
	return known.caches
}

// sweepLocked drops idle caches, at most once a minute.
func (t *tenants) sweepLocked(now time.Time) {
	if now.Sub(t.swept) < time.Minute {
		return
	}
	t.swept = now
	for key, known := range t.byKey {
		if now.Sub(known.used) >= tenantIdle {
			delete(t.byKey, key)
		}
	}
}

// evictLocked drops the caches that were not used for longest.
func (t *tenants) evictLocked() {
	oldest, found := "", false
	for key, known := range t.byKey {
		if !found || known.used.Before(t.byKey[oldest].used) {
			oldest, found = key, true
		}
	}
	delete(t.byKey, oldest)
}

// sweep drops idle caches.
func (t *tenants) sweep(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweepLocked(now)
}
