package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	build := func(module string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: module}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		name            string
		release         string
		info            *debug.BuildInfo
		version, commit string
	}{
		{"a release", "v1.2.3", build("(devel)", commit), "v1.2.3", "commit 0123456789ab"},
		{"go install", "", build("v1.2.3"), "v1.2.3", ""},
		{"a checkout", "", build("(devel)", commit, changed), "dev", "commit 0123456789ab with changes"},
		{"nothing known", "", nil, "dev", ""},
	} {
		version, commit := describeBuild(c.release, c.info)
		if version != c.version || commit != c.commit {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, version, commit, c.version, c.commit)
		}
	}
}

func TestVersionCommand(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		r := execute(t, nil, args...)
		if r.Exit != 0 || r.Stderr != "" || !strings.HasPrefix(r.Stdout, "ontogate ") || strings.Count(r.Stdout, "\n") != 1 {
			t.Errorf("%v: %+v", args, r)
		}
	}
}
