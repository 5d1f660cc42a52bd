package rdfgraph_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// rename writes a file beside and gives it its name, as careful programs do.
func (l *live) rename(path, text string) {
	l.t.Helper()
	full := filepath.Join(l.dir, filepath.FromSlash(path))
	l.ok(os.WriteFile(full+"~", []byte(text), 0o644))
	l.ok(os.Rename(full+"~", full))
}

// A policy that is replaced all the time is at no moment more open than each of its
// states, whether it is written in one go or cut off first.
func TestPolicyUnderWriters(t *testing.T) {
	for name, write := range map[string]func(*live, string){
		"renamed": func(l *live, text string) { l.rename("a/domain.yaml", text) },
		"in place": func(l *live, text string) {
			l.ok(os.WriteFile(filepath.Join(l.dir, "a", "domain.yaml"), []byte(text), 0o644))
		},
		"removed first": func(l *live, text string) {
			l.ok(os.Remove(filepath.Join(l.dir, "a", "domain.yaml")))
			l.ok(os.WriteFile(filepath.Join(l.dir, "a", "domain.yaml"), []byte(text), 0o644))
		},
	} {
		t.Run(name, func(t *testing.T) {
			policy := func(i int) string {
				return fmt.Sprintf("description: state %d\npolicy: {disabled_tools: [get_status, %s]}\n", i, []string{"query_graphql", "describe_entity"}[i%2])
			}
			l := newLive(t, none, "a/a.ttl", twoFacts, "a/domain.yaml", policy(0))
			done := make(chan struct{})
			var all sync.WaitGroup
			all.Go(func() {
				for i := 1; ; i++ {
					select {
					case <-done:
						return
					case <-time.After(time.Millisecond):
						write(l, policy(i))
					}
				}
			})
			all.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					d := l.open("a")
					p := d.Info.Policy
					if !p.Hides("get_status") || p.Hides("query_graphql") == p.Hides("describe_entity") {
						t.Errorf("%q has the policy %v", d.Info.Description, p)
						return
					}
				}
			})
			for range 40 {
				_ = l.b.Reload(t.Context()) // it may find no whole state
			}
			close(done)
			all.Wait()
			want(t, "panics", 0, l.log.with("panicked"))
		})
	}
}

// Times that a program sets back hide no change, and neither does a file from the future.
func TestPollSeesThroughTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLive(t, 2*time.Second, "a/a.ttl", twoFacts, "a/domain.yaml", "policy: {disabled_tools: [get_status]}\n", "a/far.ttl", "")
		far := time.Now().AddDate(100, 0, 0)
		l.ok(os.Chtimes(filepath.Join(l.dir, "a", "far.ttl"), far, far))
		after(10 * time.Second)
		set := func(path, text string) {
			full := filepath.Join(l.dir, path)
			info, err := os.Stat(full)
			l.ok(err)
			want(t, "size of "+path, info.Size(), int64(len(text)))
			l.ok(os.WriteFile(full, []byte(text), 0o644))
			l.ok(os.Chtimes(full, info.ModTime(), info.ModTime()))
		}
		before := l.open("a").Revision
		set("a/domain.yaml", "policy: {disabled_tools: [get_status]} ")
		after(5 * time.Second)
		if l.open("a").Revision == before {
			t.Error("a domain.yaml with the time and size of before is not found out")
		}
		before = l.open("a").Revision
		set("a/a.ttl", strings.Replace(twoFacts, "e/1", "e/7", 1))
		after(5 * time.Second)
		if l.open("a").Revision == before {
			t.Error("a file with the time and size of before is not found out")
		}
	})
}

// Who is renamed to the name of another keeps its own, under its policy, until the name is
// free.
func TestReloadRefusesTheNameOfAnother(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts, "a/domain.yaml", "policy: {disabled_tools: [get_status]}\n", "b/b.ttl", threeFacts)
	l.write("a/domain.yaml", "name: b\n")
	l.reload()
	want(t, "names", "a b", l.names())
	want(t, "facts of b", 3, l.facts("b"))
	want(t, "policy of a", []string{"get_status"}, l.open("a").Info.Policy.DisabledTools)
	want(t, "said", []string{`domain.yaml: the name "b" is taken by the domain in folder "b": set another name:`}, l.refused("a"))
	l.reload()
	want(t, "logged", 1, l.log.with("has a fault"))
	l.remove("b")
	l.reload()
	l.reload()
	want(t, "names when it is free", "b", l.names())
	want(t, "facts when it is free", 2, l.facts("b"))

	swap := newLive(t, none, "a/a.ttl", twoFacts, "b/b.ttl", threeFacts)
	swap.write("a/domain.yaml", "name: b\n", "b/domain.yaml", "name: a\n")
	swap.reload()
	want(t, "names that change places", "a b", swap.names())
	want(t, "facts of b, which was a", 2, swap.facts("b"))
}

// The same while polling: nobody has to ask.
func TestPollTakesTheNameThatIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLive(t, 2*time.Second, "a/a.ttl", twoFacts, "b/b.ttl", threeFacts)
		l.write("a/domain.yaml", "name: b\n")
		after(time.Minute)
		want(t, "names", "a b", l.names())
		l.remove("b")
		after(10 * time.Second)
		want(t, "names when it is free", "b", l.names())
	})
}

// Nobody hears of a domain that is not published because its domain.yaml gets a fault.
func TestReloadKeepsSecrets(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts, "a/domain.yaml", "publish: false\n", "b/b.ttl", twoFacts)
	for _, text := range []string{"publish: [\n", "pblish: false\n", ""} {
		l.write("a/domain.yaml", text)
		if text != "" {
			l.reload()
			want(t, "names with "+text, "b", l.names())
		}
	}
	for range 20 {
		l.write("a/domain.yaml", "publish: true\n")
		l.reload()
		want(t, "names when published", "a b", l.names())
		l.write("a/domain.yaml", "publish: false\n")
		l.reload()
		want(t, "names when not published", "b", l.names())
	}
}

// A folder that is swapped by a link is another state of the domain.
func TestPollFollowsLinks(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		for dir, text := range map[string]string{one: twoFacts, two: threeFacts} {
			if err := os.WriteFile(filepath.Join(dir, "a.ttl"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		l := newLive(t, none, "b/b.ttl", twoFacts)
		link := filepath.Join(l.dir, "a")
		if err := os.Symlink(one, link); err != nil {
			t.Skip(err)
		}
		l.b = newBackend(t, rdfgraph.Config{Dir: l.dir, Poll: 2 * time.Second, Logger: slog.New(slog.NewTextHandler(l.log, nil))})
		want(t, "facts", 2, l.facts("a"))
		l.ok(os.Symlink(two, link+"~"))
		l.ok(os.Rename(link+"~", link))
		after(5 * time.Second)
		want(t, "facts after the swap", 3, l.facts("a"))
		l.ok(os.Remove(link))
		after(5 * time.Second)
		want(t, "names without the link", "b", l.names())
	})
}

// Many domains that change at once are all served, and each is told of once.
func TestPollServesManyChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var files, changed []string
		var names []string
		for i := range 100 {
			file := fmt.Sprintf("d%03d/a.ttl", i)
			files, changed = append(files, file, twoFacts), append(changed, file, threeFacts)
			names = append(names, fmt.Sprintf("d%03d", i))
		}
		l := newLive(t, 2*time.Second, files...)
		l.watch()
		l.write(changed...)
		after(5 * time.Second)
		want(t, "told", strings.Join(names, " "), l.heard())
		want(t, "facts", 3, l.facts("d099"))
	})
}

// A back end that is closed while it reloads, polls and writes ends, and leaves nothing
// running; reloading goes on or ends with its context.
func TestCloseWhileReloading(t *testing.T) {
	for range 10 {
		dir := t.TempDir()
		write(t, dir, "d/a.ttl", saved)
		b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir, Poll: time.Millisecond, Snapshots: rdfgraph.SnapshotsOn, SnapshotMin: 1})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				write(t, dir, "d/a.ttl", saved+strings.Repeat(" ", i))
				_ = b.Reload(ctx)
			})
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		stop()
		all.Wait()
		left, _ := filepath.Glob(filepath.Join(dir, "d", ".ontogate", "*.tmp"))
		want(t, "left", 0, len(left))
	}
}
