//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// reloadable is a back end whose reloads are counted.
type reloadable struct {
	domains.Backend
	reloaded chan struct{}
	fault    error
}

func (b reloadable) Reload(context.Context) error {
	b.reloaded <- struct{}{}
	return b.fault
}

// SIGHUP reloads, also a folder that is joined with others, and one line tells of it.
func TestHangupReloads(t *testing.T) {
	for name, c := range map[string]struct {
		fault error
		line  string
	}{
		"done":   {nil, "level=INFO msg=reloaded "},
		"failed": {errors.New("it is away"), `level=WARN msg="reloading failed: what was loaded is served as before" cause="the folder: it is away"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := reloadable{reloaded: make(chan struct{}, 1), fault: c.fault}
			var log lockedBuffer
			_, stop := reloadOnSignal(t.Context(), domains.Join(domains.Member{Label: "the folder", Backend: b}), slog.New(slog.NewTextHandler(&log, nil)))
			if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			<-b.reloaded
			stop()
			if !strings.Contains(log.String(), c.line) {
				t.Errorf("the log is %q, want %q in it", log.String(), c.line)
			}
		})
	}
}

// Commands that serve look for changes, and those that answer once do not.
func TestWhoPolls(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.ttl"), []byte("<http://e/a> a <http://e/A> ."), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		polls bool
	}{
		{[]string{"serve", "--addr", "127.0.0.1:0"}, true},
		{[]string{"stdio"}, true},
		{[]string{"call", "list_domains"}, false},
	} {
		p := programFor(io.Discard, io.Discard, nil)
		p.in = strings.NewReader("")
		var got rdfgraph.Config
		stop := errors.New("opened")
		p.open = func(_ context.Context, c rdfgraph.Config) (domains.Backend, error) { got = c; return nil, stop }
		p.run(t.Context(), append(c.args, "--domains", dir))
		if polls := got.Poll > 0; got.Dir != dir || polls != c.polls {
			t.Errorf("%v: folder %q, polls %v, want %v", c.args, got.Dir, polls, c.polls)
		}
	}
}
