package rdfgraph

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/dataset"
)

// declaredClass is the context that domain.yaml gives a class.
type declaredClass struct {
	// ClassContext is what is declared and can be used here; of bridges it has no description.
	domains.ClassContext
	// table has the rows of the dataset; nil where there are none to be had, and noRows says why.
	table  *dataset.Table
	noRows string
	// Full name → endpoint, of actions and of functions: one name may be both.
	actionURLs, functionURLs map[string]*url.URL
	// properties are the names that the class's properties have.
	properties *taken
}

// declared is the context of the classes of a domain at one revision. It is immutable.
type declared struct {
	info     domains.Info
	ontology *domains.Ontology
	graph    *graph          // nil without a graph
	classes  []declaredClass // by name, then IRI
	calls    *calls
	// What the policy leaves of all classes: whether there are actions, functions, and
	// anything but bridges; and the bridges, of which not all need lead anywhere.
	acts, computes, shows bool
	bridges               []domains.Bridge
}

// classContext implements domains.Context and domains.Actions: what is declared, among the
// domains where bridges lead.
type classContext struct {
	*declared
	own *Backend
	all domains.Backend
}

// into gives a domain its context and actions, as far as there is something to use.
func (d *declared) into(to *domains.Domain, own *Backend, all domains.Backend) {
	c := classContext{d, own, all}
	if d.shows || slices.ContainsFunc(d.bridges, c.mayLead) {
		to.Context = c
	}
	if d.acts {
		to.Actions = c
	}
	to.ComputesNothing = !d.computes
}

// sumUp works out what the policy leaves of all classes.
func (d *declared) sumUp() {
	for _, class := range d.classes {
		shown := class.Under(d.info.Policy)
		d.bridges = append(d.bridges, shown.Bridges...)
		d.acts, d.computes = d.acts || len(shown.Actions) > 0, d.computes || len(shown.Functions) > 0
		shown.Bridges = nil
		d.shows = d.shows || !shown.IsEmpty()
	}
}

// Classes lists the classes that have context.
func (c classContext) Classes(ctx context.Context) ([]domains.ClassContext, error) {
	targets, _, err := c.targets(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]domains.ClassContext, 0, len(c.classes))
	for _, class := range c.classes {
		shown := class.Under(c.info.Policy)
		if shown.Bridges = targets.shown(shown.Bridges); !shown.IsEmpty() {
			out = append(out, shown)
		}
	}
	return out, nil
}

// Entity tells the context of an entity. What cannot be read is told by its Message, and
// hides nothing else.
func (c classContext) Entity(ctx context.Context, iri string, o domains.ContextOptions) (*domains.EntityContext, error) {
	e, of, err := c.entity(ctx, iri)
	if err != nil || e.Name == "" {
		return e, err
	}
	targets, said, err := c.targets(ctx)
	if err != nil {
		return nil, err
	}
	e.Bridges = targets.shown(e.Bridges)
	notes := notes{}
	if len(e.Bridges) > 0 {
		notes.add(said)
	}
	if o.Rows > 0 && e.Dataset != nil {
		if err := c.rows(ctx, e, of, min(o.Rows, mostRows), &notes); err != nil {
			return nil, err
		}
	}
	if o.FollowBridges {
		for i := range e.Bridges {
			if err := c.follow(ctx, iri, &e.Bridges[i], max(1, o.BridgeDepth), &notes); err != nil {
				return nil, err
			}
		}
	}
	if o.Compute && c.info.Policy.Mode(domains.ElementVirtualAttributes) != domains.ModeDisabled {
		if err := c.compute(ctx, e, of, e.Functions); err != nil {
			return nil, err
		}
	}
	e.Message = notes.String()
	return e, nil
}

// mostRows is the most dataset rows of an answer (OntoBricks contract 1.1).
const mostRows = 20

// notes are sentences, each once.
type notes struct{ list []string }

func (n *notes) add(s string) {
	if s != "" && !slices.Contains(n.list, s) {
		n.list = append(n.list, s)
	}
}

func (n *notes) String() string { return strings.Join(n.list, " ") }

// entity is an entity's context as declared, and the classes that it is of. An entity of
// no class with context has no elements.
func (c classContext) entity(ctx context.Context, iri string) (*domains.EntityContext, []*declaredClass, error) {
	e := &domains.EntityContext{IRI: iri, LocalID: domains.LocalID(iri)}
	of := c.classesOf(ctx, iri)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(of) > 0 {
		e.ClassContext = merged(of).Under(c.info.Policy)
	}
	return e, of, nil
}

// merged is the context of several classes: the name and dataset of the nearest that has
// one, and of all else what each has, nearest first, equal names once.
func merged(of []*declaredClass) domains.ClassContext {
	out := domains.ClassContext{Name: of[0].Name, IRI: of[0].IRI}
	names := of[0].properties.clone()
	for _, class := range of {
		if out.Dataset == nil && class.Dataset != nil {
			set := *class.Dataset
			out.Dataset = &set
		}
		out.Bridges = addNew(out.Bridges, class.Bridges, func(b domains.Bridge) string { return string(b.Domain) + "\x00" + b.Class })
		out.Actions = addNew(out.Actions, class.Actions, func(a domains.Action) string { return a.FullName })
		had := len(out.Functions)
		out.Functions = addNew(out.Functions, class.Functions, func(f domains.Function) string { return f.FullName })
		for i := had; i < len(out.Functions); i++ {
			out.Functions[i].Attributes = names.rename(out.Functions[i].Attributes)
		}
	}
	return out
}

// addNew adds the items whose names are not there yet.
func addNew[T any](to, items []T, name func(T) string) []T {
	for _, item := range items {
		if !slices.ContainsFunc(to, func(t T) bool { return name(t) == name(item) }) {
			to = append(to, item)
		}
	}
	return to
}

// classesOf are the classes with context that an entity is of: by its types, the most
// specific first, and then by what is above them. One without types is of the class that
// its IRI tells (OntoBricks contract 1.1, nodes/context).
func (c *declared) classesOf(ctx context.Context, iri string) []*declaredClass {
	types := c.typesOf(ctx, iri)
	if len(types) == 0 {
		return c.classOfIRI(iri)
	}
	var out []*declaredClass
	seen := map[string]bool{}
	for queue := types; len(queue) > 0; queue = queue[1:] {
		if seen[queue[0]] || ctx.Err() != nil {
			continue
		}
		seen[queue[0]] = true
		for i := range c.classes {
			if c.classes[i].IRI == queue[0] {
				out = append(out, &c.classes[i])
			}
		}
		if class := c.ontology.Class(queue[0]); class != nil {
			queue = append(slices.Clip(queue), class.Supers...)
		}
	}
	return out
}

// typesOf are the classes of an entity of the graph, most specific first.
func (c *declared) typesOf(ctx context.Context, iri string) []string {
	if c.graph == nil {
		return nil
	}
	call := c.graph.call(ctx, nil)
	id, ok := call.resolve(iri)
	if !ok {
		return nil
	}
	return call.types(id)
}

// classOfIRI is the class that the form of an IRI tells: one whose IRI it begins with, or
// one whose name is a part of it.
func (c *declared) classOfIRI(iri string) []*declaredClass {
	for i := range c.classes {
		base := strings.TrimSuffix(c.classes[i].IRI, "/")
		if base != "" && (strings.HasPrefix(iri, base+"/") || strings.HasPrefix(iri, base+"#")) {
			return []*declaredClass{&c.classes[i]}
		}
	}
	for i := range c.classes {
		for _, name := range []string{domains.LocalName(c.classes[i].IRI), c.classes[i].Name} {
			if name != "" && (strings.Contains(iri, "/"+name+"/") || strings.Contains(iri, "#"+name+"/") || strings.Contains(iri, "#"+name+"_")) {
				return []*declaredClass{&c.classes[i]}
			}
		}
	}
	return nil
}

// isThere reports whether the graph says anything of an entity.
func (c *declared) isThere(ctx context.Context, iri string) bool {
	if c.graph == nil {
		return false
	}
	call := c.graph.call(ctx, nil)
	id, ok := call.resolve(iri)
	return ok && call.isSubject(id)
}

// rows reads the rows of an entity.
func (c classContext) rows(ctx context.Context, e *domains.EntityContext, of []*declaredClass, limit int, notes *notes) error {
	i := slices.IndexFunc(of, func(class *declaredClass) bool { return class.Dataset != nil })
	class := of[i]
	switch {
	case class.Dataset.Key == "":
		return nil
	case class.table == nil:
		notes.add(class.noRows)
		return nil
	}
	e.Dataset.Fetched = true
	rows, _, err := class.table.Rows(ctx, e.LocalID, limit)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		notes.add("The rows of the dataset could not be read: " + err.Error() + ".")
		return nil
	}
	e.Dataset.Rows = rows
	return nil
}

// element refuses the use of an element that policy disables.
func (c *declared) element(e domains.Element, op string) error {
	if ok, why := domains.DecideElement(e, &domains.Domain{Info: c.info}); !ok {
		return &domains.Error{Kind: domains.ErrRefused, Op: op, Domain: c.info.Name, Message: why}
	}
	return nil
}

// sortClasses orders classes as Classes lists them.
func sortClasses(list []declaredClass) {
	slices.SortFunc(list, func(a, b declaredClass) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.IRI, b.IRI)) })
}
