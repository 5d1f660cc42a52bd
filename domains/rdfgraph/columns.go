package rdfgraph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

const (
	// mostRead is how many entries of the graph one call of Columns reads, and
	// mostSelected how many of them to select entities.
	mostRead     = 5_000_000
	mostSelected = 1_000_000
)

// columns answers domains.Columns from a graph. A Node is the ID of the term that an
// entity is shown with.
type columns struct {
	*graph
	inUse usageOnce
	// plain is set where no value needs a second look: no entity has several IRIs, and
	// there are neither lists nor owl:sameAs.
	plain bool
	// few is up to how many links of a node, or entities, are read without looking for
	// something shorter; hub is how many links a node has of which not all are read to list
	// a few. Tests set them to 0.
	few, hub int
	// selected is how many entries are read to select entities.
	selected int
}

var _ domains.Columns = (*columns)(nil)

func newColumns(g *graph) *columns {
	return &columns{
		graph: g, inUse: newUsageOnce(), few: readAll, hub: 1_000, selected: mostSelected,
		plain: len(g.groups.moved) == 0 && g.known.first == 0 && g.known.null == 0 && g.known.sameAs == 0,
	}
}

// column is one call of Columns. It is not for concurrent use.
type column struct {
	*call
	columns *columns
	// most is how many entries may be read; over is set when there are more.
	most int
	over bool
	// read and values are what is being read of a block and of a node.
	read   store.Column
	values []store.ID
	// tries is how many values may still be tried to narrow a condition.
	tries int
	// stack is what conditions are looking at: each takes what it put there off again.
	stack []store.ID
	// cells and seen are what listOwners climbs through.
	cells []store.ID
	seen  map[store.ID]bool
}

func (g *columns) column(ctx context.Context, langs []string) *column {
	return &column{call: g.call(ctx, langs), columns: g, most: mostRead}
}

// spent says whether no more may be read.
func (c *column) spent() bool {
	c.over = c.over || c.r.Work().Reads() > c.most
	return c.over
}

// err says why the call failed, if it did; narrow says how to ask for less.
func (c *column) err(narrow string) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if c.spent() {
		return &domains.Error{Kind: domains.ErrLimit, Op: "reading the graph",
			Message: fmt.Sprintf("More than %s entries of the graph would have to be read: %s", domains.Number(c.most), narrow)}
	}
	return nil
}

// node is the term of a Node; 0 for a number that is none.
func (g *columns) node(n domains.Node) store.ID {
	if id := store.ID(n); id < g.s.FirstLiteral() {
		return id
	}
	return 0
}

// Nodes implements domains.Columns.
func (g *columns) Nodes(ctx context.Context, iris []string) ([]domains.Node, error) {
	out := make([]domains.Node, len(iris))
	for i, iri := range iris {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if id, ok := g.resolve(iri); ok {
			out[i] = domains.Node(id)
		}
	}
	return out, ctx.Err()
}

// IRIs implements domains.Columns.
func (g *columns) IRIs(ctx context.Context, of []domains.Node) ([]string, error) {
	out := make([]string, len(of))
	for i, n := range of {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if id := g.node(n); id != 0 {
			out[i] = g.iri(id)
		}
	}
	return out, ctx.Err()
}

// Types implements domains.Columns.
func (g *columns) Types(ctx context.Context, of []domains.Node) (domains.Lists[string], error) {
	c := g.column(ctx, nil)
	defer c.r.Done()
	out := domains.Lists[string]{Ends: make([]int, 0, len(of)), Items: make([]string, 0, len(of))}
	for i, n := range of {
		if c.ended(i) {
			return domains.Lists[string]{}, ctx.Err()
		}
		if id := g.node(n); id != 0 {
			out.Items = c.appendTypes(out.Items, id)
		}
		out.Append()
	}
	return out, ctx.Err()
}

// appendTypes adds the types of an entity to a list.
func (c *column) appendTypes(to []string, node store.ID) []string {
	if !c.groups.has(node) && c.known.rdfType != 0 {
		rows := c.r.Rows(node, c.known.rdfType, 0)
		if rows.Len() == 0 {
			return to
		}
		if rows.Len() == 1 {
			class := rows.Third(0)
			if c.s.Kind(class) == rdf.IRI && !domains.SaysNothing(c.s.Text(class)) {
				to = append(to, c.s.Text(class))
			}
			return to
		}
	}
	return append(to, c.types(node)...)
}

// mostLocal is how many entities Local finds.
const mostLocal = 10

// Local implements domains.Columns.
func (g *columns) Local(ctx context.Context, classes []string, id string) ([]domains.Node, error) {
	c := g.column(ctx, nil)
	defer c.r.Done()
	h := &hits{call: c.call}
	if len(classes) > 0 {
		h.types = c.classIDs(classes)
	}
	found, err := c.withLocal(h, id)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b store.ID) int { return cmp.Compare(c.place(a), c.place(b)) })
	found = slices.Compact(found)
	out := make([]domains.Node, 0, min(len(found), mostLocal))
	for _, id := range found[:min(len(found), mostLocal)] {
		out = append(out, domains.Node(id))
	}
	return out, ctx.Err()
}

// withLocal finds the entities with a local id: by the name that the local name of
// their IRI is, or has as its last word, or among the instances where too many have that.
func (c *column) withLocal(h *hits, id string) ([]store.ID, error) {
	c.r.Search(func() bool { return c.ctx.Err() != nil })
	var found []store.ID
	add := func(node store.ID) {
		if !c.schema[node] && c.hasLocal(node, id) && h.hasType(node) {
			found = append(found, node)
		}
	}
	if blank, ok := c.resolve(c.skolem.iri(id)); ok && c.s.Kind(blank) == rdf.Blank {
		add(blank)
	}
	folded := store.Fold(id)
	for _, search := range []func(*store.Reader, string) store.Owners{c.names.Exact, c.names.Words} {
		owners := search(c.r, folded)
		if !owners.More {
			for _, node := range owners.IDs {
				add(node)
			}
			continue
		}
		few, ok := h.fewInstances()
		if !ok {
			return nil, &domains.Error{Kind: domains.ErrLimit, Op: "finding a local id",
				Message: fmt.Sprintf("Too many entities have a name with %q in it: give the whole IRI.", id)}
		}
		for _, l := range few {
			for i := range l.len() {
				if c.ended(i) {
					return nil, c.ctx.Err()
				}
				add(c.instance(l, i))
			}
		}
		break
	}
	return found, c.ctx.Err()
}

// hasLocal says whether an IRI of an entity has a local id.
func (c *column) hasLocal(node store.ID, id string) bool {
	return slices.ContainsFunc(c.members(node), func(m store.ID) bool { return domains.LocalID(c.iri(m)) == id })
}
