package domains

import "context"

// Prober is a Backend that can tell whether what it depends on answers.
type Prober interface {
	// Ready asks what the back end depends on, as the program itself, and nothing that
	// is kept. nil means that it answers; the Message of an Error says in one sentence,
	// without an address, what does not. It may be called concurrently and ends with ctx.
	Ready(ctx context.Context) error
}
