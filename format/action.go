package format

import (
	"encoding/json"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Action is the answer of invoke_entity_action. What is not shown of its rows cannot be
// asked for again: that would be another run.
func Action(f Frame, r *domains.ActionResult) string {
	head := []string{"Action: " + exact(r.Action), entityLine(r.LocalID, r.Class), ""}
	if len(r.Rows) == 0 {
		return whole(f, append(head, "Completed — no result rows returned."), nil, nil)
	}
	head = append(head, "Result ("+count(len(r.Rows), "row", "rows")+"):")
	rows := portionOf(nil, r.Rows, func(r json.RawMessage) []string { return []string{"  " + row(r)} },
		leftOut("  ", "row", "rows", " (the action has run; running it again only to see them would act again)"))
	return whole(f, head, []portion{rows}, nil)
}

// entityLine names the entity that something was done with.
func entityLine(id, class string) string {
	return "Entity: " + exact(id) + "  (" + className(class) + ")"
}

// mostTriples is how many of the inferred facts a rule's answer shows.
const mostTriples = 20

// Rule is the answer of run_entity_business_rule.
func Rule(f Frame, r *domains.RuleResult) string {
	head := []string{"Business rule: " + exact(r.Rule), entityLine(r.LocalID, r.Class), ""}
	if r.Inferred == 0 {
		return whole(f, append(head, "Completed — the rule produced no new facts for this entity."), nil, nil)
	}
	head = append(head, "Inferred "+count(r.Inferred, "triple", "triples")+", "+number(r.Written)+" written to the graph:")
	shown := r.Triples[:min(mostTriples, len(r.Triples))]
	facts := portionOf(nil, shown, func(t [3]string) []string {
		return []string{"  • " + termName(t[0]) + "  " + termName(t[1]) + "  " + termName(t[2])}
	}, func(n int) string { return "  … " + number(n) + " more" })
	facts.unread = max(0, r.Inferred-len(shown))
	return whole(f, head, []portion{facts}, nil)
}

// termName is the local name of an IRI; a literal stays as it is.
func termName(s string) string {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		s = domains.LocalName(s)
	}
	return shorten(oneLine(s), nameSize)
}
