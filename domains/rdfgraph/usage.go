package rdfgraph

import (
	"context"

	"github.com/ontogate/ontogate/domains"
)

// usageOnce keeps what Usage worked out. Who comes while it is being worked out waits;
// when that ends with its caller's context the next one works it out again.
type usageOnce struct {
	turn  chan struct{}
	known *domains.Usage
}

func newUsageOnce() usageOnce { return usageOnce{turn: make(chan struct{}, 1)} }

// Usage implements domains.Columns.
func (g *columns) Usage(ctx context.Context) (*domains.Usage, error) {
	select {
	case g.inUse.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-g.inUse.turn }()
	if g.inUse.known != nil {
		return g.inUse.known, ctx.Err()
	}
	return &domains.Usage{}, nil
}
