package format

import (
	"encoding/json"

	"github.com/ontogate/ontogate/domains"
)

// MaxRows is the most dataset rows that get_entity_context reads, DefaultRows what it
// reads when it is not told how many.
const (
	MaxRows     = 20
	DefaultRows = 5
)

// nodeContext is one answer about the context of an entity.
type nodeContext struct {
	f   Frame
	d   *domains.Domain
	cc  domains.ClassContext
	id  string // the entity's local id
	ask domains.ContextOptions
	// why follows a list of rows that is empty though nothing failed.
	why string
}

func newNodeContext(f Frame, d *domains.Domain, ec *domains.EntityContext, ask domains.ContextOptions) nodeContext {
	n := nodeContext{f: f, d: d, cc: shownContext(ec.ClassContext, d.Info.Policy), id: ec.LocalID, ask: ask}
	if ec.Message == "" {
		n.why = ": none with this key"
	}
	if n.id == "" {
		n.id = domains.LocalID(ec.IRI)
	}
	return n
}

// head are the first lines; what is the kind of answer.
func (n nodeContext) head(what, iri string) []string {
	return []string{what + " — " + exact(n.id) + "  (" + className(contextName(&n.cc)) + ")", "URI: " + oneLine(iri)}
}

// className is the name of an entity's class, or Unknown.
func className(name string) string {
	if name = shorten(oneLine(name), nameSize); name != "" {
		return name
	}
	return "Unknown"
}

// EntityContext is the answer of get_entity_context; ask is what the caller asked for.
func EntityContext(f Frame, d *domains.Domain, ec *domains.EntityContext, ask domains.ContextOptions) string {
	n := newNodeContext(f, d, ec, ask)
	var portions []portion
	for _, part := range []func() []portion{n.dataset, n.bridges, n.actions, n.rules, n.virtual} {
		portions = append(portions, part()...)
	}
	var closing []string
	if len(portions) == 0 {
		closing = []string{"Nothing besides facts is declared for this entity: no dataset, bridge, action, business rule or virtual attribute."}
		if f.offers("describe_entity") {
			closing[0] += " describe_entity tells the facts."
		}
	}
	return whole(f, n.head("Node Context", ec.IRI), portions, append(closing, described("Note: ", ec.Message)...))
}

func (n nodeContext) dataset() []portion {
	d := n.cc.Dataset
	if d == nil {
		return nil
	}
	lines := []string{"", "Dataset: " + exact(d.FullName)}
	if d.Key != "" {
		lines = append(lines, "  Key: "+exact(d.Key)+" = '"+exact(n.id)+"'")
	}
	lines = append(lines, described("  Description: ", d.Description)...)
	switch {
	case n.ask.Rows > 0 && d.Key == "" && len(d.Rows) == 0:
		return []portion{{lines: append(lines, "  ⚠ key_column not configured — row fetch skipped")}}
	case len(d.Rows) == 0:
		if d.Fetched {
			lines = append(lines, "  Rows (0)"+n.why)
		}
		return []portion{{lines: lines}}
	}
	lines = append(lines, "  Rows ("+number(len(d.Rows))+"):")
	var more []string
	if n.ask.Rows > 0 && len(d.Rows) == n.ask.Rows && n.ask.Rows < MaxRows {
		more = []string{"    (There may be more rows: dataset_row_limit up to " + number(MaxRows) + ".)"}
	}
	item := func(r json.RawMessage) []string { return []string{"    " + row(r)} }
	return []portion{portionOf(lines, d.Rows, item, leftOut("    ", "row", "rows", n.alone("fetch_dataset_rows")), more...)}
}

// alone advises to ask for one thing alone, when several were asked for.
func (n nodeContext) alone(argument string) string {
	asked := 0
	for _, is := range []bool{n.ask.Rows > 0, n.ask.FollowBridges, n.ask.Compute} {
		if is {
			asked++
		}
	}
	if asked < 2 {
		return ""
	}
	return ": " + argument + " alone leaves room for more"
}

func (n nodeContext) bridges() []portion {
	if len(n.cc.Bridges) == 0 {
		return nil
	}
	out := []portion{{lines: []string{"", "Cross-domain Bridges:"}}}
	kind := &kind{left: leftOut("  ", "bridge", "bridges", n.elsewhere())}
	for _, b := range n.cc.Bridges {
		lines := bridge("  ", b)
		if len(b.Entities) == 0 {
			if b.Followed {
				lines = append(lines, "    Entities (0): none found there by this ID")
			}
			out = append(out, portion{lines: lines, kind: kind})
			continue
		}
		lines = append(lines, "    Entities ("+number(len(b.Entities))+"):")
		p := portionOf(lines, b.Entities, func(e domains.BridgeEntity) []string { return []string{bridgeEntity(e)} },
			leftOut("      ", "entity", "entities", ": describe_entity in that domain finds them"))
		p.kind = kind
		out = append(out, p)
	}
	hint := hints("  ", n.f, n.d.Info.Policy, domains.ElementBridges, bridgeHint(n.f, entityBridges))
	return append(out, portion{lines: hint})
}

// elsewhere says where all declarations of the entity's class can be read.
func (n nodeContext) elsewhere() string {
	if n.f.offers("describe_entity") {
		return ": describe_entity names all"
	}
	return ""
}

// bridgeEntity is one fact found behind a bridge, or the entity alone.
func bridgeEntity(e domains.BridgeEntity) string {
	line := "      • " + shorten(oneLine(domains.LocalName(e.IRI)), nameSize)
	if e.Property == "" && e.Object == "" {
		return line
	}
	return line + "  " + shorten(oneLine(e.Property), nameSize) + " → " + shorten(oneLine(e.Object), longValue)
}

func (n nodeContext) actions() []portion {
	if len(n.cc.Actions) == 0 {
		return nil
	}
	return []portion{portionOf([]string{"", "Actions (Unity Catalog functions):"}, n.cc.Actions, func(a domains.Action) []string {
		return append([]string{"  → " + exact(a.FullName)}, described("    Description: ", a.Description)...)
	}, leftOut("  ", "action", "actions", n.elsewhere()), n.hint(domains.ElementActions)...)}
}

func (n nodeContext) rules() []portion {
	if len(n.cc.Rules) == 0 {
		return nil
	}
	return []portion{portionOf([]string{"", "Business rules (SWRL):"}, n.cc.Rules, func(r domains.Rule) []string {
		lines := append([]string{"  → " + exact(r.Name)}, described("    Description: ", r.Description)...)
		if r.Antecedent != "" || r.Consequent != "" {
			lines = append(lines, "    Rule: "+exact(r.Antecedent)+" -> "+exact(r.Consequent))
		}
		return lines
	}, leftOut("  ", "business rule", "business rules", n.elsewhere()), n.hint(domains.ElementBusinessRules)...)}
}

// hint is the line that says how an element is used with this entity.
func (n nodeContext) hint(e domains.Element) []string {
	return withID(hints("  ", n.f, n.d.Info.Policy, e, entityHints[e]), n.id)
}

// VirtualAttributes is the answer of compute_virtual_attributes.
func VirtualAttributes(f Frame, d *domains.Domain, ec *domains.EntityContext) string {
	n := newNodeContext(f, d, ec, domains.ContextOptions{Compute: true})
	portions := n.virtual()
	if len(portions) == 0 {
		none := "No virtual attributes declared on this class."
		if f.offers("get_entity_context") {
			none += " get_entity_context shows what else it has."
		}
		portions = []portion{{lines: []string{"", none}}}
	}
	return whole(f, n.head("Virtual Attributes", ec.IRI), portions, described("Note: ", ec.Message))
}

// virtual is a portion for each function, and one for the hint while there is a
// function that was neither computed nor failed. Who has just asked to compute is not
// told to do it again.
func (n nodeContext) virtual() []portion {
	if len(n.cc.Functions) == 0 {
		return nil
	}
	out := []portion{{lines: []string{"", "Virtual Attributes (computed on demand):"}}}
	open, kind := false, &kind{left: leftOut("  ", "function", "functions", "")}
	for _, fn := range n.cc.Functions {
		values, _ := members(fn.Values)
		open = open || len(values) == 0 && fn.Error == ""
		p := function(fn, values)
		p.kind = kind
		out = append(out, p)
	}
	if open && !n.ask.Compute {
		out = append(out, portion{lines: n.hint(domains.ElementVirtualAttributes)})
	}
	return out
}

// function is one function with its attributes: their values when there are any.
func function(fn domains.Function, values []member) portion {
	lines := append([]string{"  → " + exact(fn.FullName)}, described("    Description: ", fn.Description)...)
	var notes []string
	notes = append(notes, described("    ⚠ computation failed: ", fn.Error)...)
	notes = append(notes, described("    ", fn.Message)...)
	return portionOf(lines, fn.Attributes, func(a domains.VirtualAttribute) []string {
		name, datatype := shorten(oneLine(a.Name), nameSize), ""
		if a.DataType != "" {
			datatype = "  (" + shorten(oneLine(a.DataType), nameSize) + ")"
		}
		if len(values) == 0 {
			return []string{"    " + name + datatype + "  — not computed"}
		}
		value := "-"
		for _, v := range values {
			if v.name == a.Name {
				value = jsonValue(v.value)
			}
		}
		return []string{"    " + name + " = " + value + datatype}
	}, leftOut("    ", "attribute", "attributes", ""), notes...)
}
