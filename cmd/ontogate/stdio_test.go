package main

import (
	"strings"
	"testing"
)

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	// listVersions reaches the part of the back end that the tests make trouble with.
	listVersions = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_domain_versions","arguments":{"domain_name":"trouble"}}}`
	ping         = `{"jsonrpc":"2.0","id":9,"method":"ping"}`
)

// Whatever happens, standard output carries JSON-RPC messages and nothing else:
// one stray line makes a client give up.
func TestStdioCarriesOnlyMessages(t *testing.T) {
	conversation := []string{
		initialize, initialized,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		listVersions,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"select_domain","arguments":{"domain_name":"none"}}}`,
		`{"jsonrpc":"2.0","id":6,"method":"no/such/method"}`,
		"this is no message",
		`[]`,
	}
	ids := []string{"1", "2", "3", "4", "5", "6"}
	for name, c := range map[string]struct {
		backend string
		args    []string
	}{
		"debug log":         {"real", []string{"--log-level", "debug"}},
		"broken folder":     {"real", []string{"--log-level", "debug", "--domains", brokenFolder(t)}},
		"printing back end": {"prints", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, c.backend, nil, append([]string{"stdio"}, c.args...)...)
			p.answers(conversation, ids...)
			p.answers([]string{ping}, "9")
			p.stdin.Close()
			for _, line := range p.rest() {
				mustMessage(t, line)
			}
			if code := p.exit(); code != 0 {
				t.Errorf("exit code %d at the end of the input, want 0; standard error:\n%s", code, p.stderr)
			}
			if c.backend == "prints" && !strings.Contains(p.stderr.String(), "a dependency prints") {
				t.Error("what the back end printed is not on standard error")
			}
		})
	}
}

// A panic inside a tool is an internal error of that call; the session goes on.
func TestStdioSurvivesPanic(t *testing.T) {
	p := start(t, "panics", nil, "stdio")
	got := p.answers([]string{initialize, initialized, listVersions}, "1", "3")
	if e := got["3"].Error; e == nil || e.Code != -32603 || strings.Contains(e.Message, "panics") {
		t.Errorf("a panic is answered with %+v, want error -32603 that keeps the cause to itself", got["3"])
	}
	p.answers([]string{ping}, "9")
	p.stdin.Close()
	for _, line := range p.rest() {
		mustMessage(t, line)
	}
	p.exit()
	if !strings.Contains(p.stderr.String(), "a back end panics") {
		t.Errorf("the log lacks the cause:\n%s", p.stderr)
	}
}

// Errors of the command line and of the start are on standard error alone.
func TestStdioFaultyStart(t *testing.T) {
	missing := t.TempDir() + "/missing"
	for name, c := range map[string]struct {
		args []string
		env  []string
		exit int
		says string
	}{
		"unknown flag":    {[]string{"--nope"}, nil, exitUsage, "--nope"},
		"an argument":     {[]string{"extra"}, nil, exitUsage, "extra"},
		"bad level":       {[]string{"--log-level", "loud"}, nil, exitUsage, "--log-level loud"},
		"bad variable":    {nil, []string{"ONTOGATE_MAX_ANSWER=many"}, exitUsage, "ONTOGATE_MAX_ANSWER"},
		"missing folder":  {[]string{"--domains", missing}, nil, exitFailed, missing},
		"unknown domain":  {[]string{"--domain", "custmer360"}, nil, exitFailed, "--domain: unknown domain 'custmer360'. Did you mean 'customer360'?"},
		"help, not asked": {[]string{"--help"}, nil, 0, "Usage:"},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, "real", c.env, append([]string{"stdio"}, c.args...)...)
			if lines := p.rest(); len(lines) > 0 {
				t.Errorf("standard output is not empty: %q", lines)
			}
			if code := p.exit(); code != c.exit {
				t.Errorf("exit code %d, want %d", code, c.exit)
			}
			if !strings.Contains(p.stderr.String(), c.says) {
				t.Errorf("standard error lacks %q:\n%s", c.says, p.stderr)
			}
		})
	}
}
