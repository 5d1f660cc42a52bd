package server_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// httpError is how OntoBricks tells an error of its upstream that it does not translate.
var httpError = regexp.MustCompile(`(?s)^Error calling tool '\w+': (Client|Server) error '.*`)

// asHTTPError is the same for a call that it swallows.
func asHTTPError(tool string, e *exchange) said {
	return said{fmt.Sprintf("Error calling tool '%s': Client error '%d %s' for url '…'", tool, e.Status, http.StatusText(e.Status)), true}
}

// refusals are the texts with which OntoBricks refuses a call before it asks anybody.
var refusals = regexp.MustCompile(`^(The tool '\w+' is not available for domain |No domain selected\. |Provide domain_name or call |` +
	`(Datasets|Bridges|Actions|Virtual attributes|Business rules) are disabled for domain |Invalid JSON in 'variables' parameter\.)`)

// failure is an upstream's answer that says no, as we tell it.
type failure struct {
	status int
	// path ends the path of the call; empty for any.
	path string
	// words are ours where the upstream has none; without, it has its own.
	words string
	step  string
}

// failures are the words where an upstream has none, and the next steps.
var failures = []failure{
	{400, "/domains", "", "Start this server with REGISTRY_CATALOG and REGISTRY_SCHEMA, or choose a registry in the settings of OntoBricks."},
	{400, "/virtual-attributes", "", "get_entity_context shows what is declared for the entity."},
	{403, "", "", "Ask an owner of the domain for a role in its team, or an administrator for CAN USE on the OntoBricks app."},
	{404, "", "OntoBricks does not know this kind of request (status 404).", "Check that --upstream (ONTOBRICKS_URL) is the address of OntoBricks and that its version is one that this server knows."},
	{422, "", "entity_uri: not accepted", "Correct the argument that it names."},
	{502, "", "", "Its SQL warehouse or graph store failed, and the same request is likely to fail again: check that the warehouse runs and that OntoBricks may read the tables."},
	{503, "", "OntoBricks is not available now (status 503).", "It may have been carried out all the same: check before you ask for it again."},
}

// failure is what we tell of an answer.
func (e *exchange) failure() (failure, bool) {
	own := e.member("message") == ""
	i := slices.IndexFunc(failures, func(f failure) bool {
		return f.status == e.Status && strings.HasSuffix(e.Path, f.path) && (f.words != "") == own
	})
	if i < 0 {
		return failure{}, false
	}
	return failures[i], true
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// errorDifferences are those of errors and refusals.
var errorDifferences = []difference{
	{
		name:  "a domain whose policy cannot be read is refused",
		why:   "Policies are refreshed and never fail open once known",
		apply: policyUnread,
		examples: []exampleOf{{
			in:   situation{tool: "select_domain", http: []*exchange{{Path: "/api/v1/domains", Status: 404}}},
			from: said{text: "Domain 'x' selected."},
			to:   said{"Error calling tool 'select_domain': Client error '404 Not Found' for url '…'", true},
		}},
	},
	{
		name: "an unknown domain is told from the list, with the names there are",
		why:  "Errors that a caller can act on are tool errors (`isError`) that say the next step",
		apply: func(s situation, a said) said {
			e := s.failed()
			if s.tool != "select_domain" || e == nil || e.Status != http.StatusNotFound || !strings.HasSuffix(e.Path, "/status") {
				return a
			}
			return said{fmt.Sprintf("Unknown domain '%s'. Domains: %s.", s.domain(), strings.Join(domainNames(s), ", ")), true}
		},
		examples: []exampleOf{{
			in: situation{
				tool: "select_domain", args: map[string]any{"domain_name": "zzz"}, http: []*exchange{{Path: "/api/v1/digitaltwin/status", Status: 404}},
				known: []*exchange{{Path: "/api/v1/domains", Response: []byte(`{"domains":[{"name":"a"},{"name":"b"}]}`)}},
			},
			from: said{"Error calling tool 'select_domain': Client error '404 Not Found' for url 'http://ontobricks/'", true},
			to:   said{"Unknown domain 'zzz'. Domains: a, b.", true},
		}},
	},
	{
		name:  "an error of the upstream is told in its own words",
		why:   "upstream errors show the upstream's own message, never a URL",
		apply: ownWords,
		examples: []exampleOf{
			{
				in:   situation{tool: "list_domains", http: []*exchange{{Status: 502, Response: []byte(`{"error":"infrastructure","message":"It failed"}`)}}},
				from: said{"Error calling tool 'list_domains': Server error '502 Bad Gateway' for url 'http://x/'\nFor more information check: https://y/", true},
				to:   said{"It failed", true},
			},
			{
				in:   situation{http: []*exchange{{Status: 503, Response: []byte(`"<html>"`)}}},
				from: said{text: "Could not invoke the action (HTTP 503)."}, to: said{"OntoBricks is not available now (status 503).", true},
			},
			{
				in:   situation{http: []*exchange{{Status: 200, Response: []byte(`{"success":false,"message":"nope"}`)}}},
				from: said{text: "Error selecting domain: nope"}, to: said{"nope", true},
			},
		},
	},
	{
		name:  "refusals and failures are errors",
		why:   "refusals and soft failures are `isError`",
		apply: refusalsAreErrors,
		examples: []exampleOf{
			{from: said{text: "No domain selected. Call list_domains first."}, to: said{"No domain selected. Call list_domains first.", true}},
			{
				in:   situation{http: []*exchange{{Status: 200, Response: []byte(`{"success":false}`)}}},
				from: said{text: "Could not retrieve domains."}, to: said{"Could not retrieve domains.", true},
			},
		},
	},
	{
		name:  "an error of the upstream says the next step",
		why:   "Errors that a caller can act on are tool errors (`isError`) that say the next step",
		apply: nextStep,
		examples: []exampleOf{{
			in:   situation{http: []*exchange{{Status: 403, Response: []byte(`{"message":"You are not a member"}`)}}},
			from: said{"You are not a member", true},
			to:   said{"You are not a member. Ask an owner of the domain for a role in its team, or an administrator for CAN USE on the OntoBricks app.", true},
		}, {
			in:   situation{http: []*exchange{{Status: 200, Response: []byte(`{"success":false}`)}}},
			from: said{"Could not load the ontology.", true},
			to:   said{"Could not load the ontology. Try again; if it stays so, the log of OntoBricks says more.", true},
		}},
	},
	{
		name:  "a call without a domain is told which there are",
		why:   "Every domain tool takes an optional `domain_name` that overrides the selection for that call",
		apply: whichDomains,
		examples: []exampleOf{
			{
				in:   situation{known: []*exchange{{Path: "/api/v1/domains", Response: []byte(`{"domains":[{"name":"a"}]}`)}}},
				from: said{"No domain selected. Call list_domains first, then select_domain to choose one.", true},
				to:   said{"No domain selected. Call list_domains first, then select_domain to choose one (or pass domain_name). Domains: a.", true},
			},
			{
				from: said{"Provide domain_name or call select_domain first to set the active domain.", true},
				to:   said{"Provide domain_name or call select_domain first to set the active domain. There are no domains: the person who runs this server has to add or publish one (list_domains says more).", true},
			},
		},
	},
}

// domainNames are the domains of the last recorded list.
func domainNames(s situation) []string {
	var names []string
	for _, d := range decode[struct{ Domains []struct{ Name string } }](s, "/api/v1/domains").Domains {
		names = append(names, d.Name)
	}
	return names
}

func policyUnread(s situation, a said) said {
	if s.tool == "list_domains" {
		return a
	}
	for _, e := range s.http {
		if e.Path == "/api/v1/domains" && e.Status >= 400 {
			return asHTTPError(s.tool, e)
		}
	}
	return a
}

// ownMessage is what the upstream says for itself in a recorded answer.
func ownMessage(e *exchange) string {
	if f, ok := e.failure(); ok && f.words != "" {
		return f.words
	}
	return e.member("message")
}

func ownWords(s situation, a said) said {
	e := s.failed()
	if e == nil && s.tool != "" {
		for _, listed := range s.http {
			if listed.Status >= 400 {
				e = listed
			}
		}
	}
	if e == nil || ownMessage(e) == "" {
		return a
	}
	translated := strings.HasPrefix(a.text, "Error selecting domain: ") || strings.HasPrefix(a.text, "Could not ") && strings.Contains(a.text, "(HTTP ")
	if !httpError.MatchString(a.text) && !translated {
		return a
	}
	return said{ownMessage(e), true}
}

func refusalsAreErrors(s situation, a said) said {
	if refusals.MatchString(a.text) || strings.HasPrefix(a.text, "GraphQL errors:") || s.failed() != nil && !strings.HasPrefix(a.text, "Domain '") {
		return said{a.text, true}
	}
	return a
}

func nextStep(s situation, a said) said {
	e := s.failed()
	if e == nil || !a.isError || strings.HasPrefix(e.Path, "/graphql/") {
		return a
	}
	if e.Status == http.StatusOK {
		return said{sentence(a.text) + " " + softStep(e), true}
	}
	if f, ok := e.failure(); ok && a.text == ownMessage(e) {
		return said{sentence(a.text) + " " + f.step, true}
	}
	return a
}

// softStep is the next step after an answer without success.
func softStep(e *exchange) string {
	if e.Method == http.MethodPost {
		return "It may have been carried out all the same: check before you ask for it again."
	}
	return "Try again; if it stays so, the log of OntoBricks says more."
}

func whichDomains(s situation, a said) said {
	if !refusals.MatchString(a.text) {
		return a
	}
	domains := " There are no domains: the person who runs this server has to add or publish one (list_domains says more)."
	if names := domainNames(s); len(names) > 0 {
		domains = " Domains: " + strings.Join(names, ", ") + "."
	}
	switch a.text {
	case "No domain selected. Call list_domains first, then select_domain to choose one.":
		return said{strings.TrimSuffix(a.text, ".") + " (or pass domain_name)." + domains, true}
	case "Provide domain_name or call select_domain first to set the active domain.":
		return said{a.text + domains, true}
	}
	return a
}
