package domains

import "context"

type requestKey struct{}

// WithRequestID carries the number of a call to back ends, which pass it on so that
// logs on both sides can be joined. It decides nothing.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestID is the number of the call that ctx belongs to; empty when there is none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
