package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/server"
)

// runCalls counts what calls allocate, in the smallest graph.
func runCalls(ctx context.Context, b *bench) ([]result, error) {
	size := b.sizes[0]
	path, err := b.ntriples(size)
	if err != nil {
		return nil, err
	}
	o, err := inChild(ctx, task{Do: "calls", Dir: domainsOf(path), Rounds: b.rounds, Calls: b.calls()})
	if err != nil {
		return nil, err
	}
	goals := map[string]float64{"describe_entity": 300, "tools/list": 1_000}
	var out []result
	for _, a := range o.Answers {
		out = append(out, result{
			Row: "calls", Case: a.Question, Triples: size, Unit: "s", Values: a.Seconds, Allocations: a.Allocations,
			Goals: []goal{{Of: "allocations", Bound: goals[a.Question]}},
		})
	}
	return out, nil
}

// callsTask makes calls in process.
func callsTask(ctx context.Context, t task) (o outcome, err error) {
	b, _, err := openBig(ctx, t)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	s, err := server.New(ctx, server.Config{Backend: b, Domain: bigDomain})
	if err != nil {
		return o, err
	}
	handler := s.Handler()
	for _, q := range []question{
		{"describe_entity", toolCall(s, "describe_entity", map[string]any{"entity_uri": domaintest.BigEntity, "depth": 0})},
		{"tools/list", func(ctx context.Context) error { return listTools(ctx, handler) }},
	} {
		if err := q.ask(ctx); err != nil {
			return o, fmt.Errorf("%s: %w", q.name, err)
		}
		a := answered{Question: q.name}
		if a.Seconds, a.Allocations, err = timed(t, func() error { return q.ask(ctx) }); err != nil {
			return o, fmt.Errorf("%s: %w", q.name, err)
		}
		o.Answers = append(o.Answers, a)
	}
	return o, s.Shutdown(ctx)
}

// listTools asks a handler for its tools. What the request and the recorder allocate is
// counted with it.
func listTools(ctx context.Context, handler http.Handler) error {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"describe_entity"`) {
		return fmt.Errorf("tools/list: status %d: %.200s", w.Code, w.Body)
	}
	return nil
}
