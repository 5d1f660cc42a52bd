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
}

// portionOf is a portion with an item for each of list. No more are written than could
// ever be shown.
func portionOf[T any](lines []string, list []T, item func(T) []string, left func(n int) string, after ...string) portion {
	p := portion{lines: lines, left: left, after: after}
	for i, v := range list {
		if itemSizes(p.items) > mostAnswer {
			p.unread = len(list) - i
			break
		}
		p.items = append(p.items, item(v))
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

// fitting drops items, always from the portion that takes the most room, until all
// portions together have at most room code points, and returns their lines.
func fitting(portions []portion, room int) [][]string {
	shown, sizes, total := make([]int, len(portions)), make([]int, len(portions)), 0
	for i, p := range portions {
		shown[i], sizes[i] = len(p.items), itemSizes(p.items)
		total += textSize(p.text(shown[i]))
	}
	for total > room {
		biggest := 0
		for i := range portions {
			if sizes[i] > sizes[biggest] {
				biggest = i
			}
		}
		if sizes[biggest] == 0 {
			break
		}
		p, n := portions[biggest], shown[biggest]
		if n == len(p.items) && p.unread == 0 {
			total += size(p.left(len(p.items))) + 1
		}
		dropped := textSize(p.items[n-1])
		shown[biggest], sizes[biggest], total = n-1, sizes[biggest]-dropped, total-dropped
	}
	out := make([][]string, 0, len(portions))
	for i, p := range portions {
		out = append(out, p.text(shown[i]))
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
