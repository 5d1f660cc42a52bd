package rdfgraph_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestFolders unpacks each archive of testdata/folders, serves the folder and
// compares what the back end says of it. The last file of an archive, "report", is
// what it should say.
func TestFolders(t *testing.T) {
	archives, err := filepath.Glob("testdata/folders/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			last := len(a.Files) - 1
			if last < 0 || a.Files[last].Name != "report" {
				t.Fatal("the last file is not named report")
			}
			dir := filepath.Join(t.TempDir(), "my graphs")
			unpack(t, dir, a.Files[:last])
			report := describe(t, newBackend(t, rdfgraph.Config{Dir: dir}))
			golden(t, path, a, last, strings.ReplaceAll(report, dir, "$DIR"))
		})
	}
}

func unpack(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func newBackend(t *testing.T, c rdfgraph.Config) *rdfgraph.Backend {
	t.Helper()
	b, err := rdfgraph.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// describe writes what a back end lists, reports and opens.
func describe(t *testing.T, b *rdfgraph.Backend) string {
	t.Helper()
	var out strings.Builder
	infos, err := b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		fmt.Fprintf(&out, "listed: %s", i.Name)
		if i.Description != "" {
			fmt.Fprintf(&out, " (%s)", i.Description)
		}
		if i.Unavailable != "" {
			out.WriteString(" unavailable")
		}
		if i.HasGraph {
			out.WriteString(" graph")
		}
		if p := i.Policy; len(p.DisabledTools) > 0 || len(p.Context) > 0 {
			fmt.Fprintf(&out, " policy %v %v", p.DisabledTools, p.Context)
		}
		out.WriteByte('\n')
	}
	for _, s := range b.Skipped() {
		fmt.Fprintf(&out, "skipped: %s: %s\n", s.Path, s.Reason)
	}
	for _, r := range b.Report(t.Context()) {
		fmt.Fprintf(&out, "\n%s in %s: version %q, published %v, usable %v\n", r.Name, r.Dir, r.Version, r.Published, r.Usable)
		if r.Reason != "" {
			fmt.Fprintf(&out, "  reason: %s\n", r.Reason)
		}
		for _, v := range r.Versions {
			fmt.Fprintf(&out, "  version %s %s%s\n", v.Name, v.State, flags("active", v.Active, "latest", v.Latest))
		}
		fmt.Fprintf(&out, "  %d files, %d triples, %d classes, %d properties, %d entities\n", r.Files, r.Triples, r.Classes, r.Properties, r.Entities)
		for _, p := range r.Problems {
			fmt.Fprintf(&out, "  problem: %s\n", p)
		}
		for _, p := range r.Warnings {
			fmt.Fprintf(&out, "  warning: %s\n", p)
		}
		if d, err := b.Open(t.Context(), r.Name); err == nil {
			describeDomain(t, &out, b, d)
		}
	}
	return out.String()
}

func describeDomain(t *testing.T, out *strings.Builder, b *rdfgraph.Backend, d *domains.Domain) {
	t.Helper()
	onto, err := d.Ontology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	status, err := d.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	design, err := b.Design(t.Context(), d.Info.Name)
	if err != nil {
		t.Fatal(err)
	}
	if d.Info.HasGraph != (d.Facts != nil) {
		t.Errorf("%s: has graph %v, facts %v", d.Info.Name, d.Info.HasGraph, d.Facts)
	}
	if len(d.Languages) > 0 {
		fmt.Fprintf(out, "  languages %v\n", d.Languages)
	}
	if onto.Base != "" || len(onto.Prefixes) > 0 {
		fmt.Fprintf(out, "  base %q, %d prefixes %v\n", onto.Base, len(onto.Prefixes), onto.Prefixes[:min(5, len(onto.Prefixes))])
	}
	fmt.Fprintf(out, "  status: view %q, graph %q, data %v, %d triples, reason %q, %d problems\n",
		status.View, status.Graph, status.HasData, status.Triples, status.Reason, len(status.Problems))
	a := design.Assignment
	fmt.Fprintf(out, "  design: ontology ready %v, owl %v; %d datasets; classes %d/%d, properties %d/%d, %d%% %s; build ready %v %q\n",
		design.Ontology.Ready, design.Ontology.HasOWL, design.Metadata.Tables, a.ClassesUsed, a.ClassesTotal,
		a.PropertiesUsed, a.PropertiesTotal, a.Percent, a.Status, design.BuildReady, design.Message)
}

// flags takes names and whether each is set.
func flags(pairs ...any) string {
	s := ""
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			s += " " + pairs[i].(string)
		}
	}
	return s
}
