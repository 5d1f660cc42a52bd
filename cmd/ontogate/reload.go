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
// came of it. The signal comes also when the terminal goes from which the program was
// started: that ends ctx, as the program would end if it did not catch the signal. stop
// ends all that and waits for it.
func reloadOnSignal(parent context.Context, b domains.Backend, log *slog.Logger) (ctx context.Context, stop func()) {
	r, ok := b.(domains.Reloader)
	if !ok || len(reloadSignals) == 0 {
		return parent, func() {}
	}
	ctx, cancel := context.WithCancel(parent)
	hungUp := terminalWatch()
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, reloadSignals...)
	var reloads sync.WaitGroup
	reloads.Go(func() {
		defer signal.Stop(caught)
		var again <-chan time.Time
		for {
			select {
			case <-caught:
				if !hungUp() {
					reload(ctx, r, log)
				}
				again = time.After(hangupTime)
			case <-again:
			case <-ctx.Done():
				return
			}
			if hungUp() {
				log.InfoContext(ctx, "the terminal from which the program was started is gone")
				cancel()
			}
		}
	})
	return ctx, func() { cancel(); reloads.Wait() }
}

// hangupTime is how long after the signal a terminal may still be there that is going: when
// the shell ends, the signal is sent first.
const hangupTime = time.Second

func reload(ctx context.Context, r domains.Reloader, log *slog.Logger) {
	began := time.Now()
	switch err := r.Reload(ctx); {
	case err == nil:
		log.InfoContext(ctx, "reloaded", "duration", time.Since(began))
	case !errors.Is(err, context.Canceled):
		log.WarnContext(ctx, "reloading failed: what was loaded is served as before", "cause", err.Error())
	}
}
