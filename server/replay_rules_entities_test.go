package server_test

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// foundText is the text of describe_entity in parts: what stands before the blocks, the
// blocks of matches and of neighbours, and what follows them.
type foundText struct {
	title               string
	matches, neighbours []blockText
	rest                string
}

// blockText is a block, line by line.
type blockText []string

const (
	matchesHeading    = "── Matching Entities ──"
	neighboursHeading = "── Related Entities (neighbors) ──"
)

// parseFound takes a text of describe_entity apart.
func parseFound(s string) (f foundText, ok bool) {
	title, body, ok := strings.Cut(s, "\n\n"+matchesHeading+"\n")
	if !ok || !strings.HasPrefix(title, "Found ") {
		return f, false
	}
	f.title = title
	to := &f.matches
	parts := strings.Split(strings.TrimSuffix(body, "\n"), "\n\n")
	for i, part := range parts {
		if after, is := strings.CutPrefix(part, neighboursHeading+"\n"); is {
			part, to = after, &f.neighbours
		}
		if !strings.HasPrefix(part, "■") {
			f.rest = strings.Join(parts[i:], "\n\n")
			break
		}
		*to = append(*to, strings.Split(part, "\n"))
	}
	return f, true
}

// String is the text again.
func (f foundText) String() string {
	var parts []string
	for i, list := range [][]blockText{f.matches, f.neighbours} {
		for j, b := range list {
			text := strings.Join(b, "\n")
			if j == 0 {
				text = []string{matchesHeading, neighboursHeading}[i] + "\n" + text
			}
			parts = append(parts, text)
		}
	}
	if f.rest != "" {
		return strings.Join(append(append([]string{f.title}, parts...), f.rest), "\n\n")
	}
	return strings.Join(append([]string{f.title}, parts...), "\n\n") + "\n"
}

// iri is the IRI of a block.
func (b blockText) iri() string {
	for _, l := range b {
		if iri, ok := strings.CutPrefix(l, "  URI: "); ok {
			return iri
		}
	}
	return ""
}

// entityRule is a rule that looks at the parts of a text of describe_entity and at the
// triples of the recorded answer.
func entityRule(change func(situation, []triple, *foundText)) func(situation, said) said {
	return func(s situation, a said) said {
		f, ok := parseFound(a.text)
		if s.tool != "describe_entity" || a.isError || !ok {
			return a
		}
		change(s, s.triples(), &f)
		return said{f.String(), false}
	}
}

// blockRule is a rule that looks at one block at a time.
func blockRule(change func(block blockText, own, all []triple) blockText) func(situation, said) said {
	return entityRule(func(_ situation, all []triple, f *foundText) {
		for _, list := range [][]blockText{f.matches, f.neighbours} {
			for i, b := range list {
				list[i] = change(b, of1(all, b.iri()), all)
			}
		}
	})
}

// of1 are the triples of one subject.
func of1(all []triple, subject string) []triple {
	return slices.DeleteFunc(slices.Clone(all), func(t triple) bool { return t.Subject != subject })
}

const findPath = "/api/v1/digitaltwin/triples/find"

// triples are those of the recorded answer.
func (s situation) triples() []triple {
	return decode[struct{ Triples []triple }](s, findPath).Triples
}

// property finds the property of a line of a block: its prefix and name.
var factLine = regexp.MustCompile(`^(    [•→←] )([^:]*(?::[^ ][^:]*)*): (.*)$`)

// label is the label of an entity in the recorded answer.
func labelOf(all []triple, iri string) string {
	labels := labelsOf(of1(all, iri))
	if len(labels) == 0 {
		return ""
	}
	return labels[0]
}

// labelsOf are the labels among the triples of a subject: those of rdfs:label, then
// those of properties called label or name, each in order and once.
func labelsOf(own []triple) []string {
	var out []string
	for _, rdfs := range []bool{true, false} {
		var some []string
		for _, t := range own {
			name := strings.ToLower(domains.LocalName(t.Predicate))
			if (t.Predicate == rdfsLabel) == rdfs && (name == "label" || name == "name") && t.Object != "" && !slices.Contains(out, t.Object) {
				some = append(some, t.Object)
			}
		}
		slices.Sort(some)
		out = append(out, slices.Compact(some)...)
	}
	return out
}

const rdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label"

// isText reports whether OntoBricks takes an object for an IRI that cannot be one.
func isText(object string) bool {
	_, err := url.Parse(object)
	return err != nil || strings.ContainsAny(object, " \t\n\"<>")
}

// mention is how an entity is told where another refers to it: its label and its local
// id.
func mention(all []triple, iri string) string {
	id := domains.LocalName(iri)
	if l := labelOf(all, iri); l != "" && l != id {
		return l + " (" + domains.LocalID(iri) + ")"
	}
	return id
}

// isDescribed reports whether the recorded answer says anything of an entity.
func isDescribed(all []triple, iri string) bool { return len(of1(all, iri)) > 0 }

// entityDifferences are those of describe_entity and of the other tools that tell
// facts and their context.
var entityDifferences = []difference{
	{
		name: "aliases are one by the rule of domains", why: "aliases merged by the rule above",
		apply: entityRule(unmerge),
		examples: []exampleOf{{
			in:   finding("C1", triple{"https://x/Customer/C1", rdfsLabel, "Ann"}, triple{"https://x/C1", "https://x/city", "Nice"}),
			from: said{text: "Found 1 matching entity (2 triples across 1 entities, depth=1)\n\n── Matching Entities ──\n■ Ann  (Unknown type)\n  URI: https://x/C1\n  Attributes:\n    • city: Nice\n"},
			to: said{text: "Found 1 matching entity (2 triples across 2 entities, depth=1)\n\n── Matching Entities ──\n■ Ann  (Unknown type)\n  URI: https://x/Customer/C1\n\n" +
				"■ C1  (Unknown type)\n  URI: https://x/C1\n  Attributes:\n    • city: Nice\n"},
		}, {
			in: finding("42", triple{"https://x/Order/42", "https://x/total", "9"}, triple{"https://x/Customer/42", "https://x/city", "Nice"}),
			from: said{text: "Found 1 matching entity (2 triples across 1 entities, depth=1)\n\n── Matching Entities ──\n■ 42  (Unknown type)\n  URI: https://x/Order/42\n" +
				"  Attributes:\n    • total: 9\n    • city: Nice\n"},
			to: said{text: "Found 1 matching entity (2 triples across 2 entities, depth=1)\n\n── Matching Entities ──\n■ 42  (Unknown type)\n  URI: https://x/Customer/42\n" +
				"  Attributes:\n    • city: Nice\n\n■ 42  (Unknown type)\n  URI: https://x/Order/42\n  Attributes:\n    • total: 9\n"},
		}},
	},
	{
		name: "matches are those of the search, in order", why: "matches first in rank order, then neighbours",
		apply: entityRule(realMatches),
		examples: []exampleOf{{
			in: finding("C1", triple{"https://x/Order/O1", typeIRI, "https://x/Order"}, triple{"https://x/Customer/C1", typeIRI, "https://x/Customer"}),
			from: said{text: "Found 1 matching entity (2 triples across 2 entities, depth=1)\n\n── Matching Entities ──\n■ O1  (Order)\n  URI: https://x/Order/O1\n\n" +
				"── Related Entities (neighbors) ──\n■ C1  (Customer)\n  URI: https://x/Customer/C1\n"},
			to: said{text: "Found 1 matching entity (2 triples across 2 entities, depth=1)\n\n── Matching Entities ──\n■ C1  (Customer)\n  URI: https://x/Customer/C1\n\n" +
				"── Related Entities (neighbors) ──\n■ O1  (Order)\n  URI: https://x/Order/O1\n"},
		}},
	},
	{
		name: "labels come in the order of their properties, each once", why: "Label properties, in order",
		apply: blockRule(orderedLabels),
		examples: []exampleOf{{
			in:   finding("C1", triple{"https://x/C1", "https://x/name", "B"}, triple{"https://x/C1", rdfsLabel, "A"}, triple{"https://x/C1", rdfsLabel, ""}),
			from: found1("■ B  (Unknown type)", "  URI: https://x/C1", "  Also known as: A", "  Also known as: "),
			to:   found1("■ A  (Unknown type)", "  URI: https://x/C1", "  Also known as: B"),
		}},
	},
	{
		name: "what cannot be an IRI is a text", why: "OntoBricks contract 6.1: Literal URLs become shortened \"relationships\"",
		apply: blockRule(textsAreAttributes),
		examples: []exampleOf{{
			in:   finding("C1", triple{"https://x/C1", "https://x/doc", "https://x/read me.pdf"}),
			from: found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Relationships:", "    → doc: read me.pdf"),
			to:   found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Attributes:", "    • doc: https://x/read me.pdf"),
		}},
	},
	{
		name: "a target of which nothing is known is followed by its IRI", why: "format/DESIGN.md: A match's value of which the domain knows neither label nor type is followed by its IRI",
		apply: entityRule(unknownTargets),
		examples: []exampleOf{{
			in:   finding("C1", triple{"https://x/C1", "https://x/to", "https://x/Order/O1"}),
			from: found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Relationships:", "    → to: O1"),
			to:   found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Relationships:", "    → to: O1 (https://x/Order/O1)"),
		}},
	},
	{
		name: "facts are in the order of their properties", why: "Order is deterministic: rank, then IRI.",
		apply: blockRule(func(b blockText, _, _ []triple) blockText { return orderedFacts(b) }),
		examples: []exampleOf{{
			in:   finding("C1"),
			from: found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Attributes:", "    • ref: 1", "    • doc: 2"),
			to:   found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Attributes:", "    • doc: 2", "    • ref: 1"),
		}},
	},
	{
		name: "incoming relationships are shown", why: "relationships show the target's label and its id · incoming relationships shown",
		apply: entityRule(incoming),
		examples: []exampleOf{{
			in:   finding("O1", triple{"https://x/C1", "https://x/to", "https://x/O1"}, triple{"https://x/C1", rdfsLabel, "Ann"}),
			from: found1("■ O1  (Unknown type)", "  URI: https://x/O1"),
			to:   found1("■ O1  (Unknown type)", "  URI: https://x/O1", "  Relationships:", "    ← to: Ann (C1)"),
		}},
	},
	{
		name: "more may lead to the outermost entities", why: "headers count what was read",
		apply: entityRule(perhapsMore),
		examples: []exampleOf{{
			in:   finding("O1"),
			from: found1("■ A", "  URI: https://x/A", "", neighboursHeading, "■ B", "  URI: https://x/B", "  Relationships:", "    ← to: O1", "    ← to: O2"),
			to:   found1("■ A", "  URI: https://x/A", "", neighboursHeading, "■ B", "  URI: https://x/B", "  Relationships:", "    ← to: O1", "    ← to: O2, …"),
		}},
	},
	{
		name: "types are in the order of their IRIs", why: "Order is deterministic: rank, then IRI.",
		apply: blockRule(func(b blockText, _, _ []triple) blockText {
			b[0] = regexp.MustCompile(`  \(([^()]*)\)$`).ReplaceAllStringFunc(b[0], func(m string) string {
				types := strings.Split(m[3:len(m)-1], ", ")
				slices.Sort(types)
				return "  (" + strings.Join(types, ", ") + ")"
			})
			return b
		}),
		examples: []exampleOf{{in: finding("C1"), from: found1("■ C1  (Person, Customer)", "  URI: https://x/C1"), to: found1("■ C1  (Customer, Person)", "  URI: https://x/C1")}},
	},
	{
		name: "names of properties are prettified", why: "predicates prettified and labels used, as its documentation promises",
		apply: prettified,
		examples: append(textExamples(of("list_entity_types"), "Predicates\n  • hasOrder  (100 usages)\n  • last_name  (5 usages)", "Predicates\n  • has Order  (100 usages)\n  • last name  (5 usages)"), exampleOf{
			in:   finding("C1"),
			from: found1("■ C1  (VIPClass)", "  URI: https://x/C1", "  Attributes:", "    • orderDate: midDay"),
			to:   found1("■ C1  (VIPClass)", "  URI: https://x/C1", "  Attributes:", "    • order Date: midDay"),
		}),
	},
	{
		name: "lines of a value cannot imitate ours", why: "format/DESIGN.md: Further lines of a literal begin with a bar",
		apply: blockRule(func(b blockText, _, _ []triple) blockText { return barred(b) }),
		examples: []exampleOf{{
			in:   finding("C1"),
			from: found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Attributes:", "    • note: one", "two\tthree"),
			to:   found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Attributes:", "    • note: one", "      | two three"),
		}},
	},
	{
		name: "an empty value is a dash", why: "True/False/None become yes/no/-",
		apply: emptyIsDash,
		examples: append([]exampleOf{{
			in: finding("C1"), from: found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Attributes:", "    • note: "),
			to: found1("■ C1  (Unknown type)", "  URI: https://x/C1", "  Attributes:", "    • note: -"),
		}}, append(textExamples(of("invoke_entity_action"), "Result (1 row):\n  ", "Result (1 row):\n  -"),
			textExamples(of("query_graphql"), "a (2 results)\n---\n  id: 1\n\n", "a (2 results)\n---\n  id: 1\n\n  -")...)...),
	},
	{
		name: "headers count what was read", why: "headers count what was read",
		apply: entityRule(countRead),
		examples: []exampleOf{{
			in:   finding("C1", triple{"https://x/C1", typeIRI, "https://x/A"}, triple{"https://x/C1", typeIRI, "https://x/A"}),
			from: found1("■ C1  (A)", "  URI: https://x/C1"),
			to:   said{text: strings.Replace(found1("■ C1  (A)", "  URI: https://x/C1").text, "(9 triples", "(1 triples", 1)},
		}},
	},
	{
		name: "no argument is advised that does not exist", why: "arguments named in text exist (limit, cursor)",
		apply:    replacing(`\n\n\(Showing \d+ of \d+ triples — increase limit or use pagination for more\)`, ""),
		examples: textExamples(of("describe_entity"), "  URI: u\n\n(Showing 4 of 812 triples — increase limit or use pagination for more)\n\nRead live", "  URI: u\n\nRead live"),
	},
}

// finding is the situation of a search that found these triples.
func finding(search string, triples ...triple) situation {
	return situation{tool: "describe_entity", args: map[string]any{"search": search}, known: []*exchange{{Path: findPath, Response: mustJSON(map[string]any{"triples": triples})}}}
}

// found1 is the text about one match.
func found1(lines ...string) said {
	return said{text: "Found 1 matching entity (9 triples across 1 entities, depth=1)\n\n" + matchesHeading + "\n" + strings.Join(lines, "\n") + "\n"}
}

// unmerge takes blocks apart whose subjects are two entities.
func unmerge(_ situation, all []triple, f *foundText) {
	apart := 0
	for _, list := range []*[]blockText{&f.matches, &f.neighbours} {
		var out []blockText
		for _, b := range *list {
			parts := separate(b, all)
			apart += len(parts) - 1
			out = append(out, parts...)
		}
		*list = out
	}
	if apart > 0 {
		n := len(f.matches) + len(f.neighbours)
		f.title = regexp.MustCompile(`across \d+ entities`).ReplaceAllString(f.title, fmt.Sprintf("across %d entities", n))
	}
}

// separate is a block, or the blocks of its subjects where they are several entities.
func separate(b blockText, all []triple) []blockText {
	identity := func(iri string) domains.Identity {
		i := domains.Identity{IRI: iri}
		for _, t := range of1(all, iri) {
			if t.Predicate == typeIRI {
				i.Types = append(i.Types, t.Object)
			}
		}
		return i
	}
	out := []blockText{}
	for _, t := range all {
		other := t.Subject != b.iri() && domains.LocalName(t.Subject) == domains.LocalName(b.iri()) && !domains.SameEntity(identity(b.iri()), identity(t.Subject), nil)
		if other && !slices.ContainsFunc(out, func(o blockText) bool { return o.iri() == t.Subject }) {
			out = append(out, moved(&b, of1(all, t.Subject), all))
		}
	}
	return append(out, b)
}

// moved takes the lines of a subject out of a block, into a block of its own.
func moved(b *blockText, own, all []triple) blockText {
	heading := func(iri string) string { return "■ " + cmp.Or(labelOf(all, iri), domains.LocalName(iri)) + "  (" }
	iri := own[0].Subject
	rest, out := slices.Clone(*b), blockText{heading(iri) + "Unknown type)", "  URI: " + iri}
	rest[0] = strings.Replace(rest[0], heading(iri), heading(b.iri()), 1)
	for _, t := range own {
		for section, line := range map[string]string{
			"  Attributes:":    "    • " + domains.LocalName(t.Predicate) + ": " + t.Object,
			"  Relationships:": "    → " + domains.LocalName(t.Predicate) + ": " + domains.LocalName(t.Object),
		} {
			if i := slices.Index(rest, line); i >= 0 {
				rest, out = slices.Delete(rest, i, i+1), addFact(out, section, line)
			}
		}
	}
	*b = withoutEmpty(rest)
	return out
}

// withoutEmpty is a block without the sections that have lost their last line.
func withoutEmpty(b blockText) blockText {
	var out blockText
	for i, l := range b {
		section := l == "  Attributes:" || l == "  Relationships:"
		if !section || i+1 < len(b) && strings.HasPrefix(b[i+1], "    ") {
			out = append(out, l)
		}
	}
	return out
}

// realMatches puts the blocks into their sections: what the search finds are the
// matches.
func realMatches(s situation, all []triple, f *foundText) {
	var triples [][3]string
	for _, t := range all {
		triples = append(triples, [3]string{t.Subject, t.Predicate, t.Object})
	}
	text := func(name string) string { v, _ := s.args[name].(string); return v }
	seeds := bricktest.Seeds(triples, text("entity_type"), text("search"))
	blocks := slices.Concat(f.matches, f.neighbours)
	slices.SortStableFunc(blocks, func(a, b blockText) int { return cmp.Compare(a.iri(), b.iri()) })
	f.matches, f.neighbours = nil, nil
	for _, b := range blocks {
		if slices.Contains(seeds, b.iri()) {
			f.matches = append(f.matches, b)
		} else {
			f.neighbours = append(f.neighbours, b)
		}
	}
	if n := len(f.matches); n != 1 {
		f.title = regexp.MustCompile(`^Found \d+ matching entit(y|ies)`).ReplaceAllString(f.title, fmt.Sprintf("Found %d matching entities", n))
	}
}

func orderedLabels(b blockText, own, _ []triple) blockText {
	labels := labelsOf(own)
	if len(own) == 0 {
		return b
	}
	_, types, _ := strings.Cut(b[0], "  (")
	heading := domains.LocalName(b.iri())
	if len(labels) > 0 {
		heading = labels[0]
	}
	out := blockText{"■ " + heading + "  (" + types, b[1]}
	for _, l := range labels[min(1, len(labels)):] {
		out = append(out, "  Also known as: "+l)
	}
	for _, l := range b[2:] {
		if !strings.HasPrefix(l, "  Also known as: ") {
			out = append(out, l)
		}
	}
	return out
}

func textsAreAttributes(b blockText, own, _ []triple) blockText {
	for _, t := range own {
		line := "    → " + domains.LocalName(t.Predicate) + ": " + domains.LocalName(t.Object)
		i := slices.Index(b, line)
		if i < 0 || !isText(t.Object) {
			continue
		}
		b = slices.Delete(slices.Clone(b), i, i+1)
		b = addFact(b, "  Attributes:", "    • "+domains.LocalName(t.Predicate)+": "+t.Object)
	}
	return withoutEmpty(b)
}

// addFact adds a line at the end of a section of a block, which is made if there is
// none: attributes stand before relationships, these before the context.
func addFact(b blockText, section, line string) blockText {
	b = slices.Clone(b)
	i := slices.Index(b, section)
	if i < 0 {
		i = slices.IndexFunc(b, func(l string) bool {
			return strings.HasPrefix(l, "  [Context") || section == "  Attributes:" && l == "  Relationships:"
		})
		if i < 0 {
			i = len(b)
		}
		b = slices.Insert(b, i, section)
	}
	for i++; i < len(b) && strings.HasPrefix(b[i], "    "); i++ {
	}
	return slices.Insert(b, i, line)
}

func unknownTargets(_ situation, all []triple, f *foundText) {
	for _, b := range f.matches {
		for _, t := range of1(all, b.iri()) {
			i := slices.Index(b, "    → "+domains.LocalName(t.Predicate)+": "+domains.LocalName(t.Object))
			if i >= 0 && !isDescribed(all, t.Object) && !strings.HasSuffix(b[i], t.Object) {
				b[i] += " (" + t.Object + ")"
			}
		}
	}
}

// orderedFacts sorts the lines of each section by property; lines that go on with a
// value stay with it.
func orderedFacts(b blockText) blockText {
	out := slices.Clone(b)
	for from := 0; from < len(out); from++ {
		if out[from] != "  Attributes:" && out[from] != "  Relationships:" {
			continue
		}
		var facts [][]string
		to := from + 1
		for ; to < len(out) && !strings.HasPrefix(out[to], "  ["); to++ {
			switch {
			case factLine.MatchString(out[to]):
				facts = append(facts, []string{out[to]})
			case out[to] == "  Relationships:":
				goto end
			default:
				facts[len(facts)-1] = append(facts[len(facts)-1], out[to])
			}
		}
	end:
		slices.SortStableFunc(facts, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
		copy(out[from+1:to], slices.Concat(facts...))
	}
	return out
}

func incoming(_ situation, all []triple, f *foundText) {
	for _, list := range [][]blockText{f.matches, f.neighbours} {
		for i, b := range list {
			for _, t := range all {
				if t.Object == b.iri() && t.Subject != t.Object && t.Predicate != typeIRI {
					list[i] = addFact(list[i], "  Relationships:", "    ← "+domains.LocalName(t.Predicate)+": "+mention(all, t.Subject))
				}
			}
		}
	}
}

// perhapsMore marks the last value of each incoming relationship of a neighbour, where
// neighbours are the outermost.
func perhapsMore(_ situation, _ []triple, f *foundText) {
	if !strings.Contains(f.title, "depth=1)") {
		return
	}
	for _, b := range f.neighbours {
		for i, l := range b {
			arrow, _, ok := strings.Cut(l, ": ")
			if ok && strings.HasPrefix(l, "    ← ") && (i+1 == len(b) || !strings.HasPrefix(b[i+1], arrow+": ")) {
				b[i] += ", …"
			}
		}
	}
}

// emptyIsDash writes a dash for an empty attribute, row or item.
func emptyIsDash(s situation, a said) said {
	switch {
	case a.isError:
	case s.tool == "query_graphql":
		a.text = regexp.MustCompile(`\n\n$`).ReplaceAllString(a.text, "\n\n  -")
	default:
		a.text = regexp.MustCompile(`(?m)^(    • [^:\n]+: )$`).ReplaceAllString(a.text, "$1-")
		a.text = regexp.MustCompile(`(?m)^(  Rows \(\d+\):\n    |Result \(\d+ rows?\):\n  )$`).ReplaceAllString(a.text, "$1-")
	}
	return a
}

// prettified makes the names of properties readable, in blocks and in the list of
// predicates.
func prettified(s situation, a said) said {
	if a.isError {
		return a
	}
	usage := regexp.MustCompile(`^(  • )(.*)(  \([\d,]+ usages?\))$`)
	return said{eachLine(a.text, func(l string) string {
		if m := usage.FindStringSubmatch(l); m != nil && s.tool == "list_entity_types" {
			return m[1] + domains.Prettify(m[2]) + m[3]
		}
		if m := factLine.FindStringSubmatch(l); m != nil && s.tool == "describe_entity" && !strings.HasPrefix(m[3], "→") && !strings.Contains(m[2], "(") && !strings.Contains(m[2], ".") {
			return m[1] + domains.Prettify(m[2]) + ": " + m[3]
		}
		return l
	}), false}
}

// barred marks the lines that go on with a value, and makes white space in values
// harmless.
func barred(b blockText) blockText {
	out := slices.Clone(b)
	value := false
	for i, l := range out {
		switch {
		case factLine.MatchString(l):
			value = true
			out[i] = strings.ReplaceAll(l, "\t", " ")
		case value && !strings.HasPrefix(l, "  "):
			out[i] = "      | " + strings.ReplaceAll(l, "\t", " ")
		default:
			value = false
		}
	}
	return out
}

// countRead counts the triples of the blocks, each once; where more were announced than
// came there are at least so many.
func countRead(s situation, all []triple, f *foundText) {
	read := 0
	for _, b := range slices.Concat(f.matches, f.neighbours) {
		own := of1(all, b.iri())
		slices.SortFunc(own, func(a, b triple) int {
			return cmp.Or(cmp.Compare(a.Predicate, b.Predicate), cmp.Compare(a.Object, b.Object))
		})
		read += len(slices.Compact(own))
	}
	atLeast := ""
	if decode[struct {
		More bool `json:"has_more"`
	}](s, findPath).More {
		atLeast = "at least "
	}
	f.title = regexp.MustCompile(`\([\d,]+ triples`).ReplaceAllString(f.title, fmt.Sprintf("(%s%d triples", atLeast, read))
}
