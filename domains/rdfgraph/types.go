package rdfgraph

import (
	"cmp"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// measureClasses finds the types in use, and how deep they are.
func (c *call) measureClasses() {
	c.depth = map[store.ID]int{}
	c.classes = map[store.ID]*instances{}
	if c.known.rdfType == 0 {
		return
	}
	depth := depths(c.ontology)
	for rows := c.r.Rows(0, c.known.rdfType, 0); rows.Len() > 0; _, rows = rows.Run() {
		if c.ended(0) {
			return
		}
		if class := rows.Second(); c.s.Kind(class) == rdf.IRI {
			c.depth[class] = depth[c.s.Text(class)]
			c.classes[class] = &instances{}
		}
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
		rows, _ := c.r.Rows(m, c.known.rdfType, 0).Split(c.s.FirstBlank())
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
// is deeper than any above it.
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
	step := 0
	groups := map[store.ID]bool{} // entity of several IRIs → whether it has several classes
	for class, in := range c.classes {
		if c.ended(0) {
			return
		}
		rows := c.r.Rows(0, c.known.rdfType, class)
		in.facts = rows.Len()
		plain := true
		for row := range rows.All() {
			if c.ended(step) {
				return
			}
			step += 4 // what an entity costs
			shown := c.shown(row.S)
			plain = plain && shown == row.S && !c.schema[row.S] && c.s.Kind(row.S) == rdf.IRI
			if !in.shared {
				in.shared = c.severalClasses(shown, groups)
			}
		}
		if !plain {
			c.ownInstances(in, rows)
		}
	}
}

// severalClasses says whether an entity has more than one class that says something.
// It reads no more than it must; what it finds of groups is kept in known.
func (c *call) severalClasses(shown store.ID, known map[store.ID]bool) bool {
	several, ok := known[shown]
	if ok {
		return several
	}
	if len(c.members(shown)) > 1 {
		several = len(c.classesOf(shown)) > 1
		known[shown] = several
		return several
	}
	rows := c.r.Rows(shown, c.known.rdfType, 0)
	if rows.Len() < 2 {
		return false
	}
	rows, _ = rows.Split(c.s.FirstBlank())
	n := 0
	for i := 0; i < rows.Len() && n < 2; i++ {
		if !domains.SaysNothing(c.s.Text(rows.Third(i))) {
			n++
		}
	}
	return n > 1
}

// firstClass is the first of classesOf an entity of one IRI.
func (c *call) firstClass(id store.ID) store.ID {
	rows := c.r.Rows(id, c.known.rdfType, 0)
	for i := range rows.Len() {
		if class := rows.Third(i); !domains.SaysNothing(c.s.Text(class)) {
			return class
		}
	}
	return 0
}

// ownInstances lists the entities of a class that the index does not list as they
// are shown.
func (c *call) ownInstances(in *instances, rows store.Rows) {
	for row := range rows.All() {
		in.own = append(in.own, c.shown(row.S))
	}
	slices.SortFunc(in.own, func(a, b store.ID) int { return cmp.Compare(c.hitPlace(a), c.hitPlace(b)) })
	in.own = slices.Clip(slices.Compact(in.own))
	in.facts, _ = slices.BinarySearchFunc(in.own, true, func(id store.ID, _ bool) int {
		if c.schema[id] {
			return 0
		}
		return -1
	})
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
