package graphql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// root reads a field of Query and adds the groups that it leads to.
func (x *execution) root(g *group, c *cell, next []*group) []*group {
	if c.source == readSchema || c.field.Name == "__typename" {
		return next
	}
	r, ok := x.s.config.Model.Root(c.field.Name)
	if !ok {
		c.fail = x.internal(fmt.Errorf("the model has no root field %s", c.field.Name))
		return next
	}
	c.source = readObject
	if c.fail != nil {
		return next
	}
	if x.full && r.Kind != RootCount {
		c.unread = true
		return next
	}
	switch r.Kind {
	case RootAll:
		c.source = readObjects
		return x.all(g, c, r.Type, next)
	case RootSearch:
		c.source = readObjects
		return x.search(g, c, next)
	case RootCount:
		c.source = readCount
		x.counting(g, c, r.Type)
		return next
	case RootOne:
		return x.one(g, c, r.Type, next)
	}
	return x.entity(g, c, next)
}

// all reads entities of a type.
func (x *execution) all(g *group, c *cell, t *Type, next []*group) []*group {
	p, fail := x.page(c)
	if fail != nil {
		c.fail = fail
		return next
	}
	s, ok := x.selection(g, c, t, p.search)
	if !ok {
		return next
	}
	s.Offset, s.Limit = p.offset, p.limit
	return x.selected(g, c, s, t.Name, next)
}

// search reads entities of all types by their names.
func (x *execution) search(g *group, c *cell, next []*group) []*group {
	p, fail := x.page(c)
	if fail != nil {
		c.fail = fail
		return next
	}
	name, _ := x.doc.given(c.field, "text").(string)
	if strings.TrimSpace(name) == "" {
		c.fail = &failure{message: "text must not be empty: give a name, or some words of it."}
		return next
	}
	s := domains.Selection{Text: name, Limit: p.limit, Languages: x.s.config.Languages}
	return x.selected(g, c, s, entityType, next)
}

// selected reads the entities of a selection.
func (x *execution) selected(g *group, c *cell, s domains.Selection, target string, next []*group) []*group {
	var found *domains.Selected
	if s.Limit == 0 {
		found = &domains.Selected{}
	} else {
		s.Limit = min(s.Limit, x.s.config.MaxEntities-x.counted+1)
		var ok bool
		found, ok = ask(x, g, c, func(from domains.Columns) (*domains.Selected, error) { return from.Select(x.ctx, s) })
		if !ok {
			return next
		}
	}
	return x.take(g, c, domains.Lists[domains.Node]{Ends: []int{len(found.Nodes)}, Items: found.Nodes}, target, next)
}

// counting counts the entities of a type.
func (x *execution) counting(g *group, c *cell, t *Type) {
	search, _ := x.doc.given(c.field, "search").(string)
	s, ok := x.selection(g, c, t, search)
	if !ok {
		return
	}
	s.Count = true
	found, ok := ask(x, g, c, func(from domains.Columns) (*domains.Selected, error) { return from.Select(x.ctx, s) })
	if ok {
		c.count = found.Total
	}
}

// selection is what the arguments search, where and orderBy ask of the entities of a
// type. ok is false when they can't be used: the cell then says why.
func (x *execution) selection(g *group, c *cell, t *Type, search string) (s domains.Selection, ok bool) {
	s = domains.Selection{Classes: t.Classes, Text: search, Languages: x.s.config.Languages}
	f := filter{x: x, g: g, c: c}
	s.Where, ok = f.where(t)
	if ok {
		s.Order, ok = f.order(t)
	}
	return s, ok
}

// one reads the entity of a type that has an id, which is an id, an IRI or a local id.
func (x *execution) one(g *group, c *cell, t *Type, next []*group) []*group {
	id, _ := x.doc.given(c.field, "id").(string)
	nodes, ok := x.named(g, c, []string{id})
	if !ok {
		return next
	}
	of := slices.DeleteFunc(nodes[0], func(n domains.Node) bool { return n == 0 })
	if len(of) > 0 {
		types, ok := ask(x, g, c, func(from domains.Columns) (domains.Lists[string], error) {
			out, err := from.Types(x.ctx, of)
			return out, whole(err, len(out.Ends), &group{nodes: of})
		})
		if !ok {
			return next
		}
		for i, n := range of {
			if slices.ContainsFunc(types.At(i), func(class string) bool { return slices.Contains(t.Classes, class) }) {
				return x.single(g, c, n, t.Name, next)
			}
		}
	}
	n, ok := x.local(g, c, t, id)
	if !ok {
		return next
	}
	return x.single(g, c, n, t.Name, next)
}

// entity reads the entity that has an IRI or an id.
func (x *execution) entity(g *group, c *cell, next []*group) []*group {
	uri, _ := x.doc.given(c.field, "uri").(string)
	nodes, ok := x.named(g, c, []string{uri})
	if !ok {
		return next
	}
	slices.Reverse(nodes[0]) // it is an IRI first
	for _, n := range nodes[0] {
		if n != 0 {
			return x.single(g, c, n, entityType, next)
		}
	}
	return x.single(g, c, 0, entityType, next)
}

// single takes in one entity, or none for 0.
func (x *execution) single(g *group, c *cell, n domains.Node, target string, next []*group) []*group {
	list := domains.Lists[domains.Node]{Ends: []int{0}}
	if n != 0 {
		list = domains.Lists[domains.Node]{Ends: []int{1}, Items: []domains.Node{n}}
	}
	return x.take(g, c, list, target, next)
}

// named finds the entities that ids can mean, for each id: the one whose id it is, then
// the one whose IRI it is; 0 stands for none.
func (x *execution) named(g *group, c *cell, ids []string) (out [][]domains.Node, ok bool) {
	base := x.s.config.Model.Base
	var iris []string
	for _, id := range ids {
		iris = append(iris, base+id, id)
	}
	nodes, ok := ask(x, g, c, func(from domains.Columns) ([]domains.Node, error) {
		out, err := from.Nodes(x.ctx, iris)
		return out, whole(err, len(out), &group{nodes: make([]domains.Node, len(iris))})
	})
	if !ok {
		return nil, false
	}
	for i, id := range ids {
		pair := slices.Clone(nodes[2*i : 2*i+2])
		if id == "" {
			pair[0] = 0 // the base alone is nobody's id
		}
		out = append(out, slices.Compact(pair))
	}
	return out, true
}

// local finds the entity of a type (nil for any) whose local id it is; 0 when there is
// none. ok is false when there are several.
func (x *execution) local(g *group, c *cell, t *Type, id string) (n domains.Node, ok bool) {
	if id == "" {
		return 0, true
	}
	var classes []string
	of := ""
	if t != nil {
		classes, of = t.Classes, " of "+t.Name
	}
	nodes, ok := ask(x, g, c, func(from domains.Columns) ([]domains.Node, error) {
		return from.Local(x.ctx, classes, id)
	})
	switch {
	case !ok || len(nodes) == 0:
		return 0, ok
	case len(nodes) == 1:
		return nodes[0], true
	}
	iris, ok := ask(x, g, c, func(from domains.Columns) ([]string, error) {
		out, err := from.IRIs(x.ctx, nodes)
		return out, whole(err, len(out), &group{nodes: nodes})
	})
	if ok {
		for i := range iris {
			iris[i] = x.s.idOf(iris[i])
		}
		c.fail = &failure{message: fmt.Sprintf("Several entities%s have the local id %s: give one of these ids instead: %s.",
			of, text(shorten(id)), strings.Join(iris, ", "))}
	}
	return 0, false
}
