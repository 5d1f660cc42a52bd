package rdfgraph_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// after lets time pass, and waits for what then happens.
func after(d time.Duration) {
	time.Sleep(d) // in a bubble: no time passes outside
	synctest.Wait()
}

// A change is served within five seconds, and who watches is told of it and of nothing
// else.
func TestPollServesChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLive(t, 2*time.Second, "a/a.ttl", twoFacts, "b/b.ttl", twoFacts)
		l.watch()
		after(time.Minute)
		want(t, "told without a change", "", l.heard())
		l.write("a/a.ttl", threeFacts)
		after(5 * time.Second)
		want(t, "facts", 3, l.facts("a"))
		want(t, "told", "a", l.heard())
		l.write("c/c.ttl", twoFacts)
		l.remove("b")
		after(5 * time.Second)
		want(t, "names", "a c", l.names())
		want(t, "told of those that came and went", "b c", l.heard())
		l.write("a/a.ttl", broken)
		after(5 * time.Second)
		want(t, "refused", 1, len(l.refused("a")))
		want(t, "told of a fault", "a", l.heard())
		after(time.Minute)
		want(t, "logged", 1, l.log.with("a newer state of the domain has a fault"))
		l.write("a/a.ttl", twoFacts)
		after(5 * time.Second)
		want(t, "facts when it is mended", 2, l.facts("a"))
		want(t, "told when it is mended", "a", l.heard())
		l.write("a/a.ttl", twoFacts)
		after(time.Minute)
		want(t, "told of a file that was only touched", "", l.heard())
	})
}

// A file that is still being written is not read.
func TestPollWaitsForWriters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLive(t, 2*time.Second, "a/a.ttl", twoFacts)
		for range 100 {
			l.write("a/a.ttl", "<http://e/1> a <http://e/A> ;\n")
			after(400 * time.Millisecond)
		}
		want(t, "refused", nil, l.refused("a"))
		l.write("a/a.ttl", threeFacts)
		after(5 * time.Second)
		want(t, "facts", 3, l.facts("a"))
		want(t, "faults logged", 0, l.log.with("has a fault"))
	})
}

// A domain.yaml that is away for a moment takes no policy with it; one that stays away does.
func TestPollWaitsForSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const policy = "policy: {disabled_tools: [get_status]}\n"
		l := newLive(t, 2*time.Second, "a/a.ttl", twoFacts, "a/domain.yaml", policy)
		hides := func() bool { return l.open("a").Info.Policy.Hides("get_status") }
		l.remove("a/domain.yaml")
		for range 8 {
			after(500 * time.Millisecond)
			// The first look is after 2 s at most, and then one whole Poll has to pass.
			if !hides() {
				t.Fatal("the policy is gone with a file that is away for a moment")
			}
			if l.log.with("domain loaded") > 1 {
				t.Fatal("it was loaded without domain.yaml")
			}
			l.write("a/domain.yaml", policy)
			after(400 * time.Millisecond)
			l.remove("a/domain.yaml")
		}
		after(10 * time.Second)
		if hides() {
			t.Error("the policy stays when its file is gone for good")
		}
	})
}

// A file that is written anew with the same size, so soon that its time is the same, is
// found out by its contents a little later.
func TestPollReadsYoungFilesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLive(t, 2*time.Second, "a/a.ttl", twoFacts)
		path := filepath.Join(l.dir, "a", "a.ttl")
		after(1900 * time.Millisecond) // shortly before a look
		written := time.Now()
		write := func(text string) {
			l.ok(os.WriteFile(path, []byte(text), 0o644))
			l.ok(os.Chtimes(path, written, written))
		}
		write("<http://e/1> a <http://e/B> .\n")
		after(700 * time.Millisecond)
		first := l.open("a")
		want(t, "facts", 1, l.facts("a"))
		write("<http://e/1> a <http://e/C> .\n")
		after(5 * time.Second)
		second := l.open("a")
		if second.Revision == first.Revision {
			t.Error("a file with the time of the one that was read is not found out")
		}
		after(time.Minute)
		if l.open("a") != second {
			t.Error("it is made anew again and again")
		}
	})
}

// The folder of the domains that is away changes nothing and is logged once.
func TestPollWithoutTheFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLive(t, 2*time.Second, "a/a.ttl", twoFacts)
		l.watch()
		away := l.dir + "-away"
		l.ok(os.Rename(l.dir, away))
		after(time.Minute)
		want(t, "names", "a", l.names())
		want(t, "logged", 1, l.log.with("the folder of the domains can't be read"))
		l.ok(os.Rename(away, l.dir))
		l.write("a/a.ttl", threeFacts)
		after(5 * time.Second)
		want(t, "facts", 3, l.facts("a"))
		want(t, "told", "a", l.heard())
	})
}
