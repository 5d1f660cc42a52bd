package format_test

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// registry reads "name | description | graph, ontology or a reason why it is not
// available" and "version | state | marks", one a line; "300..1" stands for a version
// with each of these names.
func (g *graph) registry(infos, versions string) {
	for _, c := range table(infos) {
		i := domains.Info{Name: domains.Name(c[0]), Description: c[1], HasGraph: c[2] == "graph"}
		if c[2] != "graph" && c[2] != "ontology" {
			i.Unavailable = c[2]
		}
		g.infos = append(g.infos, i)
	}
	for _, c := range table(versions) {
		var first, last int
		v := domains.Version{Name: c[0], State: c[1], Latest: strings.Contains(c[2], "latest"), Active: strings.Contains(c[2], "active")}
		if n, _ := fmt.Sscanf(c[0], "%d..%d", &first, &last); n < 2 {
			g.versions = append(g.versions, v)
			continue
		}
		for ; first >= last; first-- {
			v.Name = fmt.Sprint(first)
			g.versions = append(g.versions, v)
		}
	}
}

// problems reads "file | message", one a line, all at 3:5; without a file they have
// no place.
func problems(text string) []domains.Problem {
	var out []domains.Problem
	for _, c := range table(text) {
		p := domains.Problem{File: c[0], Line: 3, Column: 5, Message: c[1]}
		if p.File == "" {
			p.Line, p.Column = 0, 0
		}
		out = append(out, p)
	}
	return out
}

func table(text string) [][]string {
	var rows [][]string
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if l == "" {
			continue
		}
		cells := append(strings.Split(l, "|"), "", "")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// design is a design that is finished, or with open=1 one that is not; bare=1 leaves all
// parts out, and uncounted=1 the totals of the assignment.
func design(args map[string]string) *domains.Design {
	d := &domains.Design{
		Ontology:   &domains.DesignOntology{Ready: true, HasOWL: true, Classes: 6, Properties: 24},
		Metadata:   &domains.DesignMetadata{Ready: true, Tables: 3},
		Assignment: &domains.DesignAssignment{ClassesTotal: 6, ClassesUsed: 6, PropertiesTotal: 24, PropertiesUsed: 24, Percent: 100, Status: "complete"},
		BuildReady: true,
	}
	a := d.Assignment
	switch {
	case args["open"] != "":
		*d.Metadata = domains.DesignMetadata{}
		a.ClassesUsed, a.PropertiesUsed, a.Percent, a.Status = 0, 0, 0, "not_started"
		d.BuildReady, d.Message = false, "No fact uses the ontology yet."
	case args["bare"] != "":
		*d = domains.Design{}
	case args["uncounted"] != "":
		a.PropertiesTotal, a.PropertiesUsed = 0, 0
	}
	d.Message += args["message"]
	return d
}
