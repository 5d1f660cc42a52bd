package rdf

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

// HeadSize is how many bytes of the beginning of a text FormatIn looks at.
const HeadSize = 64 << 10

// undecided are the extensions of files that hold one syntax or another, or no RDF at all.
var undecided = []string{".owl", ".rdf", ".rdfs", ".xml", ".json"}

// ContentDecides reports whether it takes the beginning of a file to tell its format, so that
// FormatIn may know more than FormatOf: for .owl, .rdf, .rdfs, .xml and .json, compressed
// or not.
func ContentDecides(file string) bool {
	file = strings.ToLower(file)
	if ext := path.Ext(file); CompressionOf(file) != 0 {
		file = strings.TrimSuffix(file, ext)
	}
	return slices.Contains(undecided, path.Ext(file))
}

// FormatIn is FormatOf for a file the beginning of which is known: head has the first
// HeadSize bytes of the text, unpacked, or all of a shorter one. Where the extension says
// what is inside, that counts; where ContentDecides, it is what the text begins with:
//
//   - XML whose root is rdf:RDF, and in .owl, .rdf and .rdfs any other XML that uses the
//     RDF namespace, is RDF/XML; OWL/XML is known, but can't be read;
//   - JSON that has "@context", "@id", "@graph" or "@type" as a name is JSON-LD;
//   - OWL functional and Manchester syntax and OBO are known, but can't be read;
//   - in .owl, .rdf and .rdfs what begins with a directive, an IRI or a blank node is Turtle,
//     and everything else is what FormatOf says.
//
// Other .xml and .json files hold no RDF.
func FormatIn(file string, head []byte) (f Format, known string, ok bool) {
	f, known, ok = FormatOf(file)
	if !ContentDecides(file) {
		return f, known, ok
	}
	head = bytes.TrimPrefix(head[:min(len(head), HeadSize)], []byte("\uFEFF"))
	for _, s := range signs {
		if s.is.Match(head) && (ok || known != "" || s.sure) {
			return s.format, s.known, s.format != 0
		}
	}
	return f, known, ok
}

// signs are how texts begin, in the order in which they are looked at.
var signs = []struct {
	is     *regexp.Regexp
	format Format
	known  string // when there is no reader
	sure   bool   // also without an extension that says that the file is RDF
}{
	{regexp.MustCompile(`^` + beforeRoot + `<(\w[\w.-]*:)?RDF[\s>][^<]*` + rdfNamespace), RDFXML, "", true},
	{regexp.MustCompile(`(?s)^\s*<(\?xml|!DOCTYPE\s+rdf:RDF).*<rdf:RDF[\s>]`), RDFXML, "", true},
	{regexp.MustCompile(`^` + beforeRoot + `<(\w[\w.-]*:)?Ontology[\s>][^<]*http://www\.w3\.org/2002/07/owl#`), 0, "OWL/XML", true},
	{regexp.MustCompile(`^\s*<[?!]|^` + beforeRoot + `<\w[\w.:-]*\s[^<]*` + rdfNamespace), RDFXML, "", false},
	{regexp.MustCompile(`^\s*[{\[](?s:.*)"@(context|id|graph|type)"\s*:`), JSONLD, "", true},
	{regexp.MustCompile(`^` + comments + `(Prefix|Ontology)\s*\(`), 0, "OWL functional syntax", false},
	{regexp.MustCompile(`^` + comments + `(Prefix|Ontology):`), 0, "OWL Manchester syntax", false},
	{regexp.MustCompile(`^\s*format-version:`), 0, "OBO", false},
	{regexp.MustCompile(`^` + comments + `((?i:@prefix|@base|prefix|base)\s|<[^\s<>]*>\s*[<\w]|_:|\[)`), Turtle, "", false},
}

// Parts of the expressions.
const (
	rdfNamespace = `http://www\.w3\.org/1999/02/22-rdf-syntax-ns#`
	// comments are those of Turtle and its like.
	comments = `(\s|#[^\n]*\n)*`
	// beforeRoot is what comes before the root of an XML document: declaration,
	// instructions, comments, and a document type without declarations or with them.
	beforeRoot = `(\s|<\?[^>]*\?>|<!--(?s:.*?)-->|<!DOCTYPE[^\[>]*(\[(?s:.*?)\]\s*)?>)*`
)
