package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// rule is the line under a title (OntoBricks contract 3.4).
var rule, longRule, dashes, longDashes = strings.Repeat("=", 40), strings.Repeat("=", 50), strings.Repeat("-", 40), strings.Repeat("-", 50)

// DomainsOptions narrow the answer of list_domains.
type DomainsOptions struct {
	// Search keeps the domains whose name and description hold all its words; empty
	// keeps all.
	Search string
	// Selected is the domain in effect; empty when there is none.
	Selected domains.Name
}

// Domains is the answer of list_domains.
func Domains(f Frame, list []domains.Info, o DomainsOptions) string {
	doc := document{closing: []string{selection(o.Selected)}}
	if len(list) == 0 {
		doc.closing = []string{"No domains found in the registry.",
			"A domain appears here once it is published: with --domains DIR each sub-folder of DIR that holds RDF files is one."}
		return doc.text(f)
	}
	search := strings.TrimSpace(o.Search)
	found := list
	if search != "" {
		found = slices.DeleteFunc(slices.Clone(list), func(i domains.Info) bool {
			return !holds(search, string(i.Name), i.Description)
		})
	}
	switch {
	case len(found) == 0:
		return noDomain(f, list, search, o.Selected)
	case search != "":
		doc.head = []string{fmt.Sprintf("Available Domains (%d of %d, search %s)", len(found), len(list), quoted(search)), rule}
	default:
		doc.head = []string{fmt.Sprintf("Available Domains (%d)", len(list)), rule}
	}
	doc.items = func(yield func(item) bool) {
		for _, i := range found {
			if !yield(domainItem(i)) {
				return
			}
		}
	}
	doc.more = func(c cut) string {
		return fmt.Sprintf("(%s left out: %s shows the next, search=\"…\" fewer.)", count(len(found)-c.next, "domain", "domains"), c.cursor)
	}
	return doc.text(f)
}

// domainItem is what a list says of one domain.
func domainItem(i domains.Info) item {
	tag := ""
	switch {
	case i.Unavailable != "":
		tag = "  (unavailable)"
	case !i.HasGraph:
		tag = "  (ontology-only)"
	}
	it := item{lines: []string{"  • " + oneLine(string(i.Name)) + tag}}
	if d := oneLine(i.Description); d != "" {
		it.lines = append(it.lines, "    "+shorten(d, 300))
	}
	return it
}

// selection says which domain is selected, or what to do next.
func selection(selected domains.Name) string {
	if selected == "" {
		return "No domain selected yet — call select_domain(<name>) next."
	}
	return "Currently selected: " + oneLine(string(selected))
}

// noDomain is the answer when the search of list_domains finds nothing.
func noDomain(f Frame, list []domains.Info, search string, selected domains.Name) string {
	var names []string
	for _, i := range list {
		names = append(names, string(i.Name))
	}
	lines := []string{fmt.Sprintf("No domain has %s in its name or description.", sought(search))}
	if near := domains.Nearest(search, names, 3); len(near) > 0 {
		lines = append(lines, "Did you mean: "+oneLine(strings.Join(near, ", "))+"?")
	}
	lines = append(lines, fmt.Sprintf("Leave search out to list %s.", all(len(list), "domain", "domains")), selection(selected))
	return document{closing: lines}.text(f)
}

// all names a whole of n things: "the only domain", "all 12 domains".
func all(n int, one, many string) string {
	if n == 1 {
		return "the only " + one
	}
	return "all " + count(n, one, many)
}

// Versions is the answer of list_domain_versions; list is newest first.
func Versions(f Frame, name domains.Name, list []domains.Version) string {
	if len(list) == 0 {
		return document{closing: []string{fmt.Sprintf("No versions returned for '%s'.", oneLine(string(name))),
			"list_domains shows the domains that can be selected."}}.text(f)
	}
	latest, active := list[0].Name, ""
	for _, v := range list {
		if v.Latest {
			latest = v.Name
		}
		if v.Active {
			active = v.Name
		}
	}
	served := "Active: " + oneLine(active) + "  (the version that answers come from)"
	if active == "" {
		served = "Active: none  (no version can be served: publish one first)"
	}
	doc := document{head: []string{"Versions — " + oneLine(string(name)), rule, "Latest: " + oneLine(latest), served, ""}}
	doc.items = func(yield func(item) bool) {
		for _, v := range list {
			if !yield(item{lines: []string{versionLine(v)}}) {
				return
			}
		}
	}
	doc.more = func(c cut) string {
		return fmt.Sprintf("(%s left out.)", count(len(list)-c.next, "older version", "older versions"))
	}
	return doc.text(f)
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
	if v.State != "" {
		line += " — " + oneLine(v.State)
	}
	return shorten(line, 200)
}

// Design is the answer of get_design_status.
func Design(f Frame, name domains.Name, d *domains.Design) string {
	a := d.Assignment
	doc := document{head: []string{
		"Design status — " + oneLine(string(name)), rule,
		fmt.Sprintf("Ontology:  ready=%s has_owl=%s classes=%d props=%d", yes(d.Ontology.Ready), yes(d.Ontology.HasOWL), d.Ontology.Classes, d.Ontology.Properties),
		fmt.Sprintf("Metadata:  tables=%d ready=%s", d.Metadata.Tables, yes(d.Metadata.Ready)),
		fmt.Sprintf("Assignment: progress=%d%% status=%s has_r2rml=%s classes=%d/%d props=%d/%d",
			a.Percent, orNA(a.Status), yes(a.HasR2RML), a.ClassesUsed, a.ClassesTotal, a.PropertiesUsed, a.PropertiesTotal),
		"build_ready: " + yes(d.BuildReady),
	}}
	if m := oneLine(d.Message); m != "" {
		doc.head = append(doc.head, "Note: "+m)
	}
	return doc.text(f)
}
