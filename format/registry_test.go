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

// design is a design that is finished, or with open=1 one that is not.
func design(args map[string]string) *domains.Design {
	d := &domains.Design{BuildReady: args["open"] == ""}
	d.Ontology.Ready, d.Ontology.HasOWL, d.Ontology.Classes, d.Ontology.Properties = true, true, 6, 24
	d.Metadata.Ready, d.Metadata.Tables = true, 3
	a := &d.Assignment
	a.ClassesTotal, a.ClassesUsed, a.PropertiesTotal, a.PropertiesUsed, a.Percent, a.Status = 6, 6, 24, 24, 100, "complete"
	if args["open"] != "" {
		d.Metadata.Ready, d.Metadata.Tables = false, 0
		a.ClassesUsed, a.PropertiesUsed, a.Percent, a.Status = 0, 0, 0, "not_started"
		d.Message = "No fact uses the ontology yet."
	}
	d.Message += args["message"]
	return d
}
