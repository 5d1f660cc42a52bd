package main

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestProgressLine holds that the line comes after a second, fits the terminal, makes way for
// what is written, and goes at the end.
func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(0, 0)
	line := &progressLine{w: &b, width: func() int { return 24 }, now: func() time.Time { return now }}
	step := func(what string, do func(), want string) {
		t.Helper()
		b.Reset()
		do()
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	tell := func(s rdfgraph.Stage, done int64) func() {
		return func() { line.report()(rdfgraph.Progress{Domain: "crm", Stage: s, Done: done, Total: 200}) }
	}
	step("at first", tell(rdfgraph.Reading, 10), "")
	now = now.Add(progressAfter)
	step("after a second", tell(rdfgraph.Reading, 20), "ontogate: reading crm, ")
	step("written to", func() { line.Write([]byte("log\n")) }, "\r                       \rlog\n")
	step("the next stage", tell(rdfgraph.Indexing, 20), "ontogate: indexing crm,")
	step("the end", tell(rdfgraph.Preparing, 200), "\r                       \r")
	step("the next load", tell(rdfgraph.Reading, 20), "")
	now = now.Add(progressAfter)
	line.width = func() int { return 80 }
	step("percent", tell(rdfgraph.Reading, 20), "ontogate: reading crm, 10 %")
	step("over", line.end, "\r                           \r")
	step("over again", line.end, "")
	step("a reload", tell(rdfgraph.Reading, 20), "")
	now = now.Add(progressAfter)
	step("a long reload", tell(rdfgraph.Reading, 40), "")
}

// TestProgressLineNeedsTerminal holds that files and pipes get no line.
func TestProgressLineNeedsTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	line := terminalLine(w)
	line.end()
	if line != nil || line.report() != nil {
		t.Error("a pipe is taken for a terminal")
	}
}
