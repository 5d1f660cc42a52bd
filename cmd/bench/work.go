package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// runWork asks graphs of all sizes the same questions.
func runWork(ctx context.Context, b *bench) ([]result, error) {
	byQuestion := map[string][]result{}
	var questions []string
	for _, size := range b.sizes {
		path, err := b.ntriples(size)
		if err != nil {
			return nil, err
		}
		o, err := inChild(ctx, task{Do: "work", Dir: domainsOf(path), Snapshots: true, Rounds: b.rounds, Calls: b.calls()})
		if err != nil {
			return nil, err
		}
		for _, a := range o.Answers {
			r := result{Row: "work", Case: a.Question + ", " + sized(size), Triples: size, Unit: "s", Values: a.Seconds, Steps: &a.Steps, Allocations: a.Allocations}
			if size == b.sizes[0] {
				questions = append(questions, a.Question)
			} else {
				r.Baseline, r.Goals = a.Question+", "+sized(b.sizes[0]), []goal{{Of: "steps", Bound: 2}}
			}
			byQuestion[a.Question] = append(byQuestion[a.Question], r)
		}
	}
	var out []result
	for _, q := range questions {
		out = append(out, byQuestion[q]...)
	}
	return out, nil
}

// calls is how often a question is asked in a round.
func (b *bench) calls() int {
	if b.quick {
		return 50
	}
	return 200
}

// question is something to ask a domain; ask fails when the answer is not the one that
// every size has.
type question struct {
	name string
	ask  func(context.Context) error
}

// toolCall calls a tool in process, and fails when its answer is an error.
func toolCall(s *server.Server, name string, args map[string]any) func(context.Context) error {
	return func(ctx context.Context) error {
		text, isError, err := s.Call(ctx, name, args)
		if err == nil && isError {
			err = errors.New(text)
		}
		return err
	}
}

// workQuestions are the tools' questions and one search of each kind.
func workQuestions(s *server.Server, d *domains.Domain) []question {
	out := []question{
		{"describe_entity", toolCall(s, "describe_entity", map[string]any{"entity_uri": domaintest.BigEntity})},
		{"describe_entity of a hub", toolCall(s, "describe_entity", map[string]any{"entity_uri": domaintest.BigHub})},
		{"list_entity_types", toolCall(s, "list_entity_types", nil)},
		{"describe_ontology", toolCall(s, "describe_ontology", nil)},
	}
	for _, q := range domaintest.BigQueries() {
		out = append(out, question{"Find: " + q.Name, func(ctx context.Context) error {
			m, err := d.Facts.Find(ctx, domains.Query{Text: q.Text, Limit: 10})
			switch {
			case err != nil:
				return err
			case m.Total != q.Hits || m.AtLeast || q.Hits == 0 && len(m.Suggestions) == 0:
				return fmt.Errorf("%q has %d hits (at least: %t), suggestions %q; want %d", q.Text, m.Total, m.AtLeast, m.Suggestions, q.Hits)
			}
			return nil
		}})
	}
	return out
}

// workTask asks each question of workQuestions once for its work and some times for its
// time.
func workTask(ctx context.Context, t task) (o outcome, err error) {
	b, d, err := openBig(ctx, t)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	s, err := server.New(ctx, server.Config{Backend: b, Domain: bigDomain})
	if err != nil {
		return o, err
	}
	for _, q := range workQuestions(s, d) {
		// The first may work out what others then share.
		if err := q.ask(ctx); err != nil {
			return o, fmt.Errorf("%s: %w", q.name, err)
		}
		before, _ := rdfgraph.WorkOf(d)
		if err := q.ask(ctx); err != nil {
			return o, fmt.Errorf("%s: %w", q.name, err)
		}
		after, _ := rdfgraph.WorkOf(d)
		a := answered{Question: q.name, Steps: after.Lookups - before.Lookups + after.Reads() - before.Reads()}
		if a.Seconds, a.Allocations, err = timed(t, func() error { return q.ask(ctx) }); err != nil {
			return o, fmt.Errorf("%s: %w", q.name, err)
		}
		o.Answers = append(o.Answers, a)
	}
	return o, s.Shutdown(ctx)
}

// timed does something t.Calls times in each of t.Rounds rounds, after one round that does
// not count. It tells the seconds of one time, by the mean of each round, and its allocations.
func timed(t task, do func() error) (seconds []float64, allocations float64, err error) {
	seconds = make([]float64, 0, t.Rounds+1)
	_, before := heap()
	for range t.Rounds + 1 {
		begun := time.Now()
		for range t.Calls {
			if err := do(); err != nil {
				return nil, 0, err
			}
		}
		seconds = append(seconds, time.Since(begun).Seconds()/float64(t.Calls))
	}
	_, after := heap()
	return seconds[1:], float64(after-before) / float64((t.Rounds+1)*t.Calls), nil
}
