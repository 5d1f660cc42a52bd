package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// another is a value that a flag of this type can have and none has by default.
func another(t *testing.T, f *pflag.Flag) (given, held string) {
	t.Helper()
	switch f.Value.Type() {
	case "string":
		return "something", "something"
	case "stringSlice":
		return "one,two", "[one,two]"
	case "int":
		return "7", "7"
	case "bool":
		return "true", "true"
	case "duration":
		return "7s", "7s"
	}
	t.Fatalf("no value of type %s is known for --%s", f.Value.Type(), f.Name)
	return "", ""
}

// parsed is a command with the flags and the environment that are given.
func parsed(t *testing.T, env map[string]string, line ...string) *cobra.Command {
	t.Helper()
	p := &program{lookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	cmd, args, err := p.rootCommand().Find(line)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	if err := p.readEnvironment(cmd); err != nil {
		t.Fatalf("%v with %v: %v", line, env, err)
	}
	return cmd
}

// Every flag of every command can be given by each of its variables: a flag that is
// given wins over them, and an earlier one over a later.
func TestVariables(t *testing.T) {
	for _, listed := range (&program{}).rootCommand().Commands() {
		listed.Flags().VisitAll(func(f *pflag.Flag) {
			given, held := another(t, f)
			check := func(env map[string]string, flags ...string) {
				t.Helper()
				cmd := parsed(t, env, append([]string{listed.Name()}, flags...)...)
				if got := cmd.Flags().Lookup(f.Name).Value.String(); got != held {
					t.Errorf("%s %v with %v: --%s is %q, want %q", listed.Name(), flags, env, f.Name, got, held)
				}
			}
			env := map[string]string{}
			names := variables(f.Name)
			for i := len(names) - 1; i >= 0; i-- {
				env[names[i]] = given
				check(env)
				env[names[i]] = f.DefValue
			}
			check(env, "--"+f.Name+"="+given)
		})
	}
}

// What other variables say becomes the default of a flag.
func TestAdaptedDefaults(t *testing.T) {
	for _, c := range []struct {
		line string // after "serve"
		env  string
		flag string
		want string
	}{
		{"", "", "addr", "127.0.0.1:9100"},
		{"", "MCP_PORT=9200", "addr", "127.0.0.1:9200"},
		{"", "MCP_PORT=9200 ONTOGATE_ADDR=127.0.0.1:1", "addr", "127.0.0.1:1"},
		{"--addr=127.0.0.1:2", "MCP_PORT=9200 ONTOGATE_ADDR=127.0.0.1:1", "addr", "127.0.0.1:2"},
		{"", "MCP_PORT=9200 DATABRICKS_APP_PORT=8000", "addr", "0.0.0.0:8000"},
		{"--addr=127.0.0.1:3", "DATABRICKS_APP_PORT=8000", "addr", "127.0.0.1:3"},

		{"", "", "upstream", ""},
		{"", "ONTOBRICKS_URL=https://a.test", "upstream", "https://a.test"},
		{"", "REGISTRY_CATALOG=c REGISTRY_SCHEMA=s", "upstream", "http://localhost:8000"},
		{"--registry-catalog=c --registry-schema=s", "", "upstream", "http://localhost:8000"},
		{"", "REGISTRY_CATALOG=c", "upstream", ""},
		{"", "REGISTRY_VOLUME_PATH=/Volumes/c/s/v", "upstream", ""},
		{"", "REGISTRY_CATALOG=c REGISTRY_SCHEMA=s ONTOBRICKS_URL=https://a.test", "upstream", "https://a.test"},

		{"", "REGISTRY_VOLUME_PATH=/Volumes/c/s/v", "registry-catalog", "c"},
		{"", "REGISTRY_VOLUME_PATH=/Volumes/c/s/v", "registry-schema", "s"},
		{"", "REGISTRY_VOLUME_PATH=/Volumes/c/s/v", "registry-volume", "v"},
		{"", "REGISTRY_VOLUME_PATH=/Volumes/c/s/v REGISTRY_SCHEMA=other", "registry-schema", "other"},

		{"", "", "call-timeout", "25s"},
		{"--upstream=https://a.test", "", "call-timeout", "50s"},
		{"", "REGISTRY_CATALOG=c REGISTRY_SCHEMA=s", "call-timeout", "50s"},
		{"--upstream=https://a.test --call-timeout=25s", "", "call-timeout", "25s"},
		{"--upstream=https://a.test", "ONTOGATE_CALL_TIMEOUT=7s", "call-timeout", "7s"},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		cmd := parsed(t, env, append([]string{"serve"}, strings.Fields(c.line)...)...)
		if got := cmd.Flags().Lookup(c.flag).Value.String(); got != c.want {
			t.Errorf("serve %s with %q: --%s is %q, want %q", c.line, c.env, c.flag, got, c.want)
		}
	}
}

// A variable of a platform that cannot be read is told with its name.
func TestFaultyVariables(t *testing.T) {
	for name, value := range map[string]string{
		"MCP_PORT": "http", "DATABRICKS_APP_PORT": "70000", "REGISTRY_VOLUME_PATH": "/Volumes/c", "ONTOGATE_CALL_TIMEOUT": "soon",
	} {
		r := execute(t, map[string]string{name: value}, "serve")
		if r.Exit != exitUsage || !strings.Contains(r.Stderr, name) || r.Stdout != "" {
			t.Errorf("%s=%s: %+v", name, value, r)
		}
	}
}

// An empty variable is one that is not set: it is how a shell or a client's
// configuration form leaves a setting out.
func TestEmptyVariable(t *testing.T) {
	p := &program{lookupEnv: func(string) (string, bool) { return "", true }}
	for _, cmd := range p.rootCommand().Commands() {
		if err := p.readEnvironment(cmd); err != nil {
			t.Errorf("%s: %v", cmd.Name(), err)
		}
	}
}
