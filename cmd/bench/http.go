package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// described is what the HTTP rows describe: the folder that is served, and the call.
type described struct {
	folder  string // empty for the samples
	name    string
	message string
	want    string // that the answer holds
}

// described is an entity of the music data, or of a sample where these are not there.
func (b *bench) described() described {
	if _, err := os.Stat(filepath.Join(b.music, "GettingStarted_Music_Data.ttl")); err != nil {
		return described{
			name:    "customer360 (there is no music data in " + b.music + ")",
			message: callMessage("describe_entity", `{"domain_name":"customer360","search":"jacob martinez"}`),
			want:    "Jacob Martinez",
		}
	}
	return described{
		folder:  b.music,
		name:    "music data",
		message: callMessage("describe_entity", `{"domain_name":"music","entity_uri":"http://stardog.com/tutorial/John_Lennon"}`),
		want:    "John_Lennon",
	}
}

// runHTTP has three servers answer the same calls in turns.
func runHTTP(ctx context.Context, b *bench) (out []result, err error) {
	const connections = 50
	what := b.described()
	ours, err := b.serveOntogate(ctx, what.folder)
	if err != nil {
		return nil, err
	}
	body, text, err := firstAnswer(ctx, ours.url, what)
	if err != nil {
		_, stopped := ours.stop()
		return nil, errors.Join(err, stopped)
	}
	turns := []*turn{
		{result: result{Case: "plain net/http handler"}, task: task{Do: "plain", Text: body}},
		{result: result{Case: "ontogate", Note: fmt.Sprintf("%s, an answer of %d bytes", what.name, len(body)), Goals: []goal{{Of: "ratio", Bound: 0.4, AtLeast: true}, {Of: "peak MB", Bound: 80}}}, service: ours},
		{result: result{Case: "Go SDK " + sdkVersion}, task: task{Do: "sdk", Text: text}},
	}
	defer func() {
		for _, t := range turns {
			err = errors.Join(err, t.end())
		}
		for i := range out {
			turns[i].took(&out[i])
		}
	}()
	for _, t := range turns {
		t.Row, t.Unit = "http", "requests/s"
		if t != turns[0] {
			t.Baseline = turns[0].Case
		}
		if t.service == nil {
			if t.service, err = serveChild(ctx, t.task); err != nil {
				return nil, err
			}
		}
		if t.caller, err = newCaller(ctx, t.service.url, connections, connections, what.message, what.want); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Case, err)
		}
	}
	if err := takeTurns(turns, b.rounds, b.length()); err != nil {
		return nil, err
	}
	for _, t := range turns {
		out = append(out, t.result)
	}
	return out, nil
}

// length is how long each of the servers is asked in a round.
func (b *bench) length() time.Duration {
	if b.quick {
		return 500 * time.Millisecond
	}
	return 3 * time.Second
}

// turn is one of several servers that take turns.
type turn struct {
	result
	task    task
	service *service
	caller  *caller
	used    used
}

// took adds what the server took to its result. Its start and the warm-up are in the
// processor's time of a call.
func (t *turn) took(r *result) {
	r.Peak = t.used.peak
	if n := t.caller.calls.Load(); n > 0 {
		r.CPU = t.used.cpu / float64(n)
	}
}

func (t *turn) end() (err error) {
	if t.caller != nil {
		err = t.caller.close()
	}
	if t.service != nil {
		var stopped error
		t.used, stopped = t.service.stop()
		err = errors.Join(err, stopped)
	}
	return err
}

// takeTurns asks each server in each round, after one round that does not count.
func takeTurns(turns []*turn, rounds int, length time.Duration) error {
	for round := range rounds + 1 {
		for _, t := range turns {
			perSecond, err := t.caller.during(length)
			if err != nil {
				return fmt.Errorf("%s: %w", t.Case, err)
			}
			if round > 0 {
				t.Values = append(t.Values, perSecond)
			}
		}
	}
	return nil
}

// firstAnswer is the body of an answer and the text in it.
func firstAnswer(ctx context.Context, url string, what described) (body, text string, err error) {
	c, err := dial(ctx, url)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, c.net.Close()) }()
	session, err := c.begin()
	if err != nil {
		return "", "", err
	}
	if err := c.answers(c.request(session, what.message), what.want); err != nil {
		return "", "", err
	}
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal(c.body, &m); err != nil {
		return "", "", err
	}
	if len(m.Result.Content) != 1 || m.Result.IsError {
		return "", "", fmt.Errorf("not an answer: %s", c.body)
	}
	return string(c.body), m.Result.Content[0].Text, nil
}

// plainTask serves what the baseline is: decode the request, write bytes.
func plainTask(ctx context.Context, t task) (outcome, error) {
	body := []byte(t.Text)
	return outcome{}, serveUntilInputEnds(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			JSONRPC string `json:"jsonrpc"`
			ID      any    `json:"id"`
			Method  string `json:"method"`
			Params  struct {
				Name      string         `json:"name"`
				Arguments map[string]any `json:"arguments"`
			} `json:"params"`
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || m.JSONRPC != "2.0" {
			http.Error(w, "not JSON-RPC", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // the client has gone
	}))
}

// serveUntilInputEnds serves HTTP on a free port, prints its address, and ends with
// standard input or ctx.
func serveUntilInputEnds(ctx context.Context, h http.Handler) error {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	fmt.Printf("http://%s/mcp\n", ln.Addr())
	ended := make(chan struct{})
	go func() { // ends with the process
		defer close(ended)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	err = s.Close()
	if e := <-served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}
