package rdf

import (
	"fmt"
	"path"
	"strings"
)

// Format is a syntax that Read can read.
type Format uint8

// The formats.
const (
	Turtle Format = iota + 1
	NTriples
)

// String is the format's name as people write it.
func (f Format) String() string {
	switch f {
	case Turtle:
		return "Turtle"
	case NTriples:
		return "N-Triples"
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// readable maps the extensions of the formats: extension → format.
var readable = map[string]Format{
	".ttl":      Turtle,
	".turtle":   Turtle,
	".nt":       NTriples,
	".ntriples": NTriples,
}

// unreadable names the RDF syntaxes that can't be read: extension → name. XML and
// JSON files are not among them, because most of them hold no RDF.
var unreadable = map[string]string{
	".rdf":      "RDF/XML",
	".rdfs":     "RDF/XML",
	".owl":      "RDF/XML",
	".owx":      "OWL/XML",
	".ofn":      "OWL functional syntax",
	".omn":      "OWL Manchester syntax",
	".obo":      "OBO",
	".jsonld":   "JSON-LD",
	".ndjsonld": "JSON-LD",
	".rj":       "RDF/JSON",
	".trig":     "TriG",
	".nq":       "N-Quads",
	".nquads":   "N-Quads",
	".trix":     "TriX",
	".n3":       "Notation3",
	".hdt":      "HDT",
	".rt":       "RDF Thrift",
	".trdf":     "RDF Thrift",
	".rpb":      "RDF Protobuf",
	".shaclc":   "SHACL compact syntax",
}

// compressed are the extensions of compressed files.
var compressed = map[string]bool{".gz": true, ".bz2": true, ".xz": true, ".zst": true, ".zip": true}

// FormatOf tells a file's format by its extension, whatever its case:
//
//   - ok: f can be read, known is empty;
//   - not ok and known is set: the file holds RDF in a syntax that can't be read, and
//     known is its name for people ("RDF/XML", "JSON-LD", "TriG", "compressed Turtle");
//   - not ok and known is empty: nothing says that the file holds RDF.
//
// Read are .ttl and .turtle, .nt and .ntriples. Named are .rdf, .rdfs and .owl (taken for
// RDF/XML, which most of them are), .owx, .ofn, .omn, .obo, .jsonld, .ndjsonld, .rj, .trig,
// .nq, .nquads, .trix, .n3, .hdt, .rt, .trdf, .rpb and .shaclc, and all of these and those with
// .gz, .bz2, .xz, .zst or .zip after them.
func FormatOf(file string) (f Format, known string, ok bool) {
	file = strings.ToLower(strings.ReplaceAll(file, `\`, "/"))
	ext := path.Ext(file)
	if compressed[ext] {
		f, known, ok = FormatOf(strings.TrimSuffix(file, ext))
		switch {
		case ok:
			known = f.String()
		case known == "":
			return 0, "", false
		}
		return 0, "compressed " + strings.TrimPrefix(known, "compressed "), false
	}
	if f, ok = readable[ext]; ok {
		return f, "", true
	}
	return 0, unreadable[ext], false
}
