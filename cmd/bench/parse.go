package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains/rdf"
)

// runParse reads a file with our reader and with others. The programs take turns, so that
// what else the machine does falls on all.
func runParse(ctx context.Context, b *bench) ([]result, error) {
	size := b.middle()
	path, err := b.ntriples(size)
	if err != nil {
		return nil, err
	}
	serdi := result{Row: "parse", Case: "serdi", Triples: size, Unit: "s"}
	rapper := result{Row: "parse", Case: "rapper", Triples: size, Unit: "s", Baseline: "serdi"}
	ours := result{Row: "parse", Case: "ontogate", Triples: size, Unit: "s", Baseline: "serdi"}
	for range b.rounds + 1 {
		if err := timeCommand(ctx, &serdi, "serdi", "-q", "-i", "ntriples", "-o", "ntriples", path); err != nil {
			return nil, err
		}
		if err := timeCommand(ctx, &rapper, "rapper", "-q", "-c", "-i", "ntriples", path); err != nil {
			return nil, err
		}
		o, err := inChild(ctx, task{Do: "parse", File: path})
		if err != nil {
			return nil, err
		}
		ours.Values, ours.Allocations, ours.Peak = append(ours.Values, o.Seconds...), o.Allocations, max(ours.Peak, o.Peak)
	}
	for _, r := range []*result{&serdi, &rapper, &ours} {
		if len(r.Values) > 0 {
			r.Values = r.Values[1:] // the first round is the warm-up
		}
	}
	return []result{serdi, rapper, ours}, nil
}

// howToGet says how a program that is not installed is got.
var howToGet = map[string]string{
	"serdi":  "serdi is not installed: apt-get install serdi",
	"rapper": "rapper is not installed: apt-get install raptor2-utils",
	"node":   "Node.js is not installed: see https://nodejs.org",
	"npm":    "npm is not installed: see https://nodejs.org",
}

// missing says how to get a program that is not installed; empty for one that is.
func missing(program string) string {
	if _, err := exec.LookPath(program); err != nil {
		return howToGet[program]
	}
	return ""
}

// timeCommand runs a command, whose output goes nowhere, and adds its time to a result.
func timeCommand(ctx context.Context, r *result, program string, args ...string) error {
	if r.Missing = missing(program); r.Missing != "" {
		return nil
	}
	cmd := exec.CommandContext(ctx, program, args...)
	var fault strings.Builder
	cmd.Stderr = &fault
	begun := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, fault.String())
	}
	r.Values = append(r.Values, time.Since(begun).Seconds())
	return nil
}

// parseTask reads a file and counts its triples.
func parseTask(_ context.Context, t task) (o outcome, err error) {
	f, err := os.Open(t.File)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, before := heap()
	begun := time.Now()
	err = rdf.Read(io.Reader(f), rdf.NTriples, rdf.Options{}, func(rdf.Quad) error { o.Triples++; return nil })
	o.Seconds = []float64{time.Since(begun).Seconds()}
	_, after := heap()
	o.Allocations = float64(after - before)
	return o, err
}
