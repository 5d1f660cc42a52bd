package graphql

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxName is how many characters of a local name a name has at most.
const maxName = 100

// letters are those that Unicode does not take apart into a letter and a mark.
var letters = map[rune]string{
	'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ø': "o", 'Ø': "O", 'đ': "d", 'Đ': "D",
	'ð': "d", 'Ð': "D", 'þ': "th", 'Þ': "Th", 'ł': "l", 'Ł': "L", 'ħ': "h", 'Ħ': "H", 'ı': "i", 'ŧ': "t", 'Ŧ': "T",
}

// splitName takes an IRI apart into its namespace and the local name: what follows the
// last '#' or '/', or, where it has neither, the last ':'. Such characters at its very
// end do not count.
func splitName(iri string) (namespace, local string) {
	end := strings.TrimRight(iri, "#/:")
	i := strings.LastIndexByte(end, '#')
	if i < 0 {
		i = strings.LastIndexByte(end, '/')
	}
	if i < 0 {
		i = strings.LastIndexByte(end, ':')
	}
	return end[:i+1], end[i+1:]
}

// legal writes a text as a name of GraphQL: letters, digits and '_' stay, letters with
// marks lose these, '_' stands for everything else. It is empty where no letter and no
// digit is left.
func legal(text string) string {
	if isName(text) && len(text) < maxName {
		return text
	}
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	var b strings.Builder
	readable := false
	for _, r := range norm.NFC.String(text) {
		if b.Len() >= maxName {
			break
		}
		s := plainLetters(r)
		readable = readable || s != "_" && s != ""
		b.WriteString(s)
	}
	if !readable {
		return ""
	}
	out := b.String()
	if stem := strings.TrimLeft(out, "_"); len(out)-len(stem) > 1 {
		out = "_" + stem
	}
	if '0' <= out[0] && out[0] <= '9' {
		out = "_" + out
	}
	return out
}

// isName reports whether a text is a name as it is: one that begins with a letter.
func isName(text string) bool {
	for i := range len(text) {
		if c := rune(text[i]); !isPlain(c) && c != '_' || i == 0 && !isLetter(c) {
			return false
		}
	}
	return text != ""
}

// plainLetters are the ASCII letters and digits that a character stands for: nothing
// for a mark, and "_" for what has none.
func plainLetters(r rune) string {
	if isPlain(r) || r == '_' {
		return string(r)
	}
	if s := letters[r]; s != "" {
		return s
	}
	if unicode.Is(unicode.Mn, r) {
		return ""
	}
	out := make([]rune, 0, 4)
	for _, d := range norm.NFKD.String(string(r)) {
		switch {
		case isPlain(d):
			out = append(out, d)
		case !unicode.Is(unicode.Mn, d):
			return "_"
		}
	}
	return string(out)
}

func isPlain(r rune) bool { return isLetter(r) || '0' <= r && r <= '9' }

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// named is a term that needs a name. Of several that want the same, the least rank has
// it, then the first IRI.
type named struct {
	iri  string
	rank int
}

// nameSet is a set of names in use, reserved ones included.
type nameSet map[string]bool

// reserve makes a set of names that nothing else may have.
func reserve(names ...string) nameSet {
	s := make(nameSet, len(names))
	for _, n := range names {
		s[n] = true
	}
	return s
}

// take takes a name that a term can have as it is; ok is false where there is none, or
// something has it.
func (s nameSet) take(name string) (ok bool) {
	if name == "" || len(name) >= maxName || s[name] {
		return false
	}
	s[name] = true
	return true
}

// free takes a name, or with as many '_' behind it as it needs to be nobody else's.
func (s nameSet) free(name string) string {
	for s[name] {
		name += "_"
	}
	s[name] = true
	return name
}

// allot names terms, each by its IRI: IRI → name. What it decides depends on the terms
// and the set alone and not on their order. Those whose local name makes no name are
// called other, with a digest.
func (s nameSet) allot(terms []named, other string) map[string]string {
	slices.SortFunc(terms, func(a, b named) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.iri, b.iri)) })
	out, reserved := make(map[string]string, len(terms)), maps.Clone(s)
	var again []named
	for _, t := range terms {
		_, local := splitName(t.iri)
		if name := legal(local); s.take(name) {
			out[t.iri] = name
		} else {
			again = append(again, t)
		}
	}
	terms, again = again, nil
	for _, t := range terms {
		_, local := splitName(t.iri)
		if name := legal(local); reserved[name] && s.take(name+"_") {
			out[t.iri] = name + "_"
		} else {
			again = append(again, t)
		}
	}
	for _, t := range again {
		out[t.iri] = s.second(t.iri, other)
	}
	return out
}

// second finds a name for a term whose own is taken: the piece of its IRI that names
// its namespace before it, or else a digest of its IRI behind it.
func (s nameSet) second(iri, other string) string {
	namespace, local := splitName(iri)
	name := legal(local)
	if len(name) >= maxName {
		name = strings.TrimRight(name[:maxName-20], "_")
	} else if name != "" {
		if try := legal(namespacePiece(namespace) + "_" + strings.TrimLeft(name, "_")); s.take(try) {
			return try
		}
	}
	sum := sha256.Sum256([]byte(iri))
	digest := hex.EncodeToString(sum[:])
	for n := 8; ; n += 8 {
		if try := cmp.Or(name, other) + "_" + digest[:min(n, len(digest))]; !s[try] || n > len(digest) {
			return s.free(try)
		}
	}
}

// dull are pieces of namespaces that tell nothing of them.
var dull = reserve("ontology", "ontologies", "onto", "ns", "owl", "rdf", "rdfs", "schema", "core", "terms", "voc", "vocab", "vocabulary",
	"def", "latest", "current", "stable", "master", "main", "www", "id")

// namespacePiece is what people would call a namespace: the last piece of its path that
// tells something (has two letters, does not begin with a digit, is not dull), or else
// the name of its host; empty where it has neither.
func namespacePiece(namespace string) string {
	_, rest, ok := strings.Cut(namespace, "://")
	if !ok {
		_, rest, _ = strings.Cut(namespace, ":")
	}
	host, path, _ := strings.Cut(rest, "/")
	pieces := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/#:?&=", r) })
	for _, p := range slices.Backward(pieces) {
		p = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(p, ".owl"), ".ttl"), ".rdf")
		if tells(p) && !dull[strings.ToLower(p)] {
			return p
		}
	}
	labels := strings.Split(strings.Trim(host, "#:"), ".")
	if len(labels) > 1 {
		return labels[len(labels)-2]
	}
	return labels[0]
}

func tells(piece string) bool {
	n := 0
	for _, r := range piece {
		if n == 0 && '0' <= r && r <= '9' {
			return false
		}
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n > 1
}

// spoken is the local name of an IRI where its name does not hold it; else empty.
func spoken(iri, name string) string {
	_, local := splitName(iri)
	if plain, err := url.PathUnescape(local); err == nil {
		local = plain
	}
	if strings.HasSuffix(foldName(name), foldName(legal(local))) && legal(local) != "" && isASCII(local) {
		return ""
	}
	return local
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// lowerFirst is a name with its first letter in lower case.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }
