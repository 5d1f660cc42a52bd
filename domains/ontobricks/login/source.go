package login

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
)

const (
	// mostMargin is how long before its end a token is renewed at most; one that lives
	// shorter than four times that is renewed when a quarter of its life is left.
	mostMargin = 5 * time.Minute
	// pause is how long a renewal that failed is not tried again while the old token
	// is still valid.
	pause = 10 * time.Second
	// forgiven is how long a refused token that nothing replaces is not used: a fault of the
	// service that passes, or the refusal of one user, must not end a server for good.
	forgiven = time.Minute
	// unknownLife is the life of a token whose end is not told.
	unknownLife = 50 * time.Minute
)

// Source gives tokens. It may be used concurrently. While a token is fetched a goroutine
// of the Source runs, for at most the time-out of the fetch: it belongs to no caller, so
// that one who goes away takes no token from the others.
type Source struct {
	way   way
	clock func() time.Time
	log   *slog.Logger

	mu        sync.Mutex
	current   grant
	spoiled   string // the last token that was refused
	spoiledAt time.Time
	waitUntil time.Time // no renewal before, while current is valid
	flight    *flight   // the fetch that runs; nil when none does
}

// way is how a token is got.
type way struct {
	fetch   func(ctx context.Context) (grant, error)
	timeout time.Duration
	// refused says what to do when the token was refused and there is no other.
	refused string
}

// grant is a token and its life.
type grant struct {
	token string
	// expires is zero for a token whose end nobody tells.
	expires, renew time.Time
}

// granted is a token that lives so long from now.
func granted(token string, now time.Time, life time.Duration) grant {
	return grant{token: token, expires: now.Add(life), renew: now.Add(life - min(life/4, mostMargin))}
}

func (g grant) isFresh(now time.Time) bool {
	return g.token != "" && (g.expires.IsZero() || now.Before(g.renew))
}

func (g grant) isValid(now time.Time) bool {
	return g.token != "" && (g.expires.IsZero() || now.Before(g.expires))
}

// flight is one fetch that all callers wait for.
type flight struct {
	done  chan struct{} // closed at its end; then the others may be read
	token string
	err   error
}

// source makes the source for credentials.
func (s Settings) source(c *credentials) *Source {
	out := &Source{clock: s.Clock, log: s.Logger}
	switch c.kind {
	case typeOAuth:
		out.way = s.oauth(c)
	case typeCLI:
		out.way = s.cli(c)
	default:
		out.way = s.personal(c)
	}
	return out
}

// personal is the way of a personal access token. One of a profile is read anew when it
// was refused: it may have been replaced in the file.
func (s Settings) personal(c *credentials) way {
	token := func(context.Context) (grant, error) { return grant{token: c.token}, nil }
	if c.profile != "" {
		token = func(context.Context) (grant, error) {
			now, err := s.read(c.profile)
			if err != nil {
				return grant{}, err
			}
			if now == nil {
				now = c
			}
			return grant{token: now.token}, nil
		}
	}
	return way{
		fetch: token, timeout: fetchTimeout,
		refused: "OntoBricks refused the personal access token. It may have expired, and Databricks Apps take OAuth tokens only: check " +
			c.place("DATABRICKS_TOKEN", "the token") + ", or use OAuth client credentials.",
	}
}

// Token gives a token that is valid for the next requests: the one in use until it comes
// near its end, then a new one. Callers that need a new one at the same time share one
// fetch. While a renewal fails and the token in use is still valid, that is given. Errors
// are a *domains.Error with a text for people, or ctx's.
func (s *Source) Token(ctx context.Context) (string, error) {
	s.mu.Lock()
	now := s.clock()
	if s.current.isFresh(now) || s.current.isValid(now) && now.Before(s.waitUntil) {
		defer s.mu.Unlock()
		return s.current.token, nil
	}
	f := s.flight
	if f == nil {
		f = &flight{done: make(chan struct{})}
		s.flight = f
		go s.run(f)
	}
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// run fetches a token for all who wait for f.
func (s *Source) run(f *flight) {
	defer close(f.done)
	ctx, cancel := context.WithTimeout(context.Background(), s.way.timeout)
	defer cancel()
	g, err := s.way.fetch(ctx)

	s.mu.Lock()
	defer s.mu.Unlock()
	s.flight = nil
	now := s.clock()
	if err == nil && s.isRefused(g.token, now) {
		err = &domains.Error{Kind: domains.ErrUpstream, Op: doing, Message: s.way.refused}
	}
	switch {
	case err == nil:
		s.current, f.token = g, g.token
	case s.current.isValid(now):
		s.waitUntil, f.token = now.Add(pause), s.current.token
		s.log.Warn("an access token could not be renewed and is used until its end", "ends_in", s.current.expires.Sub(now).Round(time.Second), "because", err.Error())
	default:
		s.current, f.err = grant{}, err
	}
}

// isRefused reports whether a token is the one that was refused. The caller holds mu.
func (s *Source) isRefused(token string, now time.Time) bool {
	return token == s.spoiled && token != "" && now.Sub(s.spoiledAt) < forgiven
}

// Spoiled says that the service refused this token: the next Token is a new one. It does
// nothing for a token that is not in use any more.
func (s *Source) Spoiled(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token == "" || token != s.current.token {
		return
	}
	s.current = grant{}
	s.spoiled, s.spoiledAt = token, s.clock()
}

// String never tells a secret.
func (s *Source) String() string { return "a source of access tokens" }

// GoString is String, for %#v.
func (s *Source) GoString() string { return s.String() }

// MarshalText is String, for log lines and JSON.
func (s *Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// doing is what errors say was done.
const doing = "getting an access token"

// failed is an error with a text for people, and a cause that holds no secret.
func failed(kind error, message string, cause error) error {
	return &domains.Error{Kind: kind, Op: doing, Message: message, Err: cause}
}

// causeOf is an error without its text, which is foreign and may hold a secret.
func causeOf(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return fmt.Errorf("an error of type %T", err)
}
