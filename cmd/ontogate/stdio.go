package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

func (p *program) stdioCommand() *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "stdio",
		Short: "Serve one MCP client on standard input and output",
		Long: `Serve one MCP client on standard input and output, as Claude Desktop, Cursor and
VS Code start it. Standard output carries JSON-RPC messages and nothing else:
the log, errors and this help go to standard error.`,
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
	srv, b, err := p.server(ctx, s)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer b.Close()
	if err := srv.ServeStdio(ctx, p.in, p.out); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
