package bricktest

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// find answers GET /digitaltwin/triples/find.
func find(c *call) (any, error) {
	depth, limit, offset, err := c.page()
	if err != nil {
		return nil, err
	}
	mode, err := c.cacheMode()
	if err != nil {
		return nil, err
	}
	entityType, search := c.query.Get("entity_type"), c.query.Get("search")
	if entityType == "" && search == "" {
		return nil, invalid("Provide at least entity_type or search")
	}
	if !c.domain.hasGraph() {
		return nil, invalid("Graph name not configured")
	}
	g := c.domain.indexed()
	seeds := g.seeds(entityType, search)
	out := object{
		"success": true, "seed_count": len(seeds), "depth": depth, "triples": []object{}, "count": 0, "total": 0, "has_more": false,
		"limit": 1000, "offset": 0, "entity_count": 0, "message": "No matching entities found",
		"cache_used": mode != "force_off" && c.cached(), "cache_mode": mode,
	}
	if len(seeds) > 0 {
		nodes := g.walk(seeds, depth)
		g.expand(nodes)
		all := g.triplesOf(nodes)
		page := all[min(offset, len(all)):min(offset+limit, len(all))]
		out.with(object{
			"triples": objects(page), "count": len(page), "total": len(all), "has_more": offset+len(page) < len(all),
			"limit": limit, "offset": offset, "entity_count": len(nodes), "message": nil,
		})
	}
	return out.without(c.domain.Omit), nil
}

// page reads depth, limit and offset, which are clamped and not refused.
func (c *call) page() (depth, limit, offset int, err error) {
	if depth, err = c.integer("depth", 1); err != nil {
		return 0, 0, 0, err
	}
	if limit, err = c.integer("limit", 1000); err != nil {
		return 0, 0, 0, err
	}
	if offset, err = c.integer("offset", 0); err != nil {
		return 0, 0, 0, err
	}
	return min(max(depth, 1), 10), min(max(limit, 1), 10000), max(offset, 0), nil
}

// cacheMode reads the parameter cache.
func (c *call) cacheMode() (string, error) {
	switch strings.ToLower(c.query.Get("cache")) {
	case "":
		return "auto", nil
	case "false", "0", "no", "off":
		return "force_off", nil
	case "true", "1", "yes", "on":
		if !c.cached() {
			return "", invalid("Search cache is only available for Lakehouse and Lakebase.")
		}
		return "force_on", nil
	}
	return "", invalid("cache must be true or false")
}

// cached reports whether the domain's store has a search cache.
func (c *call) cached() bool {
	return slices.Contains([]string{"lakebase", "databricks"}, c.domain.backend())
}

func objects(triples [][3]string) []object {
	out := make([]object, 0, len(triples))
	for _, t := range triples {
		out = append(out, object{"subject": t[0], "predicate": t[1], "object": t[2]})
	}
	return out
}

// triples answers GET /digitaltwin/triples.
func triples(c *call) (any, error) {
	_, limit, offset, err := c.page()
	if err != nil {
		return nil, err
	}
	g := c.domain.indexed()
	var all [][3]string
	for _, t := range g.triples {
		if c.keeps(g, t) {
			all = append(all, t)
		}
	}
	page := all[min(offset, len(all)):min(offset+limit, len(all))]
	return object{"success": true, "triples": objects(page), "count": len(page), "total": len(all), "message": nil}, nil
}

// keeps applies the filters of triples, which mind the case.
func (c *call) keeps(g *graph, t [3]string) bool {
	q := c.query.Get
	typed := q("entity_type") == "" || slices.ContainsFunc(g.of(t[0]), func(u [3]string) bool {
		return u[1] == rdfType && strings.Contains(u[2], q("entity_type"))
	})
	return typed && strings.Contains(t[0], q("subject")) && (q("predicate") == "" || t[1] == q("predicate")) && strings.Contains(t[2], q("object")) &&
		(q("search") == "" || strings.Contains(strings.Join(t[:], "\x00"), q("search")))
}

var notInTables = regexp.MustCompile(`[^a-z0-9_]`)

// status answers GET /digitaltwin/status.
func status(c *call) (any, error) {
	s, version := c.domain, cmp.Or(c.query.Get("domain_version"), c.domain.published())
	table := "triplestore_" + notInTables.ReplaceAllString(strings.ToLower(s.Name), "_") + "_V" + version
	out := object{
		"success": true, "view_table": c.registry.Catalog + "." + c.registry.Schema + "." + table, "graph_name": s.Name + "_V" + version,
		"has_data": true, "count": len(s.indexed().triples), "last_modified": "2026-06-01T08:00:00Z", "reason": nil, "message": nil,
	}
	switch {
	case s.backend() == "none":
		out.with(object{"view_table": nil, "graph_name": nil, "has_data": false, "count": 0, "last_modified": nil, "reason": "Graph backend not configured"})
	case !s.hasGraph():
		out.with(object{"has_data": false, "count": 0, "last_modified": nil, "reason": "Graph does not exist yet"})
	}
	return out.with(s.Status), nil
}

// stats answers GET /digitaltwin/stats.
func stats(c *call) (any, error) {
	if !c.domain.hasGraph() {
		return nil, invalid("Graph backend not configured")
	}
	g := c.domain.indexed()
	types, predicates := map[string]int{}, map[string]int{}
	labels := 0
	for _, t := range g.triples {
		predicates[t[1]]++
		if t[1] == rdfType {
			types[t[2]]++
		}
		if isLabel(t[1]) {
			labels++
		}
	}
	return object{
		"success": true, "total_triples": len(g.triples), "distinct_subjects": len(g.names), "distinct_predicates": len(predicates),
		"entity_types": counted(types), "top_predicates": counted(predicates), "label_count": labels, "type_assertion_count": predicates[rdfType],
		"relationship_count": max(len(g.triples)-predicates[rdfType]-labels, 0), "inferred_triples": c.domain.Inferred, "message": nil,
	}.with(c.domain.Stats), nil
}

// counted lists counts, the highest first.
func counted(counts map[string]int) []object {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	out := make([]object, 0, len(names))
	for _, n := range names {
		out = append(out, object{"uri": n, "count": counts[n]})
	}
	return out
}
