package main

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// curve is how the cost of one thing grows with the size of the graph.
type curve struct {
	name   string
	points [][2]float64 // triples and seconds, by triples
}

// curves are what was measured at several sizes: the loads and the questions.
func (r *report) curves() []curve {
	var out []curve
	for _, res := range r.Results {
		name, ok := curveName(res)
		if !ok || len(res.Values) == 0 || res.Triples == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(c curve) bool { return c.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, curve{name: name})
		}
		out[i].points = append(out[i].points, [2]float64{float64(res.Triples), median(res.Values)})
	}
	for _, c := range out {
		slices.SortFunc(c.points, func(a, b [2]float64) int { return int(a[0] - b[0]) })
	}
	return slices.DeleteFunc(out, func(c curve) bool { return len(c.points) < 2 })
}

// curveName is the case of a result without its size.
func curveName(r result) (string, bool) {
	size := sized(r.Triples)
	switch r.Row {
	case "load":
		rest, ok := strings.CutPrefix(r.Case, size+", ")
		return "load, " + rest, ok
	case "work":
		return strings.CutSuffix(r.Case, ", "+size)
	}
	return "", false
}

// The drawing, in SVG's units.
const (
	plotWidth, plotHeight   = 860, 520
	plotLeft, plotRight     = 80, 610 // of the field; right of it is the legend
	plotTop, plotBottom     = 50, 460
	legendLine              = 24
	gridColour, inkColour   = "#d0d0d0", "#333333"
	plotBackground, hatched = "#ffffff", "6 4"
)

// colours tell the curves apart, also for people who see few colours; the second half is
// drawn in broken lines.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// plot draws time against size, both in powers of ten: what does not grow is level, and
// what grows with the graph rises by one field a field.
func (r *report) plot() string {
	all := r.curves()
	x, y := axis{low: 4, high: 5}, axis{low: -5, high: -4}
	if len(all) > 0 {
		x, y = fitted(all, 0), fitted(all, 1)
	}
	x.from, x.to, y.from, y.to = plotLeft, plotRight, plotBottom, plotTop
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" fill="%s">`+"\n", plotWidth, plotHeight, plotWidth, plotHeight, inkColour)
	fmt.Fprintf(&b, "<title>Time against the size of the graph</title>\n<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", plotWidth, plotHeight, plotBackground)
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"28\" font-size=\"16\">Time against the size of the graph%s</text>\n", plotLeft, html.EscapeString(map[bool]string{true: " (a quick run)"}[r.Quick]))
	for e := x.low; e <= x.high; e++ {
		at := x.at(math.Pow10(e))
		fmt.Fprintf(&b, "<path d=\"M%.1f %d V%d\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", at, plotTop, plotBottom, gridColour, at, plotBottom+20, sized(int(math.Pow10(e))))
	}
	for e := y.low; e <= y.high; e++ {
		at := y.at(math.Pow10(e))
		fmt.Fprintf(&b, "<path d=\"M%d %.1f H%d\" stroke=\"%s\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", plotLeft, at, plotRight, gridColour, plotLeft-8, at+4, power(e))
	}
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">triples</text>\n", (plotLeft+plotRight)/2, plotBottom+42)
	for i, c := range all {
		c.draw(&b, i, x, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// draw draws curve i and its line of the legend.
func (c curve) draw(b *strings.Builder, i int, x, y axis) {
	colour, dashes := colours[i%len(colours)], ""
	if i >= len(colours) {
		dashes = ` stroke-dasharray="` + hatched + `"`
	}
	var path []string
	for _, p := range c.points {
		path = append(path, fmt.Sprintf("%.1f %.1f", x.at(p[0]), y.at(p[1])))
		fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", x.at(p[0]), y.at(p[1]), colour)
	}
	fmt.Fprintf(b, "<path d=\"M%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", strings.Join(path, " L"), colour, dashes)
	at := plotTop + 10 + i*legendLine
	fmt.Fprintf(b, "<path d=\"M%d %d h28\" stroke=\"%s\" stroke-width=\"2\"%s/><text x=\"%d\" y=\"%d\">%s</text>\n", plotRight+20, at, colour, dashes, plotRight+56, at+4, html.EscapeString(c.name))
}

// axis maps values to places by their powers of ten, of which low and high are its ends.
type axis struct {
	low, high int
	from, to  float64
}

func (a axis) at(v float64) float64 {
	return a.from + (math.Log10(v)-float64(a.low))/float64(a.high-a.low)*(a.to-a.from)
}

// fitted is the axis of whole powers that holds a coordinate of all points.
func fitted(all []curve, coordinate int) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range all {
		for _, p := range c.points {
			low, high = math.Min(low, p[coordinate]), math.Max(high, p[coordinate])
		}
	}
	a := axis{low: int(math.Floor(math.Log10(low))), high: int(math.Ceil(math.Log10(high)))}
	a.high = max(a.high, a.low+1)
	return a
}

// power writes a power of ten as a time.
func power(e int) string {
	switch {
	case e >= 0:
		return fmt.Sprintf("%.0f s", math.Pow10(e))
	case e >= -3:
		return fmt.Sprintf("%.0f ms", math.Pow10(e+3))
	}
	return fmt.Sprintf("%g µs", math.Pow10(e+6))
}
