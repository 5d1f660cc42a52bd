package login_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// TestPain76 is about users who had to sign in again after an hour: tokens live 2 s, and
// for 10 s of a false clock 8 callers at a time never get one that is not valid. There is
// one fetch at a time, and each before the token in use expires.
func TestPain76(t *testing.T) {
	w := newWorkspace(t, 2*time.Second)
	s := source(t, w.settings(&bytes.Buffer{}))
	for range 100 {
		var callers sync.WaitGroup
		for range 8 {
			callers.Go(func() {
				token, err := s.Token(t.Context())
				if err != nil || !w.accepts(token) {
					t.Errorf("a token that is not valid, or %v", err)
				}
			})
		}
		callers.Wait()
		w.clock.add(100 * time.Millisecond)
	}
	// A token is renewed when a quarter of its life is left: at 1.5 s, 3 s, … 9 s.
	if w.most != 1 || w.fetches != 7 {
		t.Errorf("%d fetches, %d at once; want 7, 1 at once", w.fetches, w.most)
	}
}

// TestPain77 is about sessions that died at 60 minutes: when the service refuses tokens,
// all calls that run get one new one between them, and each is repeated once.
func TestPain77(t *testing.T) {
	w := newWorkspace(t, time.Hour)
	s := source(t, w.settings(&bytes.Buffer{}))
	var requests, refused atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if !w.accepts(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) {
			refused.Add(1)
			out.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(out, "{}")
	}))
	defer service.Close()
	c, err := rest.New(rest.Config{URL: service.URL, Tokens: s})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	call := func() {
		for _, r := range []rest.Request{{Method: http.MethodGet, Path: "/x"}, {Method: http.MethodPost, Path: "/x", Writes: true}} {
			if err := c.JSON(t.Context(), r, &struct{}{}); err != nil {
				t.Error(err)
			}
		}
	}
	call()
	w.set(func() { clear(w.valid) }) // as when a secret is rotated
	var callers sync.WaitGroup
	for range 10 {
		callers.Go(call)
	}
	callers.Wait()
	if w.fetches != 2 || requests.Load() != 22+refused.Load() || refused.Load() > 10 {
		t.Errorf("%d fetches, %d requests, %d of them refused", w.fetches, requests.Load(), refused.Load())
	}
	w.clock.add(61 * time.Minute)
	before := refused.Load()
	call()
	if w.fetches != 3 || refused.Load() != before {
		t.Errorf("an hour later: %d fetches, %d refused", w.fetches, refused.Load()-before)
	}
}
