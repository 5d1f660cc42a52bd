package graphql

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
)

// Shares are several types in short, for those that are too long together. They are GraphQL
// to read and no schema: types and inputs that they lead to are named and not defined.
type Shares struct {
	// Arguments are those that every relation of the types takes, where all take the same:
	// the definitions leave them out. Empty otherwise.
	Arguments string
	// Definitions are the fields of the root that give the types, and then the types, in the
	// order in which they were asked for.
	Definitions []Definition
}

// leastShare is the least number of code points that a type may take of an answer.
const leastShare = 300

// Shares gives each of some types a part of most code points: those that need less leave
// the rest to the others. Fields that few types have come first, behind those of the
// type's interfaces, because they tell what is special about it. Names that are no types are
// passed over.
func (s *Schema) Shares(names []string, most int) Shares {
	h := sharer{s: s, asked: map[string]bool{}}
	for _, n := range names {
		if d := s.types[n]; d != nil && !h.asked[n] {
			h.asked[n] = true
			h.types = append(h.types, d)
		}
	}
	h.countFields()
	out := Shares{Arguments: h.common()}
	h.arguments = out.Arguments
	if d, ok := h.root(); ok {
		out.Definitions = append(out.Definitions, d)
		most -= utf8.RuneCountInString(d.Text)
	}
	whole := make([]brief, len(h.types))
	sizes := make([]int, len(h.types))
	for i, d := range h.types {
		whole[i] = brief{of: d, fields: h.fields(d)}
		sizes[i] = utf8.RuneCountInString(whole[i].text())
	}
	share := max(fairShare(sizes, most), leastShare)
	for i, b := range whole {
		text := b.text()
		if sizes[i] > share {
			text = h.within(b, share)
		}
		out.Definitions = append(out.Definitions, Definition{Name: b.of.Name, Keyword: keywords[b.of.Kind], Description: b.of.Description, Text: text})
	}
	return out
}

// fairShare is the most that each may take of a whole, so that what some do not need is
// left to the others.
func fairShare(needs []int, whole int) int {
	needs = slices.Clone(needs)
	slices.Sort(needs)
	for i, n := range needs {
		if share := whole / (len(needs) - i); n > share {
			return share
		}
		whole -= n
	}
	return whole
}

type sharer struct {
	s         *Schema
	asked     map[string]bool
	types     []*ast.Definition // those asked for
	having    map[string]int    // field of those → types that have one of that name
	arguments string
}

// countFields counts how many types have the fields of those asked for.
func (h *sharer) countFields() {
	h.having = map[string]int{}
	for _, d := range h.types {
		for _, f := range d.Fields {
			h.having[f.Name] = 0
		}
	}
	for _, d := range h.s.types {
		if d.Kind != ast.Object && d.Kind != ast.Interface {
			continue
		}
		for _, f := range d.Fields {
			if n, wanted := h.having[f.Name]; wanted {
				h.having[f.Name] = n + 1
			}
		}
	}
}

// common are the arguments of the relations, if there are several and all have the same.
func (h *sharer) common() string {
	found, n := "", 0
	for _, d := range h.types {
		if d.Kind == ast.InputObject || h.s.isRoot(d.Name) {
			continue
		}
		for _, f := range d.Fields {
			if !(outliner{s: h.s}).isRelation(f) {
				continue
			}
			args := argumentsOf(f)
			if args == "" || n > 0 && found != args {
				return ""
			}
			found = args
			n++
		}
	}
	if n < 2 {
		return ""
	}
	return found
}

// root are the fields of the root that give the types: of those that the pattern covers, the
// fields of one for all.
func (h *sharer) root() (Definition, bool) {
	p := projection{s: h.s, asked: h.asked}
	root := h.s.types[h.s.Root()]
	fields := p.rootFields()
	if len(fields) == 0 {
		return Definition{}, false
	}
	b := brief{of: &ast.Definition{Kind: ast.Object, Name: root.Name}}
	example, likewise := "", []string(nil)
	for _, d := range h.types {
		switch {
		case !h.s.pattern.Covers(d.Name):
		case example == "":
			example = d.Name
		default:
			likewise = append(likewise, d.Name)
		}
	}
	for _, f := range fields {
		if !slices.Contains(likewise, h.s.owner(f)) {
			b.fields = append(b.fields, printed(f))
		}
	}
	if len(likewise) > 0 {
		b.fields = append(b.fields, "# "+strings.Join(h.s.pattern.Names(), ", ")+" likewise for X = "+strings.Join(likewise, ", "))
	}
	if more := len(root.Fields) - len(fields); more > 0 {
		b.rest = "… and " + inCounts(more, "field", "fields") + " of other types"
	}
	return Definition{Name: root.Name, Keyword: "type", Text: b.text()}, true
}

// fields are the fields or values of a type as they are written, those that matter first.
func (h *sharer) fields(d *ast.Definition) []string {
	if d.Kind == ast.Enum {
		return enumNames(d)
	}
	fields := slices.Clone(d.Fields)
	if d.Kind == ast.InputObject {
		slices.SortStableFunc(fields, func(a, b *ast.FieldDefinition) int {
			return cmp.Compare(earlier(isRequired(a.Type, a.DefaultValue)), earlier(isRequired(b.Type, b.DefaultValue)))
		})
	} else if !h.s.isRoot(d.Name) {
		must := h.ofInterfaces(d)
		slices.SortStableFunc(fields, func(a, b *ast.FieldDefinition) int {
			return cmp.Or(cmp.Compare(earlier(must[a.Name]), earlier(must[b.Name])), cmp.Compare(earlier(!isDeprecated(a)), earlier(!isDeprecated(b))),
				cmp.Compare(h.having[a.Name], h.having[b.Name]))
		})
	}
	var out []string
	for _, f := range fields {
		if h.arguments != "" && d.Kind != ast.InputObject && (outliner{s: h.s}).isRelation(f) {
			out = append(out, f.Name+": "+f.Type.String()+deprecation(f))
			continue
		}
		out = append(out, printed(f))
	}
	return out
}

// earlier puts what is so before what is not.
func earlier(so bool) int {
	if so {
		return 0
	}
	return 1
}

func isDeprecated(f *ast.FieldDefinition) bool { return f.Directives.ForName("deprecated") != nil }

// ofInterfaces are the fields that a type has because of its interfaces.
func (h *sharer) ofInterfaces(d *ast.Definition) map[string]bool {
	out := map[string]bool{}
	for _, i := range d.Interfaces {
		if of := h.s.types[i]; of != nil {
			for _, f := range of.Fields {
				out[f.Name] = true
			}
		}
	}
	return out
}

// within is a type with as many of its fields as fit most code points, and at least one.
func (h *sharer) within(b brief, most int) string {
	all := b.fields
	if len(all) == 0 {
		return b.text()
	}
	noun := [2]string{"more field", "more fields"}
	if b.of.Kind == ast.Enum {
		noun = [2]string{"more value", "more values"}
	}
	rest := func(n int) string {
		return "… and " + inCounts(n, noun[0], noun[1]) + `: types=["` + b.of.Name + `"] shows all`
	}
	b.fields, b.rest = nil, rest(len(all))
	room := most - utf8.RuneCountInString(b.text()) - len("  # \n")
	n := 0
	for n < len(all) {
		if room -= utf8.RuneCountInString(all[n]) + len("  \n"); room < 0 && n > 0 {
			break
		}
		n++
	}
	if b.fields, b.rest = all[:n], ""; n < len(all) {
		b.rest = rest(len(all) - n)
	}
	return b.text()
}
