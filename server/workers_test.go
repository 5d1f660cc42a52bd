package server

import (
	"context"
	"errors"
	"testing"
)

// A worker that has run one call runs the next; what nobody waited for is told; and end
// leaves none.
func TestWorkers(t *testing.T) {
	var w workers
	lateErr := make(chan error, 1)
	released := make(chan struct{}, 9)
	turnOf := func(ctx context.Context, work func(context.Context) (string, error)) *turn {
		return &turn{ctx: ctx, work: work, release: func() { released <- struct{}{} }, late: func(err error) { lateErr <- err }, ended: make(chan struct{}, 1)}
	}
	for range 3 {
		one := turnOf(t.Context(), func(context.Context) (string, error) { return "done", nil })
		w.do(one)
		if text, err := one.wait(t.Context()); text != "done" || err != nil {
			t.Errorf("%q %v", text, err)
		}
		<-released
	}
	ctx, cancel := context.WithCancel(t.Context())
	goOn := make(chan struct{})
	slow := turnOf(ctx, func(context.Context) (string, error) { <-goOn; return "", errors.New("too late") })
	w.do(slow)
	cancel()
	if _, err := slow.wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
	close(goOn)
	if err := <-lateErr; err == nil || err.Error() != "too late" {
		t.Errorf("told %v", err)
	}
	<-released
	w.end()
	after := turnOf(t.Context(), func(context.Context) (string, error) { panic("broken") })
	w.do(after)
	if _, err := after.wait(t.Context()); err == nil {
		t.Error("a panic is no error")
	}
	w.end()
	if len(w.idle) > 0 {
		t.Errorf("%d workers wait after the end", len(w.idle))
	}
}
