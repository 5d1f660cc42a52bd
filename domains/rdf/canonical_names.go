package rdf

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// canonicalizer is the state of RDFC-1.0 (§4.2 canonicalization state). Blank nodes are numbers
// here: the places of their entries in nodes.
type canonicalizer struct {
	quads     []Quad
	nodes     []canonicalNode
	ids       map[string]int  // label → node
	canonical map[int]string  // node → label that was given
	seen      map[string]bool // lines of quads, as they were given
	work      int             // steps that are left
	depth     int             // of hashNDegree in itself
}

// canonicalNode is a blank node.
type canonicalNode struct {
	label string
	quads []int  // those that it is in, each once
	first string // hash of its first degree
	// colour orders nodes that RDFC-1.0 leaves in any order, see refine.
	colour string
}

// position is a place in a quad that a blank node may have.
type position struct {
	name string
	term func(*Quad) Term
}

var positions = []position{
	{"s", func(q *Quad) Term { return q.Subject }},
	{"o", func(q *Quad) Term { return q.Object }},
	{"g", func(q *Quad) Term { return q.Graph }},
}

func newCanonicalizer(work int) *canonicalizer {
	return &canonicalizer{ids: make(map[string]int), canonical: make(map[int]string), seen: make(map[string]bool), work: work}
}

// spend takes a number of steps from what is left.
func (c *canonicalizer) spend(steps int) error {
	if c.work -= steps; c.work < 0 {
		return errPoison
	}
	return nil
}

// issue gives a node its canonical label, unless it has one.
func (c *canonicalizer) issue(n int) {
	if _, has := c.canonical[n]; !has {
		c.canonical[n] = "c14n" + strconv.Itoa(len(c.canonical))
	}
}

// name gives canonical labels to all nodes (§4.4.3).
func (c *canonicalizer) name() error {
	alike := make(map[string][]int) // hash → nodes
	for n := range c.nodes {
		hash := c.hashFirstDegree(n)
		c.nodes[n].first = hash
		alike[hash] = append(alike[hash], n)
	}
	hashes := slices.Sorted(maps.Keys(alike))
	var many []int
	for _, hash := range hashes {
		if len(alike[hash]) == 1 {
			c.issue(alike[hash][0])
		} else {
			many = append(many, alike[hash]...)
		}
	}
	if err := c.refine(many); err != nil {
		return err
	}
	for _, hash := range hashes {
		if len(alike[hash]) == 1 {
			continue
		}
		if err := c.nameAlike(alike[hash]); err != nil {
			return err
		}
	}
	return nil
}

// nameAlike gives labels to nodes that have equal hashes of the first degree (§4.4.3 step 5).
func (c *canonicalizer) nameAlike(nodes []int) error {
	type path struct {
		hash, colour string
		issuer       *issuer
	}
	var paths []path
	for _, n := range nodes {
		if _, has := c.canonical[n]; has {
			continue
		}
		i := newIssuer()
		i.issue(n)
		hash, i, err := c.hashNDegree(n, i)
		if err != nil {
			return err
		}
		paths = append(paths, path{hash, c.nodes[n].colour, i})
	}
	slices.SortStableFunc(paths, func(a, b path) int {
		return cmp.Or(strings.Compare(a.hash, b.hash), strings.Compare(a.colour, b.colour))
	})
	for _, p := range paths {
		for _, n := range p.issuer.order {
			c.issue(n)
		}
	}
	return nil
}

// hashFirstDegree is the hash of the quads that a node is in (§4.6.3).
func (c *canonicalizer) hashFirstDegree(n int) string {
	return hashOf(c.linesOf(n, func(string) string { return "z" }))
}

// linesOf are the quads that a node is in, as sorted lines in which it is _:a and other gives
// the labels of the others.
func (c *canonicalizer) linesOf(n int, other func(label string) string) string {
	own := c.nodes[n].label
	terms := termWriter{canonical: true, blank: func(label string) string {
		if label == own {
			return "_:a"
		}
		return "_:" + other(label)
	}}
	var lines []string
	for _, q := range c.nodes[n].quads {
		lines = append(lines, terms.line(c.quads[q]))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// refinements is how often nodes are told apart by their neighbours' colours, at most.
const refinements = 16

// refine gives colours to nodes: two have different ones where whole quads around them differ,
// to some distance. RDFC-1.0 looks at the neighbours of a node without regard to who shares a
// quad with whom, so that it leaves nodes in any order which only that tells apart, as where
// one stands in two graphs. Their colour decides then, so that the text depends on
// nothing that isn't in the data.
func (c *canonicalizer) refine(nodes []int) error {
	for n := range c.nodes {
		c.nodes[n].colour = c.nodes[n].first
	}
	next, classes := make([]string, len(nodes)), 0
	for range refinements {
		distinct := make(map[string]bool)
		for i, n := range nodes {
			if err := c.spend(len(c.nodes[n].quads)); err != nil {
				return err
			}
			next[i] = hashOf(c.nodes[n].colour + c.linesOf(n, func(label string) string { return c.nodes[c.ids[label]].colour }))
			distinct[next[i]] = true
		}
		if len(distinct) == classes {
			break
		}
		classes = len(distinct)
		for i, n := range nodes {
			c.nodes[n].colour = next[i]
		}
	}
	return nil
}

// hashRelated is the hash of a node as one that is in a quad with another (§4.7.3).
func (c *canonicalizer) hashRelated(related int, q *Quad, i *issuer, at string) string {
	input := at
	if at != "g" {
		input += "<" + q.Predicate.Value + ">"
	}
	if label := c.labelOf(related, i); label != "" {
		return hashOf(input + label)
	}
	return hashOf(input + c.nodes[related].first)
}

// labelOf is the canonical label of a node, or else the one that an issuer gave, as they are
// written; empty where it has none.
func (c *canonicalizer) labelOf(n int, i *issuer) string {
	if label, ok := c.canonical[n]; ok {
		return "_:" + label
	}
	if at, ok := i.issued[n]; ok {
		return "_:b" + strconv.Itoa(at)
	}
	return ""
}

// hashNDegree is the hash of a node by all nodes that it leads to, and the issuer of the labels
// on the way that gave it (§4.8.3). The issuer that is given may be changed.
func (c *canonicalizer) hashNDegree(n int, i *issuer) (string, *issuer, error) {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxCanonicalDepth {
		return "", nil, errPoison
	}
	related, err := c.relatedTo(n, i)
	if err != nil {
		return "", nil, err
	}
	var data strings.Builder
	for _, hash := range slices.Sorted(maps.Keys(related)) {
		data.WriteString(hash)
		path, next, err := c.shortestPath(related[hash], i)
		if err != nil {
			return "", nil, err
		}
		data.WriteString(path)
		i = next
	}
	return hashOf(data.String()), i, nil
}

// relatedTo groups the nodes that are in a quad with a node by their hashes.
func (c *canonicalizer) relatedTo(n int, i *issuer) (map[string][]int, error) {
	related := make(map[string][]int)
	for _, at := range c.nodes[n].quads {
		if err := c.spend(1); err != nil {
			return nil, err
		}
		q := &c.quads[at]
		for _, p := range positions {
			t := p.term(q)
			if t.Kind != Blank || t.Value == c.nodes[n].label {
				continue
			}
			other := c.ids[t.Value]
			hash := c.hashRelated(other, q, i, p.name)
			related[hash] = append(related[hash], other)
		}
	}
	return related, nil
}

// shortestPath tries all orders of nodes with equal hashes and returns the least path (§4.8.3
// step 5), with the issuer of its labels.
func (c *canonicalizer) shortestPath(nodes []int, i *issuer) (string, *issuer, error) {
	if len(nodes) == 1 { // nothing to choose, so that the issuer needn't be copied
		path, next, _, err := c.path(nodes, i, "")
		return path, next, err
	}
	slices.SortFunc(nodes, func(a, b int) int {
		return cmp.Or(strings.Compare(c.nodes[a].colour, c.nodes[b].colour), cmp.Compare(a, b))
	})
	chosen, chosenIssuer := "", (*issuer)(nil)
	for order := range permutations(nodes) {
		if err := c.spend(len(nodes) + len(i.order)); err != nil {
			return "", nil, err
		}
		path, next, ok, err := c.path(order, i.clone(), chosen)
		if err != nil {
			return "", nil, err
		}
		if ok && (chosenIssuer == nil || path < chosen) {
			chosen, chosenIssuer = path, next
		}
	}
	return chosen, chosenIssuer, nil
}

// path is the path through nodes in an order. It ends, and ok is false, as soon as it can't be
// less than the one that was chosen before.
func (c *canonicalizer) path(order []int, i *issuer, chosen string) (path string, next *issuer, ok bool, err error) {
	worse := func() bool { return chosen != "" && len(path) >= len(chosen) && path > chosen }
	var unvisited []int
	for _, n := range order {
		label := c.labelOf(n, i)
		if label == "" {
			unvisited = append(unvisited, n)
			i.issue(n)
			label = c.labelOf(n, i)
		}
		if path += label; worse() {
			return "", nil, false, nil
		}
	}
	for _, n := range unvisited {
		if err := c.spend(1); err != nil {
			return "", nil, false, err
		}
		label := c.labelOf(n, i)
		hash, after, err := c.hashNDegree(n, i)
		if err != nil {
			return "", nil, false, err
		}
		i = after
		if path += label + "<" + hash + ">"; worse() {
			return "", nil, false, nil
		}
	}
	return path, i, true, nil
}

// issuer gives temporary labels: b0, b1 and so on (§4.5).
type issuer struct {
	issued map[int]int // node → number of its label
	order  []int       // nodes by these numbers
}

func newIssuer() *issuer { return &issuer{issued: make(map[int]int)} }

func (i *issuer) issue(n int) {
	i.issued[n] = len(i.order)
	i.order = append(i.order, n)
}

func (i *issuer) clone() *issuer {
	return &issuer{maps.Clone(i.issued), slices.Clone(i.order)}
}

// permutations are all orders of a list, the list's own first and then by what comes first in
// it. One slice is used for all.
func permutations(list []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		p, order := make([]int, len(list)), make([]int, len(list)) // places in list, and what is there
		for i, n := range list {
			p[i] = slices.Index(list, n) // equal nodes have one place
		}
		for {
			for i, at := range p {
				order[i] = list[at]
			}
			if !yield(order) {
				return
			}
			// The next in lexical order: the last ascent is where it changes.
			i := len(p) - 2
			for i >= 0 && p[i] >= p[i+1] {
				i--
			}
			if i < 0 {
				return
			}
			j := len(p) - 1
			for p[j] <= p[i] {
				j--
			}
			p[i], p[j] = p[j], p[i]
			slices.Reverse(p[i+1:])
		}
	}
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
