package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
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
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// notCompared are the fields of a server's configuration that no flag gives as a
// value: what reads the domains, the log (--log-level has a test of its own), and the
// clock.
var notCompared = cmpopts.IgnoreFields(server.Config{}, "Backend", "Logger", "Clock")

// wiring is what a command line comes to: the configurations of the server, of what
// reads folders, and of what asks a deployment; nil for what is not opened.
type wiring struct {
	server   server.Config
	folder   *rdfgraph.Config
	upstream *ontobricks.Config
}

// built runs a command line up to the server.
func built(t *testing.T, env map[string]string, args ...string) wiring {
	t.Helper()
	var w wiring
	done := false
	environment := map[string]string{"HOME": "/home/jo"}
	maps.Copy(environment, env)
	var errs strings.Builder
	p := programFor(io.Discard, &errs, environment)
	p.open = func(_ context.Context, c rdfgraph.Config) (domains.Backend, error) {
		w.folder = &c
		return troubled{}, nil
	}
	p.connect = func(c ontobricks.Config) (domains.Backend, error) {
		w.upstream = &c
		return troubled{name: "upstream"}, nil
	}
	p.build = func(_ context.Context, got server.Config) (*server.Server, error) {
		w.server, done = got, true
		return nil, errors.New("far enough")
	}
	p.run(t.Context(), args)
	if !done {
		t.Fatalf("%v builds no server: %s", args, &errs)
	}
	return w
}

// answering are the flags of every command that answers, with what they set.
var (
	answering = []string{
		"--domain", "sales", "--max-answer", "777", "--call-timeout", "7s", "--read-only", "--disable-tools", "get_status,query_graphql", "--name", "sales graphs",
		"--upstream", "https://brick.test/base/", "--registry-catalog", "c", "--registry-schema", "s", "--registry-volume", "v",
	}
	answers = server.Config{
		Domain: "sales", MaxAnswer: 777, CallTimeout: 7 * time.Second, Version: shortVersion(), ReadOnly: true, Name: "sales graphs",
		DisabledTools: []string{"get_status", "query_graphql"},
		Deployment:    server.Deployment{URL: "https://brick.test/base", Warehouse: "w", Registry: "c.s.v"},
	}
	serving = []string{
		"--addr", "127.0.0.1:0", "--allow-host", "a.test,b.test:81", "--allow-host", "c.test", "--allow-origin", "https://d.test",
		"--public-url", "https://e.test", "--session-idle", "8s", "--max-sessions", "9",
	}
)

// Each flag sets its own field of the server's configuration and no other.
func TestFlagsReachServer(t *testing.T) {
	serves := answers
	serves.AllowHosts, serves.AllowOrigins = []string{"a.test", "b.test:81", "c.test"}, []string{"https://d.test"}
	serves.PublicURL, serves.SessionIdle, serves.MaxSessions = "https://e.test", 8*time.Second, 9
	called := answers
	called.OneCall = true
	for name, c := range map[string]struct {
		args []string
		want server.Config
	}{
		"serve": {slices.Concat([]string{"serve"}, serving, answering), serves},
		"stdio": {append([]string{"stdio"}, answering...), answers},
		"call":  {append([]string{"call", "list_domains"}, answering...), called},
	} {
		got := built(t, map[string]string{"DATABRICKS_SQL_WAREHOUSE_ID": "w"}, c.args...).server
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
		known := []string{"Backend", "Logger", "Clock", "App", "OneCall"} // App: TestAppMode; OneCall is of the command
		if !slices.Contains(known, field) && reflect.ValueOf(serves).Field(i).IsZero() {
			t.Errorf("server.Config.%s is not among the compared fields", field)
		}
	}
}

// No flag of a command that answers is without a test: it is one of those above, or
// named here with the test that holds it.
func TestEveryFlagIsHeld(t *testing.T) {
	elsewhere := map[string]string{
		"addr":              "TestPortInUse",
		"allow-action-host": "testdata/call-allow-action-host.txtar",
		"allow-anonymous":   "TestPublicAddress",
		"base":              "testdata/convert-base.txtar",
		"canonical":         "testdata/convert-canonical.txtar",
		"domains":           "TestDomainsFlag",
		"log-level":         "TestLogLevel",
		"from":              "TestConvertStandardStreams",
		"json":              "testdata/call-json.txtar",
		"strict":            "testdata/check-strict.txtar",
		"help":              "testdata/help-call.txtar",
		"no-snapshots":      "TestSnapshotsFlag",
		"ontology-path":     "TestOntologyPathFlag",
		"profile":           "TestProfileFlag",
		"to":                "TestConvertStandardStreams",
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

// commands are those that answer tool calls, as far as they need arguments.
var commands = [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"stdio"}, {"call", "list_domains"}}

// The folders of --ontology-path reach what reads domains, from the environment too; check is
// held by testdata/check-imports.txtar.
func TestOntologyPathFlag(t *testing.T) {
	for _, command := range commands {
		got := built(t, nil, append(command, "--ontology-path", "~/a", "--ontology-path", "b,c")...).folder.OntologyPath
		if diff := cmp.Diff([]string{"~/a", "b", "c"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command[0], diff)
		}
		got = built(t, map[string]string{"ONTOGATE_ONTOLOGY_PATH": "a,b"}, command...).folder.OntologyPath
		if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
			t.Errorf("%s with the variable (-want +got):\n%s", command[0], diff)
		}
	}
}

// Commands that answer keep snapshot files unless --no-snapshots says no; check has
// neither the flag nor files.
func TestSnapshotsFlag(t *testing.T) {
	for _, command := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"stdio"}, {"call", "list_domains"}} {
		args := append(command, "--domains", "graphs")
		if got := built(t, nil, args...).folder.Snapshots; got != rdfgraph.SnapshotsOn {
			t.Errorf("%s: snapshots %d", command[0], got)
		}
		if got := built(t, nil, append(args, "--no-snapshots")...).folder.Snapshots; got != rdfgraph.SnapshotsOff {
			t.Errorf("%s --no-snapshots: snapshots %d", command[0], got)
		}
	}
	dir := t.TempDir()
	var out strings.Builder
	programFor(&out, &out, nil).run(t.Context(), []string{"check", "--domains", dir, "--no-snapshots"})
	if !strings.Contains(out.String(), "unknown flag: --no-snapshots") {
		t.Errorf("check --no-snapshots: %s", &out)
	}
}

// --domains is what is opened, with ~ for the home folder; without it the samples
// are.
func TestDomainsFlag(t *testing.T) {
	for _, command := range commands {
		given := built(t, nil, append(command, "--domains", "~/graphs")...)
		if f := given.folder; f.Dir != "~/graphs" || f.Home != "/home/jo" || f.FS != nil || f.Logger == nil || given.upstream != nil {
			t.Errorf("%s --domains ~/graphs opens %+v", command[0], given)
		}
		none := built(t, nil, command...)
		if f := none.folder; f.Dir != "" || f.FS == nil || f.Logger == nil || none.upstream != nil {
			t.Errorf("%s without --domains opens %+v", command[0], none)
		}
	}
}

// --upstream is what is asked, in place of the samples or besides --domains.
func TestUpstreamFlag(t *testing.T) {
	for _, command := range commands {
		args := append(command, "--upstream", "https://brick.test", "--registry-catalog", "c", "--registry-schema", "s", "--registry-volume", "v")
		w := built(t, nil, args...)
		if w.folder != nil {
			t.Errorf("%s --upstream opens a folder too: %+v", command[0], w.folder)
		}
		want := ontobricks.Config{
			URL: "https://brick.test", Registry: ontobricks.Registry{Catalog: "c", Schema: "s", Volume: "v"}, UserAgent: "ontogate/" + shortVersion(),
		}
		if diff := cmp.Diff(want, *w.upstream, cmpopts.IgnoreFields(ontobricks.Config{}, "Logger")); diff != "" || w.upstream.Logger == nil {
			t.Errorf("%s --upstream asks (-want +got):\n%s", command[0], diff)
		}
		w = built(t, nil, append(args, "--domains", "graphs")...)
		if w.folder == nil || w.upstream == nil || w.folder.Dir != "graphs" {
			t.Errorf("%s with both opens %+v", command[0], w)
		}
		infos, err := w.server.Backend.Domains(t.Context())
		if err != nil || len(infos) != 2 {
			t.Errorf("%s with both lists %v, %v; want the domains of both", command[0], infos, err)
		}
	}
}

// --log-level is the least level that the server logs.
func TestLogLevel(t *testing.T) {
	levels := []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}
	for _, least := range levels {
		c := built(t, nil, "stdio", "--log-level", strings.ToLower(least.String())).server
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
