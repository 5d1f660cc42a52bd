package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/packed"
)

// convert runs the command line in a folder with files.
func convert(t *testing.T, dir, stdin string, args ...string) result {
	t.Helper()
	t.Chdir(dir)
	var out, errs bytes.Buffer
	p := programFor(&out, &errs, nil)
	p.in = strings.NewReader(stdin)
	code := p.run(t.Context(), append([]string{"convert"}, args...))
	return result{out.String(), errs.String(), code}
}

// folder is a folder with files: name → content.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(data))
	}
	return dir
}

// content is what the files of a folder hold: name → content.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(data)
	}
	return got
}

const oneLineOfData = "<http://e/s> <http://e/p> <http://e/o> .\n"

func TestConvertReplacesItsOutput(t *testing.T) {
	dir := folder(t, map[string]string{"a.nt": oneLineOfData, "b.nq": "old"})
	if err := os.Chmod(filepath.Join(dir, "b.nq"), 0o640); err != nil {
		t.Fatal(err)
	}
	r := convert(t, dir, "", "a.nt", "b.nq")
	if want := (result{Stderr: "written: b.nq, 1 quad (N-Triples → N-Quads)\n"}); r != want {
		t.Errorf("%+v, expected %+v", r, want)
	}
	if diff := cmp.Diff(map[string]string{"a.nt": oneLineOfData, "b.nq": oneLineOfData}, content(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if info, err := os.Stat("b.nq"); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v; expected that of the file before", info.Mode(), err)
	}
}

// A file may be converted into itself.
func TestConvertInPlace(t *testing.T) {
	dir := folder(t, map[string]string{"a.nt": "_:z <http://e/p> 'x' .\n"})
	writeFile(t, filepath.Join(dir, "a.nt"), []byte("_:z <http://e/p> \"x\" .\n"))
	convert(t, dir, "", "--canonical", "a.nt", "a.nt")
	if diff := cmp.Diff(map[string]string{"a.nt": "_:c14n0 <http://e/p> \"x\" .\n"}, content(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// Whatever fails, the old file stays and no other is there.
func TestConvertLeavesTheOldFileAfterAnError(t *testing.T) {
	files := map[string]string{
		"late.ttl":  strings.Repeat(oneLineOfData, 5000) + "<http://e/s> oops .\n",
		"a.trig":    "<http://e/g> { " + oneLineOfData + "}",
		"cut.nt.gz": "\x1f\x8b\x08",
		"old.nt":    "old", "old.ttl": "old",
	}
	for _, c := range []struct {
		in, out, want string
	}{
		{"late.ttl", "old.nt", "late.ttl:5001:14: "},
		{"late.ttl", "old.ttl", "late.ttl:5001:14: "},
		{"a.trig", "old.nt", "ontogate: N-Triples cannot say that a triple is in a graph: write N-Quads or TriG"},
		{"a.trig", "old.ttl", "ontogate: Turtle cannot say that a triple is in a graph: write N-Quads or TriG"},
		{"cut.nt.gz", "old.nt", "ontogate: cut.nt.gz is cut short"},
		{"a.trig", "new/b.nq", "ontogate: writing new/b.nq: there is no folder new: make it first"},
		{"a.trig", "new.nt", "ontogate: N-Triples cannot say"},
	} {
		dir := folder(t, files)
		r := convert(t, dir, "", c.in, c.out)
		if r.Exit != 1 || r.Stdout != "" || !strings.HasPrefix(r.Stderr, c.want) {
			t.Errorf("%s → %s: %+v, expected exit code 1 and %q", c.in, c.out, r, c.want)
		}
		if diff := cmp.Diff(files, content(t, dir)); diff != "" {
			t.Errorf("%s → %s: files (-want +got):\n%s", c.in, c.out, diff)
		}
	}
}

func TestConvertCompressed(t *testing.T) {
	dir := folder(t, map[string]string{"a.ttl": "<http://e/s> <http://e/p> 1 ."})
	for _, args := range [][]string{{"a.ttl", "b.ttl.gz"}, {"b.ttl.gz", "c.nq.zst"}, {"c.nq.zst", "d.nt.gz"}, {"d.nt.gz", "e.ttl"}} {
		if r := convert(t, dir, "", args...); r.Exit != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
	}
	got := content(t, dir)
	if want := "<http://e/s> <http://e/p> 1 .\n"; got["e.ttl"] != want {
		t.Errorf("in the end there is %q, expected %q", got["e.ttl"], want)
	}
	text, err := packed.NewReader(strings.NewReader(got["d.nt.gz"]), rdf.Gzip)
	if err != nil {
		t.Fatal(err)
	}
	if lines, err := io.ReadAll(text); err != nil || string(lines) != "<http://e/s> <http://e/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n" {
		t.Errorf("d.nt.gz holds %q, %v", lines, err)
	}
}

func TestConvertStandardStreams(t *testing.T) {
	r := convert(t, t.TempDir(), "@prefix e: <http://e/> . <#a> e:p 1, 1 .", "--from", "ttl", "--to", "turtle", "--base", "http://e/x", "-", "-")
	want := result{Stdout: "@prefix e: <http://e/> .\n\n<http://e/x#a> e:p 1 .\n", Stderr: "written: standard output, 1 quad (Turtle → Turtle)\n"}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r = convert(t, t.TempDir(), "e", "--from", "nt", "--to", "nq", "-", "-")
	if r.Exit != 1 || r.Stdout != "" || !strings.HasPrefix(r.Stderr, "stdin:1:1: ") {
		t.Errorf("a broken text gave %+v", r)
	}
}

// What a link leads to is replaced, and what is no file is written to.
func TestConvertToLinksAndDevices(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there, and the null device has another name")
	}
	dir := folder(t, map[string]string{"a.nt": oneLineOfData, "sub/b.nt": "old"})
	if err := os.Symlink(filepath.Join("sub", "b.nt"), filepath.Join(dir, "link.nt")); err != nil {
		t.Fatal(err)
	}
	if r := convert(t, dir, "", "a.nt", "link.nt"); r.Exit != 0 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(map[string]string{"b.nt": oneLineOfData}, content(t, filepath.Join(dir, "sub"))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if info, err := os.Lstat(filepath.Join(dir, "link.nt")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if r := convert(t, dir, "", "a.nt", os.DevNull, "--to", "nt"); r.Exit != 0 {
		t.Errorf("%+v", r)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device is %v, %v", info.Mode(), err)
	}
	if r := convert(t, dir, "", "a.nt", "sub", "--to", "nt"); r.Exit != 1 || !strings.Contains(r.Stderr, "it is a folder") {
		t.Errorf("%+v", r)
	}
}
