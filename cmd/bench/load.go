package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// runLoad loads each graph from its N-Triples and then from its snapshot file.
func runLoad(ctx context.Context, b *bench) ([]result, error) {
	var out []result
	for _, size := range b.sizes {
		path, err := b.ntriples(size)
		if err != nil {
			return nil, err
		}
		cold := result{Row: "load", Case: sized(size) + ", cold", Triples: size, Unit: "s", Goals: coldGoals[size]}
		if err := b.load(ctx, &cold, task{Do: "load", Dir: domainsOf(path)}); err != nil {
			return nil, err
		}
		saved := result{Row: "load", Case: sized(size) + ", from the snapshot", Triples: size, Unit: "s", Baseline: cold.Case, Goals: savedGoals[size]}
		written, err := inChild(ctx, task{Do: "snapshot", Dir: domainsOf(path)})
		if err != nil {
			return nil, err
		}
		if saved.Missing = written.Missing; saved.Missing == "" {
			if err := b.load(ctx, &saved, task{Do: "load", Dir: domainsOf(path), Snapshots: true}); err != nil {
				return nil, err
			}
		}
		out = append(out, cold, saved)
	}
	return out, nil
}

// The goals of the sizes that have some.
var (
	coldGoals = map[int][]goal{
		1_000_000:  {{Of: "seconds", Bound: 3}, {Of: "bytes a triple", Bound: 100}},
		10_000_000: {{Of: "seconds", Bound: 25}},
	}
	savedGoals = map[int][]goal{10_000_000: {{Of: "seconds", Bound: 4}}}
)

// load loads some times, each in a process of its own, after once that does not count.
func (b *bench) load(ctx context.Context, r *result, t task) error {
	for i := range b.roundsFor(r.Triples) + 1 {
		o, err := inChild(ctx, t)
		if err != nil {
			return err
		}
		if i == 0 {
			continue
		}
		r.Values = append(r.Values, o.Seconds...)
		r.Allocations, r.Held, r.Peak = o.Allocations, max(r.Held, o.Held), max(r.Peak, o.Peak)
	}
	return nil
}

// openBig opens the back end of a folder with a generated graph, and its domain.
func openBig(ctx context.Context, t task) (*rdfgraph.Backend, *domains.Domain, error) {
	c := rdfgraph.Config{Dir: t.Dir}
	if t.Snapshots {
		c.Snapshots, c.SnapshotMin = rdfgraph.SnapshotsOn, 1
	}
	b, err := rdfgraph.New(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	d, err := b.Open(ctx, bigDomain)
	if err == nil && len(d.Problems) > 0 {
		err = fmt.Errorf("the domain has problems: %v", d.Problems)
	}
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return b, d, nil
}

// loadTask loads a domain and weighs it.
func loadTask(ctx context.Context, t task) (outcome, error) {
	held, mallocs := heap()
	begun := time.Now()
	b, d, err := openBig(ctx, t)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{Seconds: []float64{time.Since(begun).Seconds()}}
	after, more := heap()
	o.Held, o.Allocations = after-held, float64(more-mallocs)
	runtime.KeepAlive(d)
	return o, b.Close()
}

// snapshotPatience bounds the wait for a snapshot file, which is written after the domain
// is served.
const snapshotPatience = 2 * time.Minute

// snapshotTask makes the snapshot file of a domain.
func snapshotTask(ctx context.Context, t task) (o outcome, err error) {
	t.Snapshots = true
	b, _, err := openBig(ctx, t)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	for begun := time.Now(); ; {
		found, err := filepath.Glob(filepath.Join(t.Dir, bigDomain, ".ontogate", "*.snapshot"))
		switch {
		case err != nil:
			return o, err
		case len(found) > 0:
			return o, nil
		case time.Since(begun) > snapshotPatience:
			return outcome{Missing: "no snapshot file was written"}, nil
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return o, ctx.Err()
		}
	}
}
