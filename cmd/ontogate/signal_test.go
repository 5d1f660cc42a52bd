package main

import (
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// A second signal ends any command, whatever it waits for.
func TestSecondSignalEndsAnyCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	for _, c := range []struct {
		args  []string
		input string
	}{
		{[]string{"call", "list_domain_versions", "domain_name=trouble"}, ""},
		{[]string{"stdio"}, initialize + "\n" + listVersions + "\n"},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			p := start(t, "hangs", nil, append(c.args, "--call-timeout", "1h")...)
			if _, err := io.WriteString(p.stdin, c.input); err != nil {
				t.Fatal(err)
			}
			p.saysOnStderr("hanging")
			ended := make(chan struct{})
			go func() { defer close(ended); p.rest() }()
			p.signalUntil(ended)
			if code := p.exit(); code == 0 {
				t.Error("exit code 0, want the end by a signal")
			}
		})
	}
}

// signalUntil interrupts a process again and again: when the first signal has been
// taken cannot be seen.
func (p *process) signalUntil(ended <-chan struct{}) {
	p.t.Helper()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	limit := time.After(patience)
	for {
		if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
			p.t.Fatal(err)
		}
		select {
		case <-ended:
			return
		case <-again.C:
		case <-limit:
			_ = p.cmd.Process.Kill() // so that nothing is left
			p.t.Fatalf("%v does not end; standard error:\n%s", p.cmd.Args[1:], p.stderr)
		}
	}
}

// A client that does not read its answers cannot keep the program from ending.
func TestStdioEndsWithoutReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, requests := io.Pipe()
		answers, out := io.Pipe()
		p := programFor(out, io.Discard, nil)
		p.in = in
		p.open = func(context.Context, rdfgraph.Config) (domains.Backend, error) { return troubled{}, nil }
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- p.stdio(ctx, settings{logLevel: "error", maxAnswer: server.DefaultMaxAnswer, callTimeout: time.Minute})
		}()
		if _, err := io.WriteString(requests, initialize+"\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // until the answer waits for a reader
		stop()
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "does not read") {
				t.Errorf("ends with %v, want what it waited for", err)
			}
		case <-time.After(2 * time.Minute):
			t.Error("does not end within the time of a call and the grace")
		}
		answers.Close()
		requests.Close()
	})
}
