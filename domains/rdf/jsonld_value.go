package rdf

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// rdfJSON is the datatype of JSON literals (JSON-LD 1.1 §10.2).
const rdfJSON = RDF + "JSON"

// i18nDirection begins the datatypes of texts that have a base direction without a
// language, which RDF 1.2 can't say of a text with neither (JSON-LD 1.1 §4.2.4.1).
const i18nDirection = "https://www.w3.org/ns/i18n#_"

// value is the literal of an expanded value object (JSON-LD 1.1 API §8.2.2).
func (j *jsonLD) value(v map[string]any) (Term, error) {
	datatype, ok := v["@type"].(string)
	if !ok && v["@type"] != nil {
		return Term{}, j.text.fail(j.text.findText("@value"), "a value has several datatypes, expected one @type as a string")
	}
	if datatype == "@json" {
		text, err := canonicalJSON(v["@value"])
		if err != nil {
			return Term{}, j.text.fail(j.text.findText("@json"), err.Error())
		}
		return NewTyped(text, rdfJSON), nil
	}
	switch datatype {
	case RDFLangString, RDFDirLangString:
		return Term{}, j.text.fail(j.text.findText("@value"), `a text has the datatype rdf:langString or rdf:dirLangString by its language alone: write "@language" in the place of "@type"`)
	case "":
	default:
		iri, err := j.resource(datatype, "the datatype")
		if err != nil {
			return Term{}, err
		}
		datatype = iri.Value
	}
	switch value := v["@value"].(type) {
	case string:
		if datatype != "" {
			return NewTyped(value, datatype), nil
		}
		return j.words(value, v)
	case bool:
		return NewTyped(strconv.FormatBool(value), orElse(datatype, XSDBoolean)), nil
	case float64: // a @version that is no version
		return j.number(json.Number(strconv.FormatFloat(value, 'g', -1, 64)), datatype)
	case json.Number:
		return j.number(value, datatype)
	}
	return Term{}, j.text.fail(j.text.findText("@value"), fmt.Sprintf(`found %s as @value, expected a string, a number, true or false: with "@type": "@json" it can be any JSON`, kindOf(v["@value"])))
}

// words is the literal of a string without datatype.
func (j *jsonLD) words(text string, v map[string]any) (Term, error) {
	term := NewString(text)
	language, _ := v["@language"].(string)
	term.Lang = j.written(language)
	if language != "" && !isLanguage(term.Lang) {
		return Term{}, j.text.fail(j.text.find(func(s string) bool { return strings.EqualFold(s, language) }), fmt.Sprintf(`%s is no language tag: write one such as "en" or "de-AT"`, inQuotes(language)))
	}
	direction, _ := v["@direction"].(string)
	if d, ok := v["@direction"].(*string); ok && d != nil { // json-gold in language maps
		direction = *d
	}
	switch {
	case direction == "":
	case direction != "ltr" && direction != "rtl":
		return Term{}, j.text.fail(j.text.findText(direction), fmt.Sprintf(`found the @direction %s, expected "ltr" or "rtl"`, inQuotes(direction)))
	case language == "":
		term.Datatype = i18nDirection + direction
	default:
		term.Dir = direction
	}
	return term, nil
}

// written is a language tag as the text has it.
func (j *jsonLD) written(tag string) string {
	if strings.Contains(tag, "\x00") {
		return unmaskCapitals(tag)
	}
	if as, ok := j.tags[tag]; ok {
		return as
	}
	return tag
}

// digits are what a number in JSON is that is an integer as it stands.
var digits = regexp.MustCompile(`^-?[0-9]+$`)

// number is the literal of a number: an xsd:integer where it has no fraction and is
// smaller than 1e21, else an xsd:double, in canonical form. Integers keep all their digits.
func (j *jsonLD) number(n json.Number, datatype string) (Term, error) {
	f, err := n.Float64()
	if err != nil {
		return Term{}, j.text.fail(j.text.findNumber(n.String()), fmt.Sprintf(`the number %s is beyond xsd:double: write it as a string, with "@type"`, printable(n.String())))
	}
	if f != math.Trunc(f) || math.Abs(f) >= 1e21 || datatype == XSDDouble {
		return NewTyped(canonicalDouble(f), orElse(datatype, XSDDouble)), nil
	}
	text := n.String()
	if !digits.MatchString(text) || f == 0 {
		text = strconv.FormatFloat(math.Abs(f), 'f', 0, 64)
		if f < 0 {
			text = "-" + text
		}
	}
	return NewTyped(text, orElse(datatype, XSDInteger)), nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// canonicalDouble is the canonical form of an xsd:double, with at most 15 digits after the
// point (JSON-LD 1.1 API §8.6).
func canonicalDouble(f float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'E', 15, 64), "E")
	mantissa = strings.TrimRight(mantissa, "0")
	if strings.HasSuffix(mantissa, ".") {
		mantissa += "0"
	}
	e, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(e)
}

// canonicalJSON writes a value in the canonical form of JSON literals (RFC 8785).
func canonicalJSON(value any) (string, error) {
	var b strings.Builder
	if err := appendJSON(&b, "", value); err != nil {
		return "", err
	}
	return b.String(), nil
}

// appendJSON writes the value of a member with a name.
func appendJSON(b *strings.Builder, name string, value any) error {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case string:
		if name == "@language" {
			v = unmaskCapitals(v)
		}
		appendJSONString(b, v)
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return fmt.Errorf("the number %s in a JSON literal is beyond a double: write it as a string", printable(v.String()))
		}
		b.WriteString(canonicalNumber(f))
	case float64:
		b.WriteString(canonicalNumber(v))
	case []any:
		for i, item := range v {
			b.WriteByte("[,"[min(i, 1)])
			if err := appendJSON(b, "", item); err != nil {
				return err
			}
		}
		if len(v) == 0 {
			b.WriteByte('[')
		}
		b.WriteByte(']')
	case map[string]any:
		return appendJSONObject(b, v)
	}
	return nil
}

// appendJSONObject writes an object, its names ordered by their UTF-16 code units.
func appendJSONObject(b *strings.Builder, object map[string]any) error {
	names := slices.SortedFunc(maps.Keys(object), func(x, y string) int {
		return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y)))
	})
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		appendJSONString(b, name)
		b.WriteByte(':')
		if err := appendJSON(b, name, object[name]); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// appendJSONString writes a string with the escapes that RFC 8785 §3.2.2.2 wants alone.
func appendJSONString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ':
			b.WriteRune(r)
		case strings.ContainsRune("\b\t\n\f\r", r):
			b.WriteByte('\\')
			b.WriteByte("btn fr"[r-'\b'])
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
}

// canonicalNumber writes a number as ECMAScript does (RFC 8785 §3.2.2.3).
func canonicalNumber(f float64) string {
	if f == 0 {
		return "0"
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	sign, size := exponent[:1], strings.TrimLeft(exponent[1:], "0")
	return mantissa + "e" + sign + size
}

// escapeUTF16 writes a character as the escapes of its UTF-16 code units.
func escapeUTF16(r rune) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(&b, `\u%04x`, unit)
	}
	return b.String()
}
