package format

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Selected is the answer of select_domain when the session now holds the
// selection. hidden are the names of the tools that the domain does not offer.
func Selected(f Frame, d *domains.Domain, st *domains.Status, hidden []string) string {
	return selected(f, d, st, hidden, fmt.Sprintf("Domain '%s' selected.", oneLine(string(d.Info.Name))), "")
}

// Checked is the answer of select_domain to a request without a session: the
// domain can be used, but nobody remembers it.
func Checked(f Frame, d *domains.Domain, st *domains.Status, hidden []string) string {
	name := oneLine(string(d.Info.Name))
	return selected(f, d, st, hidden,
		fmt.Sprintf("Domain '%s' can be used, but this request has no session that could remember it.", name),
		fmt.Sprintf("Pass domain_name=\"%s\" with every call.", name))
}

func selected(f Frame, d *domains.Domain, st *domains.Status, hidden []string, first, next string) string {
	doc := document{head: []string{
		first,
		"View:  " + orNA(st.View),
		"Graph: " + orNA(st.Graph),
		"Data:  " + data(st),
	}}
	// What no domain offers here is not known to the caller, and nothing of this one.
	listed := slices.DeleteFunc(slices.Sorted(slices.Values(hidden)), func(t string) bool { return slices.Contains(f.Off, t) })
	if len(listed) > 0 {
		doc.closing = append(doc.closing, "Not available for this domain: "+oneLine(strings.Join(listed, ", ")), "")
	}
	if next != "" {
		doc.closing = append(doc.closing, next)
	}
	doc.closing = append(doc.closing, usable(d, hidden))
	doc.problems(d.Refused, d.Problems, nil)
	return doc.text(f)
}

// usable says which tools to go on with; hidden ones are not advised.
func usable(d *domains.Domain, hidden []string) string {
	var tools []string
	for _, t := range []string{"list_entity_types", "describe_entity", "describe_ontology"} {
		if !slices.Contains(hidden, t) {
			tools = append(tools, t)
		}
	}
	ontology := slices.Contains(tools, "describe_ontology")
	switch {
	case d.Facts == nil && ontology:
		return "This domain is published with an ontology only (no graph). Use describe_ontology to read its structure."
	case d.Facts == nil:
		return "This domain is published with an ontology only (no graph)."
	case len(tools) > 2:
		tools = tools[:2]
	case len(tools) == 0:
		return "You can now use the tools that tools/list shows."
	}
	return "You can now use " + strings.Join(tools, " and ") + "."
}

// Status is the answer of get_status.
func Status(f Frame, d *domains.Domain, st *domains.Status) string {
	problems := st.Problems
	if len(problems) == 0 {
		problems = d.Problems
	}
	refused := st.Refused
	if len(refused) == 0 {
		refused = d.Refused
	}
	state := oneLine(st.Reason)
	switch {
	case state != "":
	case len(problems) > 0:
		state = "degraded"
	default:
		state = "OK"
	}
	if len(refused) > 0 {
		state += ", not the newest state"
	}
	doc := document{head: []string{
		"Domain: " + oneLine(string(d.Info.Name)),
		"View:    " + orNA(st.View),
		"Graph:   " + orNA(st.Graph),
		"Status:  " + state,
		"Data:    " + data(st),
	}}
	if !st.Modified.IsZero() {
		doc.head = append(doc.head, "Changed: "+st.Modified.UTC().Format(time.RFC3339))
	}
	doc.problems(refused, problems, st.Notes)
	return doc.text(f)
}

// data says whether there are facts, and how many.
func data(st *domains.Status) string {
	has := "No"
	if st.HasData {
		has = "Yes"
	}
	return fmt.Sprintf("%s (%s)", has, count(st.Triples, "triple", "triples"))
}

// problems makes the problems of a domain the items of a document: first those for which a
// newer state is refused, then the files that were left out, then what is left out on
// purpose.
func (doc *document) problems(refused, list, notes []domains.Problem) {
	if len(refused)+len(list)+len(notes) == 0 {
		return
	}
	left, other := byEffect(list)
	parts := []struct {
		heading  string
		problems []domains.Problem
	}{
		{fmt.Sprintf("A newer state of the sources is not served, because of %s; what is served is the state before. To get the newer one served, mend:", count(len(refused), "new problem", "new problems")), refused},
		{fmt.Sprintf("Problems (%d), left out of what is served:", len(left)), left},
		{fmt.Sprintf("Problems (%d) that leave no file out:", len(other)), other},
		{fmt.Sprintf("Notes (%d), which degrade nothing:", len(notes)), notes},
	}
	doc.items = func(yield func(item) bool) {
		for _, part := range parts {
			for _, p := range part.problems {
				if !yield(item{heading: []string{"", part.heading}, lines: []string{"  • " + shorten(oneLine(p.String()), 400)}}) {
					return
				}
			}
		}
	}
	doc.more = func(c cut) string {
		return fmt.Sprintf("(%s left out: the command ontogate check lists all.)", count(len(refused)+len(list)+len(notes)-c.next, "problem", "problems"))
	}
}
