package rest_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// service is a transport whose answer can be changed; it counts what is sent.
type service struct {
	status int // 0: nothing answers before the request ends
	body   string
	sent   int
	block  chan struct{} // nil, or closed when requests may be answered
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent++
	if s.block != nil {
		<-s.block
	}
	if s.status == 0 {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: s.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(s.body)), ContentLength: -1, Request: r}, nil
}

// open makes a client for a service, in a bubble of synctest: its time is false.
func open(t *testing.T, s *service) *rest.Client {
	t.Helper()
	c, err := rest.New(rest.Config{URL: "https://bricks.example.com", Transport: s, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// write sends a request that is not repeated, so that each call is one request.
func write(c *rest.Client, ctx context.Context) error {
	return c.JSON(ctx, rest.Request{Method: http.MethodPost, Path: "/x", Writes: true, Doing: "writing"}, nil)
}

// TestCircuit holds when the circuit opens, what a refused call says, and that one trial
// decides how it goes on.
func TestCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{status: 502}
		c := open(t, s)
		for range 5 {
			if text, _ := message(t, write(c, t.Context())); !strings.Contains(text, "behind its gateway") {
				t.Error(text)
			}
		}
		time.Sleep(4 * time.Second)
		err := write(c, t.Context())
		text, f := message(t, err)
		want := "OntoBricks failed 5 times in a row and is left alone for a while: nothing was sent. Try again in 11 seconds, when the next trial is."
		if text != want || f.Code != rest.CodeOpen || !errors.Is(err, domains.ErrUpstream) || s.sent != 5 {
			t.Errorf("%s\n%v, %d sent", text, f, s.sent)
		}
		if after := retryAfter(t, err); after != 11*time.Second {
			t.Errorf("try again after %s", after)
		}
		if _, err := c.Reply(t.Context(), get()); err == nil || s.sent != 5 {
			t.Errorf("a reply: %v, %d sent", err, s.sent)
		}

		// The trial fails: open again, for all of the time.
		time.Sleep(12 * time.Second)
		write(c, t.Context())
		if text, _ := message(t, write(c, t.Context())); s.sent != 6 || !strings.Contains(text, "Try again in 15 seconds") {
			t.Errorf("after a trial: %d sent, %s", s.sent, text)
		}

		// A trial that its caller ends decides nothing: the next call is the trial.
		time.Sleep(16 * time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := write(c, ctx); !errors.Is(err, context.Canceled) || s.sent != 6 {
			t.Errorf("a trial that is ended: %v, %d sent", err, s.sent)
		}

		// While a trial runs no other call is sent; it succeeds and closes the circuit.
		s.status, s.body, s.block = 200, "{}", make(chan struct{})
		trial := make(chan error)
		go func() { trial <- write(c, t.Context()) }()
		synctest.Wait()
		err = write(c, t.Context())
		if text, _ := message(t, err); s.sent != 7 || !strings.Contains(text, "trial request is on its way") || retryAfter(t, err) <= 0 {
			t.Errorf("during a trial: %d sent, %s", s.sent, text)
		}
		close(s.block)
		if err := <-trial; err != nil {
			t.Error(err)
		}
		for range 3 {
			if err := write(c, t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}

// retryAfter is when an error says to try again.
func retryAfter(t *testing.T, err error) time.Duration {
	t.Helper()
	var e *domains.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no domains.Error", err)
	}
	return e.RetryAfter
}

// TestCircuitCounts holds what counts as a failure of the service.
func TestCircuitCounts(t *testing.T) {
	for name, row := range map[string]struct {
		service service
		opens   bool
	}{
		"502":            {service{status: 502}, true},
		"503":            {service{status: 503}, true},
		"504":            {service{status: 504}, true},
		"hung":           {service{}, true},
		"infrastructure": {service{status: 502, body: infrastructure}, false},
		"500":            {service{status: 500}, false},
		"429":            {service{status: 429}, false},
		"404":            {service{status: 404}, false},
		"not JSON":       {service{status: 200, body: "<"}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &row.service
			c := open(t, s)
			for range 8 {
				if _, f := message(t, c.JSON(t.Context(), rest.Request{Method: http.MethodPost, Path: "/x"}, &struct{}{})); f == nil {
					t.Error("no failure")
				}
			}
			if want := map[bool]int{true: 5, false: 8}[row.opens]; s.sent != want {
				t.Errorf("%s: %d sent, want %d", name, s.sent, want)
			}
		})
	}
}

// TestCircuitOfOthers holds that calls which their callers end say nothing about the
// service, and that a call with its repeats counts once.
func TestCircuitOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{}
		c := open(t, s)
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if err := write(c, ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			cancel()
		}
		s.status = 503
		for range 4 {
			began := time.Now()
			c.JSON(t.Context(), get(), nil)
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("repeats took %s", took)
			}
		}
		s.status, s.body = 200, "{}"
		if err := c.JSON(t.Context(), get(), nil); err != nil {
			t.Errorf("after 4 calls with repeats: %v", err)
		}
	})
}

// hanging answers all but the path /slow.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/slow" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), ContentLength: -1, Request: r}, nil
}

// TestCircuitOfOneCaller holds that the slow requests of one caller do not stop the others,
// whom the service answers at the same time; without an answer to anybody they count.
func TestCircuitOfOneCaller(t *testing.T) {
	for _, others := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			c, err := rest.New(rest.Config{URL: "https://bricks.example.com", Transport: hanging{}})
			if err != nil {
				t.Fatal(err)
			}
			for range 6 {
				go func() {
					_, f := message(t, c.JSON(t.Context(), rest.Request{Method: http.MethodGet, Path: "/slow"}, nil))
					if f == nil {
						t.Error("no failure")
					}
				}()
			}
			synctest.Wait()
			if others {
				if err := c.JSON(t.Context(), get(), nil); err != nil {
					t.Error(err)
				}
			}
			time.Sleep(21 * time.Second)
			synctest.Wait()
			if err := c.JSON(t.Context(), get(), nil); (err == nil) != others {
				t.Errorf("others are answered: %v; then: %v", others, err)
			}
		})
	}
}

// TestDeadlineForRepeats holds that no repeat begins that the call's deadline would end.
func TestDeadlineForRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{status: 503}
		c, err := rest.New(rest.Config{URL: "https://bricks.example.com", Transport: s, Random: func() float64 { return 0.999 }})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if _, f := message(t, c.JSON(ctx, get(), nil)); f.Status != 503 || s.sent != 3 || ctx.Err() != nil {
			t.Errorf("%v, %d sent, %v", f, s.sent, ctx.Err())
		}
	})
}
