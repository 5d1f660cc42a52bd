package rdf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/piprate/json-gold/ld"
)

// MaxJSONLD is the size in bytes of the largest JSON-LD document that can be read. It is
// held in memory as a whole, because a context may follow what it explains.
const MaxJSONLD = 64 << 20

// jsonLD reads a JSON-LD 1.1 document. Contexts and expansion are json-gold's; what comes
// before (the text and its limits) and after it (the quads) is ours, because its own
// quads leave out what they can't say, and nothing may be lost without a word.
//
//	text ─ check ─ decode ─ prepare ─ json-gold's expansion ─ quads
type jsonLD struct {
	reader
	text     jsonText
	contexts *contexts
	base     iriParts // of the top-level element that is read
	hasBase  bool
	// tags are the language tags as they are written: in small letters → as written.
	tags map[string]string
	// odd are the blank nodes whose labels can't be written in Turtle: label → fresh label.
	odd map[string]string
	// lengths are at least those of the IRIs of terms: term → length.
	lengths map[string]int
	// copied counts the terms that json-gold will copy.
	copied int
	// empty says whether the text has an empty string, once that was asked.
	empty *bool
}

func newJSONLD(shared reader) *jsonLD {
	shared.generates = true
	j := &jsonLD{reader: shared, tags: make(map[string]string), odd: make(map[string]string), lengths: make(map[string]int)}
	j.contexts = &contexts{from: j, read: make(map[string]map[string]any)}
	return j
}

// read reads the document.
func (j *jsonLD) read() error {
	if err := j.whole(); err != nil {
		return err
	}
	if len(bytes.TrimSpace(j.text.text)) == 0 {
		return nil
	}
	root, err := j.text.decode()
	if err != nil {
		return err
	}
	var elements []any
	switch r := root.(type) {
	case []any:
		elements = r
	case map[string]any:
		elements = []any{r}
	default:
		return j.text.fail(j.text.first(), "a JSON-LD document is an object or an array: write { … } or [ … ]")
	}
	j.noteTags(root)
	for _, element := range elements {
		clear(j.lengths)
		if err := j.prepare(element, 0); err != nil {
			return err
		}
	}
	told := j.opts.Prefix == nil
	for _, element := range elements {
		m, ok := element.(map[string]any)
		if !ok {
			if element == nil {
				continue
			}
			return j.text.fail(j.text.first(), fmt.Sprintf("found %s in the array of the document, expected objects alone", kindOf(element)))
		}
		if err := j.setBase(m); err != nil {
			return err
		}
		_, has := m["@context"]
		expanded, err := j.expand(m, has && !told)
		if err != nil {
			return err
		}
		told = told || has
		if err := j.nodes(expanded, Term{}); err != nil {
			return err
		}
	}
	return nil
}

// whole reads the text, and checks that it is UTF-8 and not too large.
func (j *jsonLD) whole() error {
	if err := j.open(); err != nil {
		return err
	}
	text := bytes.Clone(j.buf[j.pos:j.full])
	switch j.broken {
	case nil:
		rest, err := io.ReadAll(io.LimitReader(j.r, MaxJSONLD+1-int64(len(text))))
		if err != nil {
			return fmt.Errorf("reading %s: %w", j.title(), err)
		}
		text = append(text, rest...)
	case io.EOF:
	default:
		return fmt.Errorf("reading %s: %w", j.title(), j.broken)
	}
	j.text = jsonText{file: j.file, text: text}
	if len(text) > MaxJSONLD {
		return j.text.fail(place{1, 1}, fmt.Sprintf("the document has more than %d MiB, and a JSON-LD document has to be held in memory as a whole: convert it to N-Triples or Turtle, or split it", MaxJSONLD>>20))
	}
	return j.text.check()
}

// expand expands an element of the document (JSON-LD 1.1 API §5.1), after it has told the
// prefixes of its context where tell says so. json-gold may panic where a context
// is odd; that is an error of the document.
func (j *jsonLD) expand(element map[string]any, tell bool) (expanded []any, err error) {
	defer func() {
		if recover() != nil {
			expanded, err = nil, j.text.fail(j.text.findText("@context"), "this context, or what it makes of the document, can't be understood: look for a @container, @protected or @type of the wrong kind, and for prefixes that are defined as null")
		}
	}()
	options := &ld.JsonLdOptions{ProcessingMode: ld.JsonLd_1_1, DocumentLoader: j.contexts}
	if tell {
		if err := j.tellPrefixes(element["@context"], options); err != nil {
			return nil, err
		}
	}
	expanded, err = ld.NewJsonLdProcessor().Expand(element, options)
	switch {
	case j.contexts.err != nil: // json-gold drops some errors
		return nil, j.contexts.err
	case err != nil:
		return nil, j.refuse(err)
	}
	return expanded, nil
}

// jsonText is a JSON text, whole.
type jsonText struct {
	file string
	text []byte
}

// check holds the text against the limits before anything recurses into it.
func (t jsonText) check() error {
	if !utf8.Valid(t.text) {
		bad := 0
		for r, n := utf8.DecodeRune(t.text); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(t.text[bad:]) {
			bad += n
		}
		return t.fail(t.place(bad), fmt.Sprintf("the byte 0x%02X is not UTF-8 here: save the file as UTF-8, or convert it, for example with iconv -f LATIN1 -t UTF-8", t.text[bad]))
	}
	depth := 0
	for i := 0; i < len(t.text); i++ {
		switch t.text[i] {
		case '"':
			end := t.stringEnd(i)
			if end-i > MaxToken {
				return t.fail(t.place(i), fmt.Sprintf("this text is longer than %d MiB, which is the most that can be read", MaxToken>>20))
			}
			i = end - 1
		case '[', '{':
			if depth++; depth > MaxDepth {
				return t.fail(t.place(i), fmt.Sprintf("arrays and objects are nested more than %d deep: give the inner ones an @id and move them out", MaxDepth))
			}
		case ']', '}':
			depth--
		}
	}
	return nil
}

// stringEnd is the offset after the string that begins at from.
func (t jsonText) stringEnd(from int) int {
	for i := from + 1; i < len(t.text); i++ {
		switch t.text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(t.text)
}

// decode returns the value of the text, with numbers as they are written. Of two
// members with one name the later counts, as in encoding/json.
func (t jsonText) decode() (any, error) {
	if err := json.Unmarshal(t.text, &ignored{}); err != nil {
		return nil, t.malformed(err)
	}
	var value any
	d := json.NewDecoder(bytes.NewReader(t.text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, t.malformed(err)
	}
	return value, nil
}

// ignored takes any JSON.
type ignored struct{}

// UnmarshalJSON does nothing; the text was checked before.
func (*ignored) UnmarshalJSON([]byte) error { return nil }
