package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// guide is what serve tells a person when it is ready.
type guide struct {
	self    string // the program as it was called
	program string // its full path
	folder  string // the full path of --domains; empty for none
	// ontologyPath are the full paths of --ontology-path, actionHosts are those of
	// --allow-action-host.
	ontologyPath, actionHosts []string
	addr                      string // where it listens
	domains                   []domains.Info
	name                      string // of --name
	// upstream is the OntoBricks deployment, trouble why its domains could not be
	// listed.
	upstream upstreamSettings
	trouble  string
	// secrets says that credentials come from the environment, readOnly that tools which
	// write are taken away, app that the program runs as a Databricks App.
	secrets, readOnly, app bool
	// noSnapshots says that no snapshot files are kept of domains in folder.
	noSnapshots bool
	// off are the tools that the server does without.
	off []string
}

// guide fills in paths that hold wherever a client starts the program.
func (p *program) guide(s serveSettings, addr string, infos []domains.Info) guide {
	g := guide{
		self: p.self, program: p.self, addr: addr, domains: infos, name: s.name, upstream: s.upstreamSettings, readOnly: s.readOnly, app: s.app, off: s.disabledTools, noSnapshots: s.noSnapshots,
		secrets: p.value(databricksToken) != "" || p.value(clientSecret) != "",
	}
	if path, err := os.Executable(); err == nil {
		g.program = path
	}
	g.actionHosts = s.actionHosts
	for _, dir := range s.ontologyPath {
		dir = rdfgraph.CleanDir(p.home, dir)
		if path, err := filepath.Abs(dir); err == nil {
			dir = path
		}
		g.ontologyPath = append(g.ontologyPath, dir)
	}
	if s.domains != "" {
		g.folder = rdfgraph.CleanDir(p.home, s.domains)
		if path, err := filepath.Abs(g.folder); err == nil {
			g.folder = path
		}
	}
	return g
}

// trouble is an error of an upstream in words for people: the cause may hold what is
// not for them.
func trouble(err error) string {
	var told *domains.Error
	if errors.As(err, &told) && told.Message != "" {
		return told.Message
	}
	return "it did not answer in time"
}

// String lists the domains and says how to connect a client and how to make a
// first call. Whatever comes from files or from an upstream is harmless.
func (g guide) String() string {
	var b strings.Builder
	endpoint := "http://" + reachable(g.addr) + "/mcp"
	place := "on " + endpoint
	if g.app {
		place = "as a Databricks App, on /mcp of its URL"
	}
	fmt.Fprintf(&b, "Ontogate serves %s %s\n", count(len(g.domains), "domain"), place)
	width := 0
	for _, d := range g.domains {
		width = max(width, len(d.Name))
	}
	for _, d := range g.domains {
		about := strings.Join(strings.Fields(d.Description), " ")
		if d.Unavailable != "" {
			about = "unavailable: " + d.Unavailable
		}
		b.WriteString(strings.TrimRight(oneLine(fmt.Sprintf("  %-*s  %s", width, d.Name, about)), " ") + "\n")
	}
	for _, line := range g.notes() {
		b.WriteString(oneLine(line) + "\n")
	}
	if g.app {
		return b.String()
	}
	b.WriteString("\nConnect a client:\n")
	fmt.Fprintf(&b, "  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP\n    %s\n", oneLine(g.entry(map[string]any{"url": endpoint})))
	fmt.Fprintf(&b, "  Claude Desktop (claude_desktop_config.json), which starts the program itself\n    %s\n", oneLine(g.entry(g.command())))
	secrets := g.upstream.upstream != "" && g.secrets
	if secrets {
		b.WriteString("    with the DATABRICKS_… variables of this shell under \"env\"\n")
	}
	base := strings.TrimSuffix(endpoint, "/mcp") + "/graphql"
	fmt.Fprintf(&b, "  GraphQL programs: %s/DOMAIN; %s lists the domains\n", base, base)
	open := slices.IndexFunc(g.domains, func(d domains.Info) bool { return d.Unavailable == "" })
	if open < 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "  One domain alone: %s/%s\n", endpoint, url.PathEscape(string(g.domains[open].Name)))
	call := shellQuote(g.self) + " call " + g.firstCall(g.domains[open])
	for _, word := range g.source() {
		call += " " + shellQuote(word)
	}
	where := ""
	if secrets {
		where = " that has the same variables"
	}
	fmt.Fprintf(&b, "\nTry a call in another terminal%s:\n  %s\n", where, oneLine(call))
	return b.String()
}

// notes are the lines between the domains and the clients: what is wrong and what to
// check, and what of the settings is worth knowing.
func (g guide) notes() []string {
	var out []string
	up := g.upstream
	switch {
	case g.trouble != "":
		out = append(out,
			"  (the domains of OntoBricks at "+up.host()+" cannot be listed: "+g.trouble,
			"   Clients can connect all the same: they are told this, and get its domains as soon as it lists them.)")
	case len(g.domains) == 0 && up.upstream == "":
		out = append(out, "  (none: 'ontogate check "+shellQuote(g.folder)+"' says what was found there)")
	case len(g.domains) == 0:
		registry := "the registry that it chose itself"
		if name := up.registryName(); name != "" {
			registry = "the registry " + name
		}
		out = append(out,
			"  (none: OntoBricks at "+up.host()+" lists no domain of "+registry+".",
			"   Check that this deployment is the one that uses the registry, that a version of the domain",
			"   is PUBLISHED, and that whoever logs in may see it.)")
	}
	if up.upstream != "" {
		line := "In front of OntoBricks at " + up.host()
		if name := up.registryName(); name != "" {
			line += ", registry " + name
		}
		out = append(out, line)
	}
	if g.readOnly {
		out = append(out, "Read-only: tools that write are not offered")
	}
	if len(g.off) > 0 {
		out = append(out, "Tools that are not offered: "+strings.Join(g.off, ", "))
	}
	return out
}

// firstCall is a call that tells something of a domain, and that the domain offers.
func (g guide) firstCall(d domains.Info) string {
	name := shellQuote(string(d.Name))
	hidden := func(tool string) bool { return d.Policy.Hides(tool) || slices.Contains(g.off, tool) }
	switch {
	case d.HasGraph && !hidden("list_entity_types"):
		return "list_entity_types --domain " + name
	case !hidden("describe_ontology"):
		return "describe_ontology --domain " + name
	}
	return "select_domain domain_name=" + name // which no policy hides
}

// command is how a client starts the program on stdio.
func (g guide) command() map[string]any {
	args := append([]string{"stdio"}, g.source()...)
	if g.readOnly {
		args = append(args, "--read-only")
	}
	if g.noSnapshots && g.folder != "" {
		args = append(args, "--no-snapshots")
	}
	if len(g.off) > 0 {
		args = append(args, "--disable-tools", strings.Join(g.off, ","))
	}
	if g.serverName() != server.DefaultName {
		args = append(args, "--name", g.name)
	}
	return map[string]any{"command": g.program, "args": args}
}

// source are the flags that name the same domains.
func (g guide) source() []string {
	var out []string
	if g.folder != "" {
		out = append(out, "--domains", g.folder)
	}
	for _, dir := range g.ontologyPath {
		out = append(out, "--ontology-path", dir)
	}
	for _, host := range g.actionHosts {
		out = append(out, "--allow-action-host", host)
	}
	return append(out, g.upstream.flags()...)
}

// serverName is the name that clients are told.
func (g guide) serverName() string { return cmp.Or(g.name, server.DefaultName) }

// entry is a client's configuration file with one server.
func (g guide) entry(server map[string]any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Maps of strings always encode.
	_ = e.Encode(map[string]any{"mcpServers": map[string]any{g.serverName(): server}})
	return strings.TrimSpace(b.String())
}

// reachable is an address under which this machine reaches a listener.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// shellQuote makes a word that a POSIX shell reads as it is.
func shellQuote(word string) string {
	plain := func(r rune) bool {
		return r < 'A' && strings.ContainsRune("./-+,:=@0123456789", r) || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || r == '_' || r > 0x7f
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// count is a number with its noun: "1 domain", "2,000 entities".
func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return domains.Number(n) + " " + noun
}
