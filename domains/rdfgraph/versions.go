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
	if len(folder) > 1 && (folder[0] == 'v' || folder[0] == 'V') && isDigit(folder[1]) {
		return folder[1:]
	}
	return folder
}

// versionsOf lists the versions that a domain.yaml declares, newest first. The
// one to serve is marked as active; without one, reason says why. A domain that
// has nothing published has neither, unless active names no version at all.
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
	case !hasPublished(versions):
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

// compareVersions orders version names part by part: runs of digits by value, and
// between them text, whatever its case; '.', '-' and '_' only separate. Where one
// name ends, a number that follows in the other makes that one higher and text lower:
// 1 < 2-beta < 2 < 2.0, 2024-9 < 2024-10.
func compareVersions(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	for a != "" || b != "" {
		var x, y string
		x, a = cutPart(a)
		y, b = cutPart(b)
		if c := compareParts(x, y); c != 0 {
			return c
		}
	}
	return 0
}

// cutPart takes the first part off a version name; it is empty when none is left.
func cutPart(s string) (part, rest string) {
	s = strings.TrimLeft(s, "._-")
	end := strings.IndexAny(s, "._-")
	if s != "" && isDigit(s[0]) {
		end = strings.IndexFunc(s, func(r rune) bool { return r > '9' || r < '0' })
	} else if i := strings.IndexAny(s, "0123456789"); i >= 0 && (end < 0 || i < end) {
		end = i
	}
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}

// compareParts orders text below the end of a name, and that below numbers.
func compareParts(a, b string) int {
	rank := func(s string) int {
		switch {
		case s == "":
			return 1
		case isDigit(s[0]):
			return 2
		}
		return 0
	}
	if rank(a) == 2 && rank(b) == 2 {
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
