package rdf

import (
	"cmp"
	"iter"
	"slices"
)

// maxNest is how deep blank nodes are written inside each other. It is far below
// MaxDepth, so that what is written can be read, and about as deep as people read.
const maxNest = 16

// claim is what a triple says of its subject.
type claim struct{ predicate, object Term }

// document is a graph arranged for writing.
type document struct {
	subjects []Term           // in the order of their first triple
	said     map[Term][]claim // subject → what is said of it, ordered, each once
	// owners holds blank nodes: label → the triples they are objects of.
	owners map[string][]Triple
	// pinned are the blank nodes inside triple terms, and elsewhere those that the file also
	// has outside this graph; they need a label.
	pinned, elsewhere map[string]bool
	// nested are the blank nodes that are written where they are the object, and
	// cells those of them that are a well-formed collection's.
	nested, cells map[string]bool
}

// newDocument arranges a graph. Elsewhere are the blank nodes that the file also has outside
// this graph; it may be nil.
func newDocument(triples iter.Seq[Triple], elsewhere map[string]bool) *document {
	d := &document{
		said:      make(map[Term][]claim),
		owners:    make(map[string][]Triple),
		pinned:    make(map[string]bool),
		elsewhere: elsewhere,
		nested:    make(map[string]bool),
		cells:     make(map[string]bool),
	}
	for t := range triples {
		if _, ok := d.said[t.Subject]; !ok {
			d.subjects = append(d.subjects, t.Subject)
		}
		d.said[t.Subject] = append(d.said[t.Subject], claim{t.Predicate, t.Object})
	}
	for _, subject := range d.subjects {
		claims := d.said[subject]
		slices.SortStableFunc(claims, compareClaims)
		claims = distinct(claims)
		d.said[subject] = claims
		for _, c := range claims {
			if c.object.Kind == Blank {
				d.owners[c.object.Value] = append(d.owners[c.object.Value], Triple{subject, c.predicate, c.object})
			}
			d.pin(c.object.Triple)
		}
	}
	d.findCells()
	d.nest()
	return d
}

// roots are the subjects that get a statement of their own.
func (d *document) roots() iter.Seq[Term] {
	return func(yield func(Term) bool) {
		for _, subject := range d.subjects {
			if subject.Kind == Blank && d.nested[subject.Value] {
				continue
			}
			if !yield(subject) {
				return
			}
		}
	}
}

// distinct drops repetitions from ordered claims.
func distinct(claims []claim) []claim {
	claims = slices.Compact(claims)
	if !slices.ContainsFunc(claims, func(c claim) bool { return objectRank(c.object) == lastRank }) {
		return claims
	}
	// Blank nodes keep their order, so that equal ones may be apart.
	seen := make(map[claim]bool, len(claims))
	return slices.DeleteFunc(claims, func(c claim) bool {
		again := seen[c]
		seen[c] = true
		return again
	})
}

// pin notes the blank nodes of a triple term.
func (d *document) pin(t *Triple) {
	if t == nil {
		return
	}
	for _, term := range []Term{t.Subject, t.Predicate, t.Object} {
		if term.Kind == Blank {
			d.pinned[term.Value] = true
		}
		d.pin(term.Triple)
	}
}

// compareClaims orders by predicate, first those that say what the subject is, and then
// by object: IRIs, literals, blank nodes as they came.
func compareClaims(a, b claim) int {
	return cmp.Or(
		cmp.Compare(predicateRank(a.predicate.Value), predicateRank(b.predicate.Value)),
		cmp.Compare(a.predicate.Value, b.predicate.Value),
		compareObjects(a.object, b.object),
	)
}

func predicateRank(iri string) int {
	switch iri {
	case RDFType:
		return 0
	case RDFSLabel:
		return 1
	case RDFSComment:
		return 2
	}
	return 3
}

func compareObjects(a, b Term) int {
	rank := objectRank(a)
	if c := cmp.Compare(rank, objectRank(b)); c != 0 || rank == lastRank {
		return c
	}
	return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Datatype, b.Datatype), cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Dir, b.Dir))
}

// lastRank is the rank of objects that are not ordered among themselves.
const lastRank = 2

func objectRank(t Term) int {
	switch t.Kind {
	case IRI:
		return 0
	case Literal:
		return 1
	}
	return lastRank
}

// needsLabel reports whether a blank node has to have a label wherever it is written.
func (d *document) needsLabel(node string) bool { return d.pinned[node] || d.elsewhere[node] }

// canNest reports whether a blank node may be written in place: it is the object of
// one triple and of nothing else.
func (d *document) canNest(t Term) bool {
	return t.Kind == Blank && len(d.owners[t.Value]) == 1 && !d.needsLabel(t.Value)
}

// findCells marks the cells of well-formed collections, from their ends up.
func (d *document) findCells() {
	for _, subject := range d.subjects {
		if !d.isCell(subject) || d.rest(subject).Value != RDFNil {
			continue
		}
		for d.isCell(subject) && !d.cells[subject.Value] {
			d.cells[subject.Value] = true
			owner := d.owners[subject.Value][0]
			if owner.Predicate.Value != RDFRest {
				break
			}
			subject = owner.Subject
		}
	}
}

// isCell reports whether all that is said of a node is one rdf:first and one
// rdf:rest, so that it may be a collection's.
func (d *document) isCell(t Term) bool {
	c := d.said[t]
	return d.canNest(t) && len(c) == 2 && c[0].predicate.Value == RDFFirst && c[1].predicate.Value == RDFRest
}

// first and rest are what a cell says.
func (d *document) first(cell Term) Term { return d.said[cell][0].object }
func (d *document) rest(cell Term) Term  { return d.said[cell][1].object }

// nest decides which blank nodes are written in place. Those that no statement leads to
// are in a cycle or below one; one node of each cycle becomes a statement.
func (d *document) nest() {
	placed := make(map[string]bool)
	for _, subject := range d.subjects {
		if !d.canNest(subject) {
			d.nestBelow(subject, placed)
		}
	}
	for _, subject := range d.subjects {
		if d.canNest(subject) && !placed[subject.Value] {
			d.nestBelow(d.inCycle(subject), placed)
		}
	}
}

// inCycle climbs from a node that no statement leads to, to a node that is its own
// ancestor.
func (d *document) inCycle(t Term) Term {
	climbed := make(map[string]bool)
	for !climbed[t.Value] {
		climbed[t.Value] = true
		t = d.owners[t.Value][0].Subject
	}
	return t
}

// nestBelow decides for all blank nodes that the statement of root leads to. A node
// that would come too deep gets a statement of its own. Cells of one collection are
// equally deep.
func (d *document) nestBelow(root Term, placed map[string]bool) {
	type visit struct {
		node  Term
		depth int
	}
	if root.Kind == Blank {
		placed[root.Value] = true
	}
	for stack := []visit{{root, 0}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, c := range d.said[v.node] {
			if !d.canNest(c.object) || placed[c.object.Value] {
				continue
			}
			placed[c.object.Value] = true
			depth := v.depth + 1
			if d.cells[v.node.Value] && c.predicate.Value == RDFRest {
				depth = v.depth
			}
			if depth <= maxNest {
				d.nested[c.object.Value] = true
			} else {
				depth = 0
			}
			stack = append(stack, visit{c.object, depth})
		}
	}
}
