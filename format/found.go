package format

import (
	"fmt"
	"strconv"
	"strings"
)

// found counts the matches with their noun, and the schema terms among them when
// the page has every match.
func (e *entities) found() string {
	s := count(e.matches.Total, "matching entity", "matching entities")
	if e.matches.AtLeast {
		return "at least " + s
	}
	if len(e.matches.Hits) < e.matches.Total || e.matches.Total == 1 {
		return s
	}
	terms := 0
	for _, h := range e.matches.Hits {
		if h.Schema {
			terms++
		}
	}
	switch terms {
	case 0:
		return s
	case e.matches.Total:
		return s + ", all of them schema terms"
	}
	return s + fmt.Sprintf(", %d of them %s", terms, plural(terms, "a schema term", "schema terms"))
}

// listHeader counts what was found, and says which of the matches are on a page
// that begins after skip of the call's.
func (e *entities) listHeader(skip int, p filled) string {
	if p.items == 0 || e.matches.Total == 1 && !e.matches.AtLeast {
		return "Found " + e.found()
	}
	first := e.offset + skip + 1
	return fmt.Sprintf("Found %s (%s shown)", e.found(), span(first, first+p.items-1))
}

// walkHeader counts what was found and read, in the words of OntoBricks. The page
// begins after skip entities of the walk.
func (e *entities) walkHeader(read tally, depth, skip int, p filled) string {
	atLeast := ""
	if read.partial || p.next != nil || e.matches.Partial {
		atLeast = "at least "
	}
	return fmt.Sprintf("Found %s%s (%s%s across %s, depth=%d)", e.found(), e.here(read, skip, p), atLeast,
		count(read.triples, "triple", "triples"), count(read.entities, "entity", "entities"), depth)
}

// here says which of the matches stand on a page of a walk; empty when all do. The
// walk gives the matches first and then their neighbours.
func (e *entities) here(read tally, skip int, p filled) string {
	first, last := e.offset+skip+1, e.offset+min(skip+p.items, read.matches)
	one := e.matches.Total == 1 && !e.matches.AtLeast
	switch {
	case p.items == 0:
		return ""
	case first <= last && (one || first == 1 && last == e.matches.Total && !e.matches.AtLeast):
		return ""
	case first <= last:
		return ", " + span(first, last) + " here"
	case one:
		return ", more of its neighbours here"
	}
	return ", more neighbours of " + span(e.offset+1, e.offset+read.matches) + " here"
}

// span is a range of places, or one place: "6–10", "the 6th".
func span(first, last int) string {
	if last <= first {
		return "the " + ordinal(first)
	}
	return number(first) + "–" + number(last)
}

// ordinal writes n as a place: 1st, 2nd, 3rd, 11th.
func ordinal(n int) string {
	ending := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return number(n) + ending
}

// more says what is left and how to get it. Arguments that begin a narrower call
// are advised on the first page only: further on the cursor is the shorter way.
func (e *entities) more(c cut) string {
	if c.next < 0 && e.readsOn() {
		return e.progress(c.cursor)
	}
	matches := "More matches: " + c.cursor
	if e.o.Limit < MaxLimit {
		matches += ", or limit up to " + strconv.Itoa(MaxLimit)
	}
	switch several := len(e.matches.Hits) > 1; {
	case e.o.Detail == Compact:
		return "(" + matches + "; facts of each: detail=standard, or entity_uri with one URI.)"
	case c.next < 0:
		return "(" + matches + ".)"
	case c.next >= len(e.matches.Hits):
		return e.advise("More neighbours: "+c.cursor, "depth=0 leaves them out", several)
	case several:
		return e.advise("More of these entities: "+c.cursor, "depth=0 leaves out the neighbours", several)
	}
	return "(More of this entity: " + c.cursor + ")"
}

// advise adds to what is left the arguments that make the answer smaller.
func (e *entities) advise(left, depth string, several bool) string {
	var less []string
	if e.o.Depth > 0 {
		less = append(less, depth)
	}
	switch {
	case several && len(less) > 0:
		less = append(less, "a smaller limit shows fewer matches")
	case several:
		less = append(less, "A smaller limit shows fewer matches")
	}
	if len(less) == 0 || len(e.f.From) > 0 {
		return "(" + left + ")"
	}
	return "(" + left + ". " + strings.Join(less, "; ") + ".)"
}
