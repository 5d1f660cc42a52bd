package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/pflag"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// notCompared are the fields of a server's configuration that no flag gives as a
// value: what reads the domains, the log (--log-level has a test of its own), and the
// clock.
var notCompared = cmpopts.IgnoreFields(server.Config{}, "Backend", "Logger", "Clock")

// built runs a command line up to the server and returns the configurations of the
// server and of what reads the domains.
func built(t *testing.T, args ...string) (server.Config, rdfgraph.Config) {
	t.Helper()
	var c *server.Config
	var folder rdfgraph.Config
	p := programFor(io.Discard, io.Discard, map[string]string{"HOME": "/home/jo"})
	p.open = func(_ context.Context, f rdfgraph.Config) (domains.Backend, error) {
		folder = f
		return troubled{}, nil
	}
	p.build = func(_ context.Context, got server.Config) (*server.Server, error) {
		c = &got
		return nil, errors.New("far enough")
	}
	p.run(t.Context(), args)
	if c == nil {
		t.Fatalf("%v builds no server", args)
	}
	return *c, folder
}

// answering are the flags of every command that answers, with what they set.
var (
	answering = []string{"--domain", "sales", "--max-answer", "777", "--call-timeout", "7s"}
	answers   = server.Config{Domain: "sales", MaxAnswer: 777, CallTimeout: 7 * time.Second, Version: shortVersion()}
	serving   = []string{
		"--addr", "127.0.0.1:0", "--allow-host", "a.test,b.test:81", "--allow-host", "c.test", "--allow-origin", "https://d.test",
		"--public-url", "https://e.test", "--session-idle", "8s", "--max-sessions", "9",
	}
)

// Each flag sets its own field of the server's configuration and no other.
func TestFlagsReachServer(t *testing.T) {
	serves := answers
	serves.AllowHosts, serves.AllowOrigins = []string{"a.test", "b.test:81", "c.test"}, []string{"https://d.test"}
	serves.PublicURL, serves.SessionIdle, serves.MaxSessions = "https://e.test", 8*time.Second, 9
	for name, c := range map[string]struct {
		args []string
		want server.Config
	}{
		"serve": {slices.Concat([]string{"serve"}, serving, answering), serves},
		"stdio": {append([]string{"stdio"}, answering...), answers},
		"call":  {append([]string{"call", "list_domains"}, answering...), answers},
	} {
		got, _ := built(t, c.args...)
		if diff := cmp.Diff(c.want, got, notCompared); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if got.Backend == nil {
			t.Errorf("%s: the server gets no back end", name)
		}
	}
	// A field that is added to the configuration is added here, with its flag.
	for i := range reflect.TypeFor[server.Config]().NumField() {
		field := reflect.TypeFor[server.Config]().Field(i).Name
		known := []string{"Backend", "Logger", "Clock"}
		if !slices.Contains(known, field) && reflect.ValueOf(serves).Field(i).IsZero() {
			t.Errorf("server.Config.%s is not among the compared fields", field)
		}
	}
}

// No flag of a command that answers is without a test: it is one of those above, or
// named here with the test that holds it.
func TestEveryFlagIsHeld(t *testing.T) {
	elsewhere := map[string]string{
		"addr":            "TestPortInUse",
		"allow-anonymous": "TestPublicAddress",
		"domains":         "TestDomainsFlag",
		"log-level":       "TestLogLevel",
		"json":            "testdata/call-json.txtar",
		"strict":          "testdata/check-strict.txtar",
		"help":            "testdata/help-call.txtar",
	}
	given := slices.Concat(serving, answering)
	for _, cmd := range (&program{}).rootCommand().Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(given, "--"+f.Name) && elsewhere[f.Name] == "" {
				t.Errorf("%s: no test holds what --%s does", cmd.Name(), f.Name)
			}
		})
	}
}

// --domains is what is opened, with ~ for the home folder; without it the samples
// are.
func TestDomainsFlag(t *testing.T) {
	for _, command := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"stdio"}, {"call", "list_domains"}} {
		_, given := built(t, append(command, "--domains", "~/graphs")...)
		if given.Dir != "~/graphs" || given.Home != "/home/jo" || given.FS != nil || given.Logger == nil {
			t.Errorf("%s --domains ~/graphs opens %+v", command[0], given)
		}
		if _, none := built(t, command...); none.Dir != "" || none.FS == nil || none.Logger == nil {
			t.Errorf("%s without --domains opens %+v", command[0], none)
		}
	}
}

// --log-level is the least level that the server logs.
func TestLogLevel(t *testing.T) {
	levels := []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}
	for _, least := range levels {
		c, _ := built(t, "stdio", "--log-level", strings.ToLower(least.String()))
		for _, level := range levels {
			if got := c.Logger.Enabled(t.Context(), level); got != (level >= least) {
				t.Errorf("--log-level %v: %v is logged: %v", least, level, got)
			}
		}
	}
}

// The HTTP server has the timeouts that server.Handler asks for: a client that sends
// slowly does not hold a connection for ever, and listening streams are not cut.
func TestHTTPServer(t *testing.T) {
	var log strings.Builder
	got := httpServer(http.NotFoundHandler(), slog.New(slog.NewTextHandler(&log, nil)))
	want := &http.Server{ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(http.Server{}), cmpopts.IgnoreFields(http.Server{}, "Handler", "ErrorLog")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got.ErrorLog.Print("a fault of a connection")
	if !strings.Contains(log.String(), `level=WARN msg="a fault of a connection"`) {
		t.Errorf("faults of connections are logged as %q", log.String())
	}
}
