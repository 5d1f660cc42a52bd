package main

import (
	"context"
	"errors"
)

// runSessions measures the same calls with one session and with a thousand, in two
// processes that take turns.
func runSessions(ctx context.Context, b *bench) (out []result, err error) {
	const connections, many = 8, 1_000
	what := b.described()
	var turns []*turn
	defer func() {
		for _, t := range turns {
			err = errors.Join(err, t.end())
		}
		for i := range out {
			turns[i].took(&out[i])
		}
	}()
	for _, sessions := range []int{1, many} {
		t := &turn{result: result{Row: "sessions", Case: count(float64(sessions)) + " sessions", Unit: "s"}}
		if sessions == 1 {
			t.Case = "1 session"
		} else {
			t.Baseline, t.Goals = "1 session", []goal{{Of: "ratio", Bound: 1.3}}
		}
		turns = append(turns, t)
		if t.service, err = b.serveOntogate(ctx, what.folder); err != nil {
			return nil, err
		}
		if t.caller, err = newCaller(ctx, t.service.url, connections, sessions, what.message, what.want); err != nil {
			return nil, err
		}
	}
	if err := takeTurns(turns, b.rounds, b.length()); err != nil {
		return nil, err
	}
	for _, t := range turns {
		for i, perSecond := range t.Values {
			t.Values[i] = 1 / perSecond
		}
		out = append(out, t.result)
	}
	return out, nil
}
