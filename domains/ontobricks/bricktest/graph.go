package bricktest

import (
	"cmp"
	"slices"
	"strings"
)

const (
	rdfType   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	rdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label"
)

// graph is a domain's triples, indexed.
type graph struct {
	triples  [][3]string         // distinct, in order
	subjects map[string][2]int   // subject → its part of triples
	out, in  map[string][]string // node → nodes an edge away
	endings  map[string][]string // text after the last slash → subjects
	names    []string            // subjects in order
}

func newGraph(triples [][3]string) *graph {
	g := &graph{subjects: map[string][2]int{}, out: map[string][]string{}, in: map[string][]string{}, endings: map[string][]string{}}
	g.triples = slices.Clone(triples)
	slices.SortFunc(g.triples, func(a, b [3]string) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
	})
	g.triples = slices.Compact(g.triples)
	for i, t := range g.triples {
		s, p, o := t[0], t[1], t[2]
		part, known := g.subjects[s]
		if !known {
			part[0] = i
			g.names = append(g.names, s)
			end := s[strings.LastIndexByte(s, '/')+1:]
			if strings.Contains(s, "/") {
				g.endings[end] = append(g.endings[end], s)
			}
		}
		g.subjects[s] = [2]int{part[0], i + 1}
		if isEdge(p, o) {
			g.out[s] = append(g.out[s], o)
			g.in[o] = append(g.in[o], s)
		}
	}
	return g
}

// of are the triples of a subject.
func (g *graph) of(subject string) [][3]string {
	part := g.subjects[subject]
	return g.triples[part[0]:part[1]]
}

// isEdge reports whether a triple leads from one node to another.
func isEdge(predicate, object string) bool {
	return (strings.HasPrefix(object, "http://") || strings.HasPrefix(object, "https://")) && predicate != rdfType && !isLabel(predicate)
}

// isLabel reports whether a predicate gives labels.
func isLabel(predicate string) bool {
	if predicate == rdfsLabel {
		return true
	}
	for _, end := range []string{"#label", "/label", "#name", "/name"} {
		if strings.HasSuffix(predicate, end) {
			return true
		}
	}
	return false
}

// seeds are the subjects that a search finds, in order; an empty text finds all.
func (g *graph) seeds(entityType, search string) []string {
	typed, found := typeFilter(entityType), searchFilter(search)
	return slices.DeleteFunc(slices.Clone(g.names), func(s string) bool {
		triples := g.of(s)
		return !typed(triples) || !found(s, triples)
	})
}

// typeFilter keeps subjects with a type whose IRI ends with the text.
func typeFilter(text string) func([][3]string) bool {
	if text == "" {
		return func([][3]string) bool { return true }
	}
	hash, slash := newLike("%#"+text), newLike("%/"+text)
	return func(triples [][3]string) bool {
		return slices.ContainsFunc(triples, func(t [3]string) bool {
			return t[1] == rdfType && (hash.matches(t[2]) || slash.matches(t[2]))
		})
	}
}

// searchFilter keeps subjects with a label that contains the text, or with the text
// after a slash or hash of their IRI.
func searchFilter(text string) func(string, [][3]string) bool {
	if text == "" {
		return func(string, [][3]string) bool { return true }
	}
	label, hash, slash := newLike("%"+text+"%"), newLike("%#"+text+"%"), newLike("%/"+text+"%")
	return func(subject string, triples [][3]string) bool {
		return hash.matches(subject) || slash.matches(subject) || slices.ContainsFunc(triples, func(t [3]string) bool {
			return isLabel(t[1]) && label.matches(t[2])
		})
	}
}

// like is a pattern of SQL's LIKE, in lower case: % is any text, _ any character.
type like []rune

func newLike(pattern string) like { return like([]rune(strings.ToLower(pattern))) }

// matches reports whether the pattern fits the whole text, in any case.
func (p like) matches(text string) bool {
	t := []rune(strings.ToLower(text))
	i, j, star, from := 0, 0, -1, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '%':
			star, from = i, j
			i++
		case i < len(p) && (p[i] == '_' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '%' {
		i++
	}
	return i == len(p)
}

// walk goes from nodes over edges in both directions, so many steps, and gives all
// nodes that it meets.
func (g *graph) walk(from []string, depth int) map[string]bool {
	nodes := map[string]bool{}
	for _, n := range from {
		nodes[n] = true
	}
	for layer := from; depth > 0 && len(layer) > 0; depth-- {
		var next []string
		for _, n := range layer {
			for _, to := range slices.Concat(g.out[n], g.in[n]) {
				if !nodes[to] {
					nodes[to] = true
					next = append(next, to)
				}
			}
		}
		layer = next
	}
	return nodes
}

// expand adds the subjects that end with the local id of a node.
func (g *graph) expand(nodes map[string]bool) {
	var more []string
	for n := range nodes {
		more = append(more, g.endings[localID(n)]...)
	}
	for _, n := range more {
		nodes[n] = true
	}
}

// localID is what follows the last hash, then the last slash.
func localID(iri string) string {
	iri = iri[strings.LastIndexByte(iri, '#')+1:]
	return iri[strings.LastIndexByte(iri, '/')+1:]
}

// triplesOf are the triples of the nodes, in order.
func (g *graph) triplesOf(nodes map[string]bool) [][3]string {
	var out [][3]string
	for _, s := range g.names {
		if nodes[s] {
			out = append(out, g.of(s)...)
		}
	}
	return out
}

// Seeds are the subjects that a search finds among triples, in order: what
// triples/find starts from.
func Seeds(triples [][3]string, entityType, search string) []string {
	return newGraph(triples).seeds(entityType, search)
}
