package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

func (p *program) checkCommand() *cobra.Command {
	var s checkSettings
	cmd := &cobra.Command{
		Use:   "check [DIR]",
		Short: "Load every domain of a folder and report faults",
		Long: `Load every domain of a folder and report what is wrong, with file, line and
column, and what each domain holds. DIR stands for --domains and wins over
ONTOGATE_DOMAINS. Read are ` + syntaxes("and") + `,
also compressed with gzip (.ttl.gz) or zstd (.nt.zst).

Of each domain it prints a line that sums it up, a table of its files, problems as
file:line:column: message, warnings with the next step, and notes. --json prints one
JSON document instead: domains, each with files, counts, problems, warnings (kind,
count, examples), notes and imports; skipped; milliseconds.

Exit code 0: every domain can be served, though warnings or faults in some of its
files may have been told; 1: a domain has no usable version, there is none, or,
with --strict, a domain is degraded; 2: the command line is wrong. Warnings alone
never make it 1.`,
		Example: "  ontogate check my-domains\n  ontogate check --strict \"my domains\"",
		Args:    oneFolder,
		RunE: p.body(func(ctx context.Context, args []string) error {
			if len(args) == 1 {
				s.domains = args[0]
			}
			return p.check(ctx, s)
		}),
	}
	s.addSource(cmd, "error")
	cmd.Flags().BoolVar(&s.strict, "strict", false, "exit with 1 also when a domain is degraded, which means that something of it can't be used")
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "print JSON: the report as one document")
	return cmd
}

// checkSettings are the flags of check.
type checkSettings struct {
	settings
	strict, asJSON bool
}

// oneFolder refuses more than one folder, which is what a path with spaces looks
// like when it is not quoted.
func oneFolder(cmd *cobra.Command, args []string) error {
	if given := cmd.Flag("domains"); given.Changed {
		args = append([]string{given.Value.String()}, args...)
	}
	if len(args) > 1 {
		return usagef("check takes one folder and was given %d; a path that holds spaces needs quotes: ontogate check \"%s\"", len(args), strings.Join(args, " "))
	}
	return nil
}

// check loads and reports.
func (p *program) check(ctx context.Context, s checkSettings) error {
	log, err := p.logger(s.settings)
	if err != nil {
		return err
	}
	p.sayAssumed(s.settings)
	c := p.folder(s.domains, log)
	c.ActionHosts, c.OntologyPath = s.actionHosts, s.ontologyPath
	c.Survey = true
	began := p.clock()
	b, err := rdfgraph.New(ctx, c)
	p.line.end()
	if err != nil {
		return err
	}
	defer b.Close()
	r := checkReport{domains: b.Report(ctx), skipped: b.Skipped(), ontologyPath: s.ontologyPath}
	r.took = p.clock().Sub(began)
	if s.domains != "" {
		r.folder = rdfgraph.CleanDir(p.home, s.domains)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("checking: %w", ctx.Err())
	}
	if s.asJSON {
		err = r.writeJSON(p.out)
	} else {
		_, err = fmt.Fprint(p.out, r.String())
	}
	if err != nil {
		return err
	}
	if !r.usable() || s.strict && r.degraded() {
		return errAnswered
	}
	return nil
}

// checkReport is what check prints.
type checkReport struct {
	folder  string // as people wrote it; empty for the samples
	domains []rdfgraph.DomainReport
	skipped []rdfgraph.Skipped
	// ontologyPath are the folders of --ontology-path, as people wrote them.
	ontologyPath []string
	took         time.Duration
}

// usable reports whether there are domains and each can be served.
func (r checkReport) usable() bool {
	for _, d := range r.domains {
		if !d.Usable {
			return false
		}
	}
	return len(r.domains) > 0
}

// degraded reports whether a domain has problems.
func (r checkReport) degraded() bool {
	return slices.ContainsFunc(r.domains, func(d rdfgraph.DomainReport) bool { return len(d.Problems) > 0 })
}

// String tells each domain, one after the other, and then the sum. Whatever comes from
// files is harmless.
func (r checkReport) String() string {
	var b strings.Builder
	unusable, degraded := 0, 0
	for _, d := range r.domains {
		r.tellDomain(&b, d)
		switch {
		case !d.Usable:
			unusable++
		case len(d.Problems) > 0:
			degraded++
		}
	}
	for _, s := range r.skipped {
		fmt.Fprintln(&b, oneLine(r.file(s.Path)+": not a domain: "+s.Reason))
	}
	if len(r.domains) == 0 {
		fmt.Fprintf(&b, "%s holds no domain: a domain is a folder with %s files, in this folder or this folder itself\n", oneLine(r.folder), syntaxes("or"))
		return b.String()
	}
	total := count(len(r.domains), "domain")
	if unusable > 0 {
		total += fmt.Sprintf(", %d without a usable version", unusable)
	}
	if degraded > 0 {
		total += fmt.Sprintf(", %d degraded", degraded)
	}
	fmt.Fprintln(&b, total+", checked in "+sinceStart(r.took))
	return b.String()
}

// tellDomain tells what a domain holds, then its files, and what is wrong, as
// file:line:column: message.
func (r checkReport) tellDomain(b *strings.Builder, d rdfgraph.DomainReport) {
	fmt.Fprintln(b, oneLine(summary(d)))
	b.WriteString(fileTable(d))
	for _, problem := range d.Problems {
		fmt.Fprintln(b, oneLine(r.place(d, problem)))
	}
	for _, warning := range d.Warnings {
		warning.Message = "warning: " + warning.Message
		fmt.Fprintln(b, oneLine(r.place(d, warning)))
	}
	for _, f := range d.Findings {
		fmt.Fprintln(b, oneLine("warning: "+f.Message))
	}
	for _, note := range slices.Concat(d.Notes, d.Imports.Notes) {
		note.Message = "note: " + note.Message
		fmt.Fprintln(b, oneLine(r.place(d, note)))
	}
}

// place is a problem of a domain with the file as it is found from here.
func (r checkReport) place(d rdfgraph.DomainReport, p domains.Problem) string {
	if name, outside := r.onPath(p.File); outside {
		p.File = name
	} else {
		p.File = r.file(path.Join(d.Dir, p.File))
	}
	return p.String()
}

// onPath is a file of the ontology path as it is found from here.
func (r checkReport) onPath(file string) (name string, outside bool) {
	n, name, outside := rdfgraph.OnOntologyPath(file)
	if !outside || n >= len(r.ontologyPath) {
		return "", false
	}
	return filepath.Join(r.ontologyPath[n], filepath.FromSlash(name)), true
}

// file is a path in the folder as it is found from here.
func (r checkReport) file(name string) string {
	if r.folder == "" {
		return name
	}
	return filepath.Join(r.folder, filepath.FromSlash(name))
}

// summary is what a domain holds, or why it can't be served.
func summary(d rdfgraph.DomainReport) string {
	line := string(d.Name) + ": "
	if !d.Published {
		line += "not published; "
	}
	if !d.Usable {
		return line + "unavailable: " + d.Reason
	}
	if len(d.Problems) > 0 {
		line += "degraded; "
	}
	line += fmt.Sprintf("version %s; %s, %s (%s schema, %s), %s, %s, %s", d.Version, count(d.Files, "file"),
		count(d.Triples, "triple"), domains.Number(d.Triples-d.Facts), count(d.Facts, "fact"),
		count(d.Classes, "class"), count(d.Properties, "property"), count(d.Entities, "entity"))
	var others []string
	for _, v := range d.Versions {
		if v.Name != d.Version {
			others = append(others, fmt.Sprintf("version %s (%s)", v.Name, v.State))
		}
	}
	if len(others) > 0 {
		line += "; not served: " + strings.Join(others, ", ")
	}
	return line
}
