package graphql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Limits of an answer.
const (
	mostEntities = 20_000
	mostTime     = 10 * time.Second
	mostDepth    = 8
	// mostColumns is how many fields are read, each for all entities of a group: where every
	// entity has a type of its own, that many groups are made.
	mostColumns = 100_000
	// mostBytes is how large an answer gets before its lists end.
	mostBytes = 64 << 20
)

// Config says what a Service serves.
type Config struct {
	Model   *Model
	Columns domains.Columns
	// Languages choose labels, best first.
	Languages []string
	// NoIntrospection refuses __schema and __type; __typename stays.
	NoIntrospection bool
	// MaxEntities is how many entities an answer may hold in all; 0 means 20,000.
	MaxEntities int
	// Timeout is how long a request may take; 0 means 10 s. An earlier deadline of the
	// caller's wins.
	Timeout time.Duration
}

// Service answers requests about one domain at one revision. It may be used concurrently.
type Service struct {
	config Config
	gate   *gate
	kinds  kindred
	// maxBytes is mostBytes, less in tests.
	maxBytes int
	// aheadFrom is largeGroup, less in tests.
	aheadFrom int
	tables    sync.Pool // of *rowTable
}

// New parses a model's schema. Its cost grows with the schema. The error says why the SDL
// is not legal, which is a fault of Derive.
func New(c Config) (*Service, error) {
	g, err := newGate(c.Model.SDL, !c.NoIntrospection)
	if err != nil {
		return nil, err
	}
	c.MaxEntities = cmp.Or(c.MaxEntities, mostEntities)
	c.Timeout = cmp.Or(c.Timeout, mostTime)
	return &Service{config: c, gate: g, kinds: kindredOf(c.Model.Types), maxBytes: mostBytes, aheadFrom: largeGroup,
		tables: sync.Pool{New: func() any { return new(rowTable) }}}, nil
}

// Options are what a request may say besides GraphQL.
type Options struct {
	// Depth is how many relations an answer may follow from a field of Query, 1–8; 0
	// means 8.
	Depth int
}

// Run answers a request within the limits and the deadline of ctx. The answer is never
// nil. It returns soon after ctx was cancelled; at a deadline it returns what was read
// till then. A panic of the Columns becomes an internal error.
func (s *Service) Run(ctx context.Context, r Request, o Options) (answer *Response) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			answer = respond([]byte(frame + "null"))
			answer.Errors, answer.Causes = []Error{{Message: internalError}}, []error{panicked(p)}
		}
	}()
	depth := o.Depth
	if depth < 1 || depth > mostDepth {
		depth = mostDepth
	}
	d, refusal := s.gate.admit(r, depth)
	if len(refusal) > 0 {
		return &Response{Errors: refusal}
	}
	x := &execution{s: s, ctx: ctx, doc: d, rows: s.tables.Get().(*rowTable)}
	root := x.read()
	s.tables.Put(x.rows)
	w := &writer{x: x}
	if errors.Is(ctx.Err(), context.Canceled) { // nobody waits for it
		answer = respond([]byte(frame + "null"))
		answer.Errors = []Error{{Message: "The request was cancelled."}}
	} else {
		answer = respond(w.data(root))
		answer.Errors = w.errors()
	}
	answer.Causes = x.causes
	return answer
}

// panicked is a panic as an error for the log.
func panicked(p any) error { return fmt.Errorf("panic: %v\n%s", p, debug.Stack()) }
