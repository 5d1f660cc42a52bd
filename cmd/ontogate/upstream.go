package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/login"
	"github.com/ontogate/ontogate/server"
)

// upstreamCallTimeout is the default of --call-timeout with an upstream, which may
// have to wake a warehouse.
const upstreamCallTimeout = 50 * time.Second

// upstreamSettings are the flags that say which OntoBricks deployment to stand in
// front of.
type upstreamSettings struct {
	upstream string // URL; empty for none
	registry ontobricks.Registry
	profile  string
}

func (s *upstreamSettings) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.upstream, "upstream", "", "`URL` of an OntoBricks deployment whose domains are served, with those of --domains if that is given; "+
		"default "+upstreamHere+" when a registry catalog and schema are given")
	f.StringVar(&s.registry.Catalog, "registry-catalog", "", "`catalog` of the registry that the upstream is to use; without catalog and schema it chooses itself")
	f.StringVar(&s.registry.Schema, "registry-schema", "", "`schema` of that registry")
	f.StringVar(&s.registry.Volume, "registry-volume", "", "`volume` of that registry, if it is not the usual one")
	f.StringVar(&s.profile, "profile", "", "`name` of the profile in ~/.databrickscfg that logs in to the upstream")
}

// check refuses half a registry, and what is no URL of a deployment. The URL is not told again, since it
// may hold a password.
func (s upstreamSettings) check() error {
	if (s.registry.Catalog == "") != (s.registry.Schema == "") {
		return usagef("a registry needs both its catalog and its schema: give --registry-catalog and --registry-schema (REGISTRY_CATALOG and REGISTRY_SCHEMA), or neither")
	}
	if s.upstream == "" {
		return nil
	}
	u, err := url.Parse(s.upstream)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return usagef("--upstream: want a URL such as https://ontobricks-123.aws.databricksapps.com")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return usagef("--upstream: want a URL without a user, a query and a fragment; credentials are given by the environment or --profile")
	}
	return nil
}

// host is the host of the upstream, which may be logged; the URL may not.
func (s upstreamSettings) host() string {
	u, err := url.Parse(s.upstream)
	if err != nil {
		return ""
	}
	return u.Host
}

// isHere reports whether the upstream runs on this machine.
func (s upstreamSettings) isHere() bool {
	u, err := url.Parse(s.upstream)
	return err == nil && loopbackHost(u.Hostname())
}

// registryName is catalog.schema, with the volume where one is given; empty when the
// upstream chooses.
func (s upstreamSettings) registryName() string {
	if s.registry.Catalog == "" || s.registry.Schema == "" {
		return ""
	}
	name := s.registry.Catalog + "." + s.registry.Schema
	if s.registry.Volume != "" {
		name += "." + s.registry.Volume
	}
	return name
}

// flags are the flags that reach the same deployment from another process.
func (s upstreamSettings) flags() []string {
	var out []string
	for _, f := range []struct{ name, value string }{
		{"upstream", s.upstream}, {"registry-catalog", s.registry.Catalog}, {"registry-schema", s.registry.Schema},
		{"registry-volume", s.registry.Volume}, {"profile", s.profile},
	} {
		if s.upstream != "" && f.value != "" {
			out = append(out, "--"+f.name, f.value)
		}
	}
	return out
}

// connector opens the back end of a deployment.
type connector func(ontobricks.Config) (domains.Backend, error)

// connectOntoBricks is the connector that the program uses.
func connectOntoBricks(c ontobricks.Config) (domains.Backend, error) {
	b, err := ontobricks.New(c)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// upstreamBackend is the back end of the upstream. It sends nothing yet.
func (p *program) upstreamBackend(s upstreamSettings, log *slog.Logger) (domains.Backend, error) {
	c := ontobricks.Config{URL: s.upstream, Registry: s.registry, UserAgent: "ontogate/" + shortVersion(), Logger: log}
	source, how, err := p.credentials(s, log)
	if err != nil {
		return nil, fmt.Errorf("logging in to OntoBricks: %w", err)
	}
	if source != nil { // a nil *login.Source in the interface would not be nil
		c.Tokens = source
	}
	b, err := p.connect(c)
	if err != nil {
		return nil, fmt.Errorf("--upstream: %w", err)
	}
	log.Info("in front of OntoBricks", "host", s.host(), "registry", cmp.Or(s.registryName(), "chosen by OntoBricks"), "login", how)
	return b, nil
}

// credentials finds what logs in to the upstream; source is nil for none, and how says
// what was found. To a deployment on this machine nothing is sent that was not given
// for it: a profile in the home folder belongs to a workspace elsewhere.
func (p *program) credentials(s upstreamSettings, log *slog.Logger) (source *login.Source, how string, err error) {
	c := login.Settings{
		Host: p.value(databricksHost), ClientID: p.value(clientID), ClientSecret: p.value(clientSecret), Token: p.value(databricksToken),
		Profile: s.profile, AuthType: p.value(authType), ConfigFile: p.value(configFile), Home: p.home, Logger: log,
	}
	if s.isHere() && c.ClientSecret == "" && c.Token == "" && c.Profile == "" {
		return nil, "none, since OntoBricks runs on this machine", nil
	}
	source, how, err = login.New(c)
	if err == nil && source == nil {
		how = "none"
		log.Warn("no credentials for OntoBricks were found, so nothing is sent: if it asks for them, name a --profile, or set DATABRICKS_HOST with " +
			"DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET, or DATABRICKS_TOKEN where personal access tokens are taken, which Databricks Apps do not")
	}
	return source, how, err
}

// deployment is what GET / tells of the upstream.
func (p *program) deployment(s upstreamSettings) server.Deployment {
	if s.upstream == "" {
		return server.Deployment{}
	}
	return server.Deployment{
		URL: strings.TrimRight(s.upstream, "/"), Warehouse: p.value(warehouseID),
		Registry: cmp.Or(p.value(volumePath), s.registryName()),
	}
}
