// Command bench measures Ontogate beside what it is compared with, in one run: how long
// graphs take to load and what they hold, how much work answers cost as graphs grow, and
// how many requests a server answers. It prints a table and writes docs/performance.md's
// table, docs/performance.json and docs/performance.svg. It is no part of the release.
//
// What is measured runs in processes of its own; this one makes the data, asks and keeps
// the clock. See DESIGN.md and docs/performance.md for the method.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		if err := child(ctx, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	rows   []string // names of rows; empty for all
	sizes  []int    // triples, ascending
	rounds int
	quick  bool
	out    string // folder of the documents; empty writes none
	data   string // folder of the generated data; empty for one that is removed
	music  string
	binary string
}

// The sizes of the graphs, and how often each thing is measured.
var (
	allSizes   = []int{12_000, 1_000_000, 10_000_000}
	quickSizes = []int{12_000, 100_000}
)

const allRounds, quickRounds = 5, 3

// readFlags reads the command line. A run of some rows or of other sizes writes no
// documents unless it is told to, so that it does not replace those of a whole run.
func readFlags(args []string, out io.Writer) (settings, error) {
	var s settings
	var rows, sizes string
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(out)
	f.StringVar(&rows, "rows", "", "`names` of rows to measure, separated by commas; without it all: "+strings.Join(rowNames(), ", "))
	f.StringVar(&sizes, "sizes", "", "`numbers` of triples of the generated graphs, separated by commas (12000,1000000,10000000)")
	f.IntVar(&s.rounds, "rounds", 0, "how `often` each thing is measured (5; for more than 1,000,000 triples at most 3)")
	f.BoolVar(&s.quick, "quick", false, "a run of about a minute: graphs of 12,000 and 100,000 triples, 3 rounds, short ones")
	f.StringVar(&s.out, "out", "docs", "`folder` to write performance.md, .json and .svg to; empty writes none, which is the default with -quick, -rows and -sizes")
	f.StringVar(&s.data, "data", "", "`folder` to keep generated graphs in, for other runs; without it they are removed at the end")
	f.StringVar(&s.music, "music", filepath.Join("..", "shared", "data", "ontologies", "music"), "`folder` of the music data for the HTTP rows; where there is none, the sample domain customer360 is served")
	f.StringVar(&s.binary, "ontogate", "", "`path` of the program to measure; without it it is built as for a release")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 {
		return s, fmt.Errorf("there is an argument %q; all are flags, see -help", f.Arg(0))
	}
	given := map[string]bool{}
	f.Visit(func(g *flag.Flag) { given[g.Name] = true })
	if (s.quick || given["rows"] || given["sizes"]) && !given["out"] {
		s.out = ""
	}
	return s, s.fill(rows, sizes)
}

// fill reads the lists and sets what was not given.
func (s *settings) fill(rows, sizes string) error {
	for name := range strings.SplitSeq(rows, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.Contains(rowNames(), name) {
			return fmt.Errorf("-rows: there is no row %q; there are %s", name, strings.Join(rowNames(), ", "))
		}
		s.rows = append(s.rows, name)
	}
	for text := range strings.SplitSeq(sizes, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		n, err := strconv.Atoi(strings.ReplaceAll(text, "_", ""))
		if err != nil || n < leastSize || n > mostSize {
			return fmt.Errorf("-sizes: %q is no number of triples from %d to %d", text, leastSize, mostSize)
		}
		s.sizes = append(s.sizes, n)
	}
	slices.Sort(s.sizes)
	s.sizes = slices.Compact(s.sizes)
	if s.rounds < 0 {
		return fmt.Errorf("-rounds %d: want at least 1", s.rounds)
	}
	if len(s.sizes) == 0 && s.quick {
		s.sizes = quickSizes
	}
	if len(s.sizes) == 0 {
		s.sizes = allSizes
	}
	if s.rounds == 0 && s.quick {
		s.rounds = quickRounds
	}
	if s.rounds == 0 {
		s.rounds = allRounds
	}
	return nil
}

// run measures what the flags ask for, prints the table and writes the documents.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	s, err := readFlags(args, progress)
	if err != nil {
		return err
	}
	b, err := newBench(ctx, s, progress)
	if err != nil {
		return err
	}
	defer b.close()
	report, err := b.measure(ctx)
	if err != nil {
		return err
	}
	fmt.Fprint(out, report.markdown())
	if s.out == "" {
		return nil
	}
	return report.write(s.out)
}
