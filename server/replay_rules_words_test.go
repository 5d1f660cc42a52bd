package server_test

import (
	"fmt"
	"regexp"
	"strings"
)

// emptyAnswers are answers that say that there is nothing, and what we say besides.
var emptyAnswers = []struct{ tool, text, besides string }{
	{"list_domains", "No domains found in the registry.", "\nOf a folder (--domains) each sub-folder that holds RDF files is a domain, once it is published. Of a deployment of OntoBricks (--upstream) each domain of its registry with a published version is one." +
		"\nWhich folder, URL and registry it was started with, the person who runs this server can check."},
	{"list_domain_versions", "No versions returned for 'x'.", "\nlist_domains shows the domains that can be selected."},
	{"compute_virtual_attributes", "No virtual attributes declared on this class.", " get_entity_context shows what else it has."},
	{"query_graphql", "GraphQL query returned no data.", "\nget_graphql_schema shows which fields can be asked for."},
}

// pythonValue is a value of Python in a text where a value stands: at the end of a line,
// before the next column or in a list.
var pythonValue = regexp.MustCompile(`(: |= |=|, |^  )(None|True|False)(  \||  \(|,| |$)`)

// pythonWords are the words of Python, and ours.
var pythonWords = map[string]string{"None": "-", "True": "yes", "False": "no"}

// single are counts of one, which OntoBricks writes as several.
var single = regexp.MustCompile(`\b1 (entities|triples|instances|usages|results)\b`)

// wordDifferences are those of words, whatever the tool.
var wordDifferences = []difference{
	{
		name: "nested values are JSON", why: "format/DESIGN.md: lists and objects inside values are compact JSON",
		apply: func(s situation, a said) said {
			if s.tool == "get_graphql_schema" || s.tool == "describe_ontology" { // these texts are not made of values
				return a
			}
			return said{eachLine(a.text, jsonInstead), a.isError}
		},
		examples: textExamples(of("get_entity_context"),
			`    tags: ['a', 1, None, "it's"]  |  geo: {'lat': 1e-07, 'on': True}`, `    tags: ["a",1,null,"it's"]  |  geo: {"lat":1e-07,"on":true}`, "  • {'path': ['x']}", `  • {"path":["x"]}`, "  a: [1, 2], [3]", "  a: [1,2], [3]"),
	},
	{
		name: "values are written for people", why: "True/False/None become yes/no/-",
		apply: rewriting(func(s string) string { return eachLine(s, plainWords) }),
		examples: append(textExamples(situation{},
			"  id: C1  |  vip: True  |  note: None", "  id: C1  |  vip: yes  |  note: -", "  tags: a, None, True", "  tags: a, -, yes",
			"  None", "  -", "b: True", "b: yes"),
			textExamples(of("get_design_status"), "Ontology:  ready=True has_owl=False classes=1 props=2", "Ontology:  ready=yes has_owl=no classes=1 props=2")...),
	},
	{
		name: "one is not many", why: `"1 entity"`,
		apply: rewriting(func(s string) string {
			return single.ReplaceAllStringFunc(s, func(m string) string {
				return map[string]string{"1 entities": "1 entity", "1 triples": "1 triple", "1 instances": "1 instance", "1 usages": "1 usage", "1 results": "1 result"}[m]
			})
		}),
		examples: textExamples(situation{}, "Found 1 matching entity (1 triples across 1 entities, depth=1)", "Found 1 matching entity (1 triple across 1 entity, depth=1)",
			"customers (1 results)", "customers (1 result)", "  • Order  (1,001 instances)\n  • Item  (1 instances)", "  • Order  (1,001 instances)\n  • Item  (1 instance)"),
	},
	{
		name: "tags count in words", why: `"1 entity"`,
		apply: rewriting(func(s string) string {
			s = regexp.MustCompile(`\b1 (bridge|action|business rule)\(s\)`).ReplaceAllString(s, "1 $1")
			s = regexp.MustCompile(`\b(\d+) (bridge|action|business rule)\(s\)`).ReplaceAllString(s, "$1 ${2}s")
			s = regexp.MustCompile(`\b1 virtual attr\b`).ReplaceAllString(s, "1 virtual attribute")
			return regexp.MustCompile(`\b(\d+) virtual attr\b`).ReplaceAllString(s, "$1 virtual attributes")
		}),
		examples: textExamples(of("describe_ontology"), "  • A  [dataset, 1 bridge(s), 2 action(s), 1 virtual attr]", "  • A  [dataset, 1 bridge, 2 actions, 1 virtual attribute]",
			"  • A  [3 virtual attr]", "  • A  [3 virtual attributes]"),
	},
	{
		name: "what is missing is N/A", why: "a missing or null view, graph or base prints N/A",
		apply:    replacing(`(?m)^(View|Graph|Base URI):( +)(None|-)$`, "$1:${2}N/A"),
		examples: textExamples(of("select_domain"), "View:  None\nGraph: None", "View:  N/A\nGraph: N/A"),
	},
	{
		name: "a class that is not known is Unknown", why: "OntoBricks contract 4.4: ({class_name|Unknown})",
		apply:    replacing(`(?m)^((?:Virtual Attributes|Node Context) — .*  )\(None\)$`, "$1(Unknown)"),
		examples: textExamples(of("compute_virtual_attributes"), "Virtual Attributes — C1  (None)", "Virtual Attributes — C1  (Unknown)"),
	},
	{
		name: "an empty answer says what was searched and what to try", why: "an empty answer says what was searched and what to try",
		apply: whatToTry,
		examples: append(textExamples(of("query_graphql"), "GraphQL query returned no data.", "GraphQL query returned no data.\nget_graphql_schema shows which fields can be asked for."),
			exampleOf{
				in:   situation{tool: "describe_entity", args: map[string]any{"search": "zzz"}},
				from: said{text: "No matching entities found\n\nRead live triple store (search cache disabled for this call)."},
				to: said{text: "No matching entities found for search=\"zzz\".\nTry fewer or other words in search; it looks in names and local ids. list_entity_types shows what the graph holds." +
					"\n\nRead live triple store (search cache disabled for this call)."},
			}),
	},
}

// eachLine changes a text line by line.
func eachLine(s string, change func(string) string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = change(l)
	}
	return strings.Join(lines, "\n")
}

// plainWords replaces the words of Python that are values.
func plainWords(line string) string {
	for {
		next := pythonValue.ReplaceAllStringFunc(line, func(m string) string {
			parts := pythonValue.FindStringSubmatch(m)
			return parts[1] + pythonWords[parts[2]] + parts[3]
		})
		if next == line { // the end of one value may be the beginning of the next
			return line
		}
		line = next
	}
}

// jsonInstead replaces lists and objects of Python where values stand by JSON.
func jsonInstead(line string) string {
	var b strings.Builder
	for len(line) > 0 {
		before := b.String()
		value := strings.HasSuffix(before, ": ") || strings.HasSuffix(before, "= ") || strings.HasSuffix(before, ", ") || strings.HasSuffix(before, "• ")
		n := 1
		if end := literalEnd(line); value && end > 0 {
			b.WriteString(pythonToJSON(line[:end]))
			n = end
		} else {
			b.WriteByte(line[0])
		}
		line = line[n:]
	}
	return b.String()
}

// literalEnd is where a list or object ends that a text begins with; 0 for another text.
func literalEnd(s string) int {
	depth, quote := 0, byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if depth == 0 {
			if i == 0 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// pythonToJSON writes a literal of Python as JSON; strings in it have no escapes.
func pythonToJSON(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		switch c := s[0]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(s[1:], c) + 1
			fmt.Fprintf(&b, "%q", s[1:end])
			s = s[end+1:]
		case c == ' ':
			s = s[1:]
		default:
			n := max(1, strings.IndexAny(s, " ,:]}'\""))
			word := s[:n]
			if json, ok := map[string]string{"None": "null", "True": "true", "False": "false"}[word]; ok {
				word = json
			}
			b.WriteString(word)
			s = s[n:]
		}
	}
	return b.String()
}

func whatToTry(s situation, a said) said {
	if a.isError {
		return a
	}
	for _, e := range emptyAnswers {
		if e.tool == s.tool && strings.HasSuffix(a.text, e.text) {
			return said{a.text + e.besides, false}
		}
	}
	const nothing = "No matching entities found"
	if rest, ok := strings.CutPrefix(a.text, nothing); ok && s.tool == "describe_entity" {
		return said{fmt.Sprintf("%s for search=%q.\nTry fewer or other words in search; it looks in names and local ids. list_entity_types shows what the graph holds.%s",
			nothing, s.args["search"], rest), false}
	}
	if strings.HasSuffix(a.text, "Relationships:       0\n") {
		return said{a.text + "\nThe graph is empty. describe_ontology shows what it is made to hold.", false}
	}
	if lines := strings.Split(a.text, "\n"); s.tool == "get_entity_context" && len(lines) == 3 && lines[2] == "" {
		return said{a.text + "\nNothing besides facts is declared for this entity: no dataset, bridge, action, business rule or virtual attribute. describe_entity tells the facts.", false}
	}
	return a
}

// endDifferences are those of the end of an answer.
var endDifferences = []difference{
	{
		name: "the last line names domain and version", why: "Every answer about a domain ends with a line `[customer360, version 1]`",
		apply: withLastLine,
		examples: []exampleOf{
			{in: situation{tool: "get_status", selected: "d"}, from: said{text: "Domain: d"}, to: said{text: "Domain: d\n\n[d, version 1]"}},
			{
				in:   situation{tool: "list_domain_versions", args: map[string]any{"domain_name": "x"}, known: []*exchange{{Path: "/api/v1/domain/versions", Response: []byte(`{"versions":[]}`)}}},
				from: said{text: "No versions."}, to: said{text: "No versions.\n\n[x]"},
			},
		},
	},
	{
		name: "an answer of GraphQL with errors is an error", why: "STYLE.md: GraphQL answers with errors are errors, even with partial data",
		apply: func(s situation, a said) said {
			return said{a.text, a.isError || s.tool == "query_graphql" && strings.Contains(a.text, "\n\nWarnings:\n  • ")}
		},
		examples: []exampleOf{{
			in:   of("query_graphql"),
			from: said{text: "a: (not found)\n\nWarnings:\n  • boom"}, to: said{"a: (not found)\n\nWarnings:\n  • boom", true},
		}},
	},
}

// withLastLine adds the line; the version is 1 unless there is none.
func withLastLine(s situation, a said) said {
	name := s.domain()
	if a.isError || name == "" {
		return a
	}
	version := ", version 1"
	if e := s.answer("/api/v1/domain/versions"); e != nil && len(decode[struct{ Versions []any }](s, e.Path).Versions) == 0 {
		version = ""
	}
	return said{strings.TrimRight(a.text, "\n") + "\n\n[" + name + version + "]", false}
}
