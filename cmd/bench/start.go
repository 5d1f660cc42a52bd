package main

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// runStart starts programs and waits for their first answer.
func runStart(ctx context.Context, b *bench) ([]result, error) {
	program, err := b.ontogate(ctx)
	if err != nil {
		return nil, err
	}
	list := callMessage("list_domains", "{}")
	stdio := result{Row: "start", Case: "ontogate stdio", Unit: "s", Goals: []goal{{Of: "seconds", Bound: 0.15}}}
	http := result{Row: "start", Case: "ontogate serve", Unit: "s", Goals: []goal{{Of: "seconds", Bound: 0.15}}}
	other := result{Row: "start", Case: memoryPackage, Unit: "s"}
	if other.Missing, err = b.installMemory(ctx); err != nil {
		return nil, err
	}
	if other.Missing == "" {
		stdio.Baseline, http.Baseline = other.Case, other.Case
	}
	for round := range 2*b.rounds + 1 {
		measure := func(r *result, start func() (time.Duration, error)) {
			if err == nil && r.Missing == "" {
				var d time.Duration
				if d, err = start(); round > 0 {
					r.Values = append(r.Values, d.Seconds())
				}
			}
		}
		measure(&stdio, func() (time.Duration, error) {
			return startToAnswer(exec.CommandContext(ctx, program, "stdio"), list, "customer360", &stdio)
		})
		measure(&http, func() (time.Duration, error) { return b.serveToAnswer(ctx, list, &http) })
		measure(&other, func() (time.Duration, error) {
			return startToAnswer(b.memoryCommand(ctx, "no-such-file"), callMessage("read_graph", "{}"), "entities", &other)
		})
		if err != nil {
			return nil, err
		}
	}
	return []result{stdio, http, other}, nil
}

// startToAnswer starts a stdio server and asks it once.
func startToAnswer(cmd *exec.Cmd, message, want string, r *result) (took time.Duration, err error) {
	if cmd.Env == nil {
		cmd.Env = plainEnvironment()
	}
	begun := time.Now()
	s, err := startStdio(cmd)
	if err != nil {
		return 0, err
	}
	_, err = s.ask(message, want)
	took = time.Since(begun)
	u, stopped := s.stop()
	r.Peak = max(r.Peak, u.peak)
	return took, errors.Join(err, stopped)
}

// serveToAnswer is the same over HTTP. Reading the address that is printed is in the
// time.
func (b *bench) serveToAnswer(ctx context.Context, message string, r *result) (took time.Duration, err error) {
	begun := time.Now()
	s, err := b.serveOntogate(ctx, "")
	if err != nil {
		return 0, err
	}
	defer func() {
		u, stopped := s.stop()
		r.Peak = max(r.Peak, u.peak)
		err = errors.Join(err, stopped)
	}()
	c, err := newCaller(ctx, s.url, 1, 1, message, "customer360")
	if err != nil {
		return 0, err
	}
	err = c.connections[0].answers(c.requests[0][0], c.want)
	return time.Since(begun), errors.Join(err, c.close())
}
