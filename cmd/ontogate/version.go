package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set when a release is built: -ldflags "-X main.version=v0.1.0".
var version string

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Args:  cobra.NoArgs,
		RunE: p.body(func(context.Context, []string) error {
			_, err := fmt.Fprintln(p.out, versionLine())
			return err
		}),
	}
}

// shortVersion is the version that clients are told.
func shortVersion() string {
	info, _ := debug.ReadBuildInfo()
	short, _ := describeBuild(version, info)
	return short
}

// versionLine is the version with how the program was built.
func versionLine() string {
	info, _ := debug.ReadBuildInfo()
	short, commit := describeBuild(version, info)
	if commit != "" {
		commit += ", "
	}
	return fmt.Sprintf("ontogate %s (%s%s, %s/%s)", short, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// describeBuild tells version and commit of a build. release is the version that
// a release was built as; without one it is the module's, as with
// "go install …@v0.1.0", or "dev". info may be nil.
func describeBuild(release string, info *debug.BuildInfo) (version, commit string) {
	if info == nil {
		return cmp.Or(release, "dev"), ""
	}
	module := info.Main.Version
	if module == "(devel)" {
		module = ""
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = "commit " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += " with changes"
		}
	}
	return cmp.Or(release, module, "dev"), commit
}
