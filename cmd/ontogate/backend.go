package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

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
		return rdfgraph.Config{FS: examples.FS(), Home: p.home, Progress: p.line.report(), Logger: log}
	}
	return rdfgraph.Config{Dir: dir, Home: p.home, Progress: p.line.report(), Logger: log}
}

// answered is folder for commands that answer, which keep snapshot files.
func (p *program) answered(s settings, log *slog.Logger) rdfgraph.Config {
	c := p.folder(s.domains, log)
	c.ActionHosts, c.OntologyPath = s.actionHosts, s.ontologyPath
	c.Poll = s.poll
	if !s.noSnapshots {
		c.Snapshots = rdfgraph.SnapshotsOn
	}
	return c
}

// startPatience bounds what a start waits for an upstream that does not answer.
const startPatience = 5 * time.Second

// sayAssumed says so when the samples take the place of a folder, and when a registry
// alone means a deployment on this machine.
func (p *program) sayAssumed(s settings) {
	switch {
	case p.assumesHere:
		fmt.Fprintln(p.err, "ontogate: a registry and no --upstream is given, so OntoBricks is asked on this machine, at "+upstreamHere)
	case s.domains == "" && s.upstream == "":
		fmt.Fprintln(p.err, "ontogate: no --domains folder is given, so the built-in sample domains are used")
	}
}

// backend opens what the settings name: a folder, an upstream, both joined, or the
// samples. The caller closes it.
func (p *program) backend(ctx context.Context, s settings, log *slog.Logger) (domains.Backend, error) {
	p.sayAssumed(s)
	defer p.line.end()
	if s.upstream == "" {
		return p.open(ctx, p.answered(s, log))
	}
	up, err := p.upstreamBackend(s.upstreamSettings, log)
	if err != nil || s.domains == "" {
		return up, err
	}
	folder, err := p.open(ctx, p.answered(s, log))
	if err != nil {
		return nil, errors.Join(err, up.Close())
	}
	// Clients may be told the labels, so these hold no path and no address.
	both := domains.Join(domains.Member{Label: "the folder of --domains", Backend: folder}, domains.Member{Label: "OntoBricks", Backend: up})
	listing, cancel := context.WithTimeout(domains.Once(ctx), startPatience)
	defer cancel()
	if err := both.Clash(listing); err != nil {
		return nil, errors.Join(fmt.Errorf("joining %s and %s: %w", s.domains, s.host(), err), both.Close())
	}
	return both, nil
}

// serverFor opens the domains and puts a server before them. The caller closes the back
// end when the server has ended.
func (p *program) serverFor(ctx context.Context, s settings, c server.Config) (*server.Server, domains.Backend, error) {
	b, err := p.backend(ctx, s, c.Logger)
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
