package format

import (
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// contexts are what the classes of a domain have besides facts, as far as its policy
// shows it, ready to be looked up. The zero value has none.
type contexts struct {
	frame  Frame
	policy domains.Policy
	list   []domains.ClassContext
	byIRI  map[string]int   // class IRI → index in list
	byName map[string][]int // local name in lower case → indexes in list
}

func newContexts(f Frame, d *domains.Domain, all []domains.ClassContext) contexts {
	c := contexts{frame: f, policy: d.Info.Policy}
	if len(all) == 0 {
		return c
	}
	c.byIRI, c.byName = map[string]int{}, map[string][]int{}
	for _, cc := range all {
		cc = shownContext(cc, c.policy)
		if cc.IsEmpty() {
			continue
		}
		i := len(c.list)
		c.list = append(c.list, cc)
		name := cc.Name
		if cc.IRI != "" {
			name = domains.LocalName(cc.IRI)
			if _, known := c.byIRI[cc.IRI]; !known {
				c.byIRI[cc.IRI] = i
			}
		}
		name = strings.ToLower(name)
		c.byName[name] = append(c.byName[name], i)
	}
	return c
}

// shownContext is a class's context without what the policy disables, and without a
// dataset that has no name.
func shownContext(cc domains.ClassContext, p domains.Policy) domains.ClassContext {
	cc = cc.Under(p)
	if cc.Dataset != nil && oneLine(cc.Dataset.FullName) == "" {
		cc.Dataset = nil
	}
	return cc
}

// exactly is the context of exactly that class; nil when it has none.
func (c contexts) exactly(class string) *domains.ClassContext {
	if i, ok := c.byIRI[class]; ok {
		return &c.list[i]
	}
	return nil
}

// named is the only context of a class with that local name, of one that the ontology
// does not know by the IRI of the context; nil when there is none, or several.
func (c contexts) named(o *domains.Ontology, class string) *domains.ClassContext {
	found := c.byName[strings.ToLower(domains.LocalName(class))]
	if len(found) != 1 {
		return nil
	}
	if cc := &c.list[found[0]]; cc.IRI == "" || o.Class(cc.IRI) == nil {
		return cc
	}
	return nil
}

// of is the context of an entity with these types, most specific first: of the first of
// its types that has one, else of the nearest class above them. An equal IRI counts
// before an equal local name.
func (c contexts) of(o *domains.Ontology, types []string) *domains.ClassContext {
	if len(c.list) == 0 {
		return nil
	}
	candidates := upwards(o, types)
	for _, class := range candidates {
		if cc := c.exactly(class); cc != nil {
			return cc
		}
	}
	for _, class := range candidates {
		if cc := c.named(o, class); cc != nil {
			return cc
		}
	}
	return nil
}

// upwards are classes and then all classes above them, nearest first.
func upwards(o *domains.Ontology, classes []string) []string {
	var out []string
	seen := map[string]bool{}
	for level := classes; len(level) > 0; {
		var next []string
		for _, iri := range level {
			if seen[iri] {
				continue
			}
			seen[iri] = true
			out = append(out, iri)
			if c := o.Class(iri); c != nil {
				next = append(next, c.Supers...)
			}
		}
		level = next
	}
	return out
}

// tags say in a few words what a class has besides facts: "  [dataset, 2 bridges]";
// empty when that is nothing.
func (c contexts) tags(o *domains.Ontology, class string) string {
	cc := c.exactly(class)
	if cc == nil {
		cc = c.named(o, class)
	}
	if cc == nil {
		return ""
	}
	var tags []string
	if cc.Dataset != nil {
		tags = append(tags, "dataset")
	}
	for _, t := range []struct {
		n         int
		one, many string
	}{
		{len(cc.Bridges), "bridge", "bridges"},
		{len(cc.Actions), "action", "actions"},
		{len(cc.Rules), "business rule", "business rules"},
		{len(attributesOf(cc.Functions)), "virtual attribute", "virtual attributes"},
	} {
		if t.n > 0 {
			tags = append(tags, count(t.n, t.one, t.many))
		}
	}
	if len(tags) == 0 {
		return ""
	}
	return "  [" + strings.Join(tags, ", ") + "]"
}

// attributesOf are all virtual attributes of functions.
func attributesOf(functions []domains.Function) []domains.VirtualAttribute {
	var out []domains.VirtualAttribute
	for _, f := range functions {
		out = append(out, f.Attributes...)
	}
	return out
}

// lines are what list_entity_types says of a type that has context.
func (c contexts) lines(class string) []string {
	cc := c.exactly(class)
	if cc == nil {
		return nil
	}
	var lines []string
	if cc.Dataset != nil {
		lines = append(lines, "    Dataset: "+exact(cc.Dataset.FullName))
		lines = append(lines, described("    Description: ", cc.Dataset.Description)...)
	}
	for _, a := range cc.Actions {
		lines = append(lines, "    Action: "+exact(a.FullName)+after(" — ", a.Description))
	}
	for _, r := range cc.Rules {
		lines = append(lines, "    Business rule: "+exact(r.Name)+after(" — ", r.Description))
	}
	return lines
}

// block are the lines that follow an entity's facts, with what its class has besides.
func (c contexts) block(o *domains.Ontology, e *domains.Entity) []string {
	cc := c.of(o, e.Types)
	if cc == nil {
		return nil
	}
	lines := []string{"  [Context — class: " + contextName(cc) + "]"}
	if d := cc.Dataset; d != nil {
		key := "  (key_column not configured)"
		if d.Key != "" {
			key = "  (key: " + exact(d.Key) + " = '" + exact(domains.LocalID(e.IRI)) + "')"
		}
		lines = append(lines, "  Dataset: "+exact(d.FullName)+key)
		if d.Key != "" {
			lines = append(lines, c.hint(domains.ElementDataset)...)
		}
		lines = append(lines, described("  Description: ", d.Description)...)
	}
	if len(cc.Bridges) > 0 {
		lines = append(lines, "  Bridges:")
		for _, b := range cc.Bridges {
			lines = append(lines, bridge("    ", b)...)
		}
		lines = append(lines, hints("    ", c.frame, c.policy, domains.ElementBridges, bridgeHint(c.frame, blockBridges))...)
	}
	if len(cc.Actions) > 0 {
		lines = append(lines, "  Actions:")
		for _, a := range cc.Actions {
			lines = append(lines, "    → "+exact(a.FullName)+after(": ", a.Description))
		}
		lines = append(lines, c.hint(domains.ElementActions)...)
	}
	if len(cc.Rules) > 0 {
		lines = append(lines, "  Business rules:")
		for _, r := range cc.Rules {
			lines = append(lines, "    → "+exact(r.Name)+after(": ", r.Description))
		}
		lines = append(lines, c.hint(domains.ElementBusinessRules)...)
	}
	if len(cc.Functions) > 0 {
		lines = append(lines, virtual(cc.Functions))
		lines = append(lines, c.hint(domains.ElementVirtualAttributes)...)
	}
	return lines
}

// virtual names the virtual attributes of a class on one line.
func virtual(functions []domains.Function) string {
	all := attributesOf(functions)
	var names []string
	for _, a := range all {
		if name := shorten(oneLine(a.Name), nameSize); name != "" {
			names = append(names, name)
		}
	}
	return "  Virtual attributes (" + number(len(all)) + ", computed on demand)" + after(": ", strings.Join(names, ", "))
}

// hint is the line of the class block that says how an element is used; none where the
// domain does not offer the tool.
func (c contexts) hint(e domains.Element) []string {
	return hints("    ", c.frame, c.policy, e, blockHints[e])
}

// bridge is one bridge without what was found behind it.
func bridge(indent string, b domains.Bridge) []string {
	line := indent + "→ " + exact(string(b.Domain)) + " / " + shorten(oneLine(b.Class), nameSize)
	if label := shorten(oneLine(b.Label), nameSize); label != "" {
		line += `  "` + label + `"`
	}
	return append([]string{line}, described(indent+"  Target domain: ", b.DomainDescription)...)
}

// contextName is the name of a class that has context.
func contextName(cc *domains.ClassContext) string {
	if name := shorten(oneLine(cc.Name), nameSize); name != "" {
		return name
	}
	return shorten(oneLine(domains.LocalName(cc.IRI)), nameSize)
}

// exact is a name that is an argument elsewhere: it is cut only where it is no name any
// more.
func exact(name string) string { return shorten(oneLine(name), longValue) }

// after is a text behind its sign; nothing when the text is empty.
func after(sign, text string) string {
	if text = oneLine(text); text == "" {
		return ""
	}
	return sign + shorten(text, longValue)
}

// described is a line of its own for a text; none when the text is empty.
func described(label, text string) []string {
	if line := after(label, text); line != "" {
		return []string{line}
	}
	return nil
}
