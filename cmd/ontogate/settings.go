package main

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// settings are the flags that several commands have.
type settings struct {
	upstreamSettings
	domains, domain string
	logLevel        string
	maxAnswer       int
	callTimeout     time.Duration
	readOnly        bool
	disabledTools   []string
	noSnapshots     bool
	actionHosts     []string
	ontologyPath    []string
	name            string
	// poll is how often the folder is looked at for changes: by commands that serve, 0 by
	// others. No flag sets it.
	poll time.Duration
}

// addSource adds the flags of every command that reads domains. level is the
// default of --log-level.
func (s *settings) addSource(cmd *cobra.Command, level string) {
	cmd.Flags().StringVar(&s.domains, "domains", "", "`folder` of domains, or of one domain; without it, and without --upstream, the built-in samples are used")
	cmd.Flags().StringSliceVar(&s.actionHosts, "allow-action-host", nil, "`host`s, with or without port, whose endpoints the actions and virtual attributes of domain.yaml may call")
	cmd.Flags().StringSliceVar(&s.ontologyPath, "ontology-path", nil, "`folder`s in which ontologies are looked for that files import and the domain's folder does not hold; no import is ever fetched")
	cmd.Flags().StringVar(&s.logLevel, "log-level", level, "least `level` of log lines on standard error: debug, info, warn or error")
}

// addAnswering adds the flags of every command that answers tool calls.
func (s *settings) addAnswering(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.domain, "domain", "", "`name` of the domain that is selected from the start")
	cmd.Flags().IntVar(&s.maxAnswer, "max-answer", server.DefaultMaxAnswer, fmt.Sprintf("most `characters` of any answer to a tool call, at least %d", server.MinAnswer))
	cmd.Flags().DurationVar(&s.callTimeout, "call-timeout", server.DefaultCallTimeout, fmt.Sprintf("`time` that one tool call or GraphQL request may take; with an upstream the default is %s", upstreamCallTimeout))
	cmd.Flags().BoolVar(&s.readOnly, "read-only", false, "take away the tools that write: actions and business rules")
	cmd.Flags().StringSliceVar(&s.disabledTools, "disable-tools", nil, "`names` of tools to do without, separated by commas: they are not listed and are refused")
	cmd.Flags().BoolVar(&s.noSnapshots, "no-snapshots", false, "neither read nor write snapshot files: large domains are then read from their files at every start")
	cmd.Flags().StringVar(&s.name, "name", server.DefaultName, "`name` that clients are told, to tell several servers apart")
	s.upstreamSettings.add(cmd)
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
	var noTool error
	if err := server.CheckDisabledTools(s.disabledTools); err != nil {
		noTool = usagef("--disable-tools: %v", err)
	}
	err = errors.Join(tooShort, noTool, positive("call-timeout", s.callTimeout), s.upstreamSettings.check())
	return server.Config{
		Name:          s.name,
		Deployment:    p.deployment(s.upstreamSettings),
		ReadOnly:      s.readOnly,
		DisabledTools: s.disabledTools,
		Domain:        domains.Name(s.domain),
		MaxAnswer:     s.maxAnswer,
		CallTimeout:   s.callTimeout,
		Version:       shortVersion(),
		Logger:        log,
	}, err
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
