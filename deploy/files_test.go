//go:build unix

package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/domains/domaintest"
)

// image is what a container of deploy/Dockerfile runs.
type image struct {
	user         string
	env, command []string
}

// imageOf reads the last stage of deploy/Dockerfile.
func imageOf(t *testing.T) (of image) {
	t.Helper()
	data, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, stage, ok := strings.Cut(string(data), "\nFROM scratch\n")
	if !ok {
		t.Fatal("the image is not from scratch")
	}
	for line := range strings.Lines(stage) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "USER":
			of.user = rest
		case "ENV":
			of.env = append(of.env, strings.Fields(rest)...)
		case "CMD":
			of.command = strings.Fields(strings.NewReplacer("[", "", "]", "", `"`, "", ",", " ").Replace(rest))
		case "RUN":
			t.Errorf("an image from scratch cannot run %s", rest)
		}
	}
	return of
}

// TestImage holds that the image serves as somebody without rights, with settings that
// there are, and that what is copied is there.
func TestImage(t *testing.T) {
	of := imageOf(t)
	if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(of.user) || !slices.Equal(of.command, []string{"serve"}) {
		t.Errorf("%+v", of)
	}
	configuration := doctest.Page(t, "docs/configuration.md")
	for _, v := range of.env {
		if name, _, _ := strings.Cut(v, "="); !strings.Contains(configuration, "`"+name+"`") {
			t.Errorf("there is no setting %s", name)
		}
	}
	data, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	root := domaintest.Root(t)
	for _, m := range regexp.MustCompile(`(?m)^COPY ([a-z. ]+) \S+$`).FindAllStringSubmatch(string(data), -1) {
		for _, name := range strings.Fields(m[1]) {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Error(err)
			}
		}
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	base := regexp.MustCompile(`FROM golang:(\S+)`).FindStringSubmatch(string(data))
	if base == nil || !strings.Contains(string(mod), "\ngo "+base[1]+".") {
		t.Errorf("the image is built with Go %v", base)
	}
}

// TestService holds what the service of systemd must say, and lets systemd check it where
// it is installed.
func TestService(t *testing.T) {
	data, err := os.ReadFile("ontogate.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"ExecStart=/usr/local/bin/ontogate serve", "ExecReload=/bin/kill -HUP $MAINPID", "DynamicUser=yes", "ProtectSystem=strict", "WantedBy=multi-user.target"} {
		if !strings.Contains(string(data), "\n"+line+"\n") {
			t.Errorf("it does not say %s", line)
		}
	}
	configuration := doctest.Page(t, "docs/configuration.md")
	for _, m := range regexp.MustCompile(`Environment=([A-Z_]+)=`).FindAllStringSubmatch(string(data), -1) {
		if !strings.Contains(configuration, "`"+m[1]+"`") {
			t.Errorf("there is no setting %s", m[1])
		}
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		return // the rest is systemd's own check
	}
	// It wants the program to be there.
	path := filepath.Join(t.TempDir(), "ontogate.service")
	there := strings.Replace(string(data), "/usr/local/bin/ontogate", "/bin/sh", 1)
	if err := os.WriteFile(path, []byte(there), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", path).CombinedOutput()
	if err != nil || strings.Contains(string(out), "ontogate.service") {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}
