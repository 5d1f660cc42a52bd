package doctest

import (
	"bytes"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// consoleBlock is a command after "$ " with what it prints.
var consoleBlock = regexp.MustCompile("(?s)```console\n\\$ ([^\n]*)\n(.*?)```\n")

// Consoles is a text in which the console blocks show what run returns for their
// commands. A text without any is a fault.
func Consoles(t testing.TB, text string, run func(line string) string) string {
	t.Helper()
	commands := 0
	out := consoleBlock.ReplaceAllStringFunc(text, func(block string) string {
		commands++
		line := consoleBlock.FindStringSubmatch(block)[1]
		return "```console\n$ " + line + "\n" + run(line) + "```\n"
	})
	if commands == 0 {
		t.Error("the text shows no command")
	}
	return out
}

// Output is what a command of ontogate prints to standard output. It is run as program in
// dir, with the variables of env that do not change what ontogate does. Exit codes other
// than 0 and 1 mean that the command line itself is wrong.
func Output(t testing.TB, program, dir string, env []string, line string) string {
	t.Helper()
	args, err := Words(line)
	if err != nil || len(args) == 0 || args[0] != "ontogate" {
		t.Fatalf("the text shows a command that is not ontogate: %q, %v", line, err)
	}
	cmd := exec.CommandContext(t.Context(), program, args[1:]...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(slices.Clone(env), isSetting)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Errorf("%s: %v\n%s", line, err, &errs)
	}
	return timing.ReplaceAllString(out.String(), "checked in 12ms")
}

// timing is how long a check took, which is never the same.
var timing = regexp.MustCompile(`checked in [0-9.]+m?s`)

// isSetting reports whether a variable of the environment changes what ontogate does.
func isSetting(v string) bool {
	return slices.ContainsFunc([]string{"ONTOGATE_", "ONTOBRICKS_", "REGISTRY_", "DATABRICKS_", "MCP_"}, func(p string) bool { return strings.HasPrefix(v, p) })
}
