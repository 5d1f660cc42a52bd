package remote_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/remote"
)

// endpoint is a server that counts what it is sent.
type endpoint struct {
	*httptest.Server
	posts atomic.Int64
	last  atomic.Value // string: the body that came last
}

func serve(t *testing.T, answer http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.posts.Add(1)
		body, _ := io.ReadAll(r.Body)
		e.last.Store(r.Method + " " + r.Header.Get("Content-Type") + " " + string(body))
		answer(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) url(t *testing.T) *url.URL {
	t.Helper()
	u, err := remote.Check(e.URL + "/secret-path?token=hush")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

var jacob = remote.Request{Function: "main.ops.risk", EntityURI: "https://e/Customer/C<1>", LocalID: "C<1>", Domain: "crm", Class: "Customer"}

func write(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestRows(t *testing.T) {
	for body, want := range map[string][]string{
		``:                            nil,
		` null `:                      nil,
		`[]`:                          nil,
		`{"rows": []}`:                nil,
		`7`:                           {`{"result":7}`},
		`"high"`:                      {`{"result":"high"}`},
		`{"b": 1.50, "a": 1e3}`:       {`{"b": 1.50, "a": 1e3}`},
		`{"rows": [{"z":1,"a":2}]}`:   {`{"z":1,"a":2}`},
		`[ {"z":1} , 2, null ]`:       {`{"z":1}`, `{"result":2}`, `{"result":null}`},
		`{"rows": [1], "more": true}`: {`{"rows": [1], "more": true}`},
		`{"rows": 3}`:                 {`{"rows": 3}`},
		"\xEF\xBB\xBF{\"a\":1}":       {`{"a":1}`},
	} {
		e := serve(t, write(200, body))
		c := remote.New(remote.Config{Hosts: []string{"127.0.0.1"}})
		rows, err := c.Call(t.Context(), e.url(t), jacob)
		var got []string
		for _, r := range rows {
			got = append(got, string(r))
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil || e.posts.Load() != 1 {
			t.Errorf("%s: %v, %d posts (-want +got):\n%s", body, err, e.posts.Load(), diff)
		}
		const sent = `POST application/json {"function":"main.ops.risk","entity_uri":"https://e/Customer/C<1>","entity_local_id":"C<1>","domain":"crm","class":"Customer"}` + "\n"
		if diff := cmp.Diff(sent, e.last.Load()); diff != "" {
			t.Errorf("what is sent (-want +got):\n%s", diff)
		}
	}
}

// TestFaults holds that what goes wrong is told in words that name the function and no
// address, and that nothing is sent twice.
func TestFaults(t *testing.T) {
	held := make(chan struct{})
	t.Cleanup(func() { close(held) })
	long := strings.Repeat("x", 400)
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		config remote.Config
		kind   error
		said   string
	}{
		{"slow", func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-held:
			}
		}, remote.Config{Timeout: 50 * time.Millisecond}, domains.ErrLimit, "did not answer in time (at most 50ms are waited). It may have been carried out all the same: check before you ask for it again."},
		{"refusing", write(404, `{"message":"No customer\n C1."}`), remote.Config{}, domains.ErrUpstream, "refused (HTTP 404): No customer C1."},
		{"refusing at length", write(400, `{"error":"`+long+`"}`), remote.Config{}, domains.ErrUpstream, "refused (HTTP 400): " + long[:300] + "…."},
		{"failing", write(503, "<html>"), remote.Config{}, domains.ErrUpstream, "answered HTTP 503. It may have been carried out all the same: check before you ask for it again."},
		{"huge", write(200, `"`+long+`"`), remote.Config{MaxBody: 100}, domains.ErrLimit, "gave an answer of more than 100 bytes, which is the most that is read. It was carried out; its owner can make the answer shorter."},
		{"of many rows", write(200, `[1,2,3]`), remote.Config{MaxRows: 2}, domains.ErrLimit, "gave 3 rows; at most 2 are taken. It was carried out; its owner can make the answer shorter."},
		{"no JSON", write(200, `{"a":`), remote.Config{}, domains.ErrUpstream, "gave an answer that cannot be read (it is no JSON). It may have been carried out all the same: check before you ask for it again."},
		{"no text", write(200, "\"\xff\""), remote.Config{}, domains.ErrUpstream, "gave an answer that cannot be read (it is not UTF-8). It may have been carried out all the same: check before you ask for it again."},
		{"redirecting", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, remote.Config{}, domains.ErrUpstream,
			"sends the request on to another address (HTTP 307), which is not followed: its owner has to write the final address into domain.yaml."},
		{"redirecting as a browser follows", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) }, remote.Config{}, domains.ErrUpstream,
			"sends the request on to another address (HTTP 302), which is not followed: its owner has to write the final address into domain.yaml."},
		{"breaking off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, remote.Config{}, domains.ErrUpstream,
			"broke off without an answer. It may have been carried out all the same: check before you ask for it again."},
		{"breaking off in the answer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "[1,")
			panic(http.ErrAbortHandler)
		}, remote.Config{}, domains.ErrUpstream, "broke off without an answer. It may have been carried out all the same: check before you ask for it again."},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := serve(t, c.answer)
			c.config.Hosts = []string{"127.0.0.1"}
			_, err := remote.New(c.config).Call(t.Context(), e.url(t), jacob)
			var told *domains.Error
			if !errors.As(err, &told) || !errors.Is(err, c.kind) || e.posts.Load() != 1 {
				t.Fatalf("%v, %d posts", err, e.posts.Load())
			}
			if diff := cmp.Diff("Function main.ops.risk "+c.said, told.Message); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("the error tells the address: %v", err)
			}
		})
	}
}

// TestNotReached holds that hosts that are not allowed are not asked, and what is told of
// one where nobody listens.
func TestNotReached(t *testing.T) {
	e := serve(t, write(200, "1"))
	_, err := remote.New(remote.Config{Hosts: []string{"127.0.0.1:1", "example.org"}}).Call(t.Context(), e.url(t), jacob)
	if !errors.Is(err, domains.ErrRefused) || e.posts.Load() != 0 {
		t.Errorf("%v, %d posts", err, e.posts.Load())
	}
	u := e.url(t)
	e.Close()
	_, err = remote.New(remote.Config{Hosts: []string{"127.0.0.1"}}).Call(t.Context(), u, jacob)
	var told *domains.Error
	if !errors.As(err, &told) || !strings.Contains(told.Message, "cannot be reached: nothing was carried out") {
		t.Errorf("nobody listens: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = remote.New(remote.Config{Hosts: []string{"127.0.0.1"}}).Call(ctx, u, jacob); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestNothingIsRepeated closes each connection right after its first answer: a kept one
// would then be asked again.
func TestNothingIsRepeated(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			buffer := make([]byte, 4096)
			n, _ := conn.Read(buffer)
			requests.Add(int64(strings.Count(string(buffer[:n]), "POST ")))
			if requests.Load() == 1 {
				fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
			}
			conn.Close()
		}
	}()
	u, err := remote.Check("http://" + ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := remote.New(remote.Config{Hosts: []string{u.Host}})
	if _, err := c.Call(t.Context(), u, jacob); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(t.Context(), u, jacob); err == nil || requests.Load() != 2 {
		t.Errorf("%v after %d requests", err, requests.Load())
	}
	ln.Close()
	<-ended
}

func TestAddresses(t *testing.T) {
	for raw, fault := range map[string]string{
		"https://functions.example.org/risk?v=1": "", "HTTP://[::1]:9101/x": "",
		"functions.example.org/risk": "begin with", "ftp://e/x": "begin with", "http:///x": "no host", "http://:80/": "no host",
		"http://me:pw@e/x": "user name", "http://e/x#y": "behind #", "http://e/%zz": "no URL", "": "begin with",
	} {
		_, err := remote.Check(raw)
		if (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", raw, err, fault)
		}
	}
	for _, c := range []struct {
		host, url string
		want      bool
	}{
		{"e.org", "https://E.org/x", true}, {"E.org", "http://e.org:81/x", true}, {"e.org:443", "https://e.org/x", true},
		{"e.org:443", "http://e.org/x", false}, {"e.org", "https://a.e.org/x", false}, {"e.org", "https://e.org.evil.net/x", false},
		{"[::1]:9101", "http://[::1]:9101/", true}, {"::1", "http://[::1]:9101/", true}, {"", "http://e/", false}, {" e ", "http://e/", true},
	} {
		u, err := remote.Check(c.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := remote.New(remote.Config{Hosts: []string{c.host}}).Allows(u); got != c.want {
			t.Errorf("%q allows %s: %v", c.host, c.url, got)
		}
	}
}
