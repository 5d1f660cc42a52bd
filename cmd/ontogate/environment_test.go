package main

import (
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

// Every flag of every command can be given by its variable, and a flag that is
// given wins over its variable.
func TestVariables(t *testing.T) {
	env := map[string]string{}
	p := &program{lookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	command := func(name string) *cobra.Command {
		cmd, _, err := p.rootCommand().Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	for _, listed := range p.rootCommand().Commands() {
		listed.Flags().VisitAll(func(f *pflag.Flag) {
			given, held := another(t, f)
			clear(env)
			env[variable(f.Name)] = given

			fromVariable := command(listed.Name())
			if err := p.readEnvironment(fromVariable); err != nil {
				t.Errorf("%s --%s: %v", listed.Name(), f.Name, err)
			}
			if got := fromVariable.Flags().Lookup(f.Name).Value.String(); got != held {
				t.Errorf("%s with %s=%s: --%s is %q, want %q", listed.Name(), variable(f.Name), given, f.Name, got, held)
			}

			fromFlag := command(listed.Name())
			env[variable(f.Name)] = f.DefValue
			if err := fromFlag.Flags().Set(f.Name, given); err != nil {
				t.Fatal(err)
			}
			if err := p.readEnvironment(fromFlag); err != nil {
				t.Errorf("%s --%s: %v", listed.Name(), f.Name, err)
			}
			if got := fromFlag.Flags().Lookup(f.Name).Value.String(); got != held {
				t.Errorf("%s --%s %s with %s=%s: the flag is %q, want %q", listed.Name(), f.Name, given, variable(f.Name), f.DefValue, got, held)
			}
		})
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
