package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// pollEvery is how often commands that serve look for changes in the folder of the domains.
const pollEvery = 2 * time.Second

// reloadOnSignal lets each of reloadSignals reload a back end that can be, and logs what
// came of it. stop ends that and waits for it.
func reloadOnSignal(ctx context.Context, b domains.Backend, log *slog.Logger) (stop func()) {
	r, ok := b.(domains.Reloader)
	if !ok || len(reloadSignals) == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, reloadSignals...)
	var reloads sync.WaitGroup
	reloads.Go(func() {
		defer signal.Stop(caught)
		for {
			select {
			case <-caught:
				reload(ctx, r, log)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { cancel(); reloads.Wait() }
}

func reload(ctx context.Context, r domains.Reloader, log *slog.Logger) {
	began := time.Now()
	switch err := r.Reload(ctx); {
	case err == nil:
		log.InfoContext(ctx, "reloaded", "duration", time.Since(began))
	case !errors.Is(err, context.Canceled):
		log.WarnContext(ctx, "reloading failed: what was loaded is served as before", "cause", err.Error())
	}
}
