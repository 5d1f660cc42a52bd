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

type onceKey struct{}

// Once says that whoever asks would rather hear of a failure now than wait until it is
// over: back ends do not repeat a request that failed. It decides nothing else.
func Once(ctx context.Context) context.Context { return context.WithValue(ctx, onceKey{}, true) }

// AsksOnce reports whether ctx says so.
func AsksOnce(ctx context.Context) bool { return ctx.Value(onceKey{}) != nil }
