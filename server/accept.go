package server

import (
	"mime"
	"strconv"
	"strings"
)

// accepted is the type that a request wants of those offered (RFC 9110 §12.5.1). Of those
// that it wants equally, the first that it names is taken, else usual, else the first. ok
// is false when it wants none; a request that says nothing that can be read wants usual.
func accepted(accept []string, usual string, offered ...string) (kind string, ok bool) {
	var ranges []acceptRange
	for r := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		if pattern, params, err := mime.ParseMediaType(r); err == nil {
			ranges = append(ranges, acceptRange{pattern, params})
		}
	}
	if len(ranges) == 0 {
		return usual, true
	}
	best, least := "", 0.0
	for _, offer := range offered {
		quality, named := qualityOf(ranges, offer)
		weight := quality // with less added than qualities differ by
		switch {
		case named:
			weight += 0.0002
		case offer == usual:
			weight += 0.0001
		}
		if quality > 0 && weight > least {
			best, least = offer, weight
		}
	}
	return best, best != ""
}

// acceptRange is one of the ranges of an Accept header.
type acceptRange struct {
	pattern string
	params  map[string]string
}

// qualityOf is the quality of a type, for which its most precise range counts; named is
// set where that names it.
func qualityOf(ranges []acceptRange, kind string) (quality float64, named bool) {
	precise := 0
	for _, r := range ranges {
		n := fits(r.pattern, kind)
		if charset, ok := r.params["charset"]; n > precise && (!ok || strings.EqualFold(charset, "utf-8")) {
			quality, precise = r.quality(), n
		}
	}
	return quality, precise == exactly
}

// How precisely a range fits a type.
const (
	anything = iota + 1 // */*
	sameKind            // application/*
	exactly
)

// fits says how precisely a range fits a type; 0 when it does not.
func fits(pattern, kind string) int {
	main, _, _ := strings.Cut(kind, "/")
	switch pattern {
	case kind:
		return exactly
	case main + "/*":
		return sameKind
	case "*/*", "*": // older clients of HTTP write one star
		return anything
	}
	return 0
}

// quality is the quality of a range; one that can't be read is 1.
func (r acceptRange) quality() float64 {
	q, err := strconv.ParseFloat(r.params["q"], 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 1
	}
	return q
}
