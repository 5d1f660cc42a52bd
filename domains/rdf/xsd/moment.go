package xsd

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// The reasons for which texts are no dates and times.
const (
	notDate     = "write 2024-02-29, with or without a time zone such as Z or +01:00"
	notDateTime = "write 2024-02-29T12:00:00, with or without a fraction and a time zone such as Z or +01:00"
	notTime     = "write 12:00:00, with or without a fraction and a time zone such as Z or +01:00"
	noSuchMonth = "months go from 01 to 12"
	noSuchDay   = "the month has no such day"
	noSuchHour  = "hours go from 00 to 23, minutes and seconds from 00 to 59; 24:00:00 is the end of the day"
	noSuchZone  = "time zones go from -14:00 to +14:00"
)

// moment is a date, a time, or both (the seven-property model, D.2.1).
type moment struct {
	before bool   // the year is negative
	year   string // its digits, at least four; empty for a time
	month, day,
	hour, minute, second int
	fraction string // digits of the second, no zeros at the end
	zoned    bool
	zone     int // minutes that local time is ahead of UTC
}

// parseMoment reads a dateTime (3.3.7), a time (3.3.8) or a date (3.3.9).
func parseMoment(k Kind, text string) (v Value, reason string) {
	m, same, reason := readMoment(k, text)
	if reason != "" {
		return v, reason
	}
	if !same {
		text = m.canonical(k)
	}
	v = Value{kind: k, text: text}
	if k == Time {
		v.second = int32(m.ofDay())
		return v, ""
	}
	u := m.utc()
	v.second = int32(u.second)
	v.bits = uint64(u.number())
	return v, ""
}

// readMoment reads a text. same reports whether it is the canonical one.
func readMoment(k Kind, text string) (m moment, same bool, reason string) {
	s := scanner{rest: text, same: true}
	malformed := notDateTime
	if k != Time {
		s.date(&m)
	}
	switch k {
	case Date:
		malformed = notDate
	case Time:
		malformed = notTime
		s.time(&m)
	default:
		s.byte('T')
		s.time(&m)
	}
	s.timeZone(&m)
	if s.bad || s.rest != "" {
		return m, false, malformed
	}
	if reason = m.check(k); reason != "" {
		return m, false, reason
	}
	if m.hour == 24 { // 24:00:00
		m.hour = 0
		if k == DateTime {
			m.nextDay()
		}
		s.same = false
	}
	return m, s.same, ""
}

// check says what is out of range.
func (m *moment) check(k Kind) (reason string) {
	endOfDay := m.hour == 24 && m.minute == 0 && m.second == 0 && m.fraction == ""
	switch {
	case k != Time && (m.month < 1 || m.month > 12):
		return noSuchMonth
	case k != Time && (m.day < 1 || m.day > daysInMonth(m.inCycle(), m.month)):
		return noSuchDay
	case (m.hour > 23 || m.minute > 59 || m.second > 59) && !endOfDay:
		return noSuchHour
	case m.zone < -14*60 || m.zone > 14*60:
		return noSuchZone
	}
	return ""
}

// scanner reads the parts of dates and times. What does not fit sets bad.
type scanner struct {
	rest string
	bad  bool
	same bool // what was read is canonical
}

// byte reads a byte.
func (s *scanner) byte(b byte) {
	if s.rest == "" || s.rest[0] != b {
		s.bad = true
		return
	}
	s.rest = s.rest[1:]
}

// two reads two digits.
func (s *scanner) two() int {
	if len(s.rest) < 2 || s.rest[0]-'0' > 9 || s.rest[1]-'0' > 9 {
		s.bad = true
		return 0
	}
	n := int(s.rest[0]-'0')*10 + int(s.rest[1]-'0')
	s.rest = s.rest[2:]
	return n
}

// date reads year, month and day.
func (s *scanner) date(m *moment) {
	if s.rest != "" && s.rest[0] == '-' {
		m.before = true
		s.rest = s.rest[1:]
	}
	m.year, s.rest = digits(s.rest)
	if len(m.year) < 4 || len(m.year) > 4 && m.year[0] == '0' {
		s.bad = true
		return
	}
	if m.before && m.year == "0000" {
		m.before, s.same = false, false
	}
	s.byte('-')
	m.month = s.two()
	s.byte('-')
	m.day = s.two()
}

// time reads hour, minute and second.
func (s *scanner) time(m *moment) {
	m.hour = s.two()
	s.byte(':')
	m.minute = s.two()
	s.byte(':')
	m.second = s.two()
	if s.bad || s.rest == "" || s.rest[0] != '.' {
		return
	}
	var all string
	all, s.rest = digits(s.rest[1:])
	m.fraction = strings.TrimRight(all, "0")
	s.bad = all == ""
	s.same = s.same && len(m.fraction) == len(all)
}

// timeZone reads a time zone, if there is one.
func (s *scanner) timeZone(m *moment) {
	if s.bad || s.rest == "" {
		return
	}
	m.zoned = true
	sign := s.rest[0]
	s.rest = s.rest[1:]
	if sign == 'Z' {
		return
	}
	hours := s.two()
	s.byte(':')
	minutes := s.two()
	s.bad = s.bad || sign != '+' && sign != '-'
	if minutes > 59 {
		hours = 99
	}
	m.zone = hours*60 + minutes
	s.same = s.same && m.zone != 0
	if sign == '-' {
		m.zone = -m.zone
	}
}

// canonical is the canonical text (dateTimeCanonicalMap and its kin, E.3.6).
func (m *moment) canonical(k Kind) string {
	out := make([]byte, 0, len(m.year)+len(m.fraction)+len("--mm-ddThh:mm:ss.+hh:mm"))
	two := func(before string, n int) {
		out = append(append(out, before...), byte('0'+n/10), byte('0'+n%10))
	}
	if k != Time {
		if m.before {
			out = append(out, '-')
		}
		out = append(out, m.year...)
		two("-", m.month)
		two("-", m.day)
	}
	if k == DateTime {
		out = append(out, 'T')
	}
	if k != Date {
		two("", m.hour)
		two(":", m.minute)
		two(":", m.second)
		if m.fraction != "" {
			out = append(append(out, '.'), m.fraction...)
		}
	}
	switch {
	case !m.zoned:
	case m.zone == 0:
		out = append(out, 'Z')
	case m.zone < 0:
		two("-", -m.zone/60)
		two(":", -m.zone%60)
	default:
		two("+", m.zone/60)
		two(":", m.zone%60)
	}
	return string(out)
}

// daySeconds is how many seconds a day has: there are no leap seconds (3.3.7).
const daySeconds = 24 * 60 * 60

// ofDay is the second of the day in UTC: negative, or beyond the day's end, when it
// falls on another day there.
func (m *moment) ofDay() int { return (m.hour*60+m.minute-m.zone)*60 + m.second }

// instant is a second of a year in UTC.
type instant struct {
	before bool   // the year is negative
	year   string // its digits
	second int
}

// utc is when a moment is (timeOnTimeline, E.3.4), without its fraction.
func (m *moment) utc() instant {
	u := instant{m.before, m.year, m.ofDay()}
	cycle := m.inCycle()
	for month := 1; month < m.month; month++ {
		u.second += daysInMonth(cycle, month) * daySeconds
	}
	u.second += (m.day - 1) * daySeconds
	if u.second < 0 {
		u.before, u.year = addYear(u.before, u.year, false)
		u.second += daysInYear(cycle-1) * daySeconds
	} else if length := daysInYear(cycle) * daySeconds; u.second >= length {
		u.before, u.year = addYear(u.before, u.year, true)
		u.second -= length
	}
	return u
}

// number is the year as a number, or the greatest or least one for a year that 64 bits do not
// surely hold.
func (u *instant) number() int64 {
	n, err := strconv.ParseInt(u.year, 10, 64)
	switch long := err != nil || len(u.year) > 18; {
	case long && u.before:
		return math.MinInt64
	case long:
		return math.MaxInt64
	case u.before:
		return -n
	}
	return n
}

// compareMoments compares two values of one kind.
func compareMoments(v, w Value) int {
	year := int64(v.bits)
	if year == int64(w.bits) && (year == math.MaxInt64 || year == math.MinInt64) {
		return cmp.Or(compareLongYears(v, w), strings.Compare(fractionOf(v.text), fractionOf(w.text)))
	}
	return cmp.Or(
		cmp.Compare(year, int64(w.bits)),
		cmp.Compare(v.second, w.second),
		strings.Compare(fractionOf(v.text), fractionOf(w.text)),
	)
}

// compareLongYears compares two values whose years are long and on the same side of 0.
func compareLongYears(v, w Value) int {
	a, _, _ := readMoment(v.kind, v.text)
	b, _, _ := readMoment(w.kind, w.text)
	left, right := a.utc(), b.utc()
	years := cmp.Or(cmp.Compare(len(left.year), len(right.year)), strings.Compare(left.year, right.year))
	if left.before {
		years = -years
	}
	return cmp.Or(years, cmp.Compare(left.second, right.second))
}

// fractionOf is the fraction of the second in a canonical text.
func fractionOf(text string) string {
	_, after, _ := strings.Cut(text, ".")
	run, _ := digits(after)
	return run
}

// nextDay moves to the next day.
func (m *moment) nextDay() {
	m.day++
	if m.day > daysInMonth(m.inCycle(), m.month) {
		m.day = 1
		m.month++
	}
	if m.month > 12 {
		m.month = 1
		m.before, m.year = addYear(m.before, m.year, true)
	}
}

// inCycle is the year's place in the 400 years after which the calendar repeats itself,
// 0–399. The last four digits tell it, since 400 divides 10,000.
func (m *moment) inCycle() int {
	n, _ := strconv.Atoi(m.year[len(m.year)-4:])
	if m.before {
		n = -n
	}
	return (n%400 + 400) % 400
}

// daysInMonth is the number of days of a month (E.3.2). Only the year's place in the
// cycle of 400 years counts.
func daysInMonth(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysInYear is the number of days of a year.
func daysInYear(year int) int { return 337 + daysInMonth(year, 2) }

// addYear is the year after or before one.
func addYear(before bool, year string, after bool) (bool, string) {
	if after == before && strings.Trim(year, "0") != "" { // towards 0
		year = pad(decrement(year))
		return before && year != "0000", year
	}
	return !after, increment(year)
}

// increment adds 1 to digits.
func increment(digits string) string {
	kept := strings.TrimRight(digits, "9")
	zeros := strings.Repeat("0", len(digits)-len(kept))
	if kept == "" {
		return "1" + zeros
	}
	last := len(kept) - 1
	return kept[:last] + string(rune(kept[last]+1)) + zeros
}

// decrement takes 1 from digits that are not all 0.
func decrement(digits string) string {
	kept := strings.TrimRight(digits, "0")
	last := len(kept) - 1
	return kept[:last] + string(rune(kept[last]-1)) + strings.Repeat("9", len(digits)-len(kept))
}

// pad takes leading zeros from digits or puts them there, so that at least four stay.
func pad(digits string) string {
	digits = strings.TrimLeft(digits, "0")
	return strings.Repeat("0", max(0, 4-len(digits))) + digits
}
