package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Versions is the answer of list_domain_versions; list is newest first. unavailable
// says why no version of the domain can be served; empty when one can.
func Versions(f Frame, name domains.Name, list []domains.Version, unavailable string) string {
	if len(list) == 0 {
		closing := []string{fmt.Sprintf("No versions returned for '%s'.", oneLine(string(name)))}
		if unavailable != "" {
			closing = append(closing, "The domain is not available: "+oneLine(unavailable))
		}
		return document{closing: append(closing, "list_domains shows the domains that can be selected.")}.text(f)
	}
	latest := list[0].Name
	for _, v := range list {
		if v.Latest {
			latest = v.Name
		}
	}
	doc := document{head: []string{"Versions — " + oneLine(string(name)), rule, "Latest: " + oneLine(latest), "Active: " + active(list, unavailable), ""}}
	lines := versionLines(list, max(f.Budget, MinBudget)-versionsFurniture)
	doc.items = func(yield func(item) bool) {
		for _, l := range lines {
			if !yield(item{lines: []string{l.text}}) {
				return
			}
		}
	}
	doc.more = func(c cut) string {
		left := 0
		for _, l := range lines[max(c.next, 0):] {
			left += l.versions
		}
		return fmt.Sprintf("(%s left out: the command ontogate check lists all.)", count(left, "older version", "older versions"))
	}
	return doc.text(f)
}

// active says which version is served, or why none is.
func active(list []domains.Version, unavailable string) string {
	for _, v := range list {
		if v.Active {
			return oneLine(v.Name) + "  (the version that answers come from)"
		}
	}
	published := func(v domains.Version) bool { return v.State == domains.StatePublished }
	switch {
	case unavailable != "":
		return "none  (no version can be served: " + shorten(oneLine(unavailable), 300) + ")"
	case !slices.ContainsFunc(list, published):
		return "none  (no version is " + domains.StatePublished + ": publish one first)"
	}
	return "none  (no version is served)"
}

const (
	// versionsFurniture is about what the list of versions needs besides its lines.
	versionsFurniture = 900
	// ownLines is the most versions with a line of their own in a long list, and
	// roomOfLine what each of them is reckoned to need.
	ownLines, roomOfLine = 20, 60
	// namesInLine is how many names of versions a line of a long list holds, and
	// longRun how many numbers have to follow each other to be a range.
	namesInLine, longRun = 10, 3
)

// lineOfVersions is a line with one version or several.
type lineOfVersions struct {
	text     string
	versions int
}

// versionLines are the versions, one a line. When they have no room, those after
// the first few share lines with their neighbours of the same state: whole numbers
// that follow each other as a range, others by name.
func versionLines(list []domains.Version, room int) []lineOfVersions {
	var out []lineOfVersions
	used := 0
	for _, v := range list {
		l := lineOfVersions{versionLine(v), 1}
		used += size(l.text) + 1
		out = append(out, l)
	}
	own := min(len(list), ownLines, max(room/roomOfLine, longRun))
	if used <= room || own == len(list) {
		return out
	}
	out = out[:own]
	for rest := list[own:]; len(rest) > 0; {
		n := run(rest)
		if n < longRun {
			for n = 1; n < min(len(rest), namesInLine) && alike(rest[0], rest[n]) && run(rest[n:]) < longRun; {
				n++
			}
		}
		out = append(out, shared(rest[:n]))
		rest = rest[n:]
	}
	return out
}

// alike reports whether two versions can share a line.
func alike(a, b domains.Version) bool {
	return a.State == b.State && !a.Latest && !a.Active && !b.Latest && !b.Active
}

// run is how many versions from the first on can share a line and have whole
// numbers as names, each one less than that before it.
func run(list []domains.Version) int {
	first, err := strconv.Atoi(list[0].Name)
	n := 1
	for err == nil && n < len(list) && alike(list[0], list[n]) && list[n].Name == strconv.Itoa(first-n) {
		n++
	}
	return n
}

// shared is a line for versions that are alike.
func shared(list []domains.Version) lineOfVersions {
	n := len(list)
	switch {
	case n == 1:
		return lineOfVersions{versionLine(list[0]), 1}
	case run(list) >= longRun:
		return lineOfVersions{fmt.Sprintf("  • %s down to %s%s  (%s)", list[0].Name, list[n-1].Name, stateOf(list[0]), count(n, "version", "versions")), n}
	}
	var names []string
	for _, v := range list {
		names = append(names, shorten(oneLine(v.Name), 40))
	}
	return lineOfVersions{"  • " + strings.Join(names, ", ") + stateOf(list[0]), n}
}

// versionLine is one version with its marks and state.
func versionLine(v domains.Version) string {
	var marks []string
	if v.Latest {
		marks = append(marks, "latest")
	}
	if v.Active {
		marks = append(marks, "active")
	}
	line := "  • " + oneLine(v.Name)
	if len(marks) > 0 {
		line += " (" + strings.Join(marks, ", ") + ")"
	}
	return shorten(line+stateOf(v), 200)
}

// stateOf is the state of a version, after its name.
func stateOf(v domains.Version) string {
	if state := shorten(oneLine(v.State), 40); state != "" {
		return " — " + state
	}
	return ""
}
