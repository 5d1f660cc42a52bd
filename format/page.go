package format

import (
	"iter"
	"slices"
	"strings"
)

// item is a piece of an answer that stays whole on a page when it can.
type item struct {
	// heading stands above the first item of a section, on every page. Items of
	// one section have equal headings.
	heading []string
	// under, when set, says where in a tree the item hangs; it is asked of an item
	// that begins a later page, and printed above it.
	under func() string
	// lines are the text, one entry for each line.
	lines []string
	// title names the item where it goes on on a later page.
	title string
	// begun is set when lines are not those from the first on: earlier pages showed these.
	begun bool
	// spaced items are followed by an empty line.
	spaced bool
	// needs are lines that have to stand once on top of each page that holds the
	// item: prefix declarations.
	needs []string
	// instead replaces lines when they do not fit a page of their own; without it
	// the lines are split over pages.
	instead []string
}

// rooms are the limits of one page's items.
type rooms struct {
	// all is what the items may take, in code points with their line ends, when
	// nothing is left out; cut when the answer has to say what is.
	all, cut int
	// limit is the most items; 0 is no limit.
	limit int
}

// filled is what one page holds of the items.
type filled struct {
	needs, lines []string
	used         int
	heading      []string // of the last item
	items        int      // items of which something is shown
	next         Position // item, line, code point where the next page starts; nil at the end
}

// mark is the state of a page before an item was added.
type mark struct {
	needs, lines, used int
	heading            []string
}

// usualLines is how many lines most pages have at most.
const usualLines = 64

// fill puts as many whole items on a page as fit, beginning at from. An item
// that is longer than a page is split between lines, and a line that is longer
// than a page between code points; such an item begins below those before it when they
// leave it half of the page. It pulls at most one item more than it shows.
func fill(items iter.Seq[item], from Position, r rooms) filled {
	var (
		out   filled
		marks []mark
		first item // the first item of the page, for splitting
		last  item // the one that had no room
		full  bool
		index = -1
		start = from.at(0)
	)
	out.lines = make([]string, 0, usualLines)
	for it := range items {
		if index++; index < start {
			continue
		}
		if full = r.limit > 0 && len(marks) == r.limit; full {
			break
		}
		if it.instead != nil && textSize(it.lines)+textSize(it.needs)+textSize(it.heading) > r.cut {
			it.lines, it.instead, it.needs = it.instead, nil, nil
		}
		if index == start {
			first = it
			it = it.after(from)
		}
		before := mark{len(out.needs), len(out.lines), out.used, out.heading}
		out.add(it)
		if full = out.used > r.all; full {
			out.back(before)
			last = it
			break
		}
		marks = append(marks, before)
	}
	if !full {
		return out
	}
	next, fit := start+len(marks), len(marks)
	for out.used > r.cut && len(marks) > 0 {
		out.back(marks[len(marks)-1])
		marks = marks[:len(marks)-1]
		next--
	}
	out.next = Position{next}
	switch {
	case len(marks) == 0:
		out.split(first, from, r.cut)
	case len(marks) == fit && out.used < r.cut/2 && textSize(last.lines) > r.cut:
		last.under = nil // the lines above say it
		out.split(last, out.next, r.cut)
	}
	return out
}

// after is the item without what earlier pages showed of it.
func (it item) after(from Position) item {
	line, runes := min(from.at(1), len(it.lines)), from.at(2)
	if line == 0 && runes == 0 && !it.begun {
		if it.under != nil && from.at(0) > 0 {
			it.lines = append([]string{it.under()}, it.lines...)
		}
		return it
	}
	lines := slices.Clone(it.lines[line:])
	if len(lines) > 0 {
		lines[0] = strings.TrimPrefix(lines[0], prefix(lines[0], runes))
	}
	if it.title != "" {
		lines = append([]string{shorten(it.title, 80) + "  (continued)"}, lines...)
	}
	it.lines = lines
	return it
}

// add puts a whole item on the page.
func (p *filled) add(it item) {
	for _, n := range it.needs {
		if !slices.Contains(p.needs, n) {
			p.needs = append(p.needs, n)
			p.used += size(n) + 1
		}
	}
	if p.items == 0 || !slices.Equal(p.heading, it.heading) {
		p.put(it.heading...)
		p.heading = it.heading
	}
	p.put(it.lines...)
	if it.spaced {
		p.put("")
	}
	p.items++
}

func (p *filled) put(lines ...string) {
	p.lines = append(p.lines, lines...)
	p.used += textSize(lines)
}

// back undoes the last add.
func (p *filled) back(m mark) {
	p.needs, p.lines, p.used, p.heading = p.needs[:m.needs], p.lines[:m.lines], m.used, m.heading
	p.items--
}

// split fills the rest of a page with as much of one long item as fits, at least one
// code point.
func (p *filled) split(it item, from Position, room int) {
	index, line, runes := from.at(0), min(from.at(1), len(it.lines)), from.at(2)
	rest := it.after(from)
	extra := len(rest.lines) - (len(it.lines) - line) // the title that is repeated
	if p.used+textSize(rest.heading)+textSize(rest.lines[:extra])+80 <= room {
		if p.items == 0 || !slices.Equal(p.heading, rest.heading) {
			p.put(rest.heading...)
		}
		p.put(rest.lines[:extra]...)
	}
	p.heading = rest.heading
	p.items++
	for i, s := range rest.lines[extra:] {
		if i > 0 {
			line, runes = line+1, 0
		}
		if p.used+size(s)+1 <= room {
			p.put(s)
			continue
		}
		if i == 0 {
			n := max(room-p.used-1, 1)
			p.put(prefix(s, n))
			runes += n
		}
		p.next = Position{index, line, runes}
		return
	}
	p.next = Position{index + 1}
}

// textSize is the length of lines in code points, each with its line end.
func textSize(lines []string) int {
	n := 0
	for _, l := range lines {
		n += size(l) + 1
	}
	return n
}
