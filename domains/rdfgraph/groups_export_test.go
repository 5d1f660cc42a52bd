package rdfgraph

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// Prepared writes all that loading works out of a snapshot, so that it can be compared;
// of names it is the index itself.
func Prepared(ctx context.Context, s *store.Snapshot) (text string, names *store.Names) {
	onto, terms, err := owl.Build(ctx, s, owl.Options{})
	if err != nil {
		panic(err)
	}
	g, err := newGraph(ctx, graphConfig{Snapshot: s, Ontology: onto, Schema: terms})
	if err != nil {
		panic(err)
	}
	text = fmt.Sprintln("groups", g.groups, "\nstats", g.stats, "\ncombined", g.combined)
	for _, class := range slices.Sorted(maps.Keys(g.classes)) {
		text += fmt.Sprintln(s.Text(class), g.depth[class], *g.classes[class])
	}
	return text, g.names
}

// GroupsBothWays are the groups of a snapshot as loading finds them, and as they are when no
// pair is told apart from the others, and how many pairs are.
func GroupsBothWays(ctx context.Context, s *store.Snapshot) (quick, plain string, apart int) {
	onto, terms, err := owl.Build(ctx, s, owl.Options{})
	if err != nil {
		panic(err)
	}
	g, err := newGraph(ctx, graphConfig{Snapshot: s, Ontology: onto, Schema: terms})
	if err != nil {
		panic(err)
	}
	c := g.call(ctx, nil)
	quick = fmt.Sprint(g.groups)
	g.groups = groups{}
	said := c.saidToBeSame()
	sets := said.Sets()
	pairs := c.alike(said, sets)
	alone, _ := c.apart(slices.Clone(pairs), sets)
	all := newSaidTypes(c, said, sets).join(domains.Unambiguous(said, pairs)).Sets()
	return quick, fmt.Sprint(c.choose(nil, all)), len(alone)
}
