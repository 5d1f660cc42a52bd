package rdfgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// version is a version of a domain and the folder that holds it, relative to the
// domain's folder.
type version struct {
	domains.Version
	folder string
}

// shownVersion is the name of a version as people read it: folder v2 is version 2.
func shownVersion(folder string) string {
	if len(folder) > 1 && (folder[0] == 'v' || folder[0] == 'V') && '0' <= folder[1] && folder[1] <= '9' {
		return folder[1:]
	}
	return folder
}

// versionsOf lists the versions that a domain.yaml declares, newest first. The
// one to serve is marked as active; without one, reason says why. A domain that
// has nothing published has neither.
func versionsOf(s *settings) (versions []version, reason string) {
	for folder, state := range s.Versions {
		versions = append(versions, version{domains.Version{Name: shownVersion(folder), State: state}, folder})
	}
	if len(s.Versions) == 0 {
		versions = []version{{domains.Version{Name: "1", State: domains.StatePublished}, "."}}
	}
	slices.SortFunc(versions, func(a, b version) int {
		return cmp.Or(compareVersions(b.Name, a.Name), cmp.Compare(b.folder, a.folder))
	})
	versions[0].Latest = true
	i := slices.IndexFunc(versions, func(v version) bool {
		if s.Active != "" {
			return v.folder == s.Active || v.Name == s.Active
		}
		return v.State == domains.StatePublished
	})
	switch {
	case s.Active != "" && i < 0:
		return versions, fmt.Sprintf("active names version %q, which versions does not list: the versions are %s",
			s.Active, strings.Join(names(versions), ", "))
	case s.Active != "" && versions[i].State != domains.StatePublished:
		return versions, fmt.Sprintf("active names version %q, which is %s: only a PUBLISHED version can be served",
			s.Active, versions[i].State)
	case i >= 0:
		versions[i].Active = true
	}
	return versions, ""
}

// hasPublished reports whether a version may be served.
func hasPublished(versions []version) bool {
	return slices.ContainsFunc(versions, func(v version) bool { return v.State == domains.StatePublished })
}

func names(versions []version) []string {
	out := make([]string, len(versions))
	for i, v := range versions {
		out[i] = v.Name
	}
	return out
}

// compareVersions orders version names by their parts between dots: numbers by
// value, and after text that is no number. 1.10 is above 1.9, 2 above 2-beta.
func compareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		if c := compareParts(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

func compareParts(a, b string) int {
	if isNumber(a) && isNumber(b) {
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}
	switch {
	case isNumber(a):
		return 1
	case isNumber(b):
		return -1
	}
	return cmp.Compare(a, b)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
