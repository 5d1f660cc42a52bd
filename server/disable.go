package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// CheckDisabledTools says what is wrong with names of tools to disable: only tools of
// domains can be taken away, because the others are how a domain is found and selected.
// The error names the tools that can. White space around a name does not count.
func CheckDisabledTools(names []string) error {
	_, err := disabled(tools(), names)
	return err
}

// disabled are the tools of a list that names name, each once.
func disabled(list []*tool, names []string) ([]string, error) {
	var known, all, out []string
	for _, t := range list {
		all = append(all, t.Name)
		if t.Kind == domains.DomainTool {
			known = append(known, t.Name)
		}
	}
	can := " Tools that can be disabled: " + strings.Join(known, ", ") + "."
	for _, n := range names {
		switch n = strings.TrimSpace(n); {
		case slices.Contains(known, n):
			out = append(out, n)
		case slices.Contains(all, n):
			return nil, fmt.Errorf("%s cannot be disabled: it works without a domain, and clients need it to find and select one.%s", n, can)
		default:
			message := fmt.Sprintf("there is no tool '%s'.", shown(n))
			if near := domains.Nearest(n, known, 1); len(near) > 0 {
				message += fmt.Sprintf(" Did you mean '%s'?", near[0])
			}
			return nil, fmt.Errorf("%s%s", message, can)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// advised are the places where the definition of a tool names a tool of domains, and what
// stands there, not longer, on a server without that tool: tool → text, other text.
var advised = map[string][]string{
	"describe_entity":    {"From describe_entity.", "As answers show it."},
	"get_graphql_schema": {"fields that get_graphql_schema shows: call it first.", "fields of the domain's GraphQL schema."},
	"query_graphql":      {", before query_graphql.", "."},
}

// disableTools reads Config.DisabledTools, and leaves no definition that advises one of
// them.
func (s *Server) disableTools() (err error) {
	if s.cfg.DisabledTools, err = disabled(s.tools, s.cfg.DisabledTools); err != nil {
		return fmt.Errorf("--disable-tools: %w", err)
	}
	var pairs []string
	for _, name := range s.cfg.DisabledTools {
		pairs = append(pairs, advised[name]...)
	}
	if pairs == nil {
		return nil
	}
	within := strings.NewReplacer(pairs...)
	s.tools = slices.Clone(s.tools)
	for i, t := range s.tools {
		other := *t
		other.description, other.params = within.Replace(t.description), slices.Clone(t.params)
		for j := range other.params {
			other.params[j].doc = within.Replace(other.params[j].doc)
		}
		s.tools[i] = &other
	}
	return nil
}

// withholds reports whether the server's configuration takes a tool away in every domain.
func (s *Server) withholds(t *tool) bool {
	return t.Writes && s.cfg.ReadOnly || slices.Contains(s.cfg.DisabledTools, t.Name)
}

// offered counts the tools that are offered before a domain is selected.
func (s *Server) offered() int {
	n := 0
	for _, t := range s.tools {
		if s.shows(nil, t) {
			n++
		}
	}
	return n
}

// narrowed is a domain as far as the server's configuration leaves it.
func (s *Server) narrowed(d *domains.Domain) *domains.Domain {
	if s.cfg.ReadOnly {
		d = d.WithoutWrites()
	}
	if len(s.cfg.DisabledTools) > 0 {
		d = d.WithoutTools(s.cfg.DisabledTools)
	}
	return d
}
