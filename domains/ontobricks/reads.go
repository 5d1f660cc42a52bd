package ontobricks

import (
	"context"
	"strconv"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// status implements domains.Domain.Status. It is asked each time.
func (v *view) status(ctx context.Context) (*domains.Status, error) {
	const doing = "reading the status"
	var in wire.Status
	if err := v.get(ctx, "/api/v1/digitaltwin/status", nil, v.info.Name, doing, &in); err != nil {
		return nil, err
	}
	// Without a message there is nothing to tell but what the status says.
	if !in.Success && in.Message != nil && v.clean(*in.Message) != "" {
		return nil, v.refused(soft{doing: doing, name: v.info.Name}, in.Message, "")
	}
	out := in.Status()
	out.Reason = v.clean(out.Reason)
	return out, nil
}

// stats is graphSource.stats. The answer is shared and must not be changed.
func (v *view) stats(ctx context.Context) (*wire.Stats, error) {
	return v.mine.stats.get(ctx, v.key(), func(ctx context.Context) (*wire.Stats, error) {
		const doing = "counting the graph"
		var in wire.Stats
		if err := v.get(ctx, "/api/v1/digitaltwin/stats", nil, v.info.Name, doing, &in); err != nil {
			return nil, err
		}
		if !in.Success {
			return nil, v.refused(soft{doing: doing, name: v.info.Name, fallback: "Could not retrieve statistics."}, in.Message, "")
		}
		return &in, nil
	})
}

// find is graphSource.find. Nothing is cached: pages are large and seldom asked twice.
func (v *view) find(ctx context.Context, p findParams) (*wire.Found, error) {
	const doing = "searching the graph"
	more := map[string]string{
		"depth": strconv.Itoa(p.Depth), "limit": strconv.Itoa(p.Limit), "offset": strconv.Itoa(p.Offset),
	}
	if p.Search != "" {
		more["search"] = p.Search
	}
	if p.EntityType != "" {
		more["entity_type"] = p.EntityType
	}
	if p.Cache != domains.CacheAuto {
		more["cache"] = strconv.FormatBool(p.Cache == domains.CacheOn)
	}
	if p.Words {
		more["search_mode"] = "words"
	}
	var in wire.Found
	if err := v.get(ctx, "/api/v1/digitaltwin/triples/find", more, v.info.Name, doing, &in); err != nil {
		return nil, err
	}
	if !in.Success {
		return nil, v.refused(soft{doing: doing, name: v.info.Name, fallback: "Search failed."}, in.Message, "")
	}
	return &in, nil
}
