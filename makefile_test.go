package ontogate_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// runMake runs make in the repository; without make the test is skipped.
func runMake(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("needs make: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), "make", append([]string{"--no-print-directory"}, args...)...)
	// The tests may run below make themselves.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS=") })
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("make %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestMakeHelp holds that each task is declared, and told by "make help".
func TestMakeHelp(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	var tasks []string
	for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+):`).FindAllStringSubmatch(string(makefile), -1) {
		tasks = append(tasks, m[1])
	}
	phony := regexp.MustCompile(`(?m)^\.PHONY: (.*)$`).FindStringSubmatch(string(makefile))
	if phony == nil || !slices.Equal(strings.Fields(phony[1]), tasks) {
		t.Errorf(".PHONY is %q, want the tasks in their order: %v", phony, tasks)
	}
	var told []string
	for _, line := range strings.Split(strings.TrimSuffix(runMake(t, "help"), "\n"), "\n") {
		name, about, _ := strings.Cut(line, " ")
		if strings.TrimSpace(about) == "" {
			t.Errorf("make help says nothing of %q", line)
		}
		told = append(told, name)
	}
	if !slices.Equal(told, tasks) {
		t.Errorf("make help tells of %v, want %v", told, tasks)
	}
}

// TestMakeTasks holds what tasks must run.
func TestMakeTasks(t *testing.T) {
	for _, c := range []struct {
		task    string
		pattern string // of what "make -n" prints
	}{
		{"run", `(?s)bin/actions -addr 127\.0\.0\.1:9101 &.*bin/ontogate serve --addr 127\.0\.0\.1:9100 --allow-action-host 127\.0\.0\.1:9101 &`},
		{"test", `go test \./\.\.\.`},
		{"test", `echo "Left out: .*\(make e2e\)`},
		{"check", `(?m)^CGO_ENABLED=1 go test -race .*\./\.\.\.$`},
		{"check", `(?m)^CGO_ENABLED=1 go test -race -tags e2e .*\./server/e2e/\.\.\.$`},
		{"check", `go vet -tags e2e`},
		{"check", `(?m)^go test -count=1 \./graphql \./domains/rdfgraph$`},
		{"check", "go test -tags e2e .*TestPackages.* \\./deploy"},
		{"dist", `go run \./deploy/pack .*-archives`},
		{"mcpb", `go run \./deploy/pack `},
		{"bench", `(?m)^go run \./cmd/bench *$`},
		{"gobench", `go test -run '\^\$' -bench '\.' -benchmem \./\.\.\.`},
		{"fuzz", `-fuzzminimizetime 10x`},
		{"deploy-dist", `(?m)^GOOS=linux GOARCH=amd64 CGO_ENABLED=0 go build -trimpath -ldflags '-s -w `},
		{"deploy", `(?s)deploy/ready\.sh.*deploy/stage\.sh.*bundle deploy --target dev.*bundle run --target dev mcp_ontogate`},
	} {
		if out := runMake(t, "-n", c.task); !regexp.MustCompile(c.pattern).MatchString(out) {
			t.Errorf("make %s runs nothing like %s:\n%s", c.task, c.pattern, out)
		}
	}
}
