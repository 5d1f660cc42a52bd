package rdfgraph_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// live is a folder of domains that changes while a back end serves it.
type live struct {
	t   *testing.T
	dir string
	b   *rdfgraph.Backend
	log *lines

	mu   sync.Mutex
	told []string
}

// lines is a log that is read while it is written.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// with counts the lines of the log that hold a text.
func (l *lines) with(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.buf.String(), text)
}

// old is a time at which files were written long ago, in and outside a synctest bubble.
var old = time.Date(1999, 1, 2, 3, 4, 5, 0, time.UTC)

// newLive serves files, given as path and text in turns.
func newLive(t *testing.T, poll time.Duration, files ...string) *live {
	t.Helper()
	l := &live{t: t, dir: t.TempDir(), log: &lines{}}
	l.write(files...)
	l.b = newBackend(t, rdfgraph.Config{Dir: l.dir, Poll: poll, Logger: slog.New(slog.NewTextHandler(l.log, nil))})
	return l
}

// write writes files, given as path and text in turns. Each text gets a time of its own,
// long ago.
func (l *live) write(files ...string) {
	l.t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(l.dir, filepath.FromSlash(files[i]))
		l.ok(os.MkdirAll(filepath.Dir(path), 0o755))
		l.ok(os.WriteFile(path, []byte(files[i+1]), 0o644))
		old = old.Add(time.Minute)
		l.ok(os.Chtimes(path, old, old))
	}
}

func (l *live) remove(path string) {
	l.t.Helper()
	l.ok(os.RemoveAll(filepath.Join(l.dir, path)))
}

func (l *live) ok(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *live) reload() {
	l.t.Helper()
	l.ok(l.b.Reload(l.t.Context()))
}

// names are the domains listed, those that are unavailable with a "!".
func (l *live) names() string {
	l.t.Helper()
	infos, err := l.b.Domains(l.t.Context())
	l.ok(err)
	var out []string
	for _, i := range infos {
		name := string(i.Name)
		if i.Unavailable != "" {
			name += "!"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func (l *live) open(name domains.Name) *domains.Domain {
	l.t.Helper()
	d, err := l.b.Open(l.t.Context(), name)
	l.ok(err)
	return d
}

// facts counts the triples of a domain that is served.
func (l *live) facts(name domains.Name) int {
	l.t.Helper()
	s, err := l.open(name).Status(l.t.Context())
	l.ok(err)
	return s.Triples
}

// refused is why a newer state of a domain is not served; both places have to agree.
func (l *live) refused(name domains.Name) []string {
	l.t.Helper()
	d := l.open(name)
	s, err := d.Status(l.t.Context())
	l.ok(err)
	if diff := cmp.Diff(d.Refused, s.Refused); diff != "" {
		l.t.Errorf("the domain and its status refuse differently (-domain +status):\n%s", diff)
	}
	var out []string
	for _, p := range d.Refused {
		out = append(out, p.String())
	}
	return out
}

// watch notes what is told from now on. In a synctest bubble it has begun when the bubble
// waits.
func (l *live) watch() {
	ctx, stop := context.WithCancel(l.t.Context())
	var watch sync.WaitGroup
	watch.Go(func() {
		_ = l.b.Watch(ctx, func(name domains.Name) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.told = append(l.told, string(name))
		})
	})
	l.t.Cleanup(func() { stop(); watch.Wait() })
}

// heard is what was told since it was asked last, in order of names.
func (l *live) heard() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.told
	l.told = nil
	slices.Sort(out)
	return strings.Join(out, " ")
}

func want[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const (
	twoFacts   = "<http://e/1> a <http://e/A> ; <http://e/p> \"x\" .\n"
	threeFacts = twoFacts + "<http://e/2> a <http://e/A> .\n"
	broken     = "<http://e/1> a <http://e/A> ;\n  oops .\n"
	none       = 0 // no polling
)

// What changed is loaded, whatever it is: a file, domain.yaml, a domain that came, was
// renamed or is gone. Who opened a domain before keeps it as it was.
func TestReloadLoadsWhatChanged(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts, "b/b.ttl", twoFacts)
	before, other := l.open("a"), l.open("b")
	l.write("a/a.ttl", threeFacts, "c/c.ttl", twoFacts)
	l.reload()
	want(t, "names", "a b c", l.names())
	want(t, "facts", 3, l.facts("a"))
	if now := l.open("a"); now.Revision == before.Revision {
		t.Error("the revision is the same")
	}
	if l.open("b") != other {
		t.Error("a domain that did not change is another")
	}
	s, err := before.Status(t.Context())
	l.ok(err)
	want(t, "facts of the one that was opened before", 2, s.Triples)

	l.write("b/domain.yaml", "name: beta\npolicy: {disabled_tools: [get_status]}\n")
	l.remove("c")
	l.reload()
	want(t, "names", "a beta", l.names())
	want(t, "policy", []string{"get_status"}, l.open("beta").Info.Policy.DisabledTools)
	l.write("b/domain.yaml", "name: beta\npublish: false\n")
	l.reload()
	want(t, "names", "a", l.names())
	l.remove("b/domain.yaml")
	l.reload()
	want(t, "names", "a b", l.names())
}

// Contents count, not times: a file that was written with the same size at the same time
// is read, and one that was only touched changes nothing.
func TestReloadComparesContents(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts)
	before := l.open("a")
	path := filepath.Join(l.dir, "a", "a.ttl")
	info, err := os.Stat(path)
	l.ok(err)
	l.ok(os.WriteFile(path, []byte(strings.Replace(twoFacts, "e/1", "e/7", 1)), 0o644))
	l.ok(os.Chtimes(path, info.ModTime(), info.ModTime()))
	l.reload()
	after := l.open("a")
	if after.Revision == before.Revision {
		t.Error("a file of the same size and time was not read")
	}
	l.write("a/a.ttl", strings.Replace(twoFacts, "e/1", "e/7", 1))
	l.reload()
	if l.open("a") != after {
		t.Error("a file that was only touched made another domain")
	}
}

// A change of domain.yaml that does not touch what was read uses the graph in memory again.
func TestReloadKeepsTheGraph(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts, "a/domain.yaml", "description: one\n")
	before := l.open("a")
	l.write("a/domain.yaml", "description: two\npolicy: {disabled_tools: [get_status]}\nlanguages: [fr]\n")
	l.reload()
	after := l.open("a")
	want(t, "description", "two", after.Info.Description)
	want(t, "languages", []string{"fr"}, after.Languages)
	if after.Facts != before.Facts || after.Columns != before.Columns {
		t.Error("the graph was made again")
	}
	if after.Revision == before.Revision {
		t.Error("the revision is the same")
	}
	l.write("a/domain.yaml", "description: two\nlabels: [\"http://e/p\"]\n")
	l.reload()
	if l.open("a").Facts == before.Facts {
		t.Error("the graph has labels of before")
	}
}

// A state with a fault that the one before has not is refused, and said; when it is
// mended, all is as new. One fault is logged once.
func TestReloadRefusesFaults(t *testing.T) {
	const policy = "policy: {disabled_tools: [get_status]}\n"
	for name, c := range map[string]struct {
		change func(*live)
		why    []string
	}{
		"a broken file": {
			func(l *live) { l.write("a/a.ttl", broken, "a/domain.yaml", "description: new\n") },
			[]string{`a.ttl:2:3: found the word "oops", expected a predicate: an IRI, a prefixed name or "a"; a name needs a prefix (ex:name), a text needs quotes ("text")`},
		},
		"a new file that is broken": {
			func(l *live) { l.write("a/z.ttl", broken) },
			[]string{`z.ttl:2:3: found the word "oops", expected a predicate: an IRI, a prefixed name or "a"; a name needs a prefix (ex:name), a text needs quotes ("text")`},
		},
		"a key that is not known": {
			func(l *live) { l.write("a/domain.yaml", "polcy: {}\n") },
			[]string{`domain.yaml:1:1: unknown key "polcy" in domain.yaml: did you mean "policy"?`},
		},
		"a fault that bars nothing": {
			func(l *live) { l.write("a/domain.yaml", policy+"data: [\"*.nt\", \"*.ttl\"]\n") },
			[]string{`domain.yaml:2:1: no file matches "*.nt" in data`},
		},
		"a version that is missing": {
			func(l *live) { l.write("a/domain.yaml", "versions: {v1: PUBLISHED}\n") },
			[]string{`the folder "v1" of version 1 can't be read: it does not exist`},
		},
		"no file left": {
			func(l *live) { l.remove("a/a.ttl") },
			[]string{"the folder holds no RDF file: add Turtle (.ttl), RDF/XML (.rdf, .owl) or other RDF files"},
		},
		"nothing left": {
			func(l *live) { l.remove("a/a.ttl"); l.remove("a/domain.yaml") },
			[]string{"the folder holds neither RDF files nor a domain.yaml"},
		},
		"a domain within": {
			func(l *live) { l.remove("a/domain.yaml"); l.write("a/b/domain.yaml", "name: b\n") },
			[]string{"it holds domain folders (b); use --domains $DIR/a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLive(t, none, "a/a.ttl", twoFacts, "a/domain.yaml", policy, "o/o.ttl", twoFacts)
			before, other := l.open("a"), l.open("o")
			c.change(l)
			l.reload()
			l.reload()
			got := l.refused("a")
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], l.dir, "$DIR")
			}
			want(t, "refused", c.why, got)
			now := l.open("a")
			want(t, "revision", before.Revision, now.Revision)
			want(t, "policy", before.Info.Policy, now.Info.Policy)
			want(t, "logged", 1, l.log.with("a newer state of the domain has a fault"))
			if l.open("o") != other {
				t.Error("another domain changed too")
			}
			l.remove("a")
			l.write("a/a.ttl", twoFacts, "a/domain.yaml", policy)
			l.reload()
			want(t, "refused when it is as before", nil, l.refused("a"))
			want(t, "revision when it is as before", before.Revision, l.open("a").Revision)
			c.change(l)
			l.reload()
			l.remove("a")
			l.write("a/a.ttl", threeFacts)
			l.reload()
			want(t, "refused when it is mended", nil, l.refused("a"))
			want(t, "facts when it is mended", 3, l.facts("a"))
		})
	}
}

// What was at fault before may stay at fault, and what cannot be served anyway is never
// kept from changing.
func TestReloadTakesKnownFaults(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts, "a/b.ttl", broken, "n/domain.yaml", "polcy: {}\n", "n/n.ttl", twoFacts)
	l.write("a/a.ttl", threeFacts, "a/b.ttl", "<http://e/1> oops .", "n/domain.yaml", "plicy: {}\n")
	l.reload()
	want(t, "names", "a n!", l.names())
	want(t, "facts", 3, l.facts("a"))
	want(t, "refused", nil, l.refused("a"))
	_, err := l.b.Open(t.Context(), "n")
	if err == nil || !strings.Contains(err.Error(), "plicy") {
		t.Errorf("the reason is %v, want the new one", err)
	}
	l.write("a/b.ttl", twoFacts, "n/domain.yaml", "{}\n")
	l.reload()
	want(t, "names", "a n", l.names())
	want(t, "problems", 0, len(l.open("a").Problems))
}

// A name belongs to who has it; a domain that comes later does not take it away, and gets
// it when it is free.
func TestReloadKeepsNames(t *testing.T) {
	l := newLive(t, none, "m/domain.yaml", "name: crm\n", "m/m.ttl", twoFacts)
	before := l.open("crm")
	l.write("a/domain.yaml", "name: crm\n", "a/a.ttl", threeFacts)
	l.reload()
	want(t, "names", "a! crm", l.names())
	if l.open("crm") != before {
		t.Error("a newcomer took the name")
	}
	l.remove("m")
	l.reload()
	want(t, "names", "crm", l.names())
	want(t, "facts", 3, l.facts("crm"))
}

// A folder that can't be read, and one that is suddenly a domain itself, or none, changes
// nothing.
func TestReloadKeepsTheWhole(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts)
	before := l.open("a")
	l.write("domain.yaml", "name: all\n")
	l.reload()
	want(t, "names", "a", l.names())
	want(t, "revision", before.Revision, l.open("a").Revision)
	want(t, "said", 1, len(l.refused("a")))
	l.remove("domain.yaml")
	l.reload()
	want(t, "refused when it is mended", nil, l.refused("a"))

	away := l.dir + "-away"
	l.ok(os.Rename(l.dir, away))
	if err := l.b.Reload(t.Context()); err == nil {
		t.Error("no error without the folder")
	}
	want(t, "names", "a", l.names())
	l.ok(os.Rename(away, l.dir))
	l.reload()

	single := newLive(t, none, "domain.yaml", "name: one\nversions: {v1: PUBLISHED, v2: DRAFT}\n", "v1/a.ttl", twoFacts, "v2/a.ttl", threeFacts)
	single.remove("domain.yaml")
	single.reload()
	want(t, "names of a single domain", "one", single.names())
	want(t, "said of a single domain", 1, len(single.refused("one")))
}

// Reload ends with its context, and a domain then stays as it was.
func TestReloadEnds(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts)
	before := l.open("a")
	l.write("a/a.ttl", threeFacts)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.b.Reload(ctx); err == nil {
		t.Error("no error")
	}
	if l.open("a") != before {
		t.Error("the domain changed")
	}
	l.reload()
	want(t, "facts", 3, l.facts("a"))
}
