package rdfgraph

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/catalog"
)

// catalogues are the XML catalogues among the roots.
type catalogues struct {
	roots    roots
	all      []readCatalog     // in the order in which they are asked when all are equally near
	problems []domains.Problem // broken catalogues of the version's folder
	notes    []domains.Problem // broken catalogues elsewhere
	lost     []badEntry        // nextCatalog entries without a file
}

// readCatalog is a catalogue with the path of its file.
type readCatalog struct {
	file string
	*catalog.Catalog
}

// mostCatalogues is how many are read of one folder.
const mostCatalogues = 1000

// readCatalogues reads the catalogues of roots: every file of their name, and those that
// follow them. A broken one is a problem, and left out.
func readCatalogues(rs roots) *catalogues {
	c := &catalogues{roots: rs}
	var due []string
	for _, r := range rs {
		for _, file := range r.files {
			if path.Base(file) == catalog.Name && r.has[file] {
				due = append(due, r.name(file))
			}
		}
	}
	seen := map[string]bool{}
	for i := 0; i < len(due) && len(c.all) < mostCatalogues; i++ {
		if seen[due[i]] {
			continue
		}
		seen[due[i]] = true
		read, err := c.read(due[i])
		if err != nil {
			c.trouble(due[i], err)
			continue
		}
		for _, fault := range read.Faults {
			c.trouble(due[i], fault)
		}
		c.all = append(c.all, readCatalog{due[i], read})
		for _, next := range read.Next {
			if file, fault := c.locate(due[i], next.Target()); fault == "" {
				due = append(due, file)
			} else if _, _, outside := OnOntologyPath(due[i]); !outside {
				c.lost = append(c.lost, badEntry{due[i], next, fault})
			}
		}
	}
	return c
}

// trouble notes what is wrong with a catalogue: on the ontology path the domain can't help it.
func (c *catalogues) trouble(file string, err error) {
	p := catalogProblem(file, err)
	if _, _, outside := OnOntologyPath(file); outside {
		c.notes = append(c.notes, p)
	} else {
		c.problems = append(c.problems, p)
	}
}

func (c *catalogues) read(file string) (*catalog.Catalog, error) {
	in, err := openRegular(rooted{c.roots}, file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return catalog.Read(in, file)
}

func catalogProblem(file string, err error) domains.Problem {
	var fault *catalog.Error
	if errors.As(err, &fault) {
		return domains.Problem{File: file, Line: fault.Line, Column: fault.Column, Message: fault.Message}
	}
	return domains.Problem{File: file, Message: readingFault(err)}
}

// locate finds the file to which a catalogue points; fault says why there is none.
func (c *catalogues) locate(from string, to catalog.Target) (file, fault string) {
	ok := false
	switch to.Place {
	case catalog.Elsewhere:
		return "", fmt.Sprintf("%q names no file, and nothing is ever fetched", to.Text)
	case catalog.OnDisk:
		file, ok = c.roots.onDisk(to.Path)
	default:
		file, ok = c.roots.beside(from, to.Path)
	}
	switch {
	case !ok:
		return "", fmt.Sprintf("%q is neither in the domain's folder nor on --ontology-path", to.Text)
	case c.roots.has(file):
		return file, ""
	}
	r, name := c.roots.at(file)
	switch {
	case r.domainOf(name) != "":
		return "", fmt.Sprintf("the file %q belongs to another domain", to.Text)
	case strings.HasPrefix(name, ".") || strings.Contains(name, "/."):
		return "", fmt.Sprintf("the file %q is hidden, and hidden files are not read", to.Text)
	}
	return "", fmt.Sprintf("the file %q does not exist", to.Text)
}

// badEntry is an entry of a catalogue that leads to no file.
type badEntry struct {
	file  string // of the catalogue
	entry catalog.Entry
	fault string
}

// lookup finds the file to which the catalogues send somebody who asks for an IRI in a file:
// those nearest to the file are asked first. bad are the entries for it that were asked before
// and lead to no file; found is the entry that does.
func (c *catalogues) lookup(iri, by string) (file string, found badEntry, bad []badEntry) {
	for _, cat := range c.nearest(by) {
		entry, to, ok := cat.Lookup(iri)
		if !ok {
			continue
		}
		file, fault := c.locate(cat.file, to)
		if fault == "" {
			return file, badEntry{file: cat.file, entry: entry}, bad
		}
		bad = append(bad, badEntry{cat.file, entry, fault})
	}
	return "", badEntry{}, bad
}

// nearest are the catalogues in the order in which a file is to ask them: those in its folder
// and above, the deepest first, and then the others.
func (c *catalogues) nearest(by string) []readCatalog {
	out := slices.Clone(c.all)
	rank := func(r readCatalog) int {
		dir := strings.TrimSuffix(r.file, path.Base(r.file))
		if strings.HasPrefix(by, dir) {
			return -1 - len(dir)
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b readCatalog) int { return rank(a) - rank(b) })
	return out
}

// unused sums up, for each catalogue, the entries that lead to no file and are not among those
// that were asked for.
func (c *catalogues) unused(asked map[badPlace][]string, shown func(string) string) (out []domains.Problem) {
	const most = 3
	for _, cat := range c.all {
		if _, _, outside := OnOntologyPath(cat.file); outside {
			continue // they are there for others
		}
		n, first := 0, []string{}
		var at catalog.Entry
		for _, e := range cat.Entries {
			to := e.Target()
			if e.Prefix || to.Place == catalog.Elsewhere || asked[badPlace{cat.file, e.Line, e.Column}] != nil {
				continue
			}
			if _, fault := c.locate(cat.file, to); fault == "" {
				continue
			}
			if n++; n == 1 {
				at = e
			}
			if n <= most {
				first = append(first, fmt.Sprintf("%s (line %d)", to.Path, e.Line))
			}
		}
		if n == 0 {
			continue
		}
		more := ""
		if n > most {
			more = ", …"
		}
		what := "1 entry names a file that is not there, and no import that is missing asks for it: "
		if n > 1 {
			what = fmt.Sprintf("%d entries name files that are not there, and no import that is missing asks for them: ", n)
		}
		out = append(out, domains.Problem{File: shown(cat.file), Line: at.Line, Column: at.Column, Message: what + strings.Join(first, ", ") + more})
	}
	return out
}

// badPlace is where an entry stands.
type badPlace struct {
	file         string
	line, column int
}
