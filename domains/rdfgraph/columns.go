package rdfgraph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

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
		plain: len(g.groups.shown) == 0 && g.known.first == 0 && g.known.null == 0 && g.known.sameAs == 0,
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

// Labels implements domains.Columns.
func (g *columns) Labels(ctx context.Context, of []domains.Node, languages []string) ([]string, error) {
	c := g.column(ctx, languages)
	defer c.r.Done()
	labels := c.labeller()
	out := make([]string, len(of))
	for first := 0; first < len(of); first += block {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		last := min(first+block, len(of))
		labels.block(of[first:last], out[first:last])
	}
	return out, ctx.Err()
}

// labeller chooses labels as ChooseText chooses among labelsOf, without collecting them.
type labeller struct {
	*column
	langs []string
	ranks map[string]int // language tag → rank; best is 0
}

func (c *column) labeller() *labeller {
	l := &labeller{column: c, ranks: map[string]int{}}
	if c.speaks() {
		l.langs = c.langs
	}
	return l
}

// block chooses the labels of at most a block of nodes, property by property: most nodes
// have a label of the first.
func (l *labeller) block(nodes []domains.Node, out []string) {
	var ids, places [block]store.ID // of the nodes that may still get a better label
	var ranks [block]int
	n := 0
	for i, node := range nodes {
		switch id := l.columns.node(node); {
		case id == 0:
		case l.groups.has(id):
			out[i] = l.of(id)
		default:
			ids[n], places[n], ranks[n] = id, store.ID(i), -1
			n++
		}
	}
	for _, p := range l.labels.shown {
		l.r.Objects(ids[:n], p, mostLabels, &l.read)
		kept := 0
		for i := range n {
			label, best := &out[places[i]], ranks[i]
			values := l.read.At(i)
			if len(values) == mostLabels { // there may be more, and literals come last
				*label = l.of(ids[i])
				continue
			}
			for _, v := range values {
				if best, *label = l.better(v, best, *label); best == 0 {
					break
				}
			}
			if best != 0 {
				ids[kept], places[kept], ranks[kept] = ids[i], places[i], best
				kept++
			}
		}
		if n = kept; n == 0 {
			return
		}
	}
}

// of chooses the label of one node.
func (l *labeller) of(node store.ID) string {
	best, label := -1, ""
	single := [1]store.ID{node}
	members := single[:]
	if l.groups.has(node) {
		members = l.members(node)
	}
	for _, p := range l.labels.shown {
		for _, m := range members {
			rows := l.r.Rows(m, p, 0)
			if rows.Len() == 0 {
				continue
			}
			_, rows = rows.Split(l.s.FirstLiteral())
			for i := range min(rows.Len(), mostLabels) {
				if best, label = l.better(rows.Third(i), best, label); best == 0 {
					return label
				}
			}
		}
	}
	return label
}

// better is the better one of a value and the label so far, with its rank; -1 stands
// for none.
func (l *labeller) better(value store.ID, best int, label string) (int, string) {
	if value < l.s.FirstLiteral() {
		return best, label
	}
	t := l.s.Term(value)
	if t.Kind != rdf.Literal || strings.TrimSpace(t.Value) == "" {
		return best, label
	}
	if rank := l.rank(t.Lang); best < 0 || rank < best {
		return rank, t.Value
	}
	return best, label
}

func (l *labeller) rank(lang string) int {
	if lang == "" && len(l.langs) == 0 {
		return 0
	}
	rank, ok := l.ranks[lang]
	if !ok {
		rank, _ = domains.LanguageRank(lang, l.langs)
		l.ranks[lang] = rank
	}
	return rank
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
