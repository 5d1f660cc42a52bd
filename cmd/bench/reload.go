package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// runReload adds files to a domain that is served.
func runReload(ctx context.Context, b *bench) ([]result, error) {
	size := b.middle()
	// A folder of its own: files are added to it.
	path, err := b.file(fmt.Sprintf("reload-%d/%s/graph.nt", size, bigDomain), func(w io.Writer) error { return domaintest.Generate(size, w) })
	if err != nil {
		return nil, err
	}
	o, err := inChild(ctx, task{Do: "reload", Dir: domainsOf(path), Rounds: b.roundsFor(size)})
	if err != nil {
		return nil, err
	}
	start := result{Row: "reload", Case: "load at the start", Triples: size, Unit: "s", Values: []float64{o.First}, Held: o.Before}
	again := result{Row: "reload", Case: "reload", Triples: size, Unit: "s", Values: o.Seconds, Baseline: start.Case, Held: o.Held, Peak: o.Peak, Missing: o.Missing}
	return []result{start, again}, nil
}

// reloader is a back end that looks at its folder when it is told to.
type reloader interface{ Reload(context.Context) error }

// reloadTask changes a domain and reloads it, some times, and looks whether the change is
// served.
func reloadTask(ctx context.Context, t task) (o outcome, err error) {
	empty, _ := heap()
	begun := time.Now()
	b, d, err := openBig(ctx, t)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	o.First = time.Since(begun).Seconds()
	before, _ := heap()
	o.Before = before - empty
	r, ok := any(b).(reloader)
	if !ok {
		o.Missing = "this version does not reload"
		return o, nil
	}
	added := filepath.Join(t.Dir, bigDomain, "added.nt")
	defer func() { err = errors.Join(err, os.Remove(added)) }()
	for i := range t.Rounds {
		line := fmt.Sprintf("<%sadded> <%sround> \"%d\" .\n", domaintest.Big, domaintest.Big, i)
		if err := os.WriteFile(added, []byte(line), 0o666); err != nil {
			return o, err
		}
		old := d.Revision
		begun := time.Now()
		if err := r.Reload(ctx); err != nil {
			return o, err
		}
		o.Seconds = append(o.Seconds, time.Since(begun).Seconds())
		if d, err = b.Open(ctx, bigDomain); err != nil {
			return o, err
		}
		if d.Revision == old {
			return o, errors.New("a change is not served after the reload")
		}
	}
	after, _ := heap()
	o.Held = after - empty
	return o, nil
}
