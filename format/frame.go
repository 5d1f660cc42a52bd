package format

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// MinBudget is the smallest budget that is kept, in code points; a smaller one
// is taken as MinBudget.
const MinBudget = 600

// Frame is what every answer needs besides its facts.
type Frame struct {
	// Budget is the most code points that the whole answer may have, notes and
	// last line included. Less than MinBudget means MinBudget.
	Budget int
	// Scope is what the cursors of the answer are bound to.
	Scope Scope
	// From is where this page starts; nil is the start.
	From Position
	// Notes are sentences that are printed at the end of the answer, before the
	// last line: "limit 500 is above 50; 50 was used."
	Notes []string
	// Source is the last line; the zero Source prints none and is for answers
	// about the registry.
	Source Source
	// Offers reports whether the domain that the answer speaks of offers a tool, as
	// domains.Decide has it: texts advise no other. nil offers all.
	Offers func(tool string) bool
	// Off are the tools that no domain offers on this server.
	Off []string
	// Reach says how the caller can ask another domain, and Address, for ByAddress, where
	// each is served alone, with {domain} for its name.
	Reach   Reach
	Address string
	// Languages are the preferred languages of labels and texts, best first.
	Languages []string
}

func (f Frame) offers(tool string) bool { return f.Offers == nil || f.Offers(tool) }

// Source is what an answer speaks of: the last line of the text.
type Source struct {
	Domain domains.Name
	// Version is the version as shown; empty when not known.
	Version string
	// Degraded says what was left out of the domain or is wrong with it; empty when
	// nothing is.
	Degraded string
}

// SourceOf is the source of answers about a domain.
func SourceOf(d *domains.Domain) Source {
	return Source{Domain: d.Info.Name, Version: d.Version, Degraded: degraded(d.Problems)}
}

// String is the last line: [customer360, version 1].
func (s Source) String() string {
	if s.Domain == "" {
		return ""
	}
	version, degraded := "", ""
	if s.Version != "" {
		version = ", version "
	}
	if s.Degraded != "" {
		degraded = ", degraded: "
	}
	return "[" + oneLine(string(s.Domain)) + version + oneLine(s.Version) + degraded + oneLine(s.Degraded) + "]"
}

// degraded says in a few words what is wrong with a domain, with the first places:
// which files were left out, and what else is a problem.
func degraded(problems []domains.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	left, other := byEffect(problems)
	var parts []string
	if len(left) > 0 {
		files := map[string]bool{}
		for _, p := range left {
			files[p.File] = true
		}
		parts = append(parts, count(len(files), "file", "files")+" left out: "+places(left))
	}
	if len(other) > 0 {
		parts = append(parts, count(len(other), "problem", "problems")+": "+places(other))
	}
	return strings.Join(parts, "; ")
}

// byEffect parts problems by whether they leave a file out of what is served.
func byEffect(problems []domains.Problem) (left, other []domains.Problem) {
	for _, p := range problems {
		if p.LeavesFileOut() {
			left = append(left, p)
		} else {
			other = append(other, p)
		}
	}
	return left, other
}

// places is the place of the first problem, or its message when it has none, and a
// sign that there are more.
func places(problems []domains.Problem) string {
	first := problems[0]
	place := first.File
	switch {
	case place == "":
		place = shorten(first.Message, 120)
	case first.Line > 0:
		place = fmt.Sprintf("%s:%d:%d", first.File, first.Line, first.Column)
	}
	if len(problems) > 1 {
		place += " …"
	}
	return place
}
