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

// syntax is a format to measure the reader of.
type syntax struct {
	format rdf.Format
	// serdi and rapper are what those programs call it; empty where they can't read it.
	serdi, rapper string
	// file is the generated graph in the format.
	file func(b *bench, triples int) (string, error)
	// most is the most triples of the graph: JSON-LD is read as a whole.
	most int
	// goal bounds the ratio to serdi from below; 0 is none.
	goal float64
}

var syntaxes = []syntax{
	{format: rdf.NTriples, serdi: "ntriples", rapper: "ntriples", file: (*bench).ntriples, goal: 2},
	{format: rdf.Turtle, serdi: "turtle", rapper: "turtle", file: (*bench).turtle, goal: 1},
	{format: rdf.NQuads, serdi: "nquads", rapper: "nquads", file: (*bench).nquads},
	{format: rdf.TriG, serdi: "trig", rapper: "trig", file: (*bench).trig},
	{format: rdf.RDFXML, rapper: "rdfxml", file: (*bench).rdfxml},
	{format: rdf.JSONLD, file: (*bench).jsonld, most: 100_000},
}

// runParse reads a file of each syntax with our reader and with others. The programs take
// turns, so that what else the machine does falls on all.
func runParse(ctx context.Context, b *bench) ([]result, error) {
	var out []result
	for _, s := range syntaxes {
		results, err := b.parse(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, results...)
	}
	return out, nil
}

// parse reads the file of one syntax.
func (b *bench) parse(ctx context.Context, s syntax) ([]result, error) {
	size := b.middle()
	if s.most > 0 {
		size = min(size, s.most)
	}
	path, err := s.file(b, size)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	row := func(program string) result {
		return result{Row: "parse", Case: s.format.String() + ", " + program, Triples: size, Unit: "MB/s"}
	}
	serdi, rapper, ours := row("serdi"), row("rapper"), row("ontogate")
	var out []*result
	switch {
	case s.serdi != "":
		rapper.Baseline, ours.Baseline = serdi.Case, serdi.Case
		out = append(out, &serdi, &rapper)
	case s.rapper != "":
		ours.Baseline = rapper.Case
		out = append(out, &rapper)
	}
	if s.goal > 0 {
		ours.Goals = []goal{{Of: "ratio", Bound: s.goal, AtLeast: true}}
	}
	out = append(out, &ours)
	for range b.rounds + 1 {
		for _, r := range out {
			args := map[*result][]string{
				&serdi:  {"serdi", "-q", "-i", s.serdi, "-o", "nquads", path},
				&rapper: {"rapper", "-q", "-c", "-i", s.rapper, path},
			}[r]
			if args != nil {
				err = timeCommand(ctx, r, args[0], args[1:]...)
			} else {
				err = ours.parseOnce(ctx, task{Do: "parse", File: path, Format: s.format})
			}
			if err != nil {
				return nil, err
			}
		}
	}
	var results []result
	for _, r := range out {
		if len(r.Values) > 0 {
			r.Values = r.Values[1:] // the first round is the warm-up
		}
		for i, seconds := range r.Values {
			r.Values[i] = float64(info.Size()) / 1e6 / seconds
		}
		results = append(results, *r)
	}
	return results, nil
}

// parseOnce reads a file in a process of its own, and adds the time.
func (r *result) parseOnce(ctx context.Context, t task) error {
	o, err := inChild(ctx, t)
	r.Values, r.Allocations, r.Peak = append(r.Values, o.Seconds...), o.Allocations, max(r.Peak, o.Peak)
	return err
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
	err = rdf.Read(io.Reader(f), t.Format, rdf.Options{}, func(rdf.Quad) error { o.Triples++; return nil })
	o.Seconds = []float64{time.Since(begun).Seconds()}
	_, after := heap()
	o.Allocations = float64(after - before)
	return o, err
}
