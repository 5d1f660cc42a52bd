package server_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// toolDifferences are those of single tools.
var toolDifferences = []difference{
	{
		name: "Turtle comes only when it is asked for", why: "Turtle only when asked",
		apply:    replacing(`(?s)\n\nOWL \(Turtle\)\n-+\n.*`, ""),
		examples: textExamples(of("describe_ontology"), "  • A\n\nOWL (Turtle)\n-----\n:A a owl:Class .\n", "  • A"),
	},
	{
		name: "describe_ontology tells what the ontology declares", why: "describe_ontology a class tree with attributes and relationships",
		apply: declaredTree,
		examples: []exampleOf{{
			in:   situation{tool: "describe_ontology", http: []*exchange{{Path: "/api/v1/domain/ontology", Response: []byte(`{"content":":A a owl:Class ."}`)}}},
			from: said{text: "Classes:    3\nProperties: 2\n\nClasses\n-----\n  • A  [dataset]\n  • B"},
			to:   said{text: "Classes:    1\nProperties: 0\n\nClasses\n-----\n  • A  [dataset]"},
		}},
	},
	{
		name: "what has no IRI is not listed", why: "format/DESIGN.md: a description, rule or name that is missing leaves no trace",
		apply:    replacing(`(?m)^  •   \([\d,]+ (?:instances|usages)\)\n?(?:    URI: \n)?`, ""),
		examples: textExamples(of("list_entity_types"), "  • A  (1 instances)\n    URI: u\n  •   (2 instances)\n    URI: \n\nPredicates", "  • A  (1 instances)\n    URI: u\n\nPredicates"),
	},
	{
		name: "the schema comes with an example query", why: "get_graphql_schema ordered, with an index beyond its budget and an example query",
		apply:    replacing(`(?s)(type Query \{\n  (\w+): String\n.*\nUse query_graphql to execute queries against this schema\.)`, "$1\nExample query: { $2 }"),
		examples: textExamples(of("get_graphql_schema"), "type Query {\n  a: String\n}\n\nUse query_graphql to execute queries against this schema.", "type Query {\n  a: String\n}\n\nUse query_graphql to execute queries against this schema.\nExample query: { a }"),
	},
	{
		name: "a schema says that it is no query", why: "get_graphql_schema ordered, with an index beyond its budget and an example query",
		apply:    replacing(`(GraphQL Schema — [^\n]*\n=+\n)(\ntype Query)`, "${1}What can be asked, in GraphQL's schema language; it is no query.\n$2"),
		examples: textExamples(of("get_graphql_schema"), "GraphQL Schema — a\n===\n\ntype Query {", "GraphQL Schema — a\n===\nWhat can be asked, in GraphQL's schema language; it is no query.\n\ntype Query {"),
	},
	{
		name: "why there is no schema is told", why: "upstream errors show the upstream's own message",
		apply: func(s situation, a said) said {
			if e := s.failed(); s.tool == "get_graphql_schema" && e != nil && e.member("message") != "" {
				return said{sentence(e.member("message")) + " describe_ontology shows what the domain declares.", true}
			}
			return a
		},
		examples: []exampleOf{{
			in:   situation{tool: "get_graphql_schema", http: []*exchange{{Status: 200, Response: []byte(`{"sdl":null,"ready":false,"message":"No classes"}`)}}},
			from: said{"GraphQL schema is empty — the domain may have no ontology classes.", true},
			to:   said{"No classes. describe_ontology shows what the domain declares.", true},
		}},
	},
	{
		name: "what is wrong with variables is told", why: "Errors that a caller can act on are tool errors (`isError`) that say the next step",
		apply: func(s situation, a said) said {
			text, _ := s.args["variables"].(string)
			var v map[string]any
			err := json.Unmarshal([]byte(text), &v)
			if a.text != "Invalid JSON in 'variables' parameter." || err == nil {
				return a
			}
			return said{a.text + ` It must be an object, such as {"limit": 5}; at character 2: ` + err.Error() + ".", true}
		},
		examples: []exampleOf{{
			in:   situation{tool: "query_graphql", args: map[string]any{"variables": "{bad"}},
			from: said{"Invalid JSON in 'variables' parameter.", true},
			to:   said{`Invalid JSON in 'variables' parameter. It must be an object, such as {"limit": 5}; at character 2: invalid character 'b' looking for beginning of object key string.`, true},
		}},
	},
	{
		name: "the errors of GraphQL are told in their own words", why: "upstream errors show the upstream's own message",
		apply: graphQLErrors,
		examples: []exampleOf{{
			in:   situation{tool: "query_graphql"},
			from: said{`GraphQL query failed (400): {"errors":[{"message":"It could not be executed.","path":null}]}`, true},
			to:   said{"GraphQL errors:\n  • It could not be executed.", true},
		}},
	},
	{
		name: "what is wrong with a query is found in the schema", why: "The SDL is the single source.",
		apply: explained,
		examples: []exampleOf{{
			in:   situation{tool: "query_graphql", args: map[string]any{"query": "{ nope }"}, http: []*exchange{{Status: 400}}},
			from: said{"GraphQL errors:\n  • It could not be executed.", true},
			to:   said{"GraphQL errors:\n  • It could not be executed.\nWhat is wrong with the query, by the schema:\n  • line 1, column 3: Query has no field 'nope'. Root fields: a.", true},
		}},
	},
	{
		name: "errors of GraphQL say the next step", why: "Errors that a caller can act on are tool errors (`isError`) that say the next step",
		apply: func(s situation, a said) said {
			if !strings.HasPrefix(a.text, "GraphQL errors:") {
				return a
			}
			return said{a.text + "\nget_graphql_schema shows which fields and arguments there are.", true}
		},
		examples: []exampleOf{{
			from: said{"GraphQL errors:\n  • a", true}, to: said{"GraphQL errors:\n  • a\nget_graphql_schema shows which fields and arguments there are.", true},
		}},
	},
	{
		name: "an empty text is told apart from nothing", why: `format/DESIGN.md: an empty text is "" where - is null`,
		apply: func(s situation, a said) said {
			if s.tool != "query_graphql" || a.isError {
				return a
			}
			return said{regexp.MustCompile(`(?m)^(\w+: )$`).ReplaceAllString(a.text, `$1""`), false}
		},
		examples: textExamples(of("query_graphql"), "s: \n", "s: \"\"\n"),
	},
	{
		name: "lines of a value in GraphQL cannot imitate ours", why: "format/DESIGN.md: Further lines of a literal begin with a bar",
		apply: func(s situation, a said) said {
			if s.tool != "query_graphql" || a.isError {
				return a
			}
			return said{regexp.MustCompile(`(?m)^(  \w+: .+)\n(\S.*)$`).ReplaceAllString(a.text, "$1\n    | $2"), false}
		},
		examples: textExamples(of("query_graphql"), "  note: l1\nl2\n  x: 1", "  note: l1\n    | l2\n  x: 1"),
	},
}

// declaredTree counts what the recorded ontology declares, and lists its classes alone.
func declaredTree(s situation, a said) said {
	var content string
	for _, e := range s.http {
		if e.Path == "/api/v1/domain/ontology" {
			content = e.member("content")
		}
	}
	if s.tool != "describe_ontology" || a.isError || content == "" {
		return a
	}
	classes := map[string]bool{}
	for _, m := range regexp.MustCompile(`:(\w+) a owl:Class`).FindAllStringSubmatch(content, -1) {
		classes[m[1]] = true
	}
	properties := len(regexp.MustCompile(`a owl:(Object|Datatype)Property`).FindAllString(content, -1))
	var out []string
	for line := range strings.SplitSeq(a.text, "\n") {
		if name, ok := strings.CutPrefix(line, "  • "); ok {
			if name, _, _ = strings.Cut(name, "  ["); !classes[name] {
				continue
			}
		}
		out = append(out, line)
	}
	text := strings.Join(out, "\n")
	text = regexp.MustCompile(`(?m)^(Classes:    )\d+$`).ReplaceAllString(text, fmt.Sprintf("${1}%d", len(classes)))
	return said{regexp.MustCompile(`(?m)^(Properties: )\d+$`).ReplaceAllString(text, fmt.Sprintf("${1}%d", properties)), false}
}

// graphQLErrors reads the errors out of the body that OntoBricks shows as it is.
func graphQLErrors(_ situation, a said) said {
	_, body, ok := strings.Cut(a.text, "GraphQL query failed (400): ")
	var answer struct{ Errors []struct{ Message string } }
	if !ok || json.Unmarshal([]byte(body), &answer) != nil {
		return a
	}
	text := "GraphQL errors:"
	for _, e := range answer.Errors {
		text += "\n  • " + e.Message
	}
	return said{text, true}
}

// faults are what the schema says of the recorded queries that fail: query → fault,
// {roots} for the root fields.
var faults = map[string]string{
	"{ nope }":                                    "line 1, column 3: Query has no field 'nope'. Root fields: {roots}.",
	"{ customers(limit:null) { id } }":            "line 1, column 19: limit is Int! and must not be null: give a value, or leave it out if it has a default.",
	"{ customers { nope } }":                      "line 1, column 15: Customer has no field 'nope'. Its fields: id, uri, label, firstName, email, zipCode, tags, hasOrder.",
	"syntax {":                                    `line 1, column 1: Syntax error: Unexpected Name "syntax".`,
	"{ allCustomer(limit: 5) { id } }":            "line 1, column 3: Query has no field 'allCustomer'. Did you mean 'customer' or 'customers'?",
	"mutation { x }":                              "line 1, column 1: The service has no mutations: send a query.",
	"query($n:Int!){ customers(limit:$n){ id } }": `line 1, column 7: The variable $n (Int!) is not given: pass it in variables, as in {"n": 1}.`,
}

// explained adds what the schema says of a query that failed.
func explained(s situation, a said) said {
	query, _ := s.args["query"].(string)
	fault := faults[query]
	if fault == "" || !strings.HasPrefix(a.text, "GraphQL errors:") {
		return a
	}
	schema := decode[struct{ SDL string }](s, "/graphql/"+s.domain()+"/schema").SDL
	_, query, _ = strings.Cut(schema, "type Query {")
	var roots []string
	for _, m := range regexp.MustCompile(`(?m)^  (\w+)[(:]`).FindAllStringSubmatch(query, -1) {
		roots = append(roots, m[1])
	}
	if len(roots) == 0 {
		roots = []string{"a"} // the schema where none was recorded
	}
	return said{a.text + "\nWhat is wrong with the query, by the schema:\n  • " + strings.Replace(fault, "{roots}", strings.Join(roots, ", "), 1), true}
}
