package main

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// guide is what serve tells a person when it is ready.
type guide struct {
	self    string // the program as it was called
	program string // its full path
	folder  string // the full path of --domains; empty for the samples
	addr    string // where it listens
	domains []domains.Info
}

// String lists the domains and says how to connect a client and how to make a
// first call. Whatever comes from files is harmless.
func (g guide) String() string {
	var b strings.Builder
	url := "http://" + reachable(g.addr) + "/mcp"
	fmt.Fprintf(&b, "Ontogate serves %s on %s\n", count(len(g.domains), "domain"), url)
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
	if len(g.domains) == 0 {
		fmt.Fprintf(&b, "  (none: 'ontogate check %s' says what was found there)\n", oneLine(shellQuote(g.folder)))
	}
	b.WriteString("\nConnect a client:\n")
	fmt.Fprintf(&b, "  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP\n    %s\n", oneLine(entry(map[string]any{"url": url})))
	fmt.Fprintf(&b, "  Claude Desktop (claude_desktop_config.json), which starts the program itself\n    %s\n", oneLine(entry(g.command())))
	open := slices.IndexFunc(g.domains, func(d domains.Info) bool { return d.Unavailable == "" })
	if open < 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "  One domain alone: %s/%s\n", url, oneLine(string(g.domains[open].Name)))
	call := shellQuote(g.self) + " call " + firstCall(g.domains[open]) + g.folderFlag()
	fmt.Fprintf(&b, "\nTry a call in another terminal:\n  %s\n", oneLine(call))
	return b.String()
}

// firstCall is a call that tells something of a domain, and that the domain offers.
func firstCall(d domains.Info) string {
	name := shellQuote(string(d.Name))
	switch {
	case d.HasGraph && !d.Policy.Hides("list_entity_types"):
		return "list_entity_types --domain " + name
	case !d.Policy.Hides("describe_ontology"):
		return "describe_ontology --domain " + name
	}
	return "select_domain domain_name=" + name // which no policy hides
}

// command is how a client starts the program on stdio.
func (g guide) command() map[string]any {
	args := []string{"stdio"}
	if g.folder != "" {
		args = append(args, "--domains", g.folder)
	}
	return map[string]any{"command": g.program, "args": args}
}

func (g guide) folderFlag() string {
	if g.folder == "" {
		return ""
	}
	return " --domains " + shellQuote(g.folder)
}

// entry is a client's configuration file with one server.
func entry(server map[string]any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Maps of strings always encode.
	_ = e.Encode(map[string]any{"mcpServers": map[string]any{"ontogate": server}})
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
