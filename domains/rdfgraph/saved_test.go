package rdfgraph_test

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
)

// saving opens a folder with snapshot files, waits until they are written, and returns the
// log.
func saving(t *testing.T, dir string) (*rdfgraph.Backend, *lines) {
	t.Helper()
	return savingWith(t, rdfgraph.Config{Dir: dir})
}

// savingWith is saving with a configuration.
func savingWith(t *testing.T, c rdfgraph.Config) (*rdfgraph.Backend, *lines) {
	t.Helper()
	log := &lines{}
	c.Snapshots, c.SnapshotMin, c.Logger = rdfgraph.SnapshotsOn, 1, slog.New(slog.NewTextHandler(log, nil))
	b := newBackend(t, c)
	b.WaitSaved()
	return b, log
}

// What the log says of snapshot files.
const (
	wasRead    = `msg="snapshot file read"`
	wasWritten = `msg="snapshot file written"`
	wasStale   = `msg="snapshot file not used`
	wasBroken  = `msg="snapshot file can't be used`
	notWritten = `msg="snapshot file not written`
)

// events are the events of the log in short, in a fixed order.
func (l *lines) events() string {
	var out []string
	for _, e := range [][2]string{{wasRead, "read"}, {wasStale, "stale"}, {wasBroken, "broken"}, {wasWritten, "written"}, {notWritten, "not written"}} {
		for range l.with(e[0]) {
			out = append(out, e[1])
		}
	}
	return strings.Join(out, ", ")
}

// TestDomainsFromFilesAnswerAlike holds that a domain from a snapshot file says what one
// from its sources says, revision included, and passes the acceptance suite.
func TestDomainsFromFilesAnswerAlike(t *testing.T) {
	folders := map[string]func(t *testing.T, dir string){
		"samples": func(t *testing.T, dir string) { copyFS(t, dir, examples.FS()) },
	}
	for _, name := range []string{"degraded", "languages", "plain", "versions"} {
		folders[name] = func(t *testing.T, dir string) {
			a, err := txtar.ParseFile(filepath.Join("testdata", "folders", name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			unpack(t, dir, a.Files[:len(a.Files)-1])
		}
	}
	for _, name := range []string{"ies", "music", "skos"} {
		folders[name] = func(t *testing.T, dir string) {
			copyFS(t, dir, os.DirFS(domaintest.Shared(t, "data", "ontologies", name)))
		}
	}
	for name, fill := range folders {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "d")
			fill(t, dir)
			first, log := saving(t, dir)
			written := log.with(wasWritten)
			if log.events() != strings.TrimSuffix(strings.Repeat("written, ", written), ", ") {
				t.Fatalf("at first: %s", log.events())
			}
			second, log := saving(t, dir)
			if log.with(wasRead) != written || log.events() != strings.TrimSuffix(strings.Repeat("read, ", written), ", ") {
				t.Fatalf("%d written, and then: %s", written, log.events())
			}
			if diff := cmp.Diff(describe(t, first)+revisions(t, first), describe(t, second)+revisions(t, second)); diff != "" {
				t.Errorf("from sources and from files (-want +got):\n%s", diff)
			}
			if !domaintest.Race || name == "samples" {
				domaintest.Run(t, func(*testing.T) domains.Backend { return second })
			}
		})
	}
}

func copyFS(t *testing.T, dir string, from fs.FS) {
	t.Helper()
	if err := os.CopyFS(dir, from); err != nil {
		t.Fatal(err)
	}
}

// revisions lists the revisions and statuses of all domains that can be opened.
func revisions(t *testing.T, b *rdfgraph.Backend) string {
	t.Helper()
	var out strings.Builder
	for d, err := range opened(t, b) {
		if err != nil {
			continue
		}
		out.WriteString(string(d.Info.Name) + " " + d.Revision)
		if s, err := d.Status(t.Context()); err == nil {
			out.WriteString(" " + s.Modified.String())
		}
		out.WriteByte('\n')
	}
	return out.String()
}

const saved = `@prefix : <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:C a rdfs:Class . :a a :C ; rdfs:label "Anna" ; :knows :b . :b a :C ; rdfs:label "Bert" .`

// newSaved is a folder of one domain that has a snapshot file, and the path of that.
func newSaved(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir, "d/a.ttl", saved)
	if _, log := saving(t, dir); log.events() != "written" {
		t.Fatalf("at first: %s", log.events())
	}
	return dir, filepath.Join(dir, "d", ".ontogate", "1.snapshot")
}

// isRight holds that the domain says what its sources say.
func isRight(t *testing.T, dir string, b *rdfgraph.Backend) {
	t.Helper()
	fresh := newBackend(t, rdfgraph.Config{Dir: dir})
	if diff := cmp.Diff(describe(t, fresh)+revisions(t, fresh), describe(t, b)+revisions(t, b)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStaleFilesAreNotUsed changes what a domain is made of.
func TestStaleFilesAreNotUsed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"nothing": {func(*testing.T, string) {}, "read"},
		"touched": {func(t *testing.T, dir string) {
			if err := os.Chtimes(filepath.Join(dir, "d/a.ttl"), time.Unix(9, 0), time.Unix(9, 0)); err != nil {
				t.Fatal(err)
			}
		}, "read"},
		"policy": {func(t *testing.T, dir string) {
			write(t, dir, "d/domain.yaml", "policy: {disabled_tools: [get_status]}")
		}, "read"},
		"same size":    {func(t *testing.T, dir string) { write(t, dir, "d/a.ttl", strings.Replace(saved, "Anna", "Emma", 1)) }, "stale, written"},
		"another size": {func(t *testing.T, dir string) { write(t, dir, "d/a.ttl", strings.Replace(saved, "Anna", "Eve", 1)) }, "stale, written"},
		"another file": {func(t *testing.T, dir string) { write(t, dir, "d/b.ttl", saved) }, "stale, written"},
		"a name": {func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "d/a.ttl"), filepath.Join(dir, "d/b.ttl")); err != nil {
				t.Fatal(err)
			}
		}, "stale, written"},
		"base":     {func(t *testing.T, dir string) { write(t, dir, "d/domain.yaml", "base: http://e.org/") }, "stale, written"},
		"labels":   {func(t *testing.T, dir string) { write(t, dir, "d/domain.yaml", `labels: ["http://e.org/knows"]`) }, "stale, written"},
		"prefixes": {func(t *testing.T, dir string) { write(t, dir, "d/domain.yaml", `prefixes: {x: "http://e.org/"}`) }, "stale, written"},
		"a fault":  {func(t *testing.T, dir string) { write(t, dir, "d/b.ttl", "x") }, "stale"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := newSaved(t)
			c.change(t, dir)
			b, log := saving(t, dir)
			if got := log.events(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			isRight(t, dir, b)
			if c.want == "stale, written" {
				if b, log := saving(t, dir); log.events() != "read" {
					t.Errorf("after it was written again: %s", log.events())
				} else {
					isRight(t, dir, b)
				}
			}
		})
	}
}

// TestDamagedFilesAreWrittenAgain cuts and changes a file. The log names it as seen from
// the domain's folder, and the domain is right all the same.
func TestDamagedFilesAreWrittenAgain(t *testing.T) {
	dir, file := newSaved(t)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string][]byte{"empty": {}, "text": []byte("not a snapshot file at all"), "longer": append(slices.Clone(good), 1)}
	for i := 0; i < len(good); i += 97 {
		flipped := slices.Clone(good)
		flipped[i] ^= 1 << (i % 8)
		damages[fmt.Sprint("flipped ", i)] = flipped
		damages[fmt.Sprint("cut ", i)] = good[:i]
	}
	for name, bytes := range damages {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(file, bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			b, log := saving(t, dir)
			if got := log.events(); got != "broken, written" || log.with("file=.ontogate/1.snapshot") != 2 || log.with("file is damaged") != 1 || log.with(dir) != 0 {
				t.Errorf("%s; log:\n%s", got, log.buf.String())
			}
			isRight(t, dir, b)
			if again, err := os.ReadFile(file); err != nil || !slices.Equal(again, good) {
				t.Errorf("the file is not what it was (%v)", err)
			}
		})
	}
}

// TestFilesOfOthersAreNotUsed puts a whole file where it does not belong: that of another
// domain, and one of another format.
func TestFilesOfOthersAreNotUsed(t *testing.T) {
	dir, file := newSaved(t)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := slices.Clone(good)
	other[len("ontogate")]++
	write(t, dir, "d/.ontogate/1.snapshot", string(resum(other)))
	b, log := saving(t, dir)
	if got := log.events(); got != "stale, written" || log.with("another version of the program") != 1 {
		t.Errorf("another format: %s; log:\n%s", got, log.buf.String())
	}
	isRight(t, dir, b)
	write(t, dir, "e/a.ttl", strings.Replace(saved, "Anna", "Emma", 1))
	write(t, dir, "e/.ontogate/1.snapshot", string(good))
	b, log = saving(t, dir)
	if got := log.events(); got != "read, stale, written" {
		t.Errorf("another domain: %s", got)
	}
	isRight(t, dir, b)
}

// TestFoldersThatCannotBeWritten holds that nothing but a line of the log comes of it, and
// that links do not lead out.
func TestFoldersThatCannotBeWritten(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir, outside string)
		want    string
	}{
		"a file in the way":   {func(t *testing.T, dir, _ string) { write(t, dir, "d/.ontogate", "x") }, "broken, not written"},
		"a folder in the way": {func(t *testing.T, dir, _ string) { write(t, dir, "d/.ontogate/1.snapshot/x", "x") }, "broken, not written"},
		"a link out": {func(t *testing.T, dir, outside string) {
			if err := os.Symlink(outside, filepath.Join(dir, "d", ".ontogate")); err != nil {
				t.Skip(err)
			}
		}, "broken, not written"},
		"a file that is a link out": {func(t *testing.T, dir, outside string) {
			write(t, outside, "theirs", "x")
			if err := os.MkdirAll(filepath.Join(dir, "d", ".ontogate"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(outside, "theirs"), filepath.Join(dir, "d", ".ontogate", "1.snapshot")); err != nil {
				t.Skip(err)
			}
		}, "broken, written"},
		"no permission": {func(t *testing.T, dir, _ string) {
			if os.Geteuid() == 0 {
				t.Skip("root may write everywhere")
			}
			if err := os.Chmod(filepath.Join(dir, "d"), 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "d"), 0o755) })
		}, "not written"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			write(t, dir, "d/a.ttl", saved)
			c.prepare(t, dir, outside)
			b, log := saving(t, dir)
			if got := log.events(); got != c.want || log.with(dir)+log.with(outside) != 0 {
				t.Errorf("%s, want %s; log:\n%s", got, c.want, log.buf.String())
			}
			isRight(t, dir, b)
			if there, _ := os.ReadDir(outside); len(there) > 1 || len(there) == 1 && there[0].Name() != "theirs" {
				t.Errorf("outside lies %v", there)
			}
		})
	}
}

// TestFilesOfSnapshotsAreTidy holds what lies in the folder: the file, what keeps it out of
// version control, and nothing that was left by a process that ended early.
func TestFilesOfSnapshotsAreTidy(t *testing.T) {
	dir, file := newSaved(t)
	hidden := filepath.Dir(file)
	long := write(t, hidden, "1.snapshot.LONGAGO.tmp", "x")
	write(t, hidden, "1.snapshot.JUSTNOW.tmp", "x")
	write(t, hidden, "notes.tmp.txt", "x")
	if err := os.Chtimes(long, time.Now().Add(-2*time.Hour), time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "d/a.ttl", saved+" ")
	saving(t, dir)
	var got []string
	entries, err := os.ReadDir(hidden)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff([]string{".gitignore", "1.snapshot", "1.snapshot.JUSTNOW.tmp", "notes.tmp.txt"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text, _ := os.ReadFile(filepath.Join(hidden, ".gitignore")); string(text) != "*\n" {
		t.Errorf(".gitignore is %q", text)
	}
}

// TestSmallDomainsHaveNoFile holds SnapshotMin, and that none is read or written when
// snapshots are off.
func TestSmallDomainsHaveNoFile(t *testing.T) {
	for name, c := range map[string]struct {
		kept rdfgraph.Snapshots
		min  int64
		want bool
	}{
		"large": {rdfgraph.SnapshotsOn, int64(len(saved)), true}, "small": {rdfgraph.SnapshotsOn, int64(len(saved)) + 1, false},
		"default": {rdfgraph.SnapshotsOn, 0, false}, "off": {rdfgraph.SnapshotsOff, 1, false},
	} {
		dir := t.TempDir()
		write(t, dir, "d/a.ttl", saved)
		newBackend(t, rdfgraph.Config{Dir: dir, Snapshots: c.kept, SnapshotMin: c.min}).WaitSaved()
		if _, err := os.Stat(filepath.Join(dir, "d", ".ontogate")); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReloadWritesFiles holds that what a reload brings has a file too, and that a change
// of the policy alone writes none.
func TestReloadWritesFiles(t *testing.T) {
	dir, _ := newSaved(t)
	b, log := saving(t, dir)
	reload := func() {
		t.Helper()
		if err := b.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.WaitSaved()
	}
	write(t, dir, "d/domain.yaml", "policy: {disabled_tools: [get_status]}")
	reload()
	if got := log.events(); got != "read" {
		t.Errorf("another policy: %s", got)
	}
	write(t, dir, "d/a.ttl", saved+" ")
	reload()
	if got := log.events(); got != "read, stale, written" {
		t.Errorf("another file: %s", got)
	}
	isRight(t, dir, b)
	if _, log := saving(t, dir); log.events() != "read" {
		t.Errorf("the next start: %s", log.events())
	}
}

// TestCloseLeavesNothingHalfWritten closes back ends while they may be writing.
func TestCloseLeavesNothingHalfWritten(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		write(t, dir, "d/a.ttl", saved)
		b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir, Snapshots: rdfgraph.SnapshotsOn, SnapshotMin: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		left, err := filepath.Glob(filepath.Join(dir, "d", ".ontogate", "*.tmp"))
		if err != nil || len(left) > 0 {
			t.Fatalf("left: %v %v", left, err)
		}
	}
}
