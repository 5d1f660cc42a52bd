package rdfgraph

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// FileReport tells what one file of a domain holds. It is made while the file is read, when
// [Config.Survey] asks for it.
type FileReport struct {
	// Path is relative to the domain's folder, or as [OnOntologyPath] knows it.
	Path   string
	Syntax rdf.Format
	// Bytes is the size as the file is stored.
	Bytes int64
	// Statements are those that were read: one that the file tells twice counts twice.
	Statements int
	// Classes and Properties are the IRIs that the file declares, Individuals those to which it
	// gives a class of their own or owl:NamedIndividual.
	Classes, Properties, Individuals Distinct
	// Languages count the literals of each language tag, most first.
	Languages []domains.Count
	// Graphs are the named graphs.
	Graphs Distinct
	// Ontologies, Versions and Imports are the IRIs of the file's ontology header.
	Ontologies, Versions, Imports []string
	// Took is how long reading took, beside other files.
	Took time.Duration
}

// Distinct is a number of different things. AtLeast is set where there were too many to tell
// all apart.
type Distinct struct {
	N       int
	AtLeast bool
}

// Finding is what will hurt whoever uses a domain, without making it degraded.
type Finding struct {
	// Kind is a short name that stays the same, such as "no-labels".
	Kind string
	// Count is how many there are, and Of of how many; Of is 0 where that says nothing.
	Count, Of int
	// Examples are up to three.
	Examples []string
	// Message tells all of it in a line, with the next step.
	Message string
}

// surveying collects what files hold while they are read. A nil one collects nothing.
type surveying struct {
	mu    sync.Mutex
	files map[string]surveyed // path → what was read last
}

// surveyed is a file that was read.
type surveyed struct {
	report FileReport
	found  *fileSurvey
}

// part returns what counts for one goroutine that reads a file; nil counts nothing.
func (s *surveying) part() *fileSurvey {
	if s == nil {
		return nil
	}
	return newFileSurvey()
}

// take takes what the parts of a file have counted.
func (s *surveying) take(f *file, began time.Time) {
	if s == nil {
		return
	}
	all, statements := newFileSurvey(), 0
	for _, p := range f.parts {
		statements += p.triples
		all.add(p.survey)
	}
	r := FileReport{
		Path: f.path, Syntax: f.format, Bytes: f.size, Statements: statements,
		Classes: all.classes.count(), Properties: all.properties.count(), Individuals: all.individuals.count(), Graphs: all.graphs.count(),
		Ontologies: f.header.ontologies, Versions: f.header.versions, Imports: f.header.imports, Took: time.Since(began),
	}
	for tag, n := range all.languages {
		r.Languages = append(r.Languages, domains.Count{IRI: tag, Count: n})
	}
	slices.SortFunc(r.Languages, func(a, b domains.Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.IRI, b.IRI)) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[f.path] = surveyed{r, all}
}

// reports are the files that a content was made of, by path, with their names in the version.
func (s *surveying) reports(v version, c content) (out []FileReport) {
	if s == nil {
		return nil
	}
	read := map[string]bool{}
	for _, file := range c.read {
		read[file] = true
	}
	for _, file := range slices.Sorted(maps.Keys(s.files)) {
		if r := s.files[file].report; read[file] {
			r.Path = v.inVersion(file)
			out = append(out, r)
		}
	}
	return out
}
