package ontobricks

import (
	"iter"
	"regexp"
	"strings"
	"unicode"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

// rule decides which subjects match a question, as the service does (OntoBricks
// contract 1.1, triples/find): one of the classes and the text, each where it is given.
type rule struct {
	classes map[string]int // lower-case local name → its place among the names
	label   func(string) bool
	iri     func(string) bool
}

func newRule(names []string, search string) rule {
	var r rule
	if len(names) > 0 {
		r.classes = map[string]int{}
		for i, n := range names {
			r.classes[strings.ToLower(n)] = i
		}
	}
	if search != "" {
		slash, hash := like("/"+search), like("#"+search)
		r.label = like(search)
		r.iri = func(iri string) bool { return slash(iri) || hash(iri) }
	}
	return r
}

// matches reports whether a subject with these triples matches, and which of the
// names is the first that it matches by; 0 without names.
func (r rule) matches(subject string, triples []wire.Triple) (name int, ok bool) {
	typed := r.classes == nil
	found := r.label == nil || r.iri(subject)
	for _, t := range triples {
		if t.Predicate == rdf.RDFType && r.classes != nil {
			if i, ok := r.class(t.Object); ok && (!typed || i < name) {
				name, typed = i, true
			}
		}
		found = found || searchedLabel(t.Predicate) && r.label(t.Object)
	}
	return name, typed && found
}

// class is the place of the first name that a class has.
func (r rule) class(iri string) (first int, ok bool) {
	for place := range r.named(iri) {
		if !ok || place < first {
			first, ok = place, true
		}
	}
	return first, ok
}

// named yields the places of the names that a class has: what follows a slash or a
// number sign and goes to the end of its IRI.
func (r rule) named(iri string) iter.Seq[int] {
	return func(yield func(int) bool) {
		iri := strings.ToLower(iri)
		for i := len(iri) - 1; i >= max(0, len(iri)-1-longestName); i-- {
			if iri[i] != '/' && iri[i] != '#' {
				continue
			}
			if place, ok := r.classes[iri[i+1:]]; ok && !yield(place) {
				return
			}
		}
	}
}

// longestName is how much of the end of a class's IRI is compared with names.
const longestName = 400

// searchedLabel reports whether the service looks for texts in the values of a
// predicate.
func searchedLabel(predicate string) bool {
	if predicate == rdf.RDFSLabel {
		return true
	}
	i := strings.LastIndexAny(predicate, "/#")
	if i < 0 {
		return false
	}
	name := predicate[i+1:]
	return strings.EqualFold(name, "label") || strings.EqualFold(name, "name")
}

// longestPattern is how many bytes of a text with wildcards are looked for.
const longestPattern = 256

// like reports whether a value holds a text, whatever the case, as SQL has it: in the
// text % stands for any characters and _ for one.
func like(text string) func(string) bool {
	text = strings.ToLower(valid(text))
	if !strings.ContainsAny(text, "%_") {
		return func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	}
	if len(text) > longestPattern {
		text = valid(text[:longestPattern])
		text = strings.TrimRight(text, "\uFFFD")
	}
	var b strings.Builder
	b.WriteString("(?s)")
	any := true // nothing to look for since the last %
	for _, c := range strings.Trim(text, "%") {
		switch {
		case c == '%' && !any:
			b.WriteString(".*?")
		case c == '_':
			b.WriteByte('.')
		case c != '%':
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
		any = c == '%'
	}
	re := regexp.MustCompile(b.String())
	return func(s string) bool { return re.MatchString(strings.ToLower(s)) }
}

// longestFolded is how many bytes of a name are compared with a text to rank it.
const longestFolded = 1_000

// folded is a text in lower case, its words parted by one space each.
func folded(s string) string {
	if len(s) > longestFolded {
		s = s[:longestFolded]
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " ")
}

// ranker says how well names fit a text.
type ranker struct {
	text  string
	words []string
}

func newRanker(text string) ranker {
	text = folded(text)
	return ranker{text, strings.Fields(text)}
}

// tier is that of the best of some names.
func (r ranker) tier(names []string) domains.Tier {
	best := domains.TierSubstring
	if r.text == "" {
		return best
	}
	for _, n := range names {
		best = min(best, r.fits(folded(n)))
	}
	return best
}

func (r ranker) fits(name string) domains.Tier {
	switch {
	case name == r.text:
		return domains.TierExact
	case strings.HasPrefix(name, r.text):
		return domains.TierPrefix
	case r.hasWords(name):
		return domains.TierWords
	}
	return domains.TierSubstring
}

// hasWords reports whether a folded name has all words of the text.
func (r ranker) hasWords(name string) bool {
	has := map[string]bool{}
	for _, w := range strings.Fields(name) {
		has[w] = true
	}
	for _, w := range r.words {
		if !has[w] {
			return false
		}
	}
	return len(r.words) > 0
}
