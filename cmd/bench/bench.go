package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// The sizes that can be asked for: below, the promises of the generator do not hold, and
// above, customers have more digits.
const leastSize, mostSize = domaintest.LeastGenerated, 99_000_000

// bench is one run.
type bench struct {
	settings
	dir      string // of the data and programs
	keep     bool   // whether dir stays
	progress io.Writer
	built    string // path of the program, once it is built
	memory   string // folder of the npm server, once it is installed
}

func newBench(_ context.Context, s settings, progress io.Writer) (*bench, error) {
	b := &bench{settings: s, dir: s.data, keep: s.data != "", progress: progress, built: s.binary}
	if b.keep {
		return b, os.MkdirAll(b.dir, 0o777)
	}
	dir, err := os.MkdirTemp("", "ontogate-bench-")
	b.dir = dir
	return b, err
}

// close removes what was made.
func (b *bench) close() {
	if b.keep {
		return
	}
	if err := os.RemoveAll(b.dir); err != nil {
		fmt.Fprintln(b.progress, "bench:", err)
	}
}

// measure goes through the rows that were asked for.
func (b *bench) measure(ctx context.Context) (*report, error) {
	r := &report{Quick: b.quick, Sizes: b.sizes, Rounds: b.rounds, Machine: machine(ctx), Started: time.Now().UTC().Truncate(time.Second)}
	for _, row := range rows() {
		if len(b.rows) > 0 && !slices.Contains(b.rows, row.Name) {
			continue
		}
		fmt.Fprintf(b.progress, "bench: %s\n", row.Name)
		begun := time.Now()
		results, err := row.Run(ctx, b)
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", row.Name, err)
		}
		fmt.Fprintf(b.progress, "bench: %s took %s\n", row.Name, time.Since(begun).Round(100*time.Millisecond))
		settle(results)
		r.Results = append(r.Results, results...)
	}
	r.Machine.after()
	return r, nil
}

// roundsFor is how often to measure what takes long for many triples.
func (b *bench) roundsFor(triples int) int {
	if triples > 1_000_000 {
		return min(b.rounds, 3)
	}
	return b.rounds
}

// middle is the size at which rows that need one large graph measure: a million triples,
// or the largest asked for below.
func (b *bench) middle() int {
	size := b.sizes[0]
	for _, n := range b.sizes {
		if n <= 1_000_000 {
			size = n
		}
	}
	return size
}

// file is a generated file, made once: write writes it.
func (b *bench) file(path string, write func(io.Writer) error) (string, error) {
	path = filepath.Join(b.dir, path)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	// Under another name until it is whole: an interrupted run leaves no half file.
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return "", err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("writing %s: %w", path, err), os.Remove(f.Name()))
	}
	return path, nil
}

// ntriples is the file of a generated graph, alone in the folder of its domain, which is
// alone in the folder of the domains.
func (b *bench) ntriples(n int) (string, error) {
	return b.file(fmt.Sprintf("nt-%d/%s/graph.nt", n, bigDomain), func(w io.Writer) error { return domaintest.Generate(n, w) })
}

// bigDomain is the name of each generated domain.
const bigDomain = "big"

// domainsOf is the folder of the domains for a file of ntriples or turtle.
func domainsOf(path string) string { return filepath.Dir(filepath.Dir(path)) }

// ontogate is the program, built as for a release.
func (b *bench) ontogate(ctx context.Context) (string, error) {
	if b.built != "" {
		return b.built, nil
	}
	fmt.Fprintln(b.progress, "bench: building ontogate")
	path := filepath.Join(b.dir, "ontogate"+exeSuffix)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "github.com/ontogate/ontogate/cmd/ontogate")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building ontogate: %w\n%s", err, text)
	}
	b.built = path
	return path, nil
}

// plainEnvironment is this process's without what configures ontogate.
func plainEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc([]string{"ONTOGATE_", "ONTOBRICKS_", "REGISTRY_", "DATABRICKS_", "MCP_"}, func(p string) bool { return strings.HasPrefix(v, p) })
	})
}
