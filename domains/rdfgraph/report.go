package rdfgraph

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// DomainReport is what there is to say of a domain's folder.
type DomainReport struct {
	Name domains.Name
	// Dir is the folder, relative to the folder of the domains.
	Dir string
	// Version is the version that was read: the one served, or the newest of a
	// domain that is not published. Empty when none could be chosen.
	Version  string
	Versions []domains.Version
	// Published is false for a domain that is neither listed nor selectable.
	Published bool
	// Files, Triples, Facts, Classes, Properties and Entities count what was read.
	// Facts are the triples that are not about a term of the ontology; statistics and
	// status count these. Entities are those of domains.Stats.
	Files, Triples, Facts, Classes, Properties, Entities int
	// Problems degrade the domain, Warnings do not. Files are relative to Dir.
	Problems, Warnings []domains.Problem
	// Notes say what is left out on purpose.
	Notes []domains.Problem
	// Imports are the ontologies that files import.
	Imports Imports
	// FileReports tell of each file that was read, by path, and Findings what will hurt; both
	// are nil without [Config.Survey].
	FileReports []FileReport
	Findings    []Finding
	// Usable is false when nothing can be served; Reason says why.
	Usable bool
	Reason string
}

// Report tells of every domain, by name, those that are not published included:
// these are read for the report. It ends early when ctx does.
func (b *Backend) Report(ctx context.Context) []DomainReport {
	loaded := b.state.Load().domains
	out := make([]DomainReport, 0, len(loaded))
	for _, d := range loaded {
		published := !d.hidden
		if d.hidden && d.info.Unavailable == "" {
			name := d.info.Name
			var err error
			if d, err = load(ctx, d.folder, loadOptions{log: slog.New(slog.DiscardHandler), drafts: true, calls: b.calls, path: b.path, survey: b.config.Survey}); err != nil {
				return out
			}
			d.info.Name = name
		}
		r := d.report(published)
		r.Warnings = append(r.Warnings, deadEnds(d, loaded)...)
		out = append(out, r)
	}
	return out
}

// deadEnds warns of bridges to domains that nobody is led to.
func deadEnds(d *domain, all []*domain) (out []domains.Problem) {
	if d.declared == nil {
		return nil
	}
	for _, class := range d.declared.classes {
		for _, b := range class.Bridges {
			why := "the folder has no such domain"
			if i := slices.IndexFunc(all, func(o *domain) bool { return o.info.Name == b.Domain }); i >= 0 {
				switch to := all[i]; {
				case to.hidden:
					why = "that domain is not published"
				case to.info.Unavailable != "":
					why = "that domain is unavailable"
				default:
					continue
				}
			}
			out = append(out, domains.Problem{File: settingsFile, Message: fmt.Sprintf("the bridge of class %s to %s leads nowhere here: %s", class.Name, b.Domain, why)})
		}
	}
	return out
}

func (d *domain) report(published bool) DomainReport {
	r := DomainReport{
		Name: d.info.Name, Dir: d.folder.path, Published: published, Versions: d.versionList(),
		Files: d.counts.files, Triples: d.counts.triples, Facts: d.counts.facts, Entities: d.counts.entities,
		Problems: d.problems, Warnings: d.warnings, Notes: d.notes, Imports: d.imports,
		FileReports: d.files, Findings: d.findings,
		Usable: d.info.Unavailable == "", Reason: d.info.Unavailable,
	}
	if o := d.design.Ontology; o != nil {
		r.Classes, r.Properties = o.Classes, o.Properties
	}
	if d.served != nil {
		r.Version = d.served.Version
	}
	return r
}
