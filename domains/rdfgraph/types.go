package rdfgraph

import (
	"cmp"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// measureClasses counts, for every type in use, the classes above it.
func (c *call) measureClasses() {
	g, r := c.graph, c.r
	g.depth = map[store.ID]int{}
	g.classes = map[store.ID]*instances{}
	if g.known.rdfType == 0 {
		return
	}
	for rows := r.Rows(0, g.known.rdfType, 0); rows.Len() > 0; _, rows = rows.Run() {
		class := rows.Second()
		if c.ended(0) {
			return
		}
		if g.s.Kind(class) != rdf.IRI {
			continue
		}
		g.depth[class] = len(g.ontology.WithSuperClasses(g.s.Text(class))) - 1
		g.classes[class] = &instances{}
	}
}

// classesOf are the classes of an entity that say something, as IDs.
func (c *call) classesOf(shown store.ID) []store.ID {
	if c.known.rdfType == 0 {
		return nil
	}
	var out []store.ID
	members := c.members(shown)
	for _, m := range members {
		rows, _ := c.r.Rows(m, c.known.rdfType, 0).Split(store.ID(c.s.IRIs() + 1))
		for i := range rows.Len() {
			if class := rows.Third(i); !domains.SaysNothing(c.s.Text(class)) {
				out = append(out, class)
			}
		}
	}
	if len(members) > 1 {
		slices.Sort(out)
		out = slices.Compact(out)
	}
	return out
}

// types are the classes of an entity, most specific first, then by IRI: a class
// has more classes above it than any of those has.
func (c *call) types(shown store.ID) []string {
	classes := c.classesOf(shown)
	slices.SortFunc(classes, func(a, b store.ID) int {
		return cmp.Or(cmp.Compare(c.depth[b], c.depth[a]), cmp.Compare(a, b))
	})
	return c.texts(classes)
}

func (g *graph) texts(ids []store.ID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, g.s.Text(id))
	}
	return out
}

// instances are the entities of a class, schema terms last, then by IRI.
type instances struct {
	// own lists them where the index does not: where an instance is shown with
	// another IRI, is a blank node or a schema term. Otherwise nil.
	own []store.ID
	// facts counts those that are not schema terms.
	facts int
	// shared is set when some instance has another class too.
	shared bool
}

// findInstances fills classes.
func (c *call) findInstances() {
	g, r := c.graph, c.r
	for class, in := range g.classes {
		if c.ended(0) {
			return
		}
		rows := r.Rows(0, g.known.rdfType, class)
		in.facts = rows.Len()
		plain := true
		for row := range rows.All() {
			plain = plain && g.shown(row.S) == row.S && !g.schema[row.S] && g.s.Kind(row.S) == rdf.IRI
			if !in.shared && (!plain || r.Rows(row.S, g.known.rdfType, 0).Len() > 1) {
				in.shared = len(c.classesOf(g.shown(row.S))) > 1
			}
		}
		if plain {
			continue
		}
		for row := range rows.All() {
			in.own = append(in.own, g.shown(row.S))
		}
		slices.SortFunc(in.own, func(a, b store.ID) int { return cmp.Compare(g.hitPlace(a), g.hitPlace(b)) })
		in.own = slices.Clip(slices.Compact(in.own))
		in.facts, _ = slices.BinarySearchFunc(in.own, true, func(id store.ID, _ bool) int {
			if g.schema[id] {
				return 0
			}
			return -1
		})
	}
}

// instanceList reads the instances of one class.
type instanceList struct {
	own  []store.ID
	rows store.Rows
}

func (l instanceList) len() int {
	if l.own != nil {
		return len(l.own)
	}
	return l.rows.Len()
}

// instances returns the entities of a class; they are read as they are asked for.
func (c *call) instances(class store.ID) instanceList {
	if in := c.classes[class]; in != nil && in.own != nil {
		return instanceList{own: in.own}
	}
	return instanceList{rows: c.r.Rows(0, c.known.rdfType, class)}
}

func (c *call) instance(l instanceList, i int) store.ID {
	if l.own != nil {
		c.r.Posting()
		return l.own[i]
	}
	return l.rows.At(i).S
}
