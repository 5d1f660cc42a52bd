package format

import (
	"iter"
	"slices"
	"strings"
)

// document is an answer before it is cut into pages.
type document struct {
	// head stands on top of the first page; later pages have its first line, with
	// "(continued)".
	head []string
	// title, when set, is called after the items were chosen and gives a line that
	// stands before head, on every page; it is cut to titleSize.
	title func(filled) string
	items iter.Seq[item]
	// limit is the most items on a page; 0 is no limit.
	limit int
	// more is the sentence about what the page leaves out. It is not called when
	// nothing is. Without it the sentence names the cursor alone.
	more func(cut) string
	// asides are sentences that depend on what was shown; each may have at most
	// asideSize code points, and at most maxAsides are kept.
	asides func(filled) []string
	// closing stands after the items on every page.
	closing []string
	// from overrides the start of the frame, and place turns a position among the
	// items into one of the answer, for answers whose positions say more than that.
	from  *Position
	place func(Position) Position
	// then is the position, already one of the answer, that follows the last item;
	// nil when the answer ends there.
	then Position
	// done is said by a page that turns out to have no item, in place of the usual words.
	done string
	// comment is put before each line that is not an item's: "# " in Turtle.
	comment string
	// pageless is set for a tool without cursors: nothing names one.
	pageless bool
}

// cut is where a page ends before the answer does.
type cut struct {
	// next is the index of the first item that is not, or not wholly, shown; -1
	// when all items are and the page ends before document.then.
	next int
	// cursor is the argument that gives the next page: cursor="…".
	cursor string
}

const (
	titleSize = 160
	asideSize = 150
	maxAsides = 2
)

// furniture is everything of an answer but its items.
type furniture struct {
	title         bool
	head, closing []string
	notes         []string
	source        string
}

// text is the answer: never longer than the frame's budget.
func (doc document) text(f Frame) string {
	budget := max(f.Budget, MinBudget)
	from := f.From
	if doc.from != nil {
		from = *doc.from
	}
	more, asides := doc.more, doc.asides
	short := shortMore
	if doc.pageless {
		short = cutHere
	}
	if more == nil {
		more = short
	}
	fu := doc.furniture(f)
	r := doc.rooms(budget, fu, more, asides != nil)
	if doc.items == nil {
		doc.items = func(func(item) bool) {}
		r.cut = r.all + budget/4
	}
	if r.cut < budget/4 { // a small budget: the items come first
		more, asides = short, nil
		fu = fu.small()
		r = doc.rooms(budget, fu, more, false)
	}
	page := fill(doc.items, from, r)
	var sentences []string
	if s := doc.left(f, page, more); s != "" {
		sentences = append(sentences, s)
	}
	if asides != nil {
		said := asides(page)
		for _, a := range said[:min(maxAsides, len(said))] {
			sentences = append(sentences, shorten(a, asideSize))
		}
	}
	return doc.print(fu, page, sentences)
}

// left is the sentence about what comes after the page; empty when nothing does.
func (doc document) left(f Frame, page filled, more func(cut) string) string {
	c, place := cut{next: -1}, doc.then
	switch {
	case page.next != nil:
		c.next, place = page.next.at(0), page.next
		if doc.place != nil {
			place = doc.place(place)
		}
	case doc.then != nil:
	case page.items == 0 && doc.done != "":
		return doc.done
	case page.items == 0 && len(f.From) > 0:
		return "(Nothing is left from here: leave cursor out to start again.)"
	default:
		return ""
	}
	c.cursor = `cursor="` + f.Scope.Cursor(place) + `"`
	return more(c)
}

// shortMore is the shortest sentence about what was left out.
func shortMore(c cut) string { return "(More: " + c.cursor + ")" }

// furniture collects what stands around the items. No part of it can grow with
// names or messages from data beyond a fixed size.
func (doc document) furniture(f Frame) furniture {
	fu := furniture{title: doc.title != nil, source: f.Source.String()}
	for _, h := range doc.head {
		fu.head = append(fu.head, shorten(h, 400))
	}
	if len(f.From) > 0 && doc.title == nil && len(fu.head) > 0 {
		fu.head = []string{fu.head[0] + " (continued)"}
	}
	for _, c := range doc.closing {
		fu.closing = append(fu.closing, shorten(c, 400))
	}
	for _, n := range f.Notes[:min(len(f.Notes), 5)] {
		fu.notes = append(fu.notes, shorten(oneLine(n), 250))
	}
	fu.source = shortenSource(fu.source, 300)
	return fu
}

// small is furniture for a small budget: a short head, one line of notes.
func (fu furniture) small() furniture {
	fu.head = slices.Clone(fu.head[:min(1, len(fu.head))])
	for i, h := range fu.head {
		fu.head[i] = shorten(h, 80)
	}
	fu.closing = slices.Clone(fu.closing[:min(1, len(fu.closing))])
	for i, c := range fu.closing {
		fu.closing[i] = shorten(c, 80)
	}
	if len(fu.notes) > 0 {
		fu.notes = []string{shorten(strings.Join(fu.notes, " "), 100)}
	}
	fu.source = shortenSource(fu.source, 100)
	return fu
}

// shortenSource keeps the bracket at the end.
func shortenSource(s string, n int) string {
	if size(s) <= n {
		return s
	}
	return shorten(s, n-1) + "]"
}

// rooms is what the furniture leaves for the items.
func (doc document) rooms(budget int, fu furniture, more func(cut) string, asides bool) rooms {
	lines := slices.Concat(fu.head, fu.closing, fu.notes, []string{fu.source})
	all := budget - textSize(lines)
	all -= len(lines) * size(doc.comment)
	all -= 8 // empty lines between the parts
	if fu.title {
		all -= titleSize + 1
	}
	if asides {
		all -= maxAsides * (asideSize + 1)
	}
	cursor := strings.Repeat("x", cursorSize+len(`cursor=""`))
	longest := max(size(more(cut{0, cursor})), size(more(cut{1, cursor})), size(more(cut{-1, cursor})))
	r := rooms{all: all, cut: all - longest - slack - size(doc.comment), limit: doc.limit}
	if doc.then != nil {
		r.all = r.cut
	}
	return r
}

// slack is what the numbers in a sentence can add to the one that was measured.
const slack = 24

// print joins the parts with empty lines between them.
func (doc document) print(fu furniture, page filled, sentences []string) string {
	var top []string
	if doc.title != nil {
		top = append(top, shorten(doc.title(page), titleSize))
	}
	top = append(top, fu.head...)
	body := slices.Concat(doc.commented(top), slices.Sorted(slices.Values(page.needs)), page.lines)
	for len(body) > 0 && body[len(body)-1] == "" {
		body = body[:len(body)-1]
	}
	notes := slices.Concat(sentences, fu.notes)
	return paragraphs(body, doc.commented(fu.closing), doc.commented(notes), doc.commented([]string{fu.source}))
}

// paragraphs joins lines, and parts of them with empty lines between; a part without text
// is left out.
func paragraphs(parts ...[]string) string {
	n := 0
	for _, p := range parts {
		for _, line := range p {
			n += len(line) + 1
		}
		n++
	}
	var b strings.Builder
	b.Grow(n)
	for _, p := range parts {
		if len(p) == 0 || len(p) == 1 && p[0] == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		for i, line := range p {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line)
		}
	}
	return b.String()
}

// commented puts the comment sign before each line that is not empty.
func (doc document) commented(lines []string) []string {
	if doc.comment == "" {
		return lines
	}
	var out []string
	for _, l := range lines {
		if l != "" {
			l = doc.comment + l
		}
		out = append(out, l)
	}
	return out
}
