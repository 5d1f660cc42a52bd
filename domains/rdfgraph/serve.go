package rdfgraph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

// loadVersion reads a version's files and makes the domain that is served. The only
// error is that ctx ended, and the domain with it.
func (l *loader) loadVersion(ctx context.Context, v version) error {
	sub := below(l.fsys, v.folder)
	if err := checkFolder(sub); err != nil {
		l.bar(fmt.Sprintf("the folder %q of version %s %s", v.folder, v.Name, readingFault(err)))
		return nil
	}
	files := readTree(sub)
	if v.folder != "." && settingsIn(sub, ".") != "" {
		files.domains = []string{"."}
	}
	chosen, problems := sources(files, &l.settings, l.places)
	r := reading{fsys: sub, base: l.settings.Base, progress: l.progress, survey: l.survey}
	if r.base == "" {
		r.base, r.invented = inventedBase(l.info.Name), true
	}
	closer := l.resolver(v, &r, files, chosen)
	defer closer.Close()
	l.addProblems(v, files.problems, problems, r.imports.catalogues.problems)
	made, err := l.contentOf(ctx, v, r, chosen)
	if err != nil {
		return err
	}
	l.imports, l.files = made.content.imports, l.survey.reports(v, made.content)
	l.addProblems(v, made.content.problems)
	sortProblems(l.problems)
	if len(made.content.read) == 0 {
		l.bar(l.whyNothing(v))
		return nil
	}
	l.warn(v, made.content, r.base)
	return l.serve(ctx, v, made)
}

// inventedBase is the base of a domain that has none.
func inventedBase(name domains.Name) string { return fmt.Sprintf("https://%s.invalid/", name) }

// contentOf reads files, or finds what they hold in the domain's state before. The only
// error is that ctx ended.
func (l *loader) contentOf(ctx context.Context, v version, r reading, sources []source) (*built, error) {
	key, stamps := l.contentKey(v, r, sources), r.stamps(sources)
	made, err := l.again(ctx, r, key, sources, stamps)
	if made != nil || err != nil {
		l.unsaved = l.saving(v, made, true)
		return made, err
	}
	made = &built{key: key, stamps: stamps, read: time.Now()}
	if ok, err := l.restore(ctx, v, r, made, sources); ok || err != nil {
		l.unsaved = l.saving(v, made, true)
		return made, err
	}
	made.content, err = readContent(ctx, r, sources)
	maps.Copy(made.stamps, made.content.stamps)
	if err == nil && len(made.content.problems) == 0 {
		l.unsaved = l.saving(v, made, false)
	}
	return made, err
}

// saving is what there is to do about the snapshot file of a version; nil when it has none.
func (l *loader) saving(v version, made *built, isThere bool) *saving {
	if made == nil || !l.keep.keeps(made.stamps) {
		return nil
	}
	s := &saving{folder: l.folder, domain: l.info.Name, file: savedFile(v.Name), built: made, isThere: isThere}
	for _, v := range l.versions {
		s.current = append(s.current, savedFile(v.Name))
	}
	return s
}

// addProblems takes over problems of a version's folder, with their files
// relative to the domain's.
func (l *loader) addProblems(v version, lists ...[]domains.Problem) {
	for _, p := range slices.Concat(lists...) {
		if p.File != settingsFile || p.Line == 0 {
			p.File = v.inVersion(p.File)
		}
		l.problems = append(l.problems, p)
	}
}

// sortProblems orders problems by place, those of domain.yaml first.
func sortProblems(problems []domains.Problem) {
	rank := func(p domains.Problem) int {
		if p.File == settingsFile {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(problems, func(a, b domains.Problem) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// whyNothing says why a version has no file that could be read.
func (l *loader) whyNothing(v version) string {
	if len(l.problems) > 0 {
		return "no file could be read: " + l.problemsInShort()
	}
	if s := l.settings; s.Ontology != nil || s.Data != nil {
		return "ontology and data in " + settingsFile + " name no file: write patterns there, such as *.ttl, or remove both keys to read every RDF file"
	}
	where := "the folder"
	if v.folder != "." {
		where = fmt.Sprintf("the folder %q of version %s", v.folder, v.Name)
	}
	return where + " holds no RDF file: add Turtle (.ttl), RDF/XML (.rdf, .owl) or other RDF files"
}

func (l *loader) problemsInShort() string {
	s := l.problems[0].String()
	if n := len(l.problems) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more; ontogate check lists them)", n)
	}
	return s
}

// serve makes the domain of what was read. The only error is that ctx ended.
func (l *loader) serve(ctx context.Context, v version, made *built) (err error) {
	c := made.content
	prefixes := l.prefixes(c.prefixes)
	labels := l.labels(prefixes)
	if made.ontology == nil {
		made.progress = l.progress
		if err := made.prepare(ctx, l.settings.Base, inventedBase(l.info.Name), prefixes, labels); err != nil {
			return err
		}
	}
	onto := made.ontology
	l.checkClasses(ctx, onto)
	l.counts = made.counts
	l.info.HasGraph = l.counts.entities > 0
	if l.declared, err = l.declare(ctx, onto, factsOf(made)); err != nil {
		return err
	}
	sortProblems(l.problems)
	sortProblems(l.warnings)
	sortProblems(l.notes)
	d := &domains.Domain{
		Info: l.info, Version: v.Name, Revision: revision(v.Name, slices.Concat([][]byte{l.digest, c.digest}, l.declared.sums())...),
		Languages: l.settings.Languages, Problems: l.problems,
		Ontology: func(context.Context) (*domains.Ontology, error) { return onto, nil },
	}
	if l.info.HasGraph {
		l.counts.entities, d.Facts = made.graph.stats.Entities, made.graph
		d.Triples = newRawTriples(made.graph)
	}
	if made.columns != nil {
		d.Columns = made.columns
	}
	if len(c.problems) == 0 {
		l.domain.built = made
	}
	status := domains.Status{
		Graph: fmt.Sprintf("%s_V%s", l.info.Name, v.Name), HasData: l.info.HasGraph,
		Triples: l.counts.facts, Modified: c.modified, Problems: l.problems, Notes: l.notes,
	}
	if !l.info.HasGraph {
		status.Reason = "The domain has an ontology only (no graph)"
	}
	d.Status = func(context.Context) (*domains.Status, error) {
		s := status
		return &s, nil
	}
	l.design = design(ctx, designed{c.snapshot, onto, made.terms, l.settings.datasets(), l.counts, len(l.problems)})
	l.domain.served, l.findings = d, l.findingsOf(ctx, v, made)
	return ctx.Err()
}

// factsOf is the graph of what was built; nil where there are no facts.
func factsOf(made *built) *graph {
	if made.counts.entities == 0 {
		return nil
	}
	return made.graph
}

// countContent counts what was read. A fact is a triple of a subject that is not a schema
// term; until the graph knows which subjects are one entity, each counts as one.
func countContent(c content, terms owl.Terms) counts {
	n := counts{files: len(c.read), triples: c.snapshot.Len(), facts: c.snapshot.Len(), entities: c.snapshot.Subjects()}
	for t := range terms {
		if described := c.snapshot.Count(t, rdf.Term{}, rdf.Term{}); described > 0 {
			n.facts -= described
			n.entities--
		}
	}
	return n
}

// revision is a digest of everything that a domain is made of.
func revision(version string, parts ...[]byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", version)
	for _, p := range parts {
		fmt.Fprintf(sum, "%x\n", p)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// prefixes are those of domain.yaml and then those of files, by name.
func (l *loader) prefixes(declared []rdf.Prefix) []rdf.Prefix {
	var out []rdf.Prefix
	for _, name := range sortedNames(l.settings.Prefixes) {
		out = append(out, rdf.Prefix{Name: name, IRI: l.settings.Prefixes[name]})
	}
	for _, p := range declared {
		if _, own := l.settings.Prefixes[p.Name]; !own {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b rdf.Prefix) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// labels are the IRIs of the label properties that domain.yaml names.
func (l *loader) labels(prefixes []rdf.Prefix) []string {
	var out []string
	expand := domains.NewOntology(domains.Ontology{Prefixes: prefixes}).Expand
	for i, name := range l.settings.Labels {
		iri := expand(name)
		prefix, local, _ := strings.Cut(name, ":")
		if iri == name && (!isAbsoluteIRI(name) || !strings.HasPrefix(local, "//") && !strings.EqualFold(prefix, "urn")) {
			p := l.places[fmt.Sprintf("labels[%d]", i)]
			l.problems = append(l.problems, domains.Problem{File: settingsFile, Line: p.line, Column: p.column,
				Message: fmt.Sprintf("%q in labels is neither an IRI nor a prefixed name with a known prefix: declare it in prefixes", name)})
			continue
		}
		out = append(out, iri)
	}
	return out
}

// warn notes what is served as it is and may not be meant so.
func (l *loader) warn(v version, c content, base string) {
	for _, f := range c.relative {
		l.warnings = append(l.warnings, domains.Problem{File: v.inVersion(f),
			Message: fmt.Sprintf("relative IRIs were read against %s: set base: in %s", base, settingsFile)})
	}
	for _, other := range l.versions {
		if _, err := fs.Stat(l.fsys, other.folder); err != nil {
			l.warnAt(join("versions", other.folder), "the folder of version %q %s", other.folder, readingFault(err))
		}
	}
	for i, tool := range l.settings.Policy.DisabledTools {
		if slices.Contains(domains.RegistryTools, tool) {
			l.warnAt(fmt.Sprintf("policy.disabled_tools[%d]", i), "%s cannot be disabled: the tools that find and select domains are always there", tool)
		}
	}
	for _, class := range sortedNames(l.settings.Classes) {
		set := l.settings.Classes[class].Dataset
		if set == nil || set.File == "" {
			continue
		}
		at := join("classes", class) + ".dataset.file"
		if !fs.ValidPath(set.File) {
			l.warnAt(at, "dataset file %q: write a path below the domain's folder, with forward slashes", set.File)
		} else if err := checkRegular(l.fsys, set.File); err != nil && set.Key == "" {
			l.warnAt(at, "dataset file %q %s", set.File, readingFault(err))
		}
	}
}

// checkClasses warns of classes of domain.yaml that the ontology does not have.
func (l *loader) checkClasses(ctx context.Context, onto *domains.Ontology) {
	for _, class := range sortedNames(l.settings.Classes) {
		if ctx.Err() != nil {
			return
		}
		if _, near, ok := onto.ResolveClass(class); !ok {
			hint := ""
			if len(near) > 0 {
				hint = fmt.Sprintf("; did you mean %q?", near[0])
			}
			l.warnAt(join("classes", class), "the ontology has no class %q%s", class, hint)
		}
	}
}

func (l *loader) warnAt(at, format string, args ...any) {
	p := l.places[at]
	l.warnings = append(l.warnings, domains.Problem{File: settingsFile, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)})
}
