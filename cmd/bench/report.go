package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// report is all of one run.
type report struct {
	Quick   bool        `json:"quick,omitempty"`
	Started time.Time   `json:"started"`
	Sizes   []int       `json:"sizes"`
	Rounds  int         `json:"rounds"`
	Machine machineInfo `json:"machine"`
	Results []result    `json:"results"`
}

// markdown is the table of each row, with what it says and what limits it.
func (r *report) markdown() string {
	var b strings.Builder
	if r.Quick {
		b.WriteString("**This is a quick run**: small graphs and few rounds, which show that everything works and not how fast it is.\n\n")
	}
	m := r.Machine
	fmt.Fprintf(&b, "%s, on %s with %d cores%s, %s, %s; %s. Medians of %d rounds (3 at most of what takes more than 1 M triples).",
		r.Started.Format("2006-01-02"), orUnknown(m.CPU), m.Cores, before(", ", m.Memory), m.System, m.Go, strings.Join(m.Programs, ", "), r.Rounds)
	if m.LoadBefore != "" {
		fmt.Fprintf(&b, " Load averages (1, 5, 15 minutes) before: %s; after: %s.", m.LoadBefore, m.LoadAfter)
	}
	b.WriteString("\n")
	for _, row := range rows() {
		var mine []result
		for _, res := range r.Results {
			if res.Row == row.Name {
				mine = append(mine, res)
			}
		}
		if len(mine) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", row.Name, row.About)
		b.WriteString(table(mine))
		fmt.Fprintf(&b, "\nWhat limits it: %s\n", row.Limit)
	}
	return b.String()
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown processor"
	}
	return s
}

func before(sign, s string) string {
	if s == "" {
		return ""
	}
	return sign + s
}

// column is one column of a table: its head, and its cell for a result, which is empty
// where there is nothing.
type column struct {
	head string
	cell func(result) string
}

var columns = []column{
	{"", func(r result) string { return r.Case }},
	{"median", func(r result) string { return quantity(median(r.Values), r.Unit) }},
	{"spread", spread},
	{"ratio", func(r result) string { return ratio(r.Ratio) }},
	{"work", func(r result) string {
		switch {
		case r.Steps == nil:
			return ""
		case r.StepsRatio == 0:
			return fmt.Sprint(*r.Steps)
		}
		return fmt.Sprintf("%d (%s)", *r.Steps, ratio(r.StepsRatio))
	}},
	{"processor", func(r result) string { return quantity(r.CPU, "s") }},
	{"allocations", func(r result) string { return count(r.Allocations) }},
	{"held", func(r result) string {
		if r.Held == 0 || r.Triples == 0 {
			return ""
		}
		return fmt.Sprintf("%s, %.0f B a triple", megabytes(r.Held), float64(r.Held)/float64(r.Triples))
	}},
	{"peak", func(r result) string { return megabytes(r.Peak) }},
	{"goals", func(r result) string {
		var out []string
		for _, g := range r.Goals {
			out = append(out, g.String())
		}
		return strings.Join(out, "; ")
	}},
	{"", func(r result) string { return strings.TrimSpace(r.Missing + " " + r.Note) }},
}

// table is a Markdown table with the columns that hold something.
func table(results []result) string {
	var used []column
	for _, c := range columns {
		if slices.ContainsFunc(results, func(r result) bool { return cellOf(c, r) != "" }) {
			used = append(used, c)
		}
	}
	var b strings.Builder
	line := func(cells func(column) string) {
		for _, c := range used {
			b.WriteString("| " + strings.ReplaceAll(cells(c), "|", "\\|") + " ")
		}
		b.WriteString("|\n")
	}
	line(func(c column) string { return c.head })
	line(func(c column) string { return "---" })
	for _, r := range results {
		line(func(c column) string { return cellOf(c, r) })
	}
	return b.String()
}

// cellOf is a cell; what is missing was not measured and has no goals.
func cellOf(c column, r result) string {
	if r.Missing != "" && c.head == "goals" {
		return ""
	}
	return c.cell(r)
}

// quantity writes a measured value with its unit; empty for none.
func quantity(v float64, unit string) string {
	switch {
	case v == 0:
		return ""
	case unit != "s":
		return count(v) + " " + unit
	case v < 1e-3:
		return digits(v*1e6) + " µs"
	case v < 1:
		return digits(v*1e3) + " ms"
	}
	return digits(v) + " s"
}

// digits writes a number with about three digits.
func digits(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// count writes a whole number in groups of three; empty for none.
func count(v float64) string {
	if v = math.Round(v); v == 0 {
		return ""
	}
	text := fmt.Sprintf("%.0f", v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// spread is from the least to the most of several values.
func spread(r result) string {
	if len(r.Values) < 2 {
		return ""
	}
	return quantity(slices.Min(r.Values), r.Unit) + "–" + quantity(slices.Max(r.Values), r.Unit)
}

func ratio(v float64) string {
	if v == 0 {
		return ""
	}
	return digits(v) + "×"
}

func megabytes(n int64) string {
	if n == 0 {
		return ""
	}
	return count(math.Max(1, float64(n)/1e6)) + " MB"
}

// The marks between which the page's generated part lies.
const beginMark, endMark = "<!-- written by make bench: begin -->\n", "<!-- written by make bench: end -->"

// write writes the documents to a folder. performance.md has to be there, with the marks.
func (r *report) write(dir string) error {
	path := filepath.Join(dir, "performance.md")
	page, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the page for the table: %w", err)
	}
	text, err := r.onPage(string(page))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	values, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"performance.md": []byte(text), "performance.json": append(values, '\n'), "performance.svg": []byte(r.plot())} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// onPage puts the generated part on a page.
func (r *report) onPage(page string) (string, error) {
	head, rest, found := strings.Cut(page, beginMark)
	_, tail, ended := strings.Cut(rest, endMark)
	if !found || !ended {
		return "", fmt.Errorf("there are no marks %q and %q", strings.TrimSpace(beginMark), endMark)
	}
	return head + beginMark + "\n" + r.markdown() + "\n" + endMark + tail, nil
}
