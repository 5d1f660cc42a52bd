package rdf

import "strings"

// iriParts are the components of an IRI reference (RFC 3986 §3). A component
// that is undefined differs from one that is empty: http://a? has a query.
type iriParts struct {
	scheme, authority, path, query, fragment string
	hasAuthority, hasQuery, hasFragment      bool
}

// splitIRI takes an IRI reference apart (RFC 3986 appendix B).
func splitIRI(s string) (p iriParts) {
	s, p.fragment, p.hasFragment = strings.Cut(s, "#")
	s, p.query, p.hasQuery = strings.Cut(s, "?")
	if n := schemeLen(s); n > 0 {
		p.scheme, s = s[:n], s[n+1:]
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		p.hasAuthority = true
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		p.authority, s = rest[:end], rest[end:]
	}
	p.path = s
	return p
}

// schemeLen is the length of the scheme that a reference begins with; 0 means
// that it is relative.
func schemeLen[T string | []byte](s T) int {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// resolveIRI returns the IRI that a relative reference stands for in a document with
// a base (RFC 3986 §5.2.2, strict). Nothing is normalised beyond that, and
// percent-encoding stays as it is.
func resolveIRI(base iriParts, ref string) string {
	r := splitIRI(ref)
	t := r
	switch {
	case r.scheme != "":
		t.path = removeDots(r.path)
	case r.hasAuthority:
		t.path = removeDots(r.path)
	case r.path == "":
		t.path = base.path
		if !r.hasQuery {
			t.query, t.hasQuery = base.query, base.hasQuery
		}
	case strings.HasPrefix(r.path, "/"):
		t.path = removeDots(r.path)
	default:
		t.path = removeDots(mergePaths(base, r.path))
	}
	if r.scheme == "" {
		t.scheme = base.scheme
		if !r.hasAuthority {
			t.authority, t.hasAuthority = base.authority, base.hasAuthority
		}
	}
	return t.String()
}

// mergePaths puts a relative path in the place of the base's last segment
// (RFC 3986 §5.2.3).
func mergePaths(base iriParts, path string) string {
	if base.hasAuthority && base.path == "" {
		return "/" + path
	}
	return base.path[:strings.LastIndexByte(base.path, '/')+1] + path
}

// removeDots takes the segments "." and ".." out of a path (RFC 3986 §5.2.4).
func removeDots(path string) string {
	if !strings.Contains(path, ".") {
		return path
	}
	out := make([]byte, 0, len(path))
	dropLast := func() {
		i := len(out) - 1
		for i >= 0 && out[i] != '/' {
			i--
		}
		out = out[:max(i, 0)]
	}
	for path != "" {
		switch {
		case strings.HasPrefix(path, "../"):
			path = path[3:]
		case strings.HasPrefix(path, "./"):
			path = path[2:]
		case strings.HasPrefix(path, "/./"):
			path = path[2:]
		case path == "/.":
			path = "/"
		case strings.HasPrefix(path, "/../"):
			path = path[3:]
			dropLast()
		case path == "/..":
			path = "/"
			dropLast()
		case path == "." || path == "..":
			path = ""
		default:
			end := strings.IndexByte(path[1:], '/') + 1
			if end == 0 {
				end = len(path)
			}
			out = append(out, path[:end]...)
			path = path[end:]
		}
	}
	return string(out)
}

// String puts the components together (RFC 3986 §5.3).
func (p iriParts) String() string {
	var b strings.Builder
	if p.scheme != "" {
		b.WriteString(p.scheme)
		b.WriteByte(':')
	}
	if p.hasAuthority {
		b.WriteString("//")
		b.WriteString(p.authority)
	}
	b.WriteString(p.path)
	if p.hasQuery {
		b.WriteByte('?')
		b.WriteString(p.query)
	}
	if p.hasFragment {
		b.WriteByte('#')
		b.WriteString(p.fragment)
	}
	return b.String()
}
