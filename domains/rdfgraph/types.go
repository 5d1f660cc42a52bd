package rdfgraph

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// measureClasses finds the types in use, and how deep they are.
func (c *call) measureClasses() {
	c.depth = map[store.ID]int{}
	c.classes = map[store.ID]*instances{}
	c.alone = map[store.ID][]string{}
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
			c.alone[class] = []string{c.s.Text(class)}
		}
	}
}

// classesOf are the classes of an entity that say something, as IDs.
func (c *call) classesOf(shown store.ID) []store.ID {
	if c.known.rdfType == 0 {
		return nil
	}
	if !c.groups.has(shown) {
		return c.appendClasses(nil, shown)
	}
	var out []store.ID
	for _, m := range c.members(shown) {
		out = c.appendClasses(out, m)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// appendClasses adds the classes that a term itself is said to have to a list, in order.
func (c *call) appendClasses(to []store.ID, id store.ID) []store.ID {
	if c.known.rdfType == 0 {
		return to
	}
	rows, _ := c.r.Rows(id, c.known.rdfType, 0).Split(c.s.FirstBlank())
	for i := range rows.Len() {
		if class := rows.Third(i); !domains.SaysNothing(c.s.Text(class)) {
			to = append(to, class)
		}
	}
	return to
}

// types are the classes of an entity, most specific first, then by IRI: a class
// is deeper than any above it.
func (c *call) types(shown store.ID) []string {
	var few [4]store.ID
	classes := few[:0]
	if c.groups.has(shown) {
		classes = c.classesOf(shown)
	} else {
		classes = c.appendClasses(classes, shown)
	}
	if len(classes) == 1 {
		if list := c.alone[classes[0]]; list != nil {
			return list
		}
	}
	slices.SortFunc(classes, func(a, b store.ID) int {
		return cmp.Or(cmp.Compare(c.depth[b], c.depth[a]), cmp.Compare(a, b))
	})
	return c.texts(classes)
}

func (g *graph) texts(ids []store.ID) []string {
	if len(ids) == 0 {
		return nil
	}
	out := make([]string, 0, len(ids))
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
	if c.known.rdfType == 0 {
		return
	}
	unlike := map[store.ID]bool{} // classes whose instances are not all shown as the index lists them
	var adding sync.Mutex         // guards unlike and what is in classes
	c.spread(c.r.Rows(0, c.known.rdfType, 0).Len(), func(own *call) func(from, to int) {
		all := own.r.Rows(0, c.known.rdfType, 0) // by class and then by instance
		groups := map[store.ID]bool{}            // entity of several IRIs → whether it has several classes
		return func(from, to int) {
			for run, rest := all.Slice(from, to).Run(); run.Len() > 0; run, rest = rest.Run() {
				class := run.Second()
				in := c.classes[class]
				if in == nil {
					continue
				}
				adding.Lock()
				shared := in.shared
				adding.Unlock()
				plain, shared := own.lookAtInstances(run, shared, groups)
				adding.Lock()
				in.facts += run.Len()
				in.shared = in.shared || shared
				if !plain {
					unlike[class] = true
				}
				adding.Unlock()
			}
		}
	})
	classes := slices.Collect(maps.Keys(unlike))
	c.spreadBy(len(classes), 1, func(own *call) func(from, to int) {
		return func(i, _ int) {
			own.ownInstances(c.classes[classes[i]], own.r.Rows(0, c.known.rdfType, classes[i]))
		}
	})
}

// lookAtInstances says of some rows of a class whether all instances are listed by the
// index as they are shown, and whether some has another class too, if that is not known.
func (c *call) lookAtInstances(rows store.Rows, known bool, groups map[store.ID]bool) (plain, shared bool) {
	plain, shared = true, known
	for i := range rows.Len() {
		id := rows.Third(i)
		shown := c.shown(id)
		plain = plain && shown == id && !c.schema[id] && c.s.Kind(id) == rdf.IRI
		shared = shared || c.severalClasses(shown, groups)
	}
	return plain, shared
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

// ownInstances lists the entities of a class that the index does not list as they
// are shown.
func (c *call) ownInstances(in *instances, rows store.Rows) {
	places := make([]uint64, rows.Len())
	for i := range places {
		places[i] = c.hitPlace(c.shown(rows.Third(i)))
	}
	slices.Sort(places)
	places = slices.Compact(places)
	in.own = make([]store.ID, len(places))
	in.facts = len(places)
	for i, place := range places {
		if in.own[i] = idAt(place); place&schemaPlace != 0 {
			in.facts--
		}
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
