package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// docs/configuration.md is what the flags say.
func TestConfigurationReference(t *testing.T) {
	path := filepath.Join(domaintest.Root(t), "docs", "configuration.md")
	got := configurationReference((&program{}).rootCommand())
	if *update {
		writeFile(t, path, []byte(got))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; 'go test ./cmd/ontogate -update' writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("docs/configuration.md is out of date; 'go test ./cmd/ontogate -update' writes it (-want +got):\n%s", diff)
	}
}

func configurationReference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(`# Configuration

<!-- Written by go test ./cmd/ontogate -update. Change the flags, not this file. -->

Every setting is a flag of a command and an environment variable. A flag wins
over its variables, and a variable of Ontogate over one of OntoBricks or Databricks;
a variable that is empty counts as not set. Settings that list several values take
them separated by commas, and their flags may be repeated. What a domain is and what
it shows is not set here but in its folder, see [domains.md](domains.md), or in
OntoBricks.
`)
	var order []string
	rows := map[string]*setting{}
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			s, known := rows[f.Name]
			if !known {
				s = &setting{flag: f}
				rows[f.Name] = s
				order = append(order, f.Name)
			}
			s.commands = append(s.commands, cmd.Name())
			s.defaults = append(s.defaults, defaultOf(f))
		})
	}
	slices.Sort(order)
	b.WriteString("\n## Settings\n\n| flag | variable | default | commands | meaning |\n| --- | --- | --- | --- | --- |\n")
	for _, name := range order {
		b.WriteString(rows[name].row())
	}
	b.WriteString("\n## Variables without a flag\n\nSecrets, which must not be on a command line, and what a platform says of itself.\n\n| variable | meaning |\n| --- | --- |\n")
	for _, v := range flaglessVariables {
		fmt.Fprintf(&b, "| `%s` | %s |\n", v.name, v.meaning)
	}
	b.WriteString("\nGarbage is collected when memory has grown by what is in use, as in every Go program, or by 32 MB where that is more. `GOGC` and\n" +
		"`GOMEMLIMIT` of the Go runtime change it; with either set, Ontogate leaves both to you.\n")
	b.WriteString("\n## Commands\n")
	for _, cmd := range root.Commands() {
		fmt.Fprintf(&b, "\n### %s\n\n```\n%s\n```\n\n%s\n", cmd.Name(), cmd.UseLine(), strings.TrimSpace(orElse(cmd.Long, cmd.Short+".")))
		if cmd.Example != "" {
			fmt.Fprintf(&b, "\n```\n%s\n```\n", cmd.Example)
		}
	}
	return b.String()
}

// setting is one flag with the commands that have it.
type setting struct {
	flag     *pflag.Flag
	commands []string
	defaults []string // one for each command
}

func (s setting) row() string {
	kind, usage := pflag.UnquoteUsage(s.flag)
	usage, _, _ = strings.Cut(usage, " [$")
	flag := "--" + s.flag.Name
	if kind != "" {
		flag += " " + kind
	}
	return fmt.Sprintf("| `%s` | `%s` | %s | %s | %s |\n", flag, strings.Join(variables(s.flag.Name), "`, `"), s.byDefault(), strings.Join(s.commands, ", "), usage)
}

// byDefault is the default, with the commands where they differ.
func (s setting) byDefault() string {
	var order []string
	commands := map[string][]string{} // default → commands
	for i, d := range s.defaults {
		if commands[d] == nil {
			order = append(order, d)
		}
		commands[d] = append(commands[d], s.commands[i])
	}
	if len(order) == 1 {
		return order[0]
	}
	for i, d := range order {
		order[i] = d + " (" + strings.Join(commands[d], ", ") + ")"
	}
	return strings.Join(order, ", ")
}

func defaultOf(f *pflag.Flag) string {
	if f.DefValue == "" || f.DefValue == "[]" {
		return "none"
	}
	return "`" + f.DefValue + "`"
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
