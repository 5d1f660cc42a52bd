package rdfgraph_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestLinks holds that links are followed inside a domain's folder and nowhere
// else: one that leads out, back or nowhere is a problem with its place.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "elsewhere.ttl", "<http://e/secret> a <http://e/A> .")
	write(t, dir, "outside/secret.ttl", "<http://e/secret> a <http://e/A> .")
	write(t, dir, "graphs/one/real/a.ttl", "<http://e/a> a <http://e/A> .")
	write(t, dir, "graphs/two/b.ttl", "<http://e/b> a <http://e/B> .")
	for name, target := range map[string]string{
		"one/inside.ttl":   "real/a.ttl",
		"one/out.ttl":      "../../elsewhere.ttl",
		"one/absolute.ttl": filepath.Join(dir, "elsewhere.ttl"),
		"one/neighbour":    "../two",
		"one/nowhere.ttl":  "missing.ttl",
		"one/real/loop":    "..",
		"linked":           filepath.Join(dir, "outside"),
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(dir, "graphs", filepath.FromSlash(name))); err != nil {
			t.Skipf("this system makes no links: %v", err)
		}
	}
	b := newBackend(t, rdfgraph.Config{Dir: filepath.Join(dir, "graphs")})
	got := map[domains.Name][]string{}
	for _, r := range b.Report(t.Context()) {
		for _, p := range r.Problems {
			got[r.Name] = append(got[r.Name], p.String())
		}
		if !r.Usable || r.Entities != 1 {
			t.Errorf("%s: usable %v, %d entities, want one", r.Name, r.Usable, r.Entities)
		}
	}
	outside := ": the link can't be followed: it must stay inside the domain's folder; copy its target there"
	want := map[domains.Name][]string{"one": {
		"absolute.ttl" + outside, "neighbour" + outside, "nowhere.ttl: the link leads nowhere: remove it", "out.ttl" + outside,
		"real/loop: the link leads back to a folder in which it lies: remove it",
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// failingFS fails or panics where a file is opened.
type failingFS struct {
	files fstest.MapFS
	fail  map[string]func() error
}

func (f failingFS) Open(name string) (fs.File, error) {
	if fail := f.fail[name]; fail != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fail()}
	}
	return f.files.Open(name)
}

// TestUnreadable holds that a file or folder that can't be read degrades its
// domain, and that a panic while one domain is loaded leaves the others up.
func TestUnreadable(t *testing.T) {
	permission := func() error { return fs.ErrPermission }
	files := failingFS{fstest.MapFS{}, map[string]func() error{
		"closed/b.ttl":         permission,
		"closed/sub":           permission,
		"disk/b.ttl":           func() error { return errors.New("input/output error") },
		"settings/domain.yaml": permission,
		"broken/a.ttl":         func() error { panic("a fault of ours") },
	}}
	for _, name := range []string{"closed/a.ttl", "closed/b.ttl", "closed/sub/c.ttl", "disk/a.ttl", "disk/b.ttl", "settings/a.ttl", "settings/domain.yaml", "broken/a.ttl", "fine/a.ttl"} {
		files.files[name] = &fstest.MapFile{Data: []byte("<http://e/a> a <http://e/A> .")}
	}
	b := newBackend(t, rdfgraph.Config{FS: files})
	got := map[domains.Name][]string{}
	for _, r := range b.Report(t.Context()) {
		got[r.Name] = []string{r.Reason}
		for _, p := range r.Problems {
			got[r.Name] = append(got[r.Name], p.String())
		}
	}
	want := map[domains.Name][]string{
		"broken":   {"it could not be loaded because of an internal error; the log says more"},
		"closed":   {"", "b.ttl: can't be read: permission denied", "sub: can't be read: permission denied"},
		"disk":     {"", "b.ttl: can't be read: input/output error"},
		"fine":     {""},
		"settings": {"domain.yaml can't be read: permission denied"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reason and problems (-want +got):\n%s", diff)
	}
}

// TestErrors covers what callers tell apart.
func TestErrors(t *testing.T) {
	b := newBackend(t, rdfgraph.Config{FS: fstest.MapFS{
		"sales/a.ttl":        {Data: []byte("<http://e/a> a <http://e/A> .")},
		"broken/a.ttl":       {Data: []byte("x")},
		"secret/domain.yaml": {Data: []byte("publish: false")},
		"yaml/domain.yaml":   {Data: []byte("a: [")},
	}})
	for _, c := range []struct {
		name    domains.Name
		kind    error
		message string
	}{
		{"slaes", domains.ErrUnknownDomain, `There is no domain named "slaes". Did you mean sales?`},
		{"secret", domains.ErrUnknownDomain, `There is no domain named "secret".`},
		{"", domains.ErrUnknownDomain, `There is no domain named "".`},
		{"broken", domains.ErrUnavailable, "no file could be read: a.ttl:1:1: "},
		{"yaml", domains.ErrUnavailable, "domain.yaml:1:"},
	} {
		_, openErr := b.Open(t.Context(), c.name)
		_, designErr := b.Design(t.Context(), c.name)
		versions, versionsErr := b.Versions(t.Context(), c.name)
		if c.kind == domains.ErrUnavailable {
			if want := map[domains.Name]int{"broken": 1, "yaml": 0}[c.name]; len(versions) != want || versionsErr != nil {
				t.Errorf("%s has versions %v, %v; want %d", c.name, versions, versionsErr, want)
			}
			versionsErr = openErr
		}
		for op, err := range map[string]error{"open": openErr, "design": designErr, "versions": versionsErr} {
			var e *domains.Error
			if !errors.Is(err, c.kind) || !errors.As(err, &e) || !strings.HasPrefix(e.Message, c.message) {
				t.Errorf("%s %q: %v, want %v with %q", op, c.name, err, c.kind, c.message)
			}
		}
	}
}

// TestNewErrors covers folders that can't be opened at all.
func TestNewErrors(t *testing.T) {
	file := filepath.Join(write(t, t.TempDir(), "a.ttl", ""))
	for _, dir := range []string{"", filepath.Join(t.TempDir(), "missing"), file} {
		if _, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir}); err == nil {
			t.Errorf("folder %q is opened", dir)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rdfgraph.New(ctx, rdfgraph.Config{FS: fstest.MapFS{"a/a.ttl": {}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context ended New gives %v", err)
	}
	b := newBackend(t, rdfgraph.Config{Dir: t.TempDir()})
	if infos, err := b.Domains(t.Context()); err != nil || len(infos) != 0 {
		t.Errorf("an empty folder has domains %v, %v", infos, err)
	}
}

// TestNewSaysWhere holds that a folder that can't be served is named with its whole
// path, and that the domains in it are found.
func TestNewSaysWhere(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "up/all/sales/domain.yaml", "policy: {disabled_tools: [get_status]}")
	write(t, dir, "up/all/sales/a.ttl", "<http://e/a> a <http://e/A> .")
	write(t, dir, "up/notes/readme.txt", "")
	write(t, dir, "up/all.ttl", "<http://e/a> a <http://e/A> .")
	t.Chdir(dir)
	dir, err := os.Getwd() // TempDir may be a link
	if err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	_, cause := os.OpenRoot(missing)
	for given, want := range map[string]string{
		missing:   "opening the folder of domains: " + cause.Error(),
		"missing": "opening the folder of domains: " + cause.Error() + `; "missing" was looked for in the folder in which the program was started: write the whole path`,
		"up": "opening the folder of domains: " + filepath.Join(dir, "up") + " holds no domain itself: all: it holds domain folders (sales); use --domains " +
			filepath.Join(dir, "up", "all"),
	} {
		if _, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: given}); err == nil || err.Error() != want {
			t.Errorf("%s (-want +got):\n%s", given, cmp.Diff(want, fmt.Sprint(err)))
		}
	}
	_, err = rdfgraph.New(t.Context(), rdfgraph.Config{FS: os.DirFS("up")})
	if want := "opening the folder of domains: . holds no domain itself: all: it holds domain folders (sales); use --domains all"; err == nil || err.Error() != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, fmt.Sprint(err)))
	}
}

// TestLogOfLoading holds what the log tells of each domain: as check, it counts all
// triples and, of these, the facts.
func TestLogOfLoading(t *testing.T) {
	var out strings.Builder
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	newBackend(t, rdfgraph.Config{Logger: log, FS: fstest.MapFS{
		"sales/a.ttl":        {Data: []byte("<http://e/A> a <http://www.w3.org/2002/07/owl#Class> . <http://e/a> a <http://e/A> ; <http://e/p> 1 .")},
		"broken/a.ttl":       {Data: []byte("x")},
		"secret/domain.yaml": {Data: []byte("publish: false")},
		"secret/a.ttl":       {Data: []byte("<http://e/a> a <http://e/A> .")},
		"empty/readme.txt":   {},
	}})
	want := `level=INFO msg="not a domain" path=empty reason="the folder holds neither RDF files nor a domain.yaml"
level=WARN msg="domain unavailable" domain=broken reason=REASON
level=INFO msg="domain loaded" domain=sales version=1 files=1 triples=3 facts=2 problems=0
level=INFO msg="domain not published" domain=secret
`
	got := regexp.MustCompile(`reason="no file could be read: .*"`).ReplaceAllString(out.String(), "reason=REASON")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// TestRevision holds that a revision changes with the content of files, their
// names, domain.yaml and the version, and with nothing else.
func TestRevision(t *testing.T) {
	revision := func(files map[string]string) string {
		m := fstest.MapFS{}
		for name, text := range files {
			m["d/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		d, err := newBackend(t, rdfgraph.Config{FS: m}).Open(t.Context(), "d")
		if err != nil {
			t.Fatal(err)
		}
		return d.Revision
	}
	const fact = "<http://e/a> a <http://e/A> ."
	base := map[string]string{"a.ttl": fact}
	seen := map[string]string{revision(base): "the base"}
	if r := revision(map[string]string{"a.ttl": fact, "readme.md": "new"}); seen[r] == "" {
		t.Error("a file that is not read changes the revision")
	}
	for what, files := range map[string]map[string]string{
		"content":     {"a.ttl": fact + " "},
		"name":        {"b.ttl": fact},
		"domain.yaml": {"a.ttl": fact, "domain.yaml": "description: x"},
		"version":     {"v2/a.ttl": fact, "domain.yaml": "versions: {v2: PUBLISHED}"},
		"more":        {"a.ttl": fact, "b.ttl": fact},
	} {
		r := revision(files)
		if other, taken := seen[r]; taken {
			t.Errorf("another %s has the revision of %s", what, other)
		}
		seen[r] = "another " + what
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
