package rdf

import (
	"fmt"
	"path"
	"strings"
)

// Format is a syntax of RDF.
type Format uint8

// The formats.
const (
	Turtle Format = iota + 1
	NTriples
	TriG
	NQuads
	RDFXML
	JSONLD
)

// String is the format's name as people write it.
func (f Format) String() string {
	switch f {
	case Turtle:
		return "Turtle"
	case NTriples:
		return "N-Triples"
	case TriG:
		return "TriG"
	case NQuads:
		return "N-Quads"
	case RDFXML:
		return "RDF/XML"
	case JSONLD:
		return "JSON-LD"
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// Formats are all formats that can be read, in the order in which people name them.
func Formats() []Format { return []Format{Turtle, NTriples, TriG, NQuads, RDFXML, JSONLD} }

// readable maps the extensions of the formats: extension → format.
var readable = map[string]Format{
	".ttl":      Turtle,
	".turtle":   Turtle,
	".nt":       NTriples,
	".ntriples": NTriples,
	".trig":     TriG,
	".nq":       NQuads,
	".nquads":   NQuads,
	".rdf":      RDFXML,
	".rdfs":     RDFXML,
	".owl":      RDFXML,
	".jsonld":   JSONLD,
}

// unreadable names the RDF syntaxes that can't be read: extension → name. XML and
// JSON files are not among them, because most of them hold no RDF.
var unreadable = map[string]string{
	".owx":      "OWL/XML",
	".ofn":      "OWL functional syntax",
	".omn":      "OWL Manchester syntax",
	".obo":      "OBO",
	".ndjsonld": "JSON-LD",
	".rj":       "RDF/JSON",
	".trix":     "TriX",
	".n3":       "Notation3",
	".hdt":      "HDT",
	".rt":       "RDF Thrift",
	".trdf":     "RDF Thrift",
	".rpb":      "RDF Protobuf",
	".shaclc":   "SHACL compact syntax",
}

// Compression is a way in which files are compressed that can be unpacked. The zero
// Compression is none.
type Compression uint8

// The compressions.
const (
	Gzip Compression = iota + 1
	Zstd
)

// compressed are the extensions of compressed files: extension → what unpacks it, or
// 0 when nothing does.
var compressed = map[string]Compression{".gz": Gzip, ".bz2": 0, ".xz": 0, ".zst": Zstd, ".zip": 0}

// CompressionOf tells by its extension how a file that FormatOf takes for readable is
// compressed. Read does not unpack: it reads what is inside.
func CompressionOf(file string) Compression { return compressed[strings.ToLower(path.Ext(file))] }

// FormatOf tells a file's format by its extension, whatever its case:
//
//   - ok: f can be read, known is empty;
//   - not ok and known is set: the file holds RDF in a syntax that can't be read, and
//     known is its name for people ("OBO", "OWL/XML", "compressed Turtle");
//   - not ok and known is empty: nothing says that the file holds RDF.
//
// Read are .ttl and .turtle, .nt and .ntriples, .trig, .nq and .nquads, .rdf, .rdfs and .owl
// (taken for RDF/XML, which most of them are; FormatIn looks inside), and .jsonld. Named are
// .owx, .ofn, .omn, .obo, .ndjsonld, .rj, .trix, .n3, .hdt, .rt, .trdf, .rpb and .shaclc, and all
// of these and those with .gz, .bz2, .xz, .zst or .zip after them; what can be read can also be
// read when it is compressed once, with .gz or .zst after it, of which CompressionOf tells.
func FormatOf(file string) (f Format, known string, ok bool) {
	file = strings.ToLower(strings.ReplaceAll(file, `\`, "/"))
	ext := path.Ext(file)
	if unpacks, is := compressed[ext]; is {
		inside := strings.TrimSuffix(file, ext)
		f, known, ok = FormatOf(inside)
		switch {
		case ok && unpacks != 0 && CompressionOf(inside) == 0:
			return f, "", true
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
