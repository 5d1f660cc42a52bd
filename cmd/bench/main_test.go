package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
)

// TestMain lets the test binary be the child that it starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		if err := child(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestRows holds that each row can be chosen by its name and says what it is.
func TestRows(t *testing.T) {
	var got []string
	for _, r := range rows() {
		got = append(got, r.Name)
		if !strings.HasSuffix(r.About, ".") || !strings.HasSuffix(r.Limit, ".") || r.Run == nil {
			t.Errorf("%s: about %q, limit %q", r.Name, r.About, r.Limit)
		}
	}
	if diff := cmp.Diff(rowNames(), got); diff != "" {
		t.Errorf("names of rows (-want +got):\n%s", diff)
	}
}

func TestReadFlags(t *testing.T) {
	for _, c := range []struct {
		args string
		want settings // without the paths
		err  string   // a part of it
	}{
		{"", settings{sizes: allSizes, rounds: allRounds, out: "docs"}, ""},
		{"-quick", settings{sizes: quickSizes, rounds: quickRounds, quick: true}, ""},
		{"-quick -out docs", settings{sizes: quickSizes, rounds: quickRounds, quick: true, out: "docs"}, ""},
		{"-rows http,load", settings{rows: []string{"http", "load"}, sizes: allSizes, rounds: allRounds}, ""},
		{"-sizes 1_000_000,12000 -rounds 2", settings{sizes: []int{12_000, 1_000_000}, rounds: 2}, ""},
		{"-rows speed", settings{}, `no row "speed"; there are parse`},
		{"-sizes 12", settings{}, "from 2000 to"},
		{"-rounds -1", settings{}, "at least 1"},
		{"quick", settings{}, "all are flags"},
	} {
		got, err := readFlags(strings.Fields(c.args), io.Discard)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.args, err, c.err)
			}
			continue
		}
		got.music = ""
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(settings{})); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", c.args, err, diff)
		}
	}
	if _, err := readFlags([]string{"-help"}, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-help: %v", err)
	}
}

// sample is a report with what tables have to show.
func sample() *report {
	steps, more := 10, 15
	r := &report{Quick: true, Sizes: quickSizes, Rounds: 3, Machine: machineInfo{CPU: "A|B", Cores: 2, System: "linux/amd64", Go: "go1"}, Results: []result{
		{Row: "load", Case: "12 k, cold", Triples: 12_000, Unit: "s", Values: []float64{0.3, 0.1, 0.2}, Held: 1_200_000, Peak: 30_000_000, Goals: []goal{{Of: "seconds", Bound: 0.25}, {Of: "bytes a triple", Bound: 100}}},
		{Row: "load", Case: "100 k, cold", Triples: 100_000, Unit: "s", Values: []float64{2, 3}},
		{Row: "load", Case: "100 k, from the snapshot", Triples: 100_000, Unit: "s", Baseline: "100 k, cold", Missing: "no snapshot file was written", Goals: []goal{{Of: "seconds", Bound: 4}}},
		{Row: "work", Case: "Find: <exact>, 12 k", Triples: 12_000, Unit: "s", Values: []float64{12e-6}, Steps: &steps},
		{Row: "work", Case: "Find: <exact>, 100 k", Triples: 100_000, Unit: "s", Values: []float64{15e-6}, Steps: &more, Baseline: "Find: <exact>, 12 k", Goals: []goal{{Of: "steps", Bound: 2}}},
		{Row: "http", Case: "plain", Unit: "requests/s", Values: []float64{20_000}, CPU: 30e-6},
		{Row: "http", Case: "ontogate", Unit: "requests/s", Values: []float64{7_000}, CPU: 90e-6, Baseline: "plain", Goals: []goal{{Of: "ratio", Bound: 0.4, AtLeast: true}}},
	}}
	settle(r.Results)
	return r
}

// TestTable holds what tables show: columns that hold something, ratios to baselines, and
// whether goals are met.
func TestTable(t *testing.T) {
	text := sample().markdown()
	for _, want := range []string{
		"**This is a quick run**",
		"|  | median | spread | held | peak | goals |  |\n| --- | --- | --- | --- | --- | --- | --- |\n",
		"| 12 k, cold | 200 ms | 100 ms–300 ms | 1 MB, 100 B a triple | 30 MB | seconds < 0.25: met; bytes a triple < 100: missed |  |\n",
		"| 100 k, cold | 2.50 s | 2.00 s–3.00 s |  |  |  |  |\n",
		"| 100 k, from the snapshot |  |  |  |  |  | no snapshot file was written |\n",
		"| Find: <exact>, 100 k | 15.0 µs | 1.25× | 15 (1.50×) | steps < 2: met |\n",
		"| ontogate | 7,000 requests/s | 0.35× | 90.0 µs | ratio ≥ 0.4: missed |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %g, want %g", c.values, got, c.want)
		}
	}
}

// TestPlot holds that the drawing is XML, has the curves of what was measured twice and
// more, and that more time is higher up.
func TestPlot(t *testing.T) {
	for _, r := range []*report{sample(), {}} {
		d := xml.NewDecoder(strings.NewReader(r.plot()))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in:\n%s", err, r.plot())
			}
		}
	}
	var names []string
	for _, c := range sample().curves() {
		names = append(names, c.name)
	}
	if diff := cmp.Diff([]string{"load, cold", "Find: <exact>"}, names); diff != "" {
		t.Errorf("curves (-want +got):\n%s", diff)
	}
	x, y := fitted(sample().curves(), 0), fitted(sample().curves(), 1)
	if x.low != 4 || x.high != 5 || y.low != -5 || y.high != 1 {
		t.Errorf("axes %+v and %+v", x, y)
	}
	y.from, y.to = plotBottom, plotTop
	if y.at(1e-5) != plotBottom || y.at(10) != plotTop {
		t.Errorf("the ends lie at %g and %g", y.at(1e-5), y.at(10))
	}
}

// TestPage holds that a page keeps what is not between its marks, and needs them.
func TestPage(t *testing.T) {
	r := sample()
	page, err := r.onPage("head\n" + beginMark + "OUTDATED\n" + endMark + "\ntail\n")
	if err != nil || !strings.HasPrefix(page, "head\n"+beginMark) || !strings.HasSuffix(page, endMark+"\ntail\n") || strings.Contains(page, "OUTDATED") {
		t.Errorf("error %v:\n%s", err, page)
	}
	if again, err := r.onPage(page); err != nil || again != page {
		t.Errorf("the second time the page is another, or error %v", err)
	}
	if _, err := r.onPage("no marks"); err == nil {
		t.Error("a page without marks is taken")
	}
}

// TestDocuments holds that the page and the plot are those of the values beside them.
func TestDocuments(t *testing.T) {
	docs := filepath.Join(domaintest.Root(t), "docs")
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var r report
	if err := json.Unmarshal(read("performance.json"), &r); err != nil {
		t.Fatal(err)
	}
	page := string(read("performance.md"))
	want, err := r.onPage(page)
	if err != nil {
		t.Fatal(err)
	}
	const repair = "run make bench, or write the documents of an earlier run again with go test ./cmd/bench -run Documents -update"
	if *update {
		if err := r.write(docs); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("performance.md is not what performance.json says; %s (-want +got):\n%s", repair, diff)
	}
	if diff := cmp.Diff(r.plot(), string(read("performance.svg"))); diff != "" {
		t.Errorf("performance.svg is not what performance.json says; %s (-want +got):\n%s", repair, diff)
	}
}

var update = flag.Bool("update", false, "write performance.md and .svg again from performance.json")

// TestRun holds a whole run of rows that need nothing but this program.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "performance.md"), []byte(beginMark+endMark), 0o666); err != nil {
		t.Fatal(err)
	}
	var table, progress bytes.Buffer
	args := []string{"-rows", "load,work,calls,reload", "-sizes", "2000,4000", "-rounds", "1", "-quick", "-out", out}
	if err := run(t.Context(), args, &table, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	text, err := os.ReadFile(filepath.Join(out, "performance.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	measured := map[string]int{}
	for _, res := range r.Results {
		if median(res.Values) <= 0 {
			t.Errorf("%s, %s: %+v", res.Row, res.Case, res)
		}
		if res.Row == "work" && res.Steps == nil {
			t.Errorf("%s: no work was counted", res.Case)
		}
		measured[res.Row]++
	}
	if diff := cmp.Diff(map[string]int{"load": 4, "work": 18, "calls": 2, "reload": 2}, measured); diff != "" {
		t.Errorf("results of the rows (-want +got):\n%s", diff)
	}
	if !strings.Contains(table.String(), "### reload\n") {
		t.Errorf("the table:\n%s", &table)
	}
}

// TestTurtle holds that the Turtle file has the triples of the N-Triples file.
func TestTurtle(t *testing.T) {
	var text bytes.Buffer
	if err := writeTurtle(domaintest.LeastGenerated, "", "", &text); err != nil {
		t.Fatal(err)
	}
	var got []rdf.Triple
	if err := rdf.Read(&text, rdf.Turtle, rdf.Options{}, func(q rdf.Quad) error { got = append(got, q.Triple); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := slices.Collect(domaintest.Generated(domaintest.LeastGenerated)); !slices.Equal(want, got) {
		t.Errorf("%d triples are not the %d that were generated", len(got), len(want))
	}
}

// TestMemoryFile holds that the npm server's file has every entity and every link.
func TestMemoryFile(t *testing.T) {
	var text bytes.Buffer
	if err := writeMemory(domaintest.LeastGenerated, &text); err != nil {
		t.Fatal(err)
	}
	subjects, links := map[string]bool{}, 0
	for triple := range domaintest.Generated(domaintest.LeastGenerated) {
		subjects[triple.Subject.Value] = true
		if triple.Object.Kind == rdf.IRI && triple.Predicate.Value != rdf.RDFType {
			links++
		}
	}
	got := map[string]int{}
	for d := json.NewDecoder(&text); ; {
		var line struct{ Type, Name, From, To string }
		if err := d.Decode(&line); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got[line.Type]++
	}
	if diff := cmp.Diff(map[string]int{"entity": len(subjects), "relation": links}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
