package graphql

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// mostExponent is the greatest exponent, of either sign, of a number for a Long or a Decimal.
const mostExponent = 1000

// forms says how values of scalars are given.
var forms = [...]string{String: "a text in double quotes", Int: "a whole number", Long: "a whole number or its text",
	Decimal: `a number or its text, such as "12.50"`, Float: "a number", Boolean: "true or false",
	Date: `a text such as "2024-05-31"`, DateTime: `a text such as "2024-05-31T12:00:00Z"`, Time: `a text such as "12:00:00"`}

// valueOf is a value of a filter. path names it in errors.
func valueOf(path string, s Scalar, v any) (xsd.Value, error) {
	lexical, ok := "", true
	switch v := v.(type) {
	case string:
		lexical, ok = v, s != Boolean && s != Int
	case json.Number:
		lexical, ok = decimalOf(string(v), s)
	case int64:
		lexical, ok = strconv.FormatInt(v, 10), s != String && s < Boolean
	case float64:
		lexical, ok = decimalOf(strconv.FormatFloat(v, 'g', -1, 64), s)
	case bool:
		lexical, ok = strconv.FormatBool(v), s == Boolean
	default:
		ok = false
	}
	if ok {
		if value, err := xsd.Parse(scalarKinds[s], lexical); err == nil {
			return value, nil
		}
	}
	if lexical == "" {
		lexical = fmt.Sprint(v)
	}
	return xsd.Value{}, wrong(fmt.Sprintf("%s can't be %s: give %s.", path, text(shorten(strings.ToValidUTF8(lexical, "\uFFFD"))), forms[s]))
}

// list are the values of a list; null among them is left out.
func (f *filter) list(path string, s Scalar, list []any) (out []xsd.Value, err error) {
	if len(list) > mostInList {
		return nil, wrong(fmt.Sprintf("%s has %s values: at most %s can be given.", path, domains.Number(len(list)), domains.Number(mostInList)))
	}
	if f.listed += len(list); f.listed > mostInAll {
		return nil, wrong(fmt.Sprintf("where has lists with more than %s values in all: give fewer, or each list once.", domains.Number(mostInAll)))
	}
	for i, item := range list {
		if item == nil {
			continue
		}
		v, err := valueOf(fmt.Sprintf("%s[%d]", path, i), s, item)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// decimalOf is a number of JSON as the text of a scalar: without exponent for a Long, an
// Int and a Decimal, since the text of an integer or decimal has none.
func decimalOf(n string, s Scalar) (lexical string, ok bool) {
	switch s {
	case Float:
		return n, true
	case Int, Long, Decimal:
	default:
		return n, false
	}
	at := strings.IndexAny(n, "eE")
	exponent := 0
	if at >= 0 {
		var err error
		if exponent, err = strconv.Atoi(n[at+1:]); err != nil || exponent > mostExponent || exponent < -mostExponent {
			return n, false
		}
		n = n[:at]
	}
	sign := ""
	if strings.HasPrefix(n, "-") {
		sign, n = "-", n[1:]
	}
	digits, fraction, _ := strings.Cut(n, ".")
	point := len(digits) + exponent
	digits += fraction
	if point < 1 {
		digits, point = strings.Repeat("0", 1-point)+digits, 1
	}
	if more := point - len(digits); more > 0 {
		digits += strings.Repeat("0", more)
	}
	lexical = sign + digits[:point]
	if rest := strings.TrimRight(digits[point:], "0"); rest != "" {
		lexical += "." + rest
	}
	return lexical, true
}

// ids is the condition of a filter on ids. What they mean is found out later, for all
// filters of the argument at once.
func (f *filter) ids(t *Type, object map[string]any) (domains.Condition, error) {
	var parts []domains.Condition
	for _, name := range sortedKeys(object) {
		v := object[name]
		if v == nil {
			continue
		}
		n := idTest{typ: t}
		for _, item := range asList(v) {
			if id, ok := item.(string); ok {
				n.ids = append(n.ids, id)
			}
		}
		if err := f.count(len(n.ids)); err != nil {
			return domains.Condition{}, err
		}
		n.nodes = make([]domains.Node, len(n.ids))
		f.named = append(f.named, n)
		parts = append(parts, domains.Condition{Op: domains.OpIs, Nodes: n.nodes})
	}
	return all(parts), nil
}

// resolve finds the entities that the ids of all filters mean. ok is false when that is
// not clear: the cell then says why.
func (f *filter) resolve() (ok bool) {
	var ids []string
	for _, n := range f.named {
		ids = append(ids, n.ids...)
	}
	if len(ids) == 0 {
		return true
	}
	found, ok := f.x.named(f.g, f.c, ids)
	if !ok {
		return false
	}
	at := 0
	for _, n := range f.named {
		for i, id := range n.ids {
			for _, node := range found[at] {
				if n.nodes[i] == 0 {
					n.nodes[i] = node
				}
			}
			at++
			if n.nodes[i] != 0 {
				continue
			}
			if n.nodes[i], ok = f.x.local(f.g, f.c, n.typ, id); !ok {
				return false
			}
		}
	}
	return true
}

// known takes the ids that nobody has out of a condition.
func known(c *domains.Condition) {
	kept := c.Nodes[:0]
	for _, n := range c.Nodes {
		if n != 0 {
			kept = append(kept, n)
		}
	}
	c.Nodes = kept
	for i := range c.Parts {
		known(&c.Parts[i])
	}
}
