package rest_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

var update = flag.Bool("update", false, "write golden files instead of comparing")

// fault is a way in which a service fails. reads and writes are the numbers of requests
// that arrive for a read and for a write.
type fault struct {
	name          string
	answer        handler
	reads, writes int64
	change        func(*rest.Config)
	ok            bool // a read is answered in the end
}

// says answers with a status, a body and headers (name, value, …).
func says(status int, body string, headers ...string) handler {
	return func(_ int64, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// first answers the first request with one handler, the others with another.
func first(a, b handler) handler {
	return func(n int64, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			a(n, w, r)
		} else {
			b(n, w, r)
		}
	}
}

// hang never answers; the connection ends when the client goes.
func hang(_ int64, w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// slow sends the beginning of an answer and then nothing.
func slow(_ int64, w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, `{"domains": [`)
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// reset breaks the connection off after some bytes of an answer.
func reset(sent string) handler {
	return func(_ int64, w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		io.WriteString(conn, sent)
		if sent == "" {
			conn.(*net.TCPConn).SetLinger(0) // a reset, not an end
		}
		conn.Close()
	}
}

// huge sends 100 MB; bomb sends them in 100 KB.
func huge(_ int64, w http.ResponseWriter, _ *http.Request) {
	block := []byte(strings.Repeat(" ", 1<<20))
	for range 100 {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

func bomb(_ int64, w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	w.Write(zipped())
}

var zipped = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	block := make([]byte, 1<<20)
	for range 100 {
		z.Write(block)
	}
	z.Close()
	return out.Bytes()
})

const (
	good           = `{"n": 1}`
	page           = "<!DOCTYPE html><html><title>Sign in</title></html>"
	infrastructure = `{"error":"infrastructure","message":"SQL warehouse is stopped","request_id":"r-1"}`
)

// soon is for time-outs before anything is answered, later for those after a header,
// which has to arrive before.
func soon(c *rest.Config)  { c.Timeout = 50 * time.Millisecond }
func later(c *rest.Config) { c.Timeout = 400 * time.Millisecond }

func faults() []fault {
	json := []string{"Content-Type", "application/json"}
	return []fault{
		{name: "slow", answer: slow, reads: 1, writes: 1, change: later},
		{name: "hung", answer: hang, reads: 1, writes: 1, change: soon},
		{name: "reset before the answer", answer: reset(""), reads: 6, writes: 1},
		{name: "end in the header", answer: first(reset("HTTP/1.1 200 OK\r\nServer: x\r\n"), says(200, good, json...)), reads: 2, writes: 1, ok: true},
		{name: "not HTTP", answer: reset("220 mail.example.com ESMTP\r\n"), reads: 1, writes: 1},
		{name: "reset in the body", answer: reset("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"n\":"), reads: 1, writes: 1},
		{name: "truncated JSON", answer: says(200, `{"n": [1, 2`, json...), reads: 1, writes: 1},
		{name: "not JSON", answer: says(200, `n = 1`, json...), reads: 1, writes: 1},
		{name: "wrong types", answer: says(200, `{"n": "`+bodySecret+`"}`, json...), reads: 1, writes: 1},
		{name: "wrong outermost type", answer: says(200, `[1]`, json...), reads: 1, writes: 1},
		{name: "empty body", answer: says(200, ""), reads: 1, writes: 1},
		{name: "invalid UTF-8", answer: says(200, "{\"n\": 1, \"s\": \"\xff\xfe\"}", json...), reads: 1, writes: 1},
		{name: "web page with 200", answer: says(200, page, "Content-Type", "text/html; charset=utf-8"), reads: 1, writes: 1},
		{name: "web page with 500", answer: says(500, page, "Content-Type", "text/html"), reads: 1, writes: 1},
		{name: "web page without its type", answer: says(404, "\n"+page, "Content-Type", "text/plain"), reads: 1, writes: 1},
		{name: "401 then good", answer: first(says(401, `{}`), says(200, good, json...)), reads: 2, writes: 2, ok: true},
		{name: "401 twice", answer: says(401, ``), reads: 2, writes: 2},
		{name: "401 without credentials", answer: says(401, ``), reads: 1, writes: 1, change: func(c *rest.Config) { c.Tokens = nil }},
		{name: "400", answer: says(400, `{"error":"validation","message":"Unknown entity type 'Custmer'"}`, json...), reads: 1, writes: 1},
		{name: "400 of the registry", answer: says(400, `{"error":"validation","message":"Registry not configured — cannot resolve domain_name"}`, json...), reads: 1, writes: 1},
		{name: "400 with other errors", answer: says(400, `{"message":"Too deep","errors":"none"}`, json...), reads: 1, writes: 1},
		{name: "400 with a code alone", answer: says(400, `{"error":"validation"}`, json...), reads: 1, writes: 1},
		{name: "403 of the team", answer: says(403, `{"error":"authorization","message":"You are not a member of this domain's team"}`, json...), reads: 1, writes: 1},
		{name: "403 without a text", answer: says(403, page, "Content-Type", "text/html"), reads: 1, writes: 1},
		{name: "404 of OntoBricks", answer: says(404, `{"error":"not_found","message":"Domain 'x' not found in the registry"}`, json...), reads: 1, writes: 1},
		{name: "404 of an older version", answer: says(404, `{"detail":"Not Found"}`, json...), reads: 1, writes: 1},
		{name: "404 without a text", answer: says(404, ``), reads: 1, writes: 1},
		{name: "409", answer: says(409, `{"error":"conflict","message":"A build is running"}`, json...), reads: 1, writes: 1},
		{name: "422", answer: says(422, `{"detail":[{"type":"less_than_equal","loc":["query","limit"],"msg":"Input should be less than or equal to 1000","input":"5000"},{"loc":["body","rows",0],"msg":"Field required"}]}`, json...), reads: 1, writes: 1},
		{name: "422 with a place alone", answer: says(422, `{"detail":[{"loc":["query","entity_uri"]}]}`, json...), reads: 1, writes: 1},
		{name: "429 that fits", answer: first(says(429, `{}`, "Retry-After", "3"), says(200, good, json...)), reads: 2, writes: 1, ok: true},
		{name: "429 that does not fit", answer: says(429, `{"message":"Rate limit exceeded"}`, "Retry-After", "60"), reads: 1, writes: 1},
		{name: "429 with a date", answer: first(says(429, ``, "Retry-After", "Mon, 04 May 2026 12:00:05 GMT"), says(200, good, json...)), reads: 2, writes: 1, ok: true},
		{name: "500", answer: says(500, `{"error":"internal_error","message":"An internal error occurred","request_id":"r-9"}`, json...), reads: 1, writes: 1},
		{name: "500 without a text", answer: says(500, `oops`), reads: 1, writes: 1},
		{name: "502 once", answer: first(says(502, page, "Content-Type", "text/html"), says(200, good, json...)), reads: 2, writes: 1, ok: true},
		{name: "502 always", answer: says(502, page, "Content-Type", "text/html"), reads: 6, writes: 1},
		{name: "502 infrastructure", answer: says(502, infrastructure, json...), reads: 2, writes: 1},
		{name: "503", answer: says(503, `upstream connect error`), reads: 6, writes: 1},
		{name: "503 with a wait", answer: says(503, ``, "Retry-After", "120"), reads: 1, writes: 1},
		{name: "504", answer: says(504, ``), reads: 1, writes: 1},
		{name: "100 MB", answer: huge, reads: 1, writes: 1},
		{name: "gzip bomb", answer: bomb, reads: 1, writes: 1},
		{name: "announced too large", answer: says(200, strings.Repeat("1", 5000)), reads: 1, writes: 1, change: func(c *rest.Config) { c.MostBytes = 1000 }},
		{name: "redirect elsewhere", answer: says(302, ``, "Location", "https://login.example.com/oidc?state="+querySecret), reads: 1, writes: 1},
		{name: "redirect in a circle", answer: says(307, ``, "Location", "/api/v1/domains"), reads: 6, writes: 1},
		{name: "redirect to nowhere", answer: says(302, ``, "Location", "http://[::1/"+querySecret), reads: 1, writes: 1},
		{name: "a text with everything in it", answer: says(502, `{"error":"infrastructure","message":"GET https://adb-77.4.azuredatabricks.net:443/api?token=x failed\nwith Bearer abc.def-1 at HTTP://127.0.0.1:9/x?y=z, dapi0123456789abcdef0123 `+userToken+` for https://ontobricks.com/ontology#Customer on 127.0.0.1:80\u202e `+strings.Repeat("long ", 200)+`"}`, json...), reads: 2, writes: 1},
	}
}

// TestFaults holds for each fault, for a read and for a write: what the caller is told,
// how many requests arrive, that nothing secret is told or logged, and that nothing is
// left running.
func TestFaults(t *testing.T) {
	got := &txtar.Archive{Comment: []byte("What a caller is told of each fault of TestFaults. A write is never sent again, except after a 401.\n\n")}
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			var out strings.Builder
			for _, r := range []rest.Request{get(), post()} {
				u := serve(t, f.answer, f.change)
				var into struct {
					N int    `json:"n"`
					S string `json:"s"`
				}
				err := u.JSON(request(t), r, &into)
				u.noSecrets(t, err)
				want, what := f.reads, "read"
				if r.Writes {
					want, what = f.writes, "write"
				}
				if n := u.requests.Load(); n != want {
					t.Errorf("%s: %d requests arrived, want %d", what, n, want)
				}
				if f.ok && !r.Writes && (err != nil || into.N != 1) {
					t.Errorf("read: %v, %v", into, err)
				}
				fmt.Fprintf(&out, "%s: %d requests, waits %v\n", what, u.requests.Load(), u.waits)
				if err == nil {
					out.WriteString("  answered\n")
					continue
				}
				text, failure := message(t, err)
				fmt.Fprintf(&out, "  %s (%d %s): %s\n", kind(err), failure.Status, failure.Code, text)
			}
			got.Files = append(got.Files, txtar.File{Name: f.name, Data: []byte(out.String())})
		})
	}
	golden(t, "testdata/faults.txtar", got)
}

func kind(err error) string {
	for _, k := range []error{domains.ErrUpstream, domains.ErrLimit, domains.ErrInvalid, domains.ErrRefused} {
		if errors.Is(err, k) {
			return k.Error()
		}
	}
	return "no kind"
}

func golden(t *testing.T, file string, got *txtar.Archive) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(txtar.Format(got))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
