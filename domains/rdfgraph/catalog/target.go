package catalog

import (
	"net/url"
	"path"
	"strings"
)

// Place says where a Target is.
type Place uint8

// The places.
const (
	// Beside is a path from the folder of the catalogue.
	Beside Place = iota + 1
	// OnDisk is an absolute path.
	OnDisk
	// Elsewhere is an address or what else names no file.
	Elsewhere
)

// Target is where an entry points.
type Target struct {
	Place Place
	// Path is the file, with forward slashes, cleaned and with percent-encoding replaced
	// once: relative to the folder of the catalogue, which it may leave with "..", or
	// absolute. Empty for what is Elsewhere.
	Path string
	// Text is the target as it is in the catalogue, resolved against xml:base.
	Text string
}

// reference is a URI reference, resolved as far as that goes without knowing where the
// catalogue is.
type reference struct {
	place Place
	// text is the path, or of what is Elsewhere the whole reference, as it is written.
	text string
}

// here is the folder of the catalogue.
var here = reference{place: Beside}

// resolve resolves a reference against its base (RFC 3986 §5.2, but dots are left for
// target). Queries and fragments are dropped: they name no other file.
func (base reference) resolve(written string) reference {
	written = strings.TrimSpace(written)
	if i := strings.IndexAny(written, "?#"); i >= 0 {
		written = written[:i]
	}
	scheme, rest, has := strings.Cut(written, ":")
	switch {
	case has && len(scheme) == 1 && isLetter(scheme[0]): // a drive
		return reference{OnDisk, strings.ReplaceAll(written, `\`, "/")}
	case has && strings.EqualFold(scheme, "file"):
		return fileReference(written, rest)
	case has && isScheme(scheme), strings.HasPrefix(written, "//"):
		return reference{Elsewhere, written}
	case written == "":
		return base
	case strings.HasPrefix(written, "/") && base.place != Elsewhere:
		return reference{OnDisk, written}
	case strings.HasPrefix(written, "/"):
		return reference{Elsewhere, written}
	}
	return reference{base.place, base.text[:strings.LastIndexByte(base.text, '/')+1] + written}
}

// fileReference is a file: URI; rest follows its scheme (RFC 8089).
func fileReference(written, rest string) reference {
	if host, is := strings.CutPrefix(rest, "//"); is {
		name, path, _ := strings.Cut(host, "/")
		if name != "" && !strings.EqualFold(name, "localhost") {
			return reference{Elsewhere, written}
		}
		rest = "/" + path
	}
	if !strings.HasPrefix(rest, "/") {
		return reference{Elsewhere, written}
	}
	if len(rest) > 2 && rest[2] == ':' && isLetter(rest[1]) { // file:/C:/…
		rest = rest[1:]
	}
	return reference{OnDisk, rest}
}

// append is the reference of a prefix with the rest of an IRI after it.
func (r reference) append(rest string) reference {
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	r.text += rest
	return r
}

// target is where a reference points. Percent-encoding is replaced name by name, so that no
// encoded slash makes a folder.
func (r reference) target() Target {
	t := Target{Place: r.place, Text: r.text}
	if r.place == Elsewhere {
		return t
	}
	names := strings.Split(r.text, "/")
	for i, name := range names {
		if decoded, err := url.PathUnescape(name); err == nil { // else the "%" is meant as such
			name = decoded
		}
		if strings.ContainsAny(name, "/\x00") {
			return Target{Place: Elsewhere, Text: r.text}
		}
		names[i] = name
	}
	t.Path = path.Clean(strings.Join(names, "/"))
	return t
}

func isScheme(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
