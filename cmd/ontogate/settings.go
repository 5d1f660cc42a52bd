package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

// settings are the flags that several commands have.
type settings struct {
	domains, domain string
	logLevel        string
	maxAnswer       int
	callTimeout     time.Duration
}

// addSource adds the flags of every command that reads domains. level is the
// default of --log-level.
func (s *settings) addSource(cmd *cobra.Command, level string) {
	cmd.Flags().StringVar(&s.domains, "domains", "", "`folder` of domains, or of one domain; without it the built-in samples are used")
	cmd.Flags().StringVar(&s.logLevel, "log-level", level, "least `level` of log lines on standard error: debug, info, warn or error")
}

// addAnswering adds the flags of every command that answers tool calls.
func (s *settings) addAnswering(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.domain, "domain", "", "`name` of the domain that is selected from the start")
	cmd.Flags().IntVar(&s.maxAnswer, "max-answer", server.DefaultMaxAnswer, fmt.Sprintf("most `characters` of any answer, at least %d", server.MinAnswer))
	cmd.Flags().DurationVar(&s.callTimeout, "call-timeout", server.DefaultCallTimeout, "`time` that one tool call may take")
}

// logger writes to standard error.
func (p *program) logger(s settings) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.logLevel)); err != nil {
		return nil, usagef("--log-level %s: use debug, info, warn or error", s.logLevel)
	}
	return slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: level})), nil
}

// positive holds the limits to what makes sense. flag is without dashes.
func positive[T int | time.Duration](flag string, value T) error {
	if value <= 0 {
		return usagef("--%s %v: must be more than 0", flag, value)
	}
	return nil
}

// config is the server's configuration as far as the settings give it; the back
// end is the caller's to add.
func (s settings) config(log *slog.Logger) (server.Config, error) {
	var tooShort error
	if s.maxAnswer < server.MinAnswer {
		tooShort = usagef("--max-answer %d: must be at least %d", s.maxAnswer, server.MinAnswer)
	}
	err := errors.Join(tooShort, positive("call-timeout", s.callTimeout))
	return server.Config{
		Domain:      domains.Name(s.domain),
		MaxAnswer:   s.maxAnswer,
		CallTimeout: s.callTimeout,
		Version:     shortVersion(),
		Logger:      log,
	}, err
}

// opener opens the back end of a folder, or of the built-in samples when dir is
// empty.
type opener func(ctx context.Context, dir string, log *slog.Logger) (domains.Backend, error)

// openFolder is the opener that the program uses.
func openFolder(ctx context.Context, dir string, log *slog.Logger) (domains.Backend, error) {
	return newFolder(ctx, dir, log)
}

func newFolder(ctx context.Context, dir string, log *slog.Logger) (*rdfgraph.Backend, error) {
	if dir == "" {
		return rdfgraph.New(ctx, rdfgraph.Config{FS: examples.FS(), Logger: log})
	}
	return rdfgraph.New(ctx, rdfgraph.Config{Dir: dir, Logger: log})
}

// sayIfSamples says so when the samples take the place of a folder.
func (p *program) sayIfSamples(s settings) {
	if s.domains == "" {
		fmt.Fprintln(p.err, "ontogate: no --domains folder is given, so the built-in sample domains are used")
	}
}

// server opens the domains and puts a server before them. The caller closes
// the back end when the server has ended.
func (p *program) server(ctx context.Context, s settings, c server.Config) (*server.Server, domains.Backend, error) {
	p.sayIfSamples(s)
	b, err := p.open(ctx, s.domains, c.Logger)
	if err != nil {
		return nil, nil, err
	}
	c.Backend = b
	srv, err := server.New(ctx, c)
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return srv, b, nil
}
