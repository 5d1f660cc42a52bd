package format

import (
	"fmt"
	"slices"
	"strings"
)

// twins tells what is nested in an entity once: two blank nodes of which the same is said are
// one as far as anybody can tell, as when two files hold the same graph. How many there are is
// added, since whoever wrote them may have meant several.
type twins struct {
	texts  []string // what was told of a property's blank nodes
	lines  []int    // the first line of each
	counts []int
}

// tell adds the lines of a blank node to those of a property, unless they are there already.
// It reports whether it did.
func (t *twins) tell(relations, nested []string) (all []string, added bool) {
	text := strings.Join(nested, "\n")
	if i := slices.Index(t.texts, text); i >= 0 {
		t.counts[i]++
		return relations, false
	}
	t.texts, t.lines, t.counts = append(t.texts, text), append(t.lines, len(relations)), append(t.counts, 1)
	return append(relations, nested...), true
}

// count says how many of each there are.
func (t *twins) count(relations []string) {
	for i, n := range t.counts {
		if n > 1 {
			relations[t.lines[i]] += fmt.Sprintf("  (%d alike)", n)
		}
	}
}
