package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

// overSamples is a server over the sample domains, customer360 selected from the start,
// without its log.
func overSamples(t testing.TB) *server.Server {
	t.Helper()
	return over(t, rdfgraph.Config{FS: examples.FS()}, "customer360")
}

// overMusic is a server over the music data alone.
func overMusic(t testing.TB) *server.Server {
	t.Helper()
	return over(t, rdfgraph.Config{Dir: domaintest.Shared(t, "data", "ontologies", "music")}, "music")
}

func over(t testing.TB, c rdfgraph.Config, domain domains.Name) *server.Server {
	t.Helper()
	b, err := rdfgraph.New(context.WithoutCancel(t.Context()), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return newServer(t, func(c *server.Config) { c.Backend, c.Domain = b, domain })
}

// Of a small entity: one that is told in a few lines, with its neighbours.
const (
	smallInMusic   = "http://stardog.com/tutorial/Paul_McCartney"
	largeInMusic   = "http://api.stardog.com/David_Bowie"
	smallInSamples = "https://ontobricks.com/ontology/Customer/CUST00001"
)

// describing is the request that describes an entity.
func describing(iri string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"describe_entity","arguments":{"entity_uri":"` + iri + `"}}}`
}

const listingTools = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}`

// asker is a client on one connection of its own that does as little as a client can: what
// it costs is not what is measured.
type asker struct {
	conn net.Conn
	in   *bufio.Reader
	got  []byte
}

func newAsker(t testing.TB, url string) *asker {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &asker{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}
}

// wire is a request as it stands on the wire.
func wire(session, body string) []byte {
	header := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\nMcp-Protocol-Version: 2025-11-25\r\n"
	if session != "" {
		header += "Mcp-Session-Id: " + session + "\r\n"
	}
	return []byte(header + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
}

// ask sends a request and reads the body of the answer, which is good until the next.
func (a *asker) ask(request []byte) ([]byte, error) {
	if _, err := a.conn.Write(request); err != nil {
		return nil, err
	}
	length, chunked := 0, false
	for first := true; ; first = false {
		line, err := a.in.ReadSlice('\n')
		switch {
		case err != nil:
			return nil, err
		case first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200")):
			return nil, fmt.Errorf("%s", line)
		}
		if n, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(n)))
		}
		chunked = chunked || bytes.HasPrefix(line, []byte("Transfer-Encoding: chunked"))
		if len(line) == 2 {
			break
		}
	}
	a.got = a.got[:0]
	for more := true; more; {
		if chunked {
			line, err := a.in.ReadSlice('\n')
			if err != nil {
				return nil, err
			}
			n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
			if err != nil {
				return nil, err
			}
			length = int(n)
		}
		more = chunked && length > 0
		at := len(a.got)
		a.got = append(a.got, make([]byte, length)...)
		if _, err := io.ReadFull(a.in, a.got[at:]); err != nil {
			return nil, err
		}
		if chunked {
			if _, err := a.in.Discard(2); err != nil {
				return nil, err
			}
		}
	}
	return a.got, nil
}

// sessionsOf begins sessions.
func sessionsOf(t testing.TB, url string, n int) []string {
	t.Helper()
	ids := make([]string, 0, n)
	for range n {
		ids = append(ids, connect(t, url+"/mcp").session)
	}
	return ids
}

// askAll asks b.N times on as many connections, with each of the requests in turn, and
// counts what a request allocates in this process, client included.
func askAll(b *testing.B, url string, connections int, requests [][]byte) {
	b.Helper()
	turns := make(chan int, connections)
	askers := make([]*asker, connections)
	for i := range askers {
		askers[i] = newAsker(b, url)
		if _, err := askers[i].ask(requests[i%len(requests)]); err != nil { // so that all are connected
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	cpu := cpuTime()
	var all sync.WaitGroup
	errs := make([]error, connections)
	for i, a := range askers {
		all.Go(func() {
			for n := range turns {
				if _, errs[i] = a.ask(requests[n%len(requests)]); errs[i] != nil {
					for range turns { // let the others end
					}
				}
			}
		})
	}
	for n := range b.N {
		turns <- n
	}
	close(turns)
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
	b.ReportMetric(float64(cpuTime()-cpu)/float64(b.N), "cpu-ns/op")
}

// plainHandler decodes a JSON-RPC request and writes the same bytes each time: the least
// that any server of the protocol does.
func plainHandler(answer []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Method  string          `json:"method"`
			Params  struct {
				Name      string         `json:"name"`
				Arguments map[string]any `json:"arguments"`
			} `json:"params"`
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	})
}

// The yardstick is "plain" in the same run: describe_entity should have at least 40 % of
// its requests per second.
func BenchmarkHTTPDescribeEntity(b *testing.B) {
	const connections = 50
	url := serve(b, overMusic(b))
	request := wire(sessionsOf(b, url, 1)[0], describing(smallInMusic))
	got, err := newAsker(b, url).ask(request)
	if err != nil || !bytes.Contains(got, []byte("Found 1 matching entity")) {
		b.Fatalf("%v %s", err, got)
	}
	plain := httptest.NewServer(plainHandler(bytes.Clone(got)))
	b.Cleanup(plain.Close)
	var sessions [][]byte
	for _, id := range sessionsOf(b, url, connections) {
		sessions = append(sessions, wire(id, describing(smallInMusic)))
	}
	b.Run("plain", func(b *testing.B) { askAll(b, plain.URL, connections, [][]byte{request}) })
	b.Run("one session", func(b *testing.B) { askAll(b, url, connections, [][]byte{request}) })
	b.Run("a session each", func(b *testing.B) { askAll(b, url, connections, sessions) })
	b.Run("no session", func(b *testing.B) {
		askAll(b, url, connections, [][]byte{wire("", describing(smallInMusic))})
	})
	b.Run("larger", func(b *testing.B) {
		askAll(b, url, connections, [][]byte{wire("", describing(largeInMusic))})
	})
}

// A call in one of a thousand sessions should take less than 1.3 times that of one.
func BenchmarkHTTPSessions(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			url := serve(b, overMusic(b))
			var requests [][]byte
			for _, id := range sessionsOf(b, url, n) {
				requests = append(requests, wire(id, describing(smallInMusic)))
			}
			askAll(b, url, 16, requests)
		})
	}
}

func BenchmarkListTools(b *testing.B) {
	url := serve(b, overSamples(b))
	request := wire(sessionsOf(b, url, 1)[0], listingTools)
	askAll(b, url, 16, [][]byte{request})
}

func BenchmarkCallDescribeEntity(b *testing.B) {
	for _, row := range []struct {
		name, iri string
		over      func(testing.TB) *server.Server
	}{{"samples", smallInSamples, overSamples}, {"music", smallInMusic, overMusic}, {"larger", largeInMusic, overMusic}} {
		b.Run(row.name, func(b *testing.B) {
			s := row.over(b)
			args := map[string]any{"entity_uri": row.iri}
			b.ReportAllocs()
			for b.Loop() {
				if text, isError, err := s.Call(b.Context(), "describe_entity", args); err != nil || isError {
					b.Fatal(err, text)
				}
			}
		})
	}
}

// From the samples as files to the first answer: what a start takes besides that of a
// process.
func BenchmarkCallFirst(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		backend, err := rdfgraph.New(b.Context(), rdfgraph.Config{FS: examples.FS()})
		if err != nil {
			b.Fatal(err)
		}
		s, err := server.New(b.Context(), server.Config{Backend: backend, Domain: "customer360"})
		if err != nil {
			b.Fatal(err)
		}
		if text, isError, err := s.Call(b.Context(), "describe_entity", map[string]any{"entity_uri": smallInSamples}); err != nil || isError {
			b.Fatal(err, text)
		}
		_ = s.Shutdown(b.Context())
		_ = backend.Close()
	}
}

// allocations counts what a call allocates, in all goroutines that work for it. Other work of
// the process would be counted, and so the smallest of several counts is it.
func allocations(do func()) uint64 {
	do() // what is made once is not counted
	least := ^uint64(0)
	for range 20 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}

// A call must not cost more with time. The counts hold with the race detector too: it makes
// no allocations of its own here.
func TestAllocations(t *testing.T) {
	s := overSamples(t)
	h := s.Handler()
	post := func(body string) func() {
		return func() {
			if w := record(t, h, []byte(body), ""); w.Code != http.StatusOK || bytes.Contains(w.Body.Bytes(), []byte("isError")) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
	}
	call := func(depth int) func() {
		args := map[string]any{"entity_uri": smallInSamples, "depth": depth}
		return func() {
			if text, isError, err := s.Call(t.Context(), "describe_entity", args); err != nil || isError {
				t.Error(err, text)
			}
		}
	}
	for _, row := range []struct {
		name string
		most uint64
		do   func()
	}{
		{"describe_entity of a small entity", 300, call(0)},
		{"describe_entity with three neighbours", 500, call(1)},
		{"tools/list", 300, post(listingTools)},
	} {
		got := allocations(row.do)
		t.Logf("%s: %d", row.name, got)
		if got > row.most {
			t.Errorf("%s: %d allocations, more than %d", row.name, got, row.most)
		}
	}
}
