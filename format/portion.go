package format

import (
	"fmt"
	"slices"
)

// portion is a part of an answer that has no pages: lines that stay, and items of
// which the last are dropped where there is no room for all.
type portion struct {
	lines []string
	items [][]string
	// unread counts the items behind those in items, which no room would be enough for.
	unread int
	// left is the line that says how many items are not shown; it is required where
	// there are items.
	left func(n int) string
	// after are lines behind the items.
	after []string
	// kind is set where portions like this one are left out as a whole, the last first,
	// when they are too many.
	kind *kind
}

// kind is what several portions of an answer have in common: its line says how many of
// them are not shown.
type kind struct{ left func(n int) string }

// portionOf is a portion with an item for each of list. No more are written than could
// ever be shown.
func portionOf[T any](lines []string, list []T, item func(T) []string, left func(n int) string, after ...string) portion {
	p := portion{lines: lines, left: left, after: after}
	used := 0
	for i, v := range list {
		if used > mostAnswer {
			p.unread = len(list) - i
			break
		}
		lines := item(v)
		used += textSize(lines)
		p.items = append(p.items, lines)
	}
	return p
}

// mostAnswer is more than any answer has, in code points.
const mostAnswer = 20_000

func itemSizes(items [][]string) int {
	n := 0
	for _, it := range items {
		n += textSize(it)
	}
	return n
}

// text are the lines of a portion of which only the first shown items are kept.
func (p portion) text(shown int) []string {
	lines := slices.Concat(append([][]string{p.lines}, p.items[:shown]...)...)
	if n := len(p.items) - shown + p.unread; n > 0 {
		lines = append(lines, p.left(n))
	}
	return append(lines, p.after...)
}

// fitting drops items until all portions together have at most room code points, always
// where they take the most, and returns the lines of each. Portions of a kind, the last
// first, are dropped as a whole when without their items they take more than that, and
// more than a third of the room.
func fitting(portions []portion, room int) [][]string {
	f := fit{portions: portions, shown: make([]int, len(portions)), sizes: make([]int, len(portions)), kinds: map[*kind]*kindFit{}, room: room}
	for i, p := range portions {
		f.shown[i], f.sizes[i] = len(p.items), itemSizes(p.items)
		f.total += textSize(p.text(f.shown[i]))
		if p.kind == nil {
			continue
		}
		if f.kinds[p.kind] == nil {
			f.kinds[p.kind] = &kindFit{}
		}
		k := f.kinds[p.kind]
		k.kept, k.size = append(k.kept, i), k.size+p.frame()
	}
	for f.total > room && f.drop() {
	}
	return f.lines()
}

// frame is the size of what stays of a portion without its items.
func (p portion) frame() int { return textSize(p.lines) + textSize(p.after) }

// fit is what is shown of portions.
type fit struct {
	portions []portion
	shown    []int // items of each
	sizes    []int // of those items
	kinds    map[*kind]*kindFit
	total    int // size of all
	room     int
}

// kindFit is what is shown of the portions of a kind.
type kindFit struct {
	kept          []int // their indexes
	size, dropped int   // size without items, and how many are left out
}

// drop leaves out one more item, or one more portion of a kind; false when there is
// nothing to drop.
func (f *fit) drop() bool {
	biggest, size := 0, 0
	for i := range f.portions {
		if f.sizes[i] > size {
			biggest, size = i, f.sizes[i]
		}
	}
	var most *kind
	items := size > 0
	for _, p := range f.portions { // not over the map: its order is not ours
		if p.kind == nil {
			continue
		}
		if n := f.kinds[p.kind].size; n > size && (n > f.room/3 || !items) {
			most, size = p.kind, n
		}
	}
	switch {
	case size == 0:
		return false
	case most != nil:
		f.dropPortion(most)
	default:
		f.dropItem(biggest)
	}
	return true
}

func (f *fit) dropItem(i int) {
	p, n := f.portions[i], f.shown[i]
	if n == len(p.items) && p.unread == 0 {
		f.total += size(p.left(len(p.items))) + 1
	}
	dropped := textSize(p.items[n-1])
	f.shown[i], f.sizes[i], f.total = n-1, f.sizes[i]-dropped, f.total-dropped
}

func (f *fit) dropPortion(of *kind) {
	k := f.kinds[of]
	last := k.kept[len(k.kept)-1]
	p := f.portions[last]
	if k.dropped == 0 {
		f.total += size(of.left(len(k.kept))) + 1
	}
	f.total -= textSize(p.text(f.shown[last]))
	f.shown[last], f.sizes[last] = -1, 0
	k.kept, k.size, k.dropped = k.kept[:len(k.kept)-1], k.size-p.frame(), k.dropped+1
}

// lines are those of each portion; the first of a kind that is left out has the line
// about all that are.
func (f *fit) lines() [][]string {
	out := make([][]string, 0, len(f.portions))
	told := map[*kind]bool{}
	for i, p := range f.portions {
		switch {
		case f.shown[i] >= 0:
			out = append(out, p.text(f.shown[i]))
		case !told[p.kind]:
			told[p.kind] = true
			out = append(out, []string{p.kind.left(f.kinds[p.kind].dropped)})
		}
	}
	return out
}

// whole is an answer without pages: head, portions and closing, inside the budget.
// Where even the lines that stay are too many, it says that it was cut.
func whole(f Frame, head []string, portions []portion, closing []string) string {
	doc := document{head: head, closing: closing, pageless: true}
	budget := max(f.Budget, MinBudget)
	lines := fitting(portions, doc.rooms(budget, doc.furniture(f), cutHere, false).all)
	if len(lines) > 0 {
		doc.items = func(yield func(item) bool) {
			for _, l := range lines {
				if !yield(item{lines: l}) {
					return
				}
			}
		}
	}
	return doc.text(f)
}

// cutHere is the sentence under an answer without pages that does not fit.
func cutHere(cut) string { return "(The answer was cut here: there is no room for more.)" }

// leftOut says how many items have no room.
func leftOut(indent, one, many, advice string) func(n int) string {
	return func(n int) string {
		return indent + fmt.Sprintf("… %s without room here%s", count(n, "more "+one, "more "+many), advice)
	}
}
