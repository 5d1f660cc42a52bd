package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

func health(_ context.Context, q *asked) (any, error) {
	return wire.Health{Status: "healthy", Version: q.site.Version, Service: "Ontogate API", Framework: "Go"}, nil
}

// registry names a place, since clients take one without for one that nobody set up. What
// they send of it later is not used.
func registry(context.Context, *asked) (any, error) {
	return wire.Registry{Catalog: "ontogate", Schema: "domains", Configured: true}, nil
}

// listDomains lists what can be listed; that a back end cannot is an error only when
// nothing is.
func listDomains(ctx context.Context, q *asked) (any, error) {
	infos, err := q.site.Backend.Domains(ctx)
	if err != nil && len(infos) == 0 {
		return nil, err
	}
	infos = slices.DeleteFunc(slices.Clone(infos), func(i domains.Info) bool { return closed(i) != nil })
	return wire.NewDomains(infos), nil
}

func versions(ctx context.Context, q *asked) (any, error) {
	list, err := q.site.Backend.Versions(ctx, q.name)
	if errors.Is(err, domains.ErrUnknownDomain) || err == nil && len(list) == 0 {
		return nil, &domains.Error{Kind: domains.ErrUnknownDomain, Op: "listing versions", Domain: q.name,
			Message: fmt.Sprintf("No versions found for domain '%s'. %s", q.name, listsDomains)}
	}
	if err != nil {
		return nil, err
	}
	out := wire.NewVersions(q.name, list)
	served(ctx, q, &out)
	return out, nil
}

func design(ctx context.Context, q *asked) (any, error) {
	d, err := q.site.Backend.Design(ctx, q.name)
	if err != nil {
		return nil, err
	}
	o, err := q.d.Ontology(ctx)
	if err != nil {
		return nil, err
	}
	return wire.NewDesign(q.name, d, o.Base), nil
}

func classes(ctx context.Context, q *asked) (any, error) {
	var list []domains.ClassContext
	if q.d.Context != nil {
		var err error
		if list, err = q.d.Context.Classes(ctx); err != nil {
			return nil, err
		}
		list = slices.Clone(list)
		for i := range list {
			if list[i].Bridges, err = q.openBridges(ctx, list[i].Bridges); err != nil {
				return nil, err
			}
		}
	}
	return wire.NewClasses(q.name, list), nil
}

func ontology(ctx context.Context, q *asked) (any, error) {
	o, err := q.d.Ontology(ctx)
	if err != nil {
		return nil, err
	}
	if len(o.Classes) == 0 && !q.flag("model") {
		return nil, domains.Invalid("Domain has no ontology classes defined")
	}
	content, err := turtle(ctx, o)
	if err != nil {
		return nil, err
	}
	out := wire.NewOntology(o, content)
	if q.flag("model") {
		out.Model = wire.NewModel(o)
		out.Model.Revision = q.d.Revision
		usage := q.d.Usage
		if q.d.Columns != nil {
			usage = q.d.Columns.Usage
		}
		if usage != nil && q.d.Facts != nil {
			u, err := usage(ctx)
			if err != nil {
				return nil, err
			}
			out.Model.Uses(u)
		}
	}
	return out, nil
}

// turtle is the ontology as a document; empty where its statements are not kept.
func turtle(ctx context.Context, o *domains.Ontology) (string, error) {
	if o.Triples == nil {
		return "", nil
	}
	var body strings.Builder
	used := map[string]bool{}
	for s := range rdf.Statements(o.Triples, o.Prefixes) {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		for _, p := range s.Prefixes {
			used[p] = true
		}
		body.WriteString("\n" + s.Text + "\n")
	}
	return rdf.PrefixLines(o.Prefixes, func(name string) bool { return used[name] }) + body.String(), nil
}

func status(ctx context.Context, q *asked) (any, error) {
	s, err := q.d.Status(ctx)
	if err != nil {
		return nil, err
	}
	return wire.NewStatus(s, wire.NewScope(q.d)), nil
}

// noGraph is what OntoBricks says of a domain without one.
const noGraph = "Graph backend not configured"

func stats(ctx context.Context, q *asked) (any, error) {
	if q.d.Facts == nil {
		return nil, domains.Invalid(noGraph)
	}
	s, err := q.d.Facts.Stats(ctx)
	if err != nil {
		return nil, err
	}
	return wire.NewStats(s, wire.NewScope(q.d)), nil
}

func findTriples(ctx context.Context, q *asked) (any, error) {
	use, err := cacheUse(q.text("cache"))
	if err != nil {
		return nil, err
	}
	ask := domains.TripleQuery{
		Type: q.text("entity_type"), Search: q.text("search"), Words: q.text("search_mode") == "words",
		Depth: q.number("depth"), Limit: q.number("limit"), Offset: q.number("offset"), Cache: use,
	}
	switch {
	case ask.Type == "" && ask.Search == "":
		return nil, domains.Invalid("Provide at least entity_type or search")
	case q.text("search_mode") != "" && !ask.Words:
		return nil, domains.Invalid("search_mode must be words; leave it out for the search of OntoBricks")
	case q.d.Triples == nil:
		return nil, domains.Invalid(noGraph)
	case use == domains.CacheOn && q.d.Revision != "" && q.d.Columns != nil: // a graph that is in memory
		return nil, domains.Invalid("Search cache is only available for Lakehouse and Lakebase.")
	}
	page, err := q.d.Triples.Find(ctx, ask)
	if err != nil {
		return nil, err
	}
	return wire.NewFound(page, ask, wire.NewScope(q.d), q.d.Revision), nil
}

// cacheUse reads the parameter cache (OntoBricks contract 1.1).
func cacheUse(s string) (domains.CacheUse, error) {
	switch strings.ToLower(s) {
	case "":
		return domains.CacheAuto, nil
	case "true", "1", "yes", "on":
		return domains.CacheOn, nil
	case "false", "0", "no", "off":
		return domains.CacheOff, nil
	}
	return 0, domains.Invalid("cache must be true or false")
}

func listTriples(ctx context.Context, q *asked) (any, error) {
	if q.d.Triples == nil {
		return nil, domains.Invalid(noGraph)
	}
	page, err := q.d.Triples.List(ctx, domains.TriplePattern{
		Subject: q.text("subject"), Predicate: q.text("predicate"), Object: q.text("object"), Type: q.text("entity_type"),
		Search: q.text("search"), Limit: q.number("limit"), Offset: q.number("offset"),
	})
	if err != nil {
		return nil, err
	}
	return wire.NewTriples(page, wire.NewScope(q.d), q.d.Revision), nil
}
