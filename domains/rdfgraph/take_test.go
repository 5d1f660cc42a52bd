//go:build unix

package rdfgraph_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// Who is large keeps nobody waiting: other changes are served meanwhile. What was read and
// is not any more is given up, and Reload waits.
func TestPollLoadsLargeFoldersAside(t *testing.T) {
	large := strings.Repeat("# "+strings.Repeat("x", 1000)+"\n", rdfgraph.SlowSize/1000)
	synctest.Test(t, func(t *testing.T) {
		l := newLive(t, 2*time.Second, "a/a.nt", large, "b/b.ttl", twoFacts)
		release := l.b.HoldAside()
		l.write("a/a.ttl", twoFacts, "b/b.ttl", threeFacts)
		after(5 * time.Second)
		want(t, "facts of the small one", 3, l.facts("b"))
		want(t, "facts of the large one", 0, l.facts("a"))
		l.write("a/a.ttl", threeFacts)
		after(5 * time.Second)
		l.remove("b")
		after(5 * time.Second)
		want(t, "names", "a", l.names())
		reloaded := make(chan error, 1)
		go func() { reloaded <- l.b.Reload(t.Context()) }()
		after(5 * time.Second)
		want(t, "reloads that have ended", 0, len(reloaded))
		release()
		l.ok(<-reloaded)
		want(t, "facts of the large one at last", 3, l.facts("a"))

		release = l.b.HoldAside()
		l.write("a/a.ttl", twoFacts)
		after(5 * time.Second)
		l.remove("a")
		l.write("c/c.ttl", twoFacts)
		after(5 * time.Second)
		want(t, "names when the large one is gone", "c", l.names())
		l.write("a/a.nt", large, "a/a.ttl", twoFacts)
		after(5 * time.Second)
		l.ok(l.b.Close()) // while it waits
		release()
		l.reload()
		want(t, "names after the end of polling", "a c", l.names())
	})
}

// A pipe that takes the place of a file, or of domain.yaml, is a fault like any other, and
// nothing waits for it.
func TestReloadMeetsPipes(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts, "a/domain.yaml", "policy: {disabled_tools: [get_status]}\n")
	for _, file := range []string{"a/a.ttl", "a/domain.yaml"} {
		full := filepath.Join(l.dir, file)
		text, err := os.ReadFile(full)
		l.ok(err)
		l.ok(os.Remove(full))
		if err := syscall.Mkfifo(full, 0o644); err != nil {
			t.Skip(err)
		}
		l.reload()
		want(t, "refused", 1, len(l.refused("a")))
		want(t, "policy", []string{"get_status"}, l.open("a").Info.Policy.DisabledTools)
		l.ok(os.Remove(full))
		l.write(file, string(text))
		l.reload()
		want(t, "refused when it is mended", 0, len(l.refused("a")))
	}
}

// Only versions that the domain has keep their snapshot files, and a link in the place of
// their folder has nothing removed or written.
func TestSnapshotFilesOfVersionsThatAreGone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "d/v1/a.ttl", saved)
	write(t, dir, "d/v2/a.ttl", saved)
	settings := func(text string) string { return write(t, dir, "d/domain.yaml", "versions: {"+text+"}\n") }
	files := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "d", ".ontogate", "*.snapshot"))
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range found {
			found[i] = filepath.Base(f)
		}
		return found
	}
	settings("v1: PUBLISHED")
	saving(t, dir)
	want(t, "files", []string{"1.snapshot"}, files())
	settings("v1: PUBLISHED, v2: PUBLISHED")
	b, _ := saving(t, dir)
	want(t, "files of two versions", []string{"1.snapshot", "2.snapshot"}, files())
	settings("v2: PUBLISHED")
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.WaitSaved()
	want(t, "files when one is gone", []string{"2.snapshot"}, files())

	hidden := filepath.Join(dir, "d", ".ontogate")
	if err := os.RemoveAll(hidden); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "d/v2/theirs.snapshot", "x")
	if err := os.Symlink("v2", hidden); err != nil {
		t.Skip(err)
	}
	_, log := saving(t, dir)
	want(t, "events", "not written", log.events())
	want(t, "said", 1, log.with("is not a folder: remove it"))
	there, err := os.ReadDir(filepath.Join(dir, "d", "v2"))
	if err != nil || !slices.ContainsFunc(there, func(e os.DirEntry) bool { return e.Name() == "theirs.snapshot" }) || len(there) != 2 {
		t.Errorf("the folder to which the link leads holds %v, %v", there, err)
	}
}

// Two programs that serve one folder do not disturb each other.
func TestTwoProgramsOnOneFolder(t *testing.T) {
	dir, _ := newSaved(t)
	one, log1 := saving(t, dir)
	two, log2 := saving(t, dir)
	for n := range 10 {
		write(t, dir, "d/a.ttl", saved+strings.Repeat("\n", n+1))
		for _, b := range []*rdfgraph.Backend{one, two} {
			if err := b.Reload(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		one.WaitSaved()
		two.WaitSaved()
		isRight(t, dir, one)
		isRight(t, dir, two)
	}
	want(t, "broken files", 0, log1.with(wasBroken)+log2.with(wasBroken)+log1.with(notWritten)+log2.with(notWritten))
	if _, log := saving(t, dir); log.events() != "read" {
		t.Errorf("the next start: %s", log.events())
	}
}
