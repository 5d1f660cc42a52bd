package main

import (
	"encoding/json"
	"io"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// The types below are the document that check --json prints. Names stay; new ones may come.
// Lists are never null.
type (
	checkDocument struct {
		Domains      []checkDomain  `json:"domains"`
		Skipped      []checkSkipped `json:"skipped"`
		Milliseconds int64          `json:"milliseconds"`
	}
	checkDomain struct {
		Name      string         `json:"name"`
		Folder    string         `json:"folder"`
		Version   string         `json:"version,omitempty"`
		Published bool           `json:"published"`
		Usable    bool           `json:"usable"`
		Reason    string         `json:"reason,omitempty"`
		Counts    checkCounts    `json:"counts"`
		Files     []checkFile    `json:"files"`
		Problems  []checkProblem `json:"problems"`
		Warnings  []checkWarning `json:"warnings"`
		Notes     []checkProblem `json:"notes"`
		Imports   checkImports   `json:"imports"`
		Versions  []checkVersion `json:"versions"`
	}
	checkCounts struct {
		Files      int `json:"files"`
		Triples    int `json:"triples"`
		Facts      int `json:"facts"`
		Classes    int `json:"classes"`
		Properties int `json:"properties"`
		Entities   int `json:"entities"`
	}
	checkFile struct {
		Path         string          `json:"path"`
		Syntax       string          `json:"syntax"`
		Bytes        int64           `json:"bytes"`
		Statements   int             `json:"statements"`
		Classes      checkDistinct   `json:"classes"`
		Properties   checkDistinct   `json:"properties"`
		Individuals  checkDistinct   `json:"individuals"`
		Graphs       checkDistinct   `json:"graphs"`
		Languages    []checkLanguage `json:"languages"`
		Ontologies   []string        `json:"ontologies"`
		Versions     []string        `json:"versions"`
		Imports      []string        `json:"imports"`
		Milliseconds int64           `json:"milliseconds"`
	}
	checkDistinct struct {
		Count   int  `json:"count"`
		AtLeast bool `json:"atLeast"`
	}
	checkLanguage struct {
		Tag   string `json:"tag"`
		Count int    `json:"count"`
	}
	checkProblem struct {
		File    string `json:"file,omitempty"`
		Line    int    `json:"line,omitempty"`
		Column  int    `json:"column,omitempty"`
		Message string `json:"message"`
	}
	checkWarning struct {
		// Kind is "settings" for a warning with a place, which has no count.
		Kind     string   `json:"kind"`
		Count    int      `json:"count"`
		Of       int      `json:"of,omitempty"`
		Examples []string `json:"examples"`
		checkProblem
	}
	checkImports struct {
		Found   []checkImport `json:"found"`
		Missing []checkImport `json:"missing"`
	}
	checkImport struct {
		IRI  string   `json:"iri"`
		By   []string `json:"by"`
		File string   `json:"file,omitempty"`
	}
	checkVersion struct {
		Name   string `json:"name"`
		State  string `json:"state"`
		Active bool   `json:"active"`
	}
	checkSkipped struct {
		Path   string `json:"path"`
		Reason string `json:"reason"`
	}
)

// writeJSON writes the report as one JSON document.
func (r checkReport) writeJSON(w io.Writer) error {
	doc := checkDocument{Domains: []checkDomain{}, Skipped: []checkSkipped{}, Milliseconds: r.took.Milliseconds()}
	for _, d := range r.domains {
		doc.Domains = append(doc.Domains, domainDocument(d))
	}
	for _, s := range r.skipped {
		doc.Skipped = append(doc.Skipped, checkSkipped{s.Path, s.Reason})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

func domainDocument(d rdfgraph.DomainReport) checkDomain {
	out := checkDomain{
		Name: string(d.Name), Folder: d.Dir, Version: d.Version, Published: d.Published, Usable: d.Usable, Reason: d.Reason,
		Counts: checkCounts{d.Files, d.Triples, d.Facts, d.Classes, d.Properties, d.Entities}, Warnings: []checkWarning{},
		Files: []checkFile{}, Problems: problemDocuments(d.Problems), Notes: problemDocuments(d.Notes), Versions: []checkVersion{},
		Imports: checkImports{importDocuments(d.Imports.Found), importDocuments(d.Imports.Missing)},
	}
	out.Notes = append(out.Notes, problemDocuments(d.Imports.Notes)...)
	for _, f := range d.FileReports {
		out.Files = append(out.Files, fileDocument(f))
	}
	for _, w := range problemDocuments(d.Warnings) {
		out.Warnings = append(out.Warnings, checkWarning{Kind: "settings", Examples: []string{}, checkProblem: w})
	}
	for _, w := range d.Findings {
		out.Warnings = append(out.Warnings, checkWarning{w.Kind, w.Count, w.Of, listed(w.Examples), checkProblem{Message: w.Message}})
	}
	for _, v := range d.Versions {
		out.Versions = append(out.Versions, checkVersion{v.Name, v.State, v.Active})
	}
	return out
}

func fileDocument(f rdfgraph.FileReport) checkFile {
	number := func(d rdfgraph.Distinct) checkDistinct { return checkDistinct{d.N, d.AtLeast} }
	out := checkFile{
		Path: f.Path, Syntax: f.Syntax.String(), Bytes: f.Bytes, Statements: f.Statements,
		Classes: number(f.Classes), Properties: number(f.Properties), Individuals: number(f.Individuals), Graphs: number(f.Graphs),
		Languages: []checkLanguage{}, Ontologies: listed(f.Ontologies), Versions: listed(f.Versions), Imports: listed(f.Imports),
		Milliseconds: f.Took.Milliseconds(),
	}
	for _, l := range f.Languages {
		out.Languages = append(out.Languages, checkLanguage{l.IRI, l.Count})
	}
	return out
}

func problemDocuments(problems []domains.Problem) []checkProblem {
	out := []checkProblem{}
	for _, p := range problems {
		out = append(out, checkProblem{p.File, p.Line, p.Column, p.Message})
	}
	return out
}

func importDocuments(imports []rdfgraph.Import) []checkImport {
	out := []checkImport{}
	for _, i := range imports {
		one := checkImport{IRI: i.IRI, By: []string{}, File: i.File}
		one.By = append(one.By, i.By...)
		out = append(out, one)
	}
	return out
}

// listed is a list that JSON shows as one, also when it is empty.
func listed(list []string) []string { return append([]string{}, list...) }

// sinceStart is the time of a check as people read it.
func sinceStart(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
