package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode"
	"unicode/utf8"

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
// end comes later.
func (p *program) config(s settings) (server.Config, error) {
	log, err := p.logger(s)
	if err != nil {
		return server.Config{}, err
	}
	var tooShort error
	if s.maxAnswer < server.MinAnswer {
		tooShort = usagef("--max-answer %d: must be at least %d", s.maxAnswer, server.MinAnswer)
	}
	err = errors.Join(tooShort, positive("call-timeout", s.callTimeout))
	return server.Config{
		Domain:      domains.Name(s.domain),
		MaxAnswer:   s.maxAnswer,
		CallTimeout: s.callTimeout,
		Version:     shortVersion(),
		Logger:      log,
	}, err
}

// opener opens a back end.
type opener func(context.Context, rdfgraph.Config) (domains.Backend, error)

// openFolder is the opener that the program uses.
func openFolder(ctx context.Context, c rdfgraph.Config) (domains.Backend, error) {
	return rdfgraph.New(ctx, c)
}

// folder says what to open for --domains: that folder, or the built-in samples when
// dir is empty.
func (p *program) folder(dir string, log *slog.Logger) rdfgraph.Config {
	if dir == "" {
		return rdfgraph.Config{FS: examples.FS(), Logger: log}
	}
	return rdfgraph.Config{Dir: dir, Home: p.home, Logger: log}
}

// sayIfSamples says so when the samples take the place of a folder.
func (p *program) sayIfSamples(s settings) {
	if s.domains == "" {
		fmt.Fprintln(p.err, "ontogate: no --domains folder is given, so the built-in sample domains are used")
	}
}

// server is the server for settings. The caller closes the back end when the server
// has ended.
func (p *program) server(ctx context.Context, s settings) (*server.Server, domains.Backend, error) {
	c, err := p.config(s)
	if err != nil {
		return nil, nil, err
	}
	return p.serverFor(ctx, s, c)
}

// serverFor opens the domains and puts a server before them, as server does.
func (p *program) serverFor(ctx context.Context, s settings, c server.Config) (*server.Server, domains.Backend, error) {
	p.sayIfSamples(s)
	b, err := p.open(ctx, p.folder(s.domains, c.Logger))
	if err != nil {
		return nil, nil, err
	}
	c.Backend = b
	srv, err := p.build(ctx, c)
	if err != nil {
		return nil, nil, errors.Join(ofTheFlag(err), b.Close())
	}
	return srv, b, nil
}

// ofTheFlag names --domain where the server does not know the domain that it names:
// no other setting of the server is a domain.
func ofTheFlag(err error) error {
	var unknown *domains.Error
	if !errors.As(err, &unknown) || !errors.Is(err, domains.ErrUnknownDomain) {
		return err
	}
	first, size := utf8.DecodeRuneInString(unknown.Message)
	return fmt.Errorf("--domain: %c%s", unicode.ToLower(first), unknown.Message[size:])
}
