package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// rule is the line under a title, as OntoBricks draws it.
var rule, longRule, dashes, longDashes = strings.Repeat("=", 40), strings.Repeat("=", 50), strings.Repeat("-", 40), strings.Repeat("-", 50)

// DomainsOptions narrow the answer of list_domains.
type DomainsOptions struct {
	// Search keeps the domains whose name and description hold all its words; empty
	// keeps all.
	Search string
	// Selected is the domain in effect; empty when there is none.
	Selected domains.Name
	// Address is set for a request without a session, whose selection nobody would
	// remember: where one domain is served alone, with {domain} for its name.
	Address string
}

// Domains is the answer of list_domains.
func Domains(f Frame, list []domains.Info, o DomainsOptions) string {
	doc := document{closing: []string{o.selection()}}
	if len(list) == 0 {
		doc.closing = []string{"No domains found in the registry.",
			"Of a folder (--domains) each sub-folder that holds RDF files is a domain, once it is published. Of a deployment of OntoBricks (--upstream) each domain of its registry with a published version is one.",
			"Which folder, URL and registry it was started with, the person who runs this server can check."}
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
		return noDomain(f, list, search, o)
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

// selection says which domain is selected, or what the caller can do next.
func (o DomainsOptions) selection() string {
	switch {
	case o.Selected != "":
		return "Currently selected: " + oneLine(string(o.Selected))
	case o.Address != "":
		return "No domain selected, and without a session nothing is remembered: pass domain_name with every call, or connect to " + oneLine(o.Address) + "."
	}
	return "No domain selected yet — call select_domain(<name>) next."
}

// noDomain is the answer when the search of list_domains finds nothing.
func noDomain(f Frame, list []domains.Info, search string, o DomainsOptions) string {
	var names []string
	for _, i := range list {
		names = append(names, string(i.Name))
	}
	lines := []string{fmt.Sprintf("No domain has %s in its name or description.", sought(search))}
	if near := domains.Nearest(search, names, 3); len(near) > 0 {
		lines = append(lines, "Did you mean: "+oneLine(strings.Join(near, ", "))+"?")
	}
	lines = append(lines, fmt.Sprintf("Leave search out to list %s.", all(len(list), "domain", "domains")), o.selection())
	return document{closing: lines}.text(f)
}

// all names a whole of n things: "the only domain", "all 12 domains".
func all(n int, one, many string) string {
	if n == 1 {
		return "the only " + one
	}
	return "all " + count(n, one, many)
}

// Design is the answer of get_design_status. Of what the back end does not tell there is
// no line, and of no classes or properties no share. unavailable says why the domain
// cannot be served; empty when it can.
func Design(f Frame, name domains.Name, d *domains.Design, unavailable string) string {
	doc := document{head: []string{"Design status — " + oneLine(string(name)), rule}}
	if o := d.Ontology; o != nil {
		doc.head = append(doc.head, fmt.Sprintf("Ontology:  ready=%s has_owl=%s classes=%d props=%d", yes(o.Ready), yes(o.HasOWL), o.Classes, o.Properties))
	}
	if m := d.Metadata; m != nil {
		doc.head = append(doc.head, fmt.Sprintf("Metadata:  tables=%d ready=%s", m.Tables, yes(m.Ready)))
	}
	if a := d.Assignment; a != nil {
		doc.head = append(doc.head, fmt.Sprintf("Assignment: progress=%d%% status=%s has_r2rml=%s", a.Percent, orNA(a.Status), yes(a.HasR2RML))+
			share(" classes", a.ClassesUsed, a.ClassesTotal)+share(" props", a.PropertiesUsed, a.PropertiesTotal))
	}
	doc.head = append(doc.head, "build_ready: "+yes(d.BuildReady))
	if m := oneLine(d.Message); m != "" {
		doc.head = append(doc.head, "Note: "+m)
	}
	if u := oneLine(unavailable); u != "" {
		doc.head = append(doc.head, "The domain is not available: "+u)
	}
	return doc.text(f)
}

// share is how many of a total are used; nothing of nothing is not told.
func share(what string, used, total int) string {
	if used == 0 && total == 0 {
		return ""
	}
	return fmt.Sprintf("%s=%d/%d", what, used, total)
}
