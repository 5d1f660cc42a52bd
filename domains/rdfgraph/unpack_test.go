package rdfgraph_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// gzipped is a text as gzip compresses it.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zstandard is a text as zstd compresses it.
func zstandard(t *testing.T, text string, o ...zstd.EOption) string {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, o...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// manyLines are n triples.
func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<http://e/%d> <http://e/p> \"text %d\" .\n", i, i*7919)
	}
	return b.String()
}

// TestCompressed holds that compressed files give what is inside, whatever else lies beside
// them, and that what is wrong with one is told with what to do.
func TestCompressed(t *testing.T) {
	lines := manyLines(30_000)
	cut := func(packed string) string { return packed[:len(packed)*2/3] }
	spoilt := func(packed string) string {
		b := []byte(packed)
		b[len(b)-6] ^= 0x55 // in the check sum, or the last block
		return string(b)
	}
	for name, c := range map[string]struct {
		text    string
		triples int
		problem string
	}{
		"a.ttl.gz":         {gzipped(t, "@prefix e: <http://e/> . e:a e:p 1, 2 ."), 2, ""},
		"members.nt.gz":    {gzipped(t, lines[:100_000]) + gzipped(t, lines[100_000:]), 30_000, ""},
		"a.nt.zst":         {zstandard(t, lines), 30_000, ""},
		"frames.ttl.zst":   {zstandard(t, lines[:100_000]) + zstandard(t, lines[100_000:]), 30_000, ""},
		"cut.nt.gz":        {cut(gzipped(t, lines)), 0, "cut.nt.gz: is cut short: the gzip data ends too early; copy or compress the file again (gzip -t checks it)"},
		"cut.nt.zst":       {cut(zstandard(t, lines)), 0, "cut.nt.zst: is cut short: the zstd data ends too early; copy or compress the file again (zstd -t checks it)"},
		"empty.nt.gz":      {"", 0, "empty.nt.gz: is cut short: the gzip data ends too early; copy or compress the file again (gzip -t checks it)"},
		"empty.nt.zst":     {"", 0, "empty.nt.zst: is cut short: the zstd data ends too early; copy or compress the file again (zstd -t checks it)"},
		"spoilt.nt.gz":     {spoilt(gzipped(t, lines)), 0, "spoilt.nt.gz: is damaged, or is no gzip file (gzip: invalid checksum): copy or compress the file again (gzip -t checks it)"},
		"plain.nt.gz":      {lines, 0, "plain.nt.gz: is damaged, or is no gzip file (gzip: invalid header): copy or compress the file again (gzip -t checks it)"},
		"plain.nt.zst":     {lines, 0, "plain.nt.zst: is damaged, or is no zstd file (invalid input: magic number mismatch): copy or compress the file again (zstd -t checks it)"},
		"trailing.nt.gz":   {gzipped(t, lines) + "and more than a header has", 0, "trailing.nt.gz: is damaged, or is no gzip file (gzip: invalid header): copy or compress the file again (gzip -t checks it)"},
		"window.nt.zst":    {zstandard(t, strings.Repeat(lines, 8), zstd.WithWindowSize(256<<20)), 0, "window.nt.zst: takes too much memory to unpack: its window is over 128 MiB; compress it again without --long"},
		"mistake.ttl.gz":   {gzipped(t, "<http://e/a> <http://e/p> 1 .\noops"), 0, `mistake.ttl.gz:2:1: found the word "oops", expected a subject: an IRI, a prefixed name, a blank node, "[" or "("; a name needs a prefix (ex:name), a text needs quotes ("text")`},
		"twice.ttl.gz.zst": {"", 0, "twice.ttl.gz.zst: compressed Turtle is read only with gzip (.gz) or zstd (.zst), and compressed once: unpack the file, or compress it with one of these"},
		"other.nt.xz":      {"", 0, "other.nt.xz: compressed N-Triples is read only with gzip (.gz) or zstd (.zst), and compressed once: unpack the file, or compress it with one of these"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "good.ttl", "<http://e/good> <http://e/q> 1 .")
			write(t, dir, name, c.text)
			r := newBackend(t, rdfgraph.Config{Dir: dir}).Report(t.Context())[0]
			var problems []string
			for _, p := range r.Problems {
				problems = append(problems, p.String())
			}
			if got := strings.Join(problems, "\n"); got != c.problem {
				t.Errorf("problems (-want +got):\n%s", cmp.Diff(c.problem, got))
			}
			if r.Triples != c.triples+1 {
				t.Errorf("%d triples were read, want %d", r.Triples, c.triples+1)
			}
		})
	}
}
