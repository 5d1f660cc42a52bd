//go:build unix

package rdfgraph_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// childOf names the variable that makes the test binary a child of one of the tests below:
// what it does there is the value.
const childOf = "ONTOGATE_SNAPSHOT_CHILD"

// states are the two states of a file between which a child changes its domain, and the
// label that tells which one is served.
func states() [2]string {
	var b strings.Builder
	for i := range 1000 { // few, so that a round is short; the file is still written in several parts
		fmt.Fprintf(&b, "<http://e/%d> <http://e/p%d> \"value %d\" .\n", i/3, i%7, i)
	}
	const mark = "<http://mark.example/it> <http://www.w3.org/2000/01/rdf-schema#label> %q .\n"
	return [2]string{b.String() + fmt.Sprintf(mark, "first"), b.String() + fmt.Sprintf(mark, "other")}
}

// served says which of the states a back end serves.
func served(ctx context.Context, b *rdfgraph.Backend) (string, error) {
	d, err := b.Open(ctx, "d")
	if err != nil {
		return "", err
	}
	for e, err := range d.Facts.Walk(ctx, []string{"http://mark.example/it"}, domains.WalkOptions{Depth: 1, Fanout: 1}) {
		if err != nil {
			return "", err
		}
		if len(e.Labels) == 1 {
			return e.Labels[0].Value, nil
		}
	}
	return "", errors.New("the mark is not there")
}

// TestKilledChild is what TestKill starts: it opens the folder, says which state is there
// and which is served, and then writes files and reloads until it is killed.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(childOf)
	if dir == "" {
		t.Skip("is started by TestKill")
	}
	log := &lines{}
	ctx := context.Background()
	b, err := rdfgraph.New(ctx, rdfgraph.Config{Dir: dir, Snapshots: rdfgraph.SnapshotsOn, SnapshotMin: 1, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "d", "a.nt"))
	if err != nil {
		t.Fatal(err)
	}
	both := states()
	is := 0
	if string(text) == both[1] {
		is = 1
	}
	got, err := served(ctx, b)
	fmt.Printf("serves %s of %s, read %d, broken %d, error %v\n", got, []string{"first", "other"}[is], log.with(wasRead), log.with(wasBroken), err)
	for {
		b.WaitSaved()
		is = 1 - is
		next := filepath.Join(dir, "d", ".next")
		if err := os.WriteFile(next, []byte(both[is]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, filepath.Join(dir, "d", "a.nt")); err != nil {
			t.Fatal(err)
		}
		if err := b.Reload(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKill kills a process 200 times while it writes snapshot files and reloads. Each next
// start serves what the sources say, and finds no file that is broken.
func TestKill(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 10
	}
	const lanes = 2
	var work sync.WaitGroup
	var mu sync.Mutex
	fromFile, half := 0, 0
	for lane := range lanes {
		dir := t.TempDir()
		write(t, dir, "d/a.nt", states()[0])
		rng := rand.New(rand.NewPCG(uint64(lane), 6))
		work.Go(func() {
			for round := range rounds / lanes {
				said, err := killed(t.Context(), dir, time.Duration(rng.IntN(60_000))*time.Microsecond)
				var got, want string
				var read, broken int
				if _, scan := fmt.Sscanf(said, "serves %s of %s read %d, broken %d, error <nil>", &got, &want, &read, &broken); err != nil || scan != nil || got+"," != want || broken > 0 {
					t.Errorf("lane %d, round %d: %q, %v", lane, round, said, err)
					return
				}
				mu.Lock()
				fromFile += read
				mu.Unlock()
			}
			left, _ := filepath.Glob(filepath.Join(dir, "d", ".ontogate", "*.tmp"))
			mu.Lock()
			half += len(left)
			mu.Unlock()
		})
	}
	work.Wait()
	t.Logf("%d starts: %d used a file, %d files were left half written", rounds, fromFile, half)
	if !testing.Short() && fromFile+half == 0 {
		t.Error("no moment was one that matters")
	}
}

// killed starts a child, lets it work for a time after it has said what it serves, kills it
// and returns what it said. It waits by the clock because it is to hit any moment.
func killed(ctx context.Context, dir string, after time.Duration) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), childOf+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := child.Start(); err != nil {
		return "", err
	}
	lines := bufio.NewReader(out)
	said, err = lines.ReadString('\n')
	<-time.After(after)
	if kill := child.Process.Kill(); kill != nil {
		err = errors.Join(err, kill)
	}
	_ = child.Wait() // it was killed
	return said, err
}

// TestFullDiskChild is what TestFullDisk starts: it may write files of 4 KiB at most.
func TestFullDiskChild(t *testing.T) {
	dir := os.Getenv(childOf)
	if dir == "" {
		t.Skip("is started by TestFullDisk")
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
		t.Skip(err)
	}
	b, log := saving(t, dir)
	got, err := served(t.Context(), b)
	fmt.Printf("serves %s, %s, error %v\n", got, log.events(), err)
}

// TestFullDisk holds that a file for which there is no room is not left behind, and that
// the domain is served all the same.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "d/a.nt", states()[0])
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDiskChild$")
	child.Env = append(os.Environ(), childOf+"="+dir)
	out, err := child.Output()
	if err != nil || !strings.HasPrefix(string(out), "serves first, not written, error <nil>\n") {
		t.Errorf("%v: %s", err, out)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "d", ".ontogate")); err != nil || len(left) != 1 || left[0].Name() != ".gitignore" {
		t.Errorf("left: %v %v", left, err)
	}
}
