package format

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// maxSuggestions is the most names that are suggested, maxTypeWords the most words
// of a search that are tried as the names of classes.
const (
	maxSuggestions = 5
	maxTypeWords   = 8
)

// worthSuggesting are the names to suggest for a search, each once. For a search of
// several words they are those that share a word with it, or a word near to one.
func worthSuggesting(search string, names []string) []string {
	asked := words(search)
	var out []string
	seen := map[string]bool{} // suggested, folded
	for _, n := range names {
		n = shorten(oneLine(n), 60)
		if f := folded(n); len(out) < maxSuggestions && !seen[f] && (len(asked) < 2 || sharesWord(asked, words(n))) {
			seen[f] = true
			out = append(out, n)
		}
	}
	return out
}

// sharesWord reports whether a word that was asked for is one of a name's words, or
// near to one. Words of one or two letters are equal or nothing, those of three are
// too short to be near.
func sharesWord(asked, name []string) bool {
	long := slices.DeleteFunc(slices.Clone(name), func(w string) bool { return size(w) < 4 })
	return slices.ContainsFunc(asked, func(w string) bool {
		return size(w) > 2 && slices.Contains(name, w) || size(w) > 3 && len(domains.Nearest(w, long, 1)) > 0
	})
}

// typeNamed says that a word of the search is the name of a type, with the
// call that uses it; both are empty when none is, when a type was given, or when that
// type has no entities.
func (e *entities) typeNamed(ctx context.Context) (name, sentence string, err error) {
	if e.o.EntityType != "" || e.o.EntityURI != "" {
		return "", "", nil
	}
	asked := strings.Fields(e.o.Search)
	for i, word := range asked[:min(maxTypeWords, len(asked))] {
		class, types := e.classes(word)
		if class == "" {
			continue
		}
		call := "entity_type=" + quoted(class)
		rest := strings.Join(slices.Concat(asked[:i], asked[i+1:]), " ")
		for _, text := range slices.Compact([]string{rest, ""}) {
			found, err := e.probe(ctx, domains.Query{Text: text, Types: types})
			switch {
			case err != nil:
				return "", "", err
			case len(found.Hits) == 0:
				continue
			case text != "":
				call += " and search=" + quoted(text)
			}
			atLeast := ""
			if found.AtLeast {
				atLeast = "at least "
			}
			return class, fmt.Sprintf("%s is an entity type: %s finds %s%s.", class, call, atLeast, count(found.Total, "entity", "entities")), nil
		}
	}
	return "", "", nil
}

// typeMeant says, where a search found terms of the schema alone, which type one of
// its words names.
func (e *entities) typeMeant(ctx context.Context) ([]string, error) {
	for _, h := range e.matches.Hits {
		if !h.Schema {
			return nil, nil
		}
	}
	if len(e.f.From) > 0 || len(e.matches.Hits) == 0 {
		return nil, nil
	}
	name, sentence, err := e.typeNamed(ctx)
	if name == "" || err != nil {
		return nil, err
	}
	return []string{"(" + sentence + ")"}, nil
}

// classes finds the class that a word names, in the singular or the plural, and
// all that an argument entity_type with its name stands for.
func (e *entities) classes(word string) (name string, types []string) {
	word = strings.Trim(word, `"'.,;:!?()`)
	tries := []string{word}
	for _, end := range []struct{ many, one string }{{"ies", "y"}, {"es", ""}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(word, end.many); ok {
			tries = append(tries, stem+end.one)
		}
	}
	for _, try := range tries {
		iris, _, ok := e.names.ontology.ResolveClass(try)
		if !ok || size(try) < 2 {
			continue
		}
		for _, iri := range iris {
			types = append(types, e.names.ontology.WithSubClasses(iri)...)
		}
		slices.Sort(types)
		name = e.names.name(iris[0])
		if again, _, _ := e.names.ontology.ResolveClass(name); !slices.Equal(again, iris) {
			name = try
		}
		return name, slices.Compact(types)
	}
	return "", nil
}
