package bricktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// node is an entity that a request asks about, and the class it belongs to.
type node struct {
	iri, localID string
	class        class // nil when no class fits
}

func (c *call) node(in string) (node, error) {
	iri, err := c.required(in, "entity_uri")
	if err != nil {
		return node{}, err
	}
	return node{iri, localID(iri), c.classOf(iri)}, nil
}

// classOf is the class of an entity by its IRI: the first class whose IRI is above it,
// else the first whose name stands in it.
func (c *call) classOf(iri string) class {
	list := c.domain.classes()
	for _, d := range list {
		uri := strings.TrimSuffix(d.text("uri"), "/")
		if uri != "" && (strings.HasPrefix(iri, uri+"/") || strings.HasPrefix(iri, uri+"#")) {
			return c.shown(d)
		}
	}
	for _, d := range list {
		for _, name := range []string{localID(d.text("uri")), d.text("name")} {
			if name != "" && (strings.Contains(iri, "/"+name+"/") || strings.Contains(iri, "#"+name+"/") || strings.Contains(iri, "#"+name+"_")) {
				return c.shown(d)
			}
		}
	}
	return nil
}

// list is a member of a class that is a list of objects.
func (c class) list(name string) []class {
	var out []class
	_ = json.Unmarshal(c[name], &out) // what is no list has no elements
	return out
}

// contextOptions are the parameters of GET /nodes/context.
type contextOptions struct {
	rows, follow, compute bool
	limit                 int
}

func (c *call) contextOptions() (o contextOptions, err error) {
	if o.rows, err = c.flag("fetch_dataset_rows"); err != nil {
		return o, err
	}
	if o.limit, err = c.within("dataset_row_limit", 5, 1, 20); err != nil {
		return o, err
	}
	if o.follow, err = c.flag("follow_bridges"); err != nil {
		return o, err
	}
	if _, err = c.within("bridge_depth", 1, 1, 5); err != nil {
		return o, err
	}
	o.compute, err = c.flag("compute_virtual_attributes")
	return o, err
}

// nodeContext answers GET /nodes/context.
func nodeContext(c *call) (any, error) {
	n, err := c.node("query")
	if err != nil {
		return nil, err
	}
	o, err := c.contextOptions()
	if err != nil {
		return nil, err
	}
	if whole, ok := c.domain.Context[n.iri]; ok {
		return whole, nil
	}
	out := object{"success": true, "entity_uri": n.iri, "entity_local_id": n.localID}
	if n.class == nil {
		return out, nil
	}
	out["class_name"] = n.class.text("name")
	c.addDataset(out, n, o)
	for _, member := range []string{"actions", "business_rules"} {
		if len(n.class.list(member)) > 0 {
			out[member] = n.class[member]
		}
	}
	if list := c.addBridges(n, o); len(list) > 0 {
		out["bridges"] = list
	}
	if groups := n.class.list("virtualAttributes"); len(groups) > 0 {
		out["virtual_attributes"] = c.groups(groups, n, o.compute)
	}
	return out.without(c.domain.Omit), nil
}

func (c *call) addDataset(out object, n node, o contextOptions) {
	var dataset class
	if json.Unmarshal(n.class["dataset"], &dataset) != nil || dataset == nil {
		return
	}
	set := object{"fullName": dataset["fullName"]}
	for _, k := range []string{"key_column", "description"} {
		if v := dataset.text(k); v != "" {
			set[k] = v
		}
	}
	out["dataset"] = set
	key := dataset.text("key_column")
	switch {
	case !o.rows:
	case key == "":
		set["key_column_missing"] = true
	case c.domain.Rows == nil:
		set["rows"], out["message"] = []object{}, "Databricks client is not configured"
	default:
		rows, err := c.domain.Rows(dataset.text("fullName"), key, n.localID, o.limit)
		if err != nil {
			set["rows"], out["message"] = []object{}, err.Error()
			return
		}
		set["rows"] = rows[:min(o.limit, len(rows)):len(rows)]
	}
}

func (c *call) addBridges(n node, o contextOptions) []object {
	var out []object
	for _, b := range n.class.list("bridges") {
		bridge := object{}
		for _, k := range []string{"target_domain", "target_domain_description", "target_class_name", "target_class_uri", "label"} {
			bridge[k] = b.text(k)
		}
		if o.follow {
			found := []json.RawMessage{}
			if c.domain.Bridged != nil {
				found = append(found, c.domain.Bridged(b.text("target_domain"), b.text("target_class_name"), n.localID)...)
			}
			bridge["entities"] = found
		}
		out = append(out, bridge)
	}
	return out
}

// groups are the functions of virtual attributes, computed when asked for.
func (c *call) groups(declared []class, n node, compute bool) []object {
	var out []object
	for _, g := range declared {
		group := object{}
		for k, v := range g {
			group[k] = v
		}
		if compute {
			c.compute(group, g, n)
		}
		out = append(out, group)
	}
	return out
}

func (c *call) compute(group object, declared class, n node) {
	group["values"] = object{}
	if c.domain.VirtualAttributes == nil {
		group["error"] = "Databricks client is not configured"
		return
	}
	rows, err := c.domain.VirtualAttributes(declared.text("fullName"), n.localID)
	switch {
	case err != nil:
		group["error"] = err.Error()
		return
	case len(rows) == 0:
		group["message"] = "No row returned for this entity"
		return
	case len(rows) > 1:
		group["message"] = fmt.Sprintf("Function returned %d rows; only the first one is used", len(rows))
	}
	values := object{}
	for _, a := range declared.list("attributes") {
		column := a.text("column")
		if column == "" {
			column = "result"
		}
		if v, ok := rows[0][column]; ok {
			values[a.text("name")] = v
		}
	}
	group["values"] = values
}

const noClass = "No ontology class matches this entity URI"

// virtualAttributes answers GET /nodes/virtual-attributes.
func virtualAttributes(c *call) (any, error) {
	n, err := c.node("query")
	if err != nil {
		return nil, err
	}
	if c.domain.disables("virtual_attributes") {
		return nil, invalid("Virtual attributes are disabled for this domain by its MCP policy")
	}
	if n.class == nil {
		return nil, notFound(noClass)
	}
	groups := n.class.list("virtualAttributes")
	if f := c.query.Get("function"); f != "" {
		groups = slices.DeleteFunc(groups, func(g class) bool { return g.text("fullName") != f })
		if len(groups) == 0 {
			return nil, invalid(fmt.Sprintf("Virtual attribute function '%s' is not configured on class '%s'", f, n.class.text("name")))
		}
	}
	list := c.groups(groups, n, true)
	if list == nil {
		list = []object{}
	}
	return n.answer(object{"virtual_attributes": list}), nil
}

// answer adds what every answer about a node of a class has.
func (n node) answer(members object) object {
	return object{"success": true, "entity_uri": n.iri, "entity_local_id": n.localID, "class_name": n.class.text("name")}.with(members)
}

// action answers POST /nodes/action.
func action(c *call) (any, error) {
	n, err := c.node("body")
	if err != nil {
		return nil, err
	}
	name, err := c.required("body", "action_full_name")
	if err != nil {
		return nil, err
	}
	declared, err := c.declared(n, "actions", "Actions", "Action", "fullName", name)
	if err != nil {
		return nil, err
	}
	rows := []json.RawMessage{}
	if c.domain.Action != nil {
		got, err := c.domain.Action(name, n.localID)
		if err != nil {
			return nil, sqlError(err)
		}
		rows = append(rows, got...)
	}
	var table bool
	_ = json.Unmarshal(declared["returns_table"], &table) // absent means a scalar
	return n.answer(object{"action": name, "returns_table": table, "rows": rows}), nil
}

// declared finds an action or rule on the node's class, or refuses as the contract
// says.
func (c *call) declared(n node, member, plural, singular, key, name string) (class, error) {
	if c.domain.disables(member) {
		return nil, invalid(plural + " are disabled for this domain by its MCP policy")
	}
	if n.class == nil {
		return nil, notFound(noClass)
	}
	for _, d := range n.class.list(member) {
		if d.text(key) == name {
			return d, nil
		}
	}
	return nil, invalid(fmt.Sprintf("%s '%s' is not configured on class '%s'", singular, name, n.class.text("name")))
}

// businessRule answers POST /nodes/business-rule.
func businessRule(c *call) (any, error) {
	n, err := c.node("body")
	if err != nil {
		return nil, err
	}
	name, err := c.required("body", "rule")
	if err != nil {
		return nil, err
	}
	if _, err := c.declared(n, "business_rules", "Business rules", "Business rule", "name", name); err != nil {
		return nil, err
	}
	var result RuleResult
	if c.domain.Rule != nil {
		if result, err = c.domain.Rule(name, n.iri); err != nil {
			return nil, sqlError(err)
		}
	}
	shown := result.Triples[:min(len(result.Triples), 200)]
	return n.answer(object{
		"rule": name, "inferred_count": result.Inferred, "materialized_count": result.Materialized,
		"triples": objects(shown), "truncated": len(shown) < len(result.Triples),
	}), nil
}

// sqlError is what the warehouse said, unless it is an answer already.
func sqlError(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return broken(err.Error())
}
