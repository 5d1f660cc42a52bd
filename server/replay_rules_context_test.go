package server_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// contextDifferences are those of what classes have besides facts.
var contextDifferences = []difference{
	{
		name: "what the policy disables is withheld", why: "OntoBricks contract 3.6: element withheld by REST from `/nodes/context`",
		apply: withheld,
		examples: []exampleOf{{
			in: situation{
				tool: "get_entity_context", args: map[string]any{"domain_name": "d"},
				known: []*exchange{{Path: "/api/v1/domains", Response: mustJSON(map[string]any{"domains": []any{
					map[string]any{"name": "d", "mcp_policy": map[string]any{"context": map[string]string{"dataset": "disabled"}}},
				}})}},
			},
			from: said{text: "Node Context — C1  (A)\nURI: u\n\nDataset: a.b.c\n  Key: id = 'C1'\n"},
			to:   said{text: "Node Context — C1  (A)\nURI: u\n"},
		}},
	},
	{
		name: "no domain that is hidden is named by a bridge", why: "OntoBricks contract 1.1: Bridges whose target is not listed by `/domains` are dropped",
		apply: listedBridges,
		examples: []exampleOf{{
			in:   situation{tool: "describe_entity", known: []*exchange{{Path: "/api/v1/domains", Response: []byte(`{"domains":[{"name":"b"}]}`)}}},
			from: said{text: "  Bridges:\n    → a / X  \"L\"\n      Target domain: A\n    → b / Y\n    → to query\n  Actions:"},
			to:   said{text: "  Bridges:\n    → b / Y\n    → to query\n  Actions:"},
		}, {
			in:   situation{tool: "describe_entity"},
			from: said{text: "  Bridges:\n    → a / X\n    → to query\n  Actions:"}, to: said{text: "  Actions:"},
		}, {
			in: situation{tool: "describe_ontology", known: []*exchange{
				{Path: "/api/v1/domain/classes", Response: []byte(`{"classes":[{"name":"C","bridges":[{"target_domain":"hidden"}]}]}`)},
			}},
			from: said{text: "  • C  [dataset, 1 bridge(s), 1 action(s)]"}, to: said{text: "  • C  [dataset, 1 action(s)]"},
		}},
	},
	{
		name: "nothing is written for what is missing", why: "format/DESIGN.md: a description, rule or name that is missing leaves no trace",
		apply: rewriting(func(s string) string {
			s = regexp.MustCompile(`(?m)^(    → [^\s:]+): (None)?$`).ReplaceAllString(s, "$1")
			s = regexp.MustCompile(`(?m)^(  Virtual attributes \(0, computed on demand\)): $`).ReplaceAllString(s, "$1")
			return regexp.MustCompile(`(?m)^(    Rule:  -> |      — not computed)\n`).ReplaceAllString(s, "")
		}),
		examples: append(textExamples(of("describe_entity"), "  Actions:\n    → a.b.c: \n    → a.b.d: None", "  Actions:\n    → a.b.c\n    → a.b.d"),
			textExamples(of("get_entity_context"), "  → R\n    Rule:  -> \n", "  → R\n", "    x  — not computed\n      — not computed\n", "    x  — not computed\n")...),
	},
	{
		name: "a virtual attribute without a name is none", why: "OntoBricks contract 1.1: invalid names dropped",
		apply:    rewriting(countAttributes),
		examples: textExamples(of("describe_entity"), "  Virtual attributes (3, computed on demand): score, band", "  Virtual attributes (2, computed on demand): score, band"),
	},
	{
		name: "a class without a name is called by its IRI", why: "The shown name of a property or class is its label; without one, the prettified local name",
		apply: classNames,
		examples: []exampleOf{{
			in:   situation{tool: "describe_entity", known: []*exchange{{Path: "/api/v1/domain/classes", Response: []byte(`{"classes":[{"uri":"https://x/o#Customer"}]}`)}}},
			from: said{text: "  [Context — class: ]"}, to: said{text: "  [Context — class: Customer]"},
		}},
	},
	{
		name: "what an answer leaves out is told from the question", why: "OntoBricks contract 0: A compatible server must tolerate fields missing from older versions",
		apply: fromQuestion,
		examples: []exampleOf{{
			in:   situation{tool: "invoke_entity_action", args: map[string]any{"entity_uri": "https://x/Customer/C1", "action": "a.b.c"}},
			from: said{text: "Action: \nEntity:   (Unknown)"}, to: said{text: "Action: a.b.c\nEntity: C1  (Unknown)"},
		}},
	},
	{
		name: "who asked to compute is not told to compute", why: "format/DESIGN.md: no hint to compute where computing was asked for",
		apply: func(s situation, a said) said {
			if a.isError || s.tool != "compute_virtual_attributes" && s.args["compute_virtual_attributes"] != true {
				return a
			}
			return said{regexp.MustCompile(`(?m)\n  → (call|ALWAYS call) compute_virtual_attributes\(entity_uri\).*$`).ReplaceAllString(a.text, ""), false}
		},
		examples: []exampleOf{{
			in:   of("compute_virtual_attributes"),
			from: said{text: "    x  — not computed\n  → ALWAYS call compute_virtual_attributes(entity_uri) before answering: these values"},
			to:   said{text: "    x  — not computed"},
		}},
	},
	{
		name: "why rows could not be read is told", why: "upstream errors show the upstream's own message",
		apply: func(s situation, a said) said {
			if len(s.http) == 0 || s.tool != "get_entity_context" || a.isError || s.http[0].member("message") == "" {
				return a
			}
			return said{strings.TrimRight(a.text, "\n") + "\n\nNote: " + s.http[0].member("message"), false}
		},
		examples: []exampleOf{{
			in:   situation{tool: "get_entity_context", http: []*exchange{{Response: []byte(`{"message":"no access"}`)}}},
			from: said{text: "URI: u\n"}, to: said{text: "URI: u\n\nNote: no access"},
		}},
	},
}

// modes are the modes of the context elements in the domain's policy.
func (s situation) modes() map[string]string {
	for _, d := range decode[struct {
		Domains []struct {
			Name   string
			Policy struct{ Context map[string]string } `json:"mcp_policy"`
		}
	}](s, "/api/v1/domains").Domains {
		if d.Name == s.domain() {
			return d.Policy.Context
		}
	}
	return nil
}

// withheld leaves out the dataset and the bridges where the policy disables them.
func withheld(s situation, a said) said {
	modes := s.modes()
	switch {
	case a.isError:
	case s.tool == "get_entity_context" && modes["dataset"] == "disabled":
		a.text = regexp.MustCompile(`(?s)\nDataset: .*?(\n\n|\n$)`).ReplaceAllString(a.text, "")
	case s.tool == "describe_entity" && modes["bridges"] == "disabled":
		a.text = withBridges(a.text, nil)
	}
	return a
}

// listedBridges leaves out bridges to domains that are not listed, and does not count
// them.
func listedBridges(s situation, a said) said {
	switch {
	case a.isError:
	case s.tool == "describe_entity":
		a.text = withBridges(a.text, domainNames(s))
	case s.tool == "describe_ontology":
		a.text = countBridges(a.text, s)
	}
	return a
}

// countBridges takes hidden bridges out of the tags of classes.
func countBridges(text string, s situation) string {
	type class struct {
		Name    string
		Bridges []struct {
			Target string `json:"target_domain"`
		}
	}
	names := domainNames(s)
	for _, c := range decode[struct{ Classes []class }](s, "/api/v1/domain/classes").Classes {
		listed := 0
		for _, b := range c.Bridges {
			if slices.Contains(names, b.Target) {
				listed++
			}
		}
		if listed == 0 {
			text = regexp.MustCompile(`(?m)^(  • `+regexp.QuoteMeta(c.Name)+`  \[.*?)\d+ bridge\(s\), `).ReplaceAllString(text, "$1")
		}
	}
	return text
}

// withBridges keeps the bridges to these domains in the text of describe_entity; the
// hint below them goes with the last.
func withBridges(text string, names []string) string {
	bridge := regexp.MustCompile(`^    → (\S+) / `)
	var out []string
	inside, hidden, kept := false, false, 0
	for line := range strings.SplitSeq(text, "\n") {
		switch m := bridge.FindStringSubmatch(line); {
		case line == "  Bridges:":
			inside, kept = true, 0
		case inside && m != nil:
			if hidden = !slices.Contains(names, m[1]); hidden {
				continue
			}
			kept++
		case inside && strings.HasPrefix(line, "      "):
			if hidden {
				continue
			}
		case inside: // the hint
			inside = false
			if kept == 0 {
				out = out[:len(out)-1]
				continue
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// countAttributes counts the virtual attributes that are named.
func countAttributes(s string) string {
	return regexp.MustCompile(`(?m)^  Virtual attributes \(\d+(, computed on demand\): )(.+)$`).ReplaceAllStringFunc(s, func(m string) string {
		_, names, _ := strings.Cut(m, "): ")
		return regexp.MustCompile(`\(\d+`).ReplaceAllString(m, "("+scalar(len(strings.Split(names, ", "))))
	})
}

// classNames fills in the names of classes that have none.
func classNames(s situation, a said) said {
	for _, c := range decode[struct{ Classes []struct{ Name, URI string } }](s, "/api/v1/domain/classes").Classes {
		if c.Name == "" && !a.isError {
			a.text = strings.ReplaceAll(a.text, "  [Context — class: ]", "  [Context — class: "+domains.LocalName(c.URI)+"]")
		}
	}
	return a
}

// fromQuestion fills in what an answer about an action or a rule does not name.
func fromQuestion(s situation, a said) said {
	text := func(name string) string { v, _ := s.args[name].(string); return v }
	if a.isError || s.tool != "invoke_entity_action" && s.tool != "run_entity_business_rule" {
		return a
	}
	a.text = regexp.MustCompile(`(?m)^Action: $`).ReplaceAllString(a.text, "Action: "+text("action"))
	a.text = regexp.MustCompile(`(?m)^Business rule: $`).ReplaceAllString(a.text, "Business rule: "+text("rule"))
	a.text = regexp.MustCompile(`(?m)^Entity:   \(`).ReplaceAllString(a.text, "Entity: "+domains.LocalID(text("entity_uri"))+"  (")
	return a
}
