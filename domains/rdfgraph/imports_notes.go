package rdfgraph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/catalog"
)

// note tells something of a place in a file.
func (r *resolving) note(file string, line, column int, format string, args ...any) {
	r.told.Notes = append(r.told.Notes, domains.Problem{File: r.shown(file), Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// noteEntry tells something of an entry of a catalogue that an import asks for, once for each.
func (r *resolving) noteEntry(one Import, b badEntry, format string, args ...any) {
	at := badPlace{b.file, b.entry.Line, b.entry.Column}
	if !slices.Contains(r.bad[at], one.IRI) {
		r.bad[at] = append(r.bad[at], one.IRI)
		r.note(b.file, b.entry.Line, b.entry.Column, "%s: %s", r.by(one), fmt.Sprintf(format, args...))
	}
}

// by names an import and who imports it.
func (r *resolving) by(one Import) string {
	return fmt.Sprintf("owl:imports <%s> in %s%s", one.IRI, r.shown(one.By[0]), others(one, " and ", ""))
}

// others says how many files besides the first import something.
func others(one Import, before, after string) string {
	switch n := len(one.By) - 1; n {
	case 0:
		return ""
	case 1:
		return before + "one more file" + after
	default:
		return fmt.Sprintf("%s%d more files%s", before, n, after)
	}
}

// findIt is what to do about a missing import.
const findIt = "put a file with this ontology IRI into the folder or on --ontology-path"

// missing tells of an import without a file. Where entries of catalogues name one, their
// lines are told of. told is set when it was said already why it can't be used.
func (r *resolving) missing(one Import, bad []badEntry, told bool) {
	r.told.Missing = append(r.told.Missing, r.named(one, ""))
	if rest, is := strings.CutPrefix(one.IRI, folderOf(r.base)); is && len(bad) == 0 && !told && r.invented {
		r.note(one.By[0], 0, 0, "owl:imports <%s>%s: it is relative, and there is no file %s beside this one or in the folder: put it there, or correct the import",
			one.IRI, others(one, " (also in ", ")"), rest)
	} else if len(bad) == 0 && !told {
		r.note(one.By[0], 0, 0, "owl:imports <%s>%s: no file has it: %s", one.IRI, others(one, " (also in ", ")"), findIt)
	}
	for _, b := range bad {
		r.noteEntry(one, b, "%s: correct this entry, or %s", b.fault, findIt)
	}
}

// tellBad tells of entries that lead to no file where another one was found.
func (r *resolving) tellBad(one Import, bad []badEntry, file string) {
	for _, b := range bad {
		r.noteEntry(one, b, "%s, so that %s is read instead: correct this entry", b.fault, r.shown(file))
	}
}

// tellPassed tells of what was passed over before a file was found for an import.
func (r *resolving) tellPassed(one Import, found string) {
	for _, by := range one.By {
		file, entry, bad := r.catalogues.lookup(one.IRI, by)
		r.tellBad(one, bad, found)
		if file == "" || file == found {
			continue
		}
		if _, known, ok := r.roots.formatOf(file); !ok {
			r.tellUnreadable(one, file, known, &entry)
		}
	}
}

// tellOther tells of an entry that leads to a file whose ontologies are others.
func (r *resolving) tellOther(one Import, file string, h header, by *badEntry) {
	has := slices.Concat(h.ontologies, h.versions)
	key := catalog.Trim(one.IRI)
	if by == nil || len(has) == 0 || slices.ContainsFunc(has, func(iri string) bool { return catalog.Trim(iri) == key }) {
		return
	}
	r.noteEntry(one, *by, "this entry leads to %s, whose ontology is <%s>: correct it, unless that is meant", r.shown(file), has[0])
}

// tellUnreadable tells of a file that is there but can't be read.
func (r *resolving) tellUnreadable(one Import, file, known string, by *badEntry) {
	why := "neither its name nor its beginning says which RDF syntax it has"
	if known != "" {
		why = known + unreadable(known)
	}
	if by != nil {
		r.noteEntry(one, *by, "this entry leads to %s: %s", r.shown(file), why)
		return
	}
	r.note(file, 0, 0, "%s: %s", r.by(one), why)
}

// tellRest tells what remains to be said of catalogues when all imports are resolved, and puts
// everything in order.
func (r *resolving) tellRest() {
	for _, b := range r.catalogues.lost {
		r.note(b.file, b.entry.Line, b.entry.Column, "the catalogue that follows: %s: correct this entry, or remove it", b.fault)
	}
	if len(r.told.Missing) > 0 {
		const most = 10
		for i, p := range r.unsure {
			if i == most {
				r.told.Notes = append(r.told.Notes, domains.Problem{Message: fmt.Sprintf("the beginnings of %d more files that may have what is missing are broken", len(r.unsure)-most)})
				break
			}
			r.note(p.File, p.Line, p.Column, "an import that is missing may be here, but the beginning of the file is broken: %s", p.Message)
		}
	}
	r.told.Notes = append(r.told.Notes, r.catalogues.unused(r.bad, r.shown)...)
	r.told.Notes = append(r.told.Notes, r.catalogues.notes...)
	sortProblems(r.told.Notes)
}
