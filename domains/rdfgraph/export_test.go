package rdfgraph

import "reflect"

// CleanDirOn is CleanDir for any operating system.
var CleanDirOn = cleanDir

// SettingKeys lists the keys of domain.yaml as its structures have them, in the
// notation of KeyDoc.
func SettingKeys() []string {
	return keysBelow(reflect.TypeFor[settings](), "")
}

func keysBelow(t reflect.Type, path string) []string {
	var out []string
	for i, key := range keysOf(t) {
		sub := join(path, key)
		out = append(out, sub)
		f := t.Field(i).Type
		if f.Kind() == reflect.Pointer {
			f = f.Elem()
		}
		switch {
		case f.Kind() == reflect.Struct:
			out = append(out, keysBelow(f, sub)...)
		case f.Kind() == reflect.Map && f.Elem().Kind() == reflect.Struct:
			out = append(out, keysBelow(f.Elem(), join(sub, "CLASS"))...)
		case f.Kind() == reflect.Slice && f.Elem().Kind() == reflect.Struct:
			out = append(out, keysBelow(f.Elem(), sub+"[]")...)
		}
	}
	return out
}

// ReadSettings reads a domain.yaml and returns its faults; those that bar the
// domain are marked with a "!".
func ReadSettings(text []byte) (faults []string, ok bool) {
	_, _, found, ok := readSettings(text)
	for _, f := range found {
		s := f.String()
		if f.barring {
			s = "! " + s
		}
		faults = append(faults, s)
	}
	return faults, ok
}

// MatchPattern and CheckPattern are the patterns of domain.yaml.
var (
	MatchPattern = matchPattern
	CheckPattern = checkPattern
)

// CompareVersions orders the names of versions.
var CompareVersions = compareVersions

// WithSupers counts terms and those above them.
var WithSupers = withSupers

// Percent is the share in percent of a design report.
var Percent = percent
