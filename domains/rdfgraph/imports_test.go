package rdfgraph_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// ontology is a Turtle file with an ontology that imports others, and one class.
func ontology(iri string, imports ...string) string {
	out := fmt.Sprintf("@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<%s> a owl:Ontology .\n", iri)
	for _, i := range imports {
		out += fmt.Sprintf("<%s> owl:imports <%s> .\n", iri, i)
	}
	return out + fmt.Sprintf("<%s#Class> a owl:Class .\n", iri)
}

// toldOfImports is what reports say of imports, with the problems of the domains.
func toldOfImports(t *testing.T, b *rdfgraph.Backend) string {
	t.Helper()
	var out strings.Builder
	for _, r := range b.Report(t.Context()) {
		fmt.Fprintf(&out, "%s: usable %v, %d files, %d classes\n", r.Name, r.Usable, r.Files, r.Classes)
		for _, i := range r.Imports.Found {
			fmt.Fprintf(&out, "  found %s in %s for %s\n", i.IRI, i.File, strings.Join(i.By, ", "))
		}
		for _, i := range r.Imports.Missing {
			fmt.Fprintf(&out, "  missing %s for %s\n", i.IRI, strings.Join(i.By, ", "))
		}
		for _, p := range r.Imports.Notes {
			fmt.Fprintf(&out, "  note %s\n", p)
		}
		for _, p := range r.Problems {
			fmt.Fprintf(&out, "  problem %s\n", p)
		}
		for _, p := range r.Notes {
			fmt.Fprintf(&out, "  other note %s\n", p)
		}
	}
	return out.String()
}

// TestImports compares what is found for imports, and said of them, with the archives in
// testdata/imports. Each holds domains in folder d, the ontology path in p1 and p2, and the
// report as the last file.
func TestImports(t *testing.T) {
	archives, err := filepath.Glob("testdata/imports/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			unpack(t, dir, a.Files[:len(a.Files)-1])
			c := rdfgraph.Config{Dir: filepath.Join(dir, "d")}
			for _, p := range []string{"p1", "p2"} {
				if _, err := os.Stat(filepath.Join(dir, p)); err == nil {
					c.OntologyPath = append(c.OntologyPath, filepath.Join(dir, p))
				}
			}
			got := toldOfImports(t, newBackend(t, c))
			if strings.Contains(got, filepath.ToSlash(dir)) {
				t.Errorf("the report names a path of the system:\n%s", got)
			}
			golden(t, path, a, len(a.Files)-1, got)
			// What does not come from the ontology path needs no disk.
			if len(c.OntologyPath) == 0 {
				onFS := toldOfImports(t, newBackend(t, rdfgraph.Config{FS: os.DirFS(c.Dir)}))
				want(t, "of a file system", got, onFS)
			}
		})
	}
}

// TestImportsOfSnapshotFiles holds that a snapshot file is used while everything that was
// imported is as it was and nothing else would be, and that it says what the sources say.
func TestImportsOfSnapshotFiles(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"nothing":              {func(*testing.T, string) {}, "read"},
		"an imported file":     {func(t *testing.T, dir string) { write(t, dir, "p/far.ttl", ontology("http://e.org/far")+"# x\n") }, "stale, written"},
		"a file of the folder": {func(t *testing.T, dir string) { write(t, dir, "d/b.ttl", ontology("http://e.org/b")+"# x\n") }, "stale, written"},
		"another ontology":     {func(t *testing.T, dir string) { write(t, dir, "p/other.ttl", ontology("http://e.org/other")) }, "read"},
		"one that was missing": {func(t *testing.T, dir string) { write(t, dir, "p/lost.ttl", ontology("http://e.org/lost")) }, "stale, written"},
		"another for one": {func(t *testing.T, dir string) {
			write(t, dir, "d/far.ttl", ontology("http://e.org/far"))
		}, "stale, written"},
		"an entry of a catalogue": {func(t *testing.T, dir string) {
			write(t, dir, "d/catalog-v001.xml", `<catalog><uri name="http://e.org/lost" uri="b.ttl"/></catalog>`)
		}, "read"},
		"an imported file is gone": {func(t *testing.T, dir string) { removeAll(t, filepath.Join(dir, "p/far.ttl")) }, "stale, written"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "d/domain.yaml", "ontology: [a.ttl]\n")
			write(t, dir, "d/a.ttl", ontology("http://e.org/a", "http://e.org/b", "http://e.org/far", "http://e.org/lost"))
			write(t, dir, "d/b.ttl", ontology("http://e.org/b"))
			write(t, dir, "p/far.ttl", ontology("http://e.org/far"))
			open := func() (*rdfgraph.Backend, *lines) {
				return savingWith(t, rdfgraph.Config{Dir: filepath.Join(dir, "d"), OntologyPath: []string{filepath.Join(dir, "p")}})
			}
			b, log := open()
			want(t, "at first", "written", log.events())
			first := toldOfImports(t, b)
			c.change(t, dir)
			b, log = open()
			want(t, "then", c.want, log.events())
			fresh := newBackend(t, rdfgraph.Config{Dir: filepath.Join(dir, "d"), OntologyPath: []string{filepath.Join(dir, "p")}})
			want(t, "told from the file and from sources", toldOfImports(t, fresh), toldOfImports(t, b))
			want(t, "revisions", revisions(t, fresh), revisions(t, b))
			if name == "nothing" {
				want(t, "told as before", first, toldOfImports(t, b))
			}
		})
	}
}

// TestImportsAreReloaded holds that a reload serves what changed of imported files, of the
// ontology path and of catalogues, and keeps the graph where nothing did.
func TestImportsAreReloaded(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "d/domain.yaml", "ontology: [a.ttl]\n")
	write(t, dir, "d/a.ttl", ontology("http://e.org/a", "http://e.org/far", "http://e.org/lost", "http://e.org/c"))
	write(t, dir, "d/other.ttl", ontology("http://e.org/elsewhere"))
	write(t, dir, "p/far.ttl", ontology("http://e.org/far"))
	b := newBackend(t, rdfgraph.Config{Dir: filepath.Join(dir, "d"), OntologyPath: []string{filepath.Join(dir, "p")}})
	classes := func() int { return b.Report(t.Context())[0].Classes }
	reload := func() {
		t.Helper()
		if err := b.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "classes", 2, classes())
	before := revisions(t, b)
	reload()
	want(t, "revision without a change", before, revisions(t, b))
	write(t, dir, "p/far.ttl", ontology("http://e.org/far")+"<http://e.org/far#More> a owl:Class .\n")
	reload()
	want(t, "with another far.ttl", 3, classes())
	write(t, dir, "p/lost.ttl", ontology("http://e.org/lost"))
	reload()
	want(t, "with lost.ttl", 4, classes())
	write(t, dir, "d/catalog-v001.xml", `<catalog><uri name="http://e.org/c" uri="other.ttl"/></catalog>`)
	reload()
	want(t, "with a catalogue", 5, classes())
	write(t, dir, "d/catalog-v001.xml", `<catalog/>`)
	reload()
	want(t, "without its entry", 4, classes())
	removeAll(t, filepath.Join(dir, "p"))
	reload()
	want(t, "without an ontology path, what was read from it stays", 4, classes())
}

// TestOntologyPathThatIsMissing holds that a folder of the ontology path has to be there at
// the start.
func TestOntologyPathThatIsMissing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "d/a.ttl", ontology("http://e.org/a"))
	for _, p := range []string{"missing", "d/a.ttl", ""} {
		path := p
		if p != "" {
			path = filepath.Join(dir, p)
		}
		_, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir, OntologyPath: []string{path}})
		if err == nil || !strings.HasPrefix(err.Error(), "opening the ontology path: ") {
			t.Errorf("%q: %v", p, err)
		}
	}
}

// TestNoHeadIsReadWithoutNeed holds that the ontology path is not read while every import is
// found otherwise, and that no more than a header is read of a file there.
func TestNoHeadIsReadWithoutNeed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "d/a.ttl", ontology("http://e.org/a", "http://e.org/b"))
	write(t, dir, "d/b.ttl", ontology("http://e.org/b"))
	write(t, dir, "p/x.ttl", "broken")
	write(t, dir, "p/y.ttl", ontology("http://e.org/y")+strings.Repeat("<http://e.org/z> a owl:Class .\n", 50_000)+"broken")
	c := rdfgraph.Config{Dir: filepath.Join(dir, "d"), OntologyPath: []string{filepath.Join(dir, "p")}}
	want(t, "heads", 0, newBackend(t, c).HeadsRead())
	write(t, dir, "d/b.ttl", ontology("http://e.org/b", "http://e.org/nowhere"))
	b := newBackend(t, c)
	want(t, "heads", 2, b.HeadsRead())
	if r := b.Report(t.Context())[0]; len(r.Problems) > 0 || len(r.Imports.Missing) != 1 {
		t.Errorf("problems %v, missing %v", r.Problems, r.Imports.Missing)
	}
}

// TestReportsKnowTheOntologyPath holds that a file of the ontology path can be told from one
// of a domain's folder.
func TestReportsKnowTheOntologyPath(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "d/a.ttl", ontology("http://e.org/a", "http://e.org/far"))
	write(t, dir, "p/sub/far.ttl", ontology("http://e.org/far"))
	b := newBackend(t, rdfgraph.Config{Dir: filepath.Join(dir, "d"), OntologyPath: []string{t.TempDir(), filepath.Join(dir, "p")}})
	found := b.Report(t.Context())[0].Imports.Found
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	n, name, ok := rdfgraph.OnOntologyPath(found[0].File)
	want(t, "place", "1 sub/far.ttl true", fmt.Sprint(n, " ", name, " ", ok))
	for _, file := range []string{"a.ttl", "ontology-path/1/a.ttl", "ontology-path://x/a.ttl", "ontology-path://0/a.ttl"} {
		if _, _, ok := rdfgraph.OnOntologyPath(file); ok {
			t.Errorf("%s is taken for a file of the ontology path", file)
		}
	}
	if !slices.Equal(found[0].By, []string{"a.ttl"}) {
		t.Errorf("by %v", found[0].By)
	}
}

func removeAll(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// TestPollServesChangesOfTheOntologyPath holds that the ontology path is looked at as the
// domains are: what changes there is served within five seconds, and who watches is told.
func TestPollServesChangesOfTheOntologyPath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &live{t: t, dir: t.TempDir(), log: &lines{}}
		l.write("d/a/a.ttl", ontology("http://e.org/a", "http://e.org/far"), "d/b/b.ttl", ontology("http://e.org/b"), "p/other.ttl", ontology("http://e.org/other"))
		l.b = newBackend(t, rdfgraph.Config{
			Dir: filepath.Join(l.dir, "d"), OntologyPath: []string{filepath.Join(l.dir, "p")},
			Poll: 2 * time.Second, Logger: slog.New(slog.NewTextHandler(l.log, nil)),
		})
		l.watch()
		classes := func() int { return l.b.Report(t.Context())[0].Classes }
		after(time.Minute)
		want(t, "classes", 1, classes())
		l.write("p/far.ttl", ontology("http://e.org/far"))
		after(5 * time.Second)
		want(t, "classes with far.ttl", 2, classes())
		want(t, "told", "a", l.heard())
		l.write("p/far.ttl", ontology("http://e.org/far")+"<http://e.org/far#More> a owl:Class .\n")
		after(5 * time.Second)
		want(t, "classes of another far.ttl", 3, classes())
		l.write("p/far.ttl", broken)
		after(5 * time.Second)
		want(t, "classes of a broken one", 3, classes())
		want(t, "told of both", "a a", l.heard())
		l.write("p/other.ttl", ontology("http://e.org/other2"))
		after(5 * time.Second)
		want(t, "told of what nobody imports", "", l.heard())
	})
}

// FuzzImports holds that whatever a catalogue and an ontology say, loading ends, nothing is told
// of twice, and each import is either found in a file of the domain or missing.
func FuzzImports(f *testing.F) {
	f.Add(`<catalog><uri name="http://e.org/b" uri="b.ttl"/><nextCatalog catalog="catalog-v001.xml"/></catalog>`, "http://e.org/b", "http://e.org/a#", "b.ttl")
	f.Add(`<catalog><rewriteURI uriStartString="http://e.org/" rewritePrefix="../../"/></catalog>`, "http://e.org/etc/passwd", "..", "%2e%2e/x")
	f.Fuzz(func(t *testing.T, cat, first, second, third string) {
		files := fstest.MapFS{
			"domain.yaml":      {Data: []byte("ontology: [a.ttl]")},
			"catalog-v001.xml": {Data: []byte(cat)},
			"a.ttl":            {Data: []byte(ontology("http://e.org/a", first, second) + "<http://e.org/x> a owl:Class .\n")},
			"b.ttl":            {Data: []byte(ontology("http://e.org/b", third, "http://e.org/a"))},
		}
		b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: files})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		r := b.Report(t.Context())[0]
		seen := map[string]bool{}
		for _, i := range slices.Concat(r.Imports.Found, r.Imports.Missing) {
			if seen[i.IRI] || len(i.By) == 0 {
				t.Errorf("%+v is told twice, or nobody asks for it", i)
			}
			seen[i.IRI] = true
			if files[i.File] == nil && i.File != "" {
				t.Errorf("%+v: there is no such file", i)
			}
		}
		if n := slices.Compact(slices.Clone(r.Imports.Notes)); len(n) != len(r.Imports.Notes) {
			t.Errorf("notes twice: %v", r.Imports.Notes)
		}
	})
}
