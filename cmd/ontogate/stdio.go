package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) stdioCommand() *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "stdio",
		Short: "Serve one MCP client on standard input and output",
		Long: `Serve one MCP client on standard input and output, as Claude Desktop, Cursor and
VS Code start it. Standard output carries JSON-RPC messages and nothing else:
the log, errors and this help go to standard error. At the end of the input, and
after SIGINT or SIGTERM, running calls are answered; a second signal ends the
program at once. Changes in the folder of --domains are served within seconds;
SIGHUP looks for them at once.`,
		Args: cobra.NoArgs,
		RunE: p.body(func(ctx context.Context, _ []string) error { return p.stdio(ctx, s) }),
	}
	cmd.SetOut(p.err)
	s.addSource(cmd, "info")
	s.addAnswering(cmd)
	return cmd
}

// stdio serves until the input ends or a signal comes.
func (p *program) stdio(ctx context.Context, s settings) error {
	s.poll = pollEvery
	c, err := p.config(s)
	if err != nil {
		return err
	}
	srv, b, err := p.serverFor(ctx, s, c)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer b.Close()
	ctx, stop := reloadOnSignal(ctx, b, c.Logger)
	defer stop()
	late := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(s.callTimeout+drainGrace, func() { close(late) })
	})()
	// A write to a client that does not read cannot be interrupted: then this
	// goroutine ends with the program.
	served := make(chan error, 1)
	go func() { served <- srv.ServeStdio(ctx, p.in, p.out) }()
	select {
	case err = <-served:
	case <-late:
		return errors.New("shutting down: a call does not end, or the client does not read its answers")
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
