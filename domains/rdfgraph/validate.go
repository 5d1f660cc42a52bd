package rdfgraph

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/remote"
)

// states are the life-cycle states of versions.
var states = []string{"DRAFT", "IN-REVIEW", domains.StatePublished}

var (
	languageTag = regexp.MustCompile(`^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$`)
	prefixName  = regexp.MustCompile(`^[^\s:<>"{}|^` + "`" + `\\]*$`)
)

// validate checks what the types of the keys leave open. A value that is at fault
// is dropped, so that what remains can be used.
func (d *decoder) validate(s *settings) {
	if s.Name != "" {
		if _, err := domains.ParseName(s.Name); err != nil {
			d.faultAt("name", "%s", err)
			s.Name = ""
		}
	}
	if s.Base != "" && !isAbsoluteIRI(s.Base) {
		d.faultAt("base", "base is an absolute IRI such as https://example.org/; found %q", s.Base)
		s.Base = ""
	}
	if len(s.Base) > rdf.MaxNamespace {
		d.faultAt("base", "base has %d bytes, and at most %d can be read: give a shorter one", len(s.Base), rdf.MaxNamespace)
		s.Base = ""
	}
	for _, name := range sortedNames(s.Prefixes) {
		if ns := s.Prefixes[name]; !prefixName.MatchString(name) || !isAbsoluteIRI(ns) {
			d.faultAt(join("prefixes", name), "a prefix is a name without colon and an absolute IRI; found %q: %q", name, ns)
			delete(s.Prefixes, name)
		} else if len(ns) > rdf.MaxNamespace {
			d.faultAt(join("prefixes", name), "the IRI of this prefix has %d bytes, and at most %d can be read: give a shorter one", len(ns), rdf.MaxNamespace)
			delete(s.Prefixes, name)
		}
	}
	s.Languages = keep(s.Languages, func(i int, tag string) bool {
		if languageTag.MatchString(tag) {
			return true
		}
		d.faultAt(fmt.Sprintf("languages[%d]", i), "a language is a tag such as en or pt-BR; found %q", tag)
		return false
	})
	s.Ontology = d.patterns("ontology", s.Ontology)
	s.Data = d.patterns("data", s.Data)
	d.validateVersions(s)
	d.validatePolicy(s)
	for _, class := range sortedNames(s.Classes) {
		d.validateClass(join("classes", class), s.Classes[class])
	}
}

// patterns drops patterns that are at fault. Where some were given and none is left,
// none it is: nothing must be read that was not asked for.
func (d *decoder) patterns(key string, patterns []string) []string {
	if patterns == nil {
		return nil
	}
	return append([]string{}, keep(patterns, func(i int, p string) bool {
		if err := checkPattern(p); err != nil {
			d.faultAt(fmt.Sprintf("%s[%d]", key, i), "%s", err)
			return false
		}
		return true
	})...)
}

func (d *decoder) validateVersions(s *settings) {
	shown := map[string]string{} // shown name → folder
	for _, folder := range sortedNames(s.Versions) {
		path := join("versions", folder)
		if _, err := domains.ParseName(folder); err != nil {
			d.faultAt(path, "a version is the name of a sub-folder; found %q", folder)
			delete(s.Versions, folder)
			continue
		}
		state := strings.ToUpper(s.Versions[folder])
		if !slices.Contains(states, state) {
			d.faultAt(path, "the state of a version is one of %s; found %q%s", strings.Join(states, ", "),
				s.Versions[folder], didYouMean(state, states))
		}
		s.Versions[folder] = state
		if other, taken := shown[shownVersion(folder)]; taken {
			d.faultAt(path, "the sub-folders %s and %s are both version %s: rename one", other, folder, shownVersion(folder))
		}
		shown[shownVersion(folder)] = folder
	}
}

func (d *decoder) validatePolicy(s *settings) {
	elements := make([]string, len(domains.Elements))
	for i, e := range domains.Elements {
		elements[i] = string(e)
	}
	for i, tool := range s.Policy.DisabledTools {
		if !slices.Contains(domains.PolicyTools, tool) && !slices.Contains(domains.RegistryTools, tool) {
			d.faultAt(fmt.Sprintf("policy.disabled_tools[%d]", i), "policy.disabled_tools names tools, such as %s; found %q%s",
				domains.PolicyTools[0], tool, didYouMean(tool, domains.PolicyTools))
		}
	}
	modes := []string{string(domains.ModeNormal), string(domains.ModePreferred), string(domains.ModeDisabled)}
	for _, element := range sortedNames(s.Policy.Context) {
		path := join("policy.context", element)
		if !slices.Contains(elements, element) {
			d.faultAt(path, "an element of policy.context is one of %s; found %q%s",
				strings.Join(elements, ", "), element, didYouMean(element, elements))
		}
		if mode := s.Policy.Context[element]; !slices.Contains(modes, mode) {
			d.faultAt(path, "a mode of policy.context is one of %s; found %q%s",
				strings.Join(modes, ", "), mode, didYouMean(mode, modes))
		}
	}
}

// validateClass checks that what has no meaning without certain keys has them.
func (d *decoder) validateClass(path string, c classSettings) {
	need := func(item, key, value string) {
		if value == "" {
			d.faultAt(item, "%s needs the key %q", item, key)
		}
	}
	for i, b := range c.Bridges {
		item := fmt.Sprintf("%s.bridges[%d]", path, i)
		need(item, "domain", b.Domain)
		need(item, "class", b.Class)
	}
	endpoint := func(item, raw string) {
		if raw == "" {
			return
		}
		if _, err := remote.Check(raw); err != nil {
			d.faultAt(item+".url", "%q %s", raw, err)
		}
	}
	for i, a := range c.Actions {
		item := fmt.Sprintf("%s.actions[%d]", path, i)
		need(item, "name", a.Name)
		endpoint(item, a.URL)
	}
	for i, v := range c.VirtualAttributes {
		item := fmt.Sprintf("%s.virtual_attributes[%d]", path, i)
		need(item, "name", v.Name)
		endpoint(item, v.URL)
		for j, a := range v.Attributes {
			need(fmt.Sprintf("%s.attributes[%d]", item, j), "name", a.Name)
		}
	}
	for i, r := range c.BusinessRules {
		item := fmt.Sprintf("%s.business_rules[%d]", path, i)
		need(item, "name", r.Name)
		need(item, "antecedent", r.Antecedent)
		need(item, "consequent", r.Consequent)
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func didYouMean(word string, words []string) string {
	if near := domains.Nearest(word, words, 1); len(near) > 0 {
		return fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return ""
}

// keep returns the items that pass, in order.
func keep(items []string, pass func(i int, item string) bool) []string {
	var out []string
	for i, item := range items {
		if pass(i, item) {
			out = append(out, item)
		}
	}
	return out
}

func isAbsoluteIRI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && !strings.ContainsAny(s, " <>\"{}|\\^`")
}
