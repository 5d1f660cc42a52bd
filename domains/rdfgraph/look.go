package rdfgraph

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// look is how a folder looked, without a file being read: equal looks, equal folders, but
// for what a clock is too coarse to tell. The zero look is none.
type look struct {
	// sum is a digest of the paths of all files, of what is told of those that count (RDF
	// files and domain.yaml, see stamp), and of the bytes of domain.yaml: a policy must not
	// depend on what a clock says.
	sum [sha256.Size]byte
	// size is that of the files that count, in bytes.
	size int64
	// settings is set when there is a domain.yaml that is not empty.
	settings bool
	// newest is the time of the newest of the files that count, in nanoseconds since 1970,
	// but for files that come from the future: their times say nothing of when they were
	// written.
	newest int64
	// outside is a digest of how the ontology path looks: any domain may take files from it.
	outside [sha256.Size]byte
	// reason is why the folder is no domain; empty when it is one.
	reason string
	// gone is set when there is no such folder.
	gone bool
}

// look looks at the folder of a domain. Config.FS never changes, and is not looked at.
func (b *Backend) look(f folder) look { return b.lookWith(f, b.path.look()) }

// lookWith is look when it is known how the ontology path looks.
func (b *Backend) lookWith(f folder, outside [sha256.Size]byte) look {
	if b.config.FS != nil {
		return look{}
	}
	fsys, closer, err := f.open()
	if err != nil {
		return look{sum: sha256.Sum256([]byte(readingFault(err)))}
	}
	defer closer.Close()
	l := look{outside: outside}
	sum := sha256.New()
	t := readTree(fsys)
	settings := settingsIn(fsys, ".")
	if settings == settingsFile {
		text, err := readSmall(fsys, settings)
		l.settings = err != nil || len(text) > 0
		fmt.Fprintf(sum, "%x\n", sha256.Sum256(text))
	}
	future := time.Now().Add(coarse).UnixNano()
	for _, name := range t.files {
		if !mayBeRDF(name) && !isTable(name) && name != settings && path.Base(name) != settingsFile {
			fmt.Fprintf(sum, "%q\n", name)
			continue
		}
		info, err := fs.Stat(fsys, name)
		if err != nil {
			fmt.Fprintf(sum, "%q %s\n", name, readingFault(err))
			continue
		}
		s := stampOf(info)
		fmt.Fprintf(sum, "%q %d %d %d %o\n", name, s.size, s.modified, s.changed, s.mode)
		l.size += s.size
		if s.modified < future {
			l.newest = max(l.newest, s.modified)
		}
	}
	for _, d := range t.domains {
		fmt.Fprintf(sum, "domain %q\n", d)
	}
	for _, p := range t.problems {
		fmt.Fprintf(sum, "problem %s\n", p)
	}
	sum.Sum(l.sum[:0])
	return l
}

// stamp is what a file system tells of a file.
type stamp struct {
	size, modified int64 // bytes; nanoseconds since 1970
	// changed is when anything of the file was last changed, in nanoseconds since 1970,
	// where the system tells; unlike modified, no program can set it back.
	changed int64
	mode    fs.FileMode
}

func stampOf(info fs.FileInfo) stamp {
	return stamp{info.Size(), info.ModTime().UnixNano(), changedAt(info), info.Mode()}
}

// isSame reports whether two looks see the same.
func (l look) isSame(other look) bool {
	l.newest, other.newest = 0, 0 // what is the future changes
	return l == other
}

// survey is what lies in the folder of the domains.
type survey struct {
	folders map[string]folder // path → folder of a domain
	skipped []Skipped
	looks   map[string]look // path → how it looks; those that are gone or no domain included
}

// all are the paths, in order.
func (s survey) all() []string { return slices.Sorted(maps.Keys(s.looks)) }

// survey looks at the folder of the domains. With an error nothing is known.
func (b *Backend) survey() (survey, error) {
	folders, skipped, err := locate(b.config)
	if err != nil {
		return survey{}, fmt.Errorf("opening the folder of domains: %w", err)
	}
	s := survey{folders: map[string]folder{}, skipped: skipped, looks: map[string]look{}}
	for _, f := range folders {
		s.folders[f.path] = f
	}
	if p, turned := b.turned(s.folders); turned {
		// Nothing of it is taken over: it would serve other domains, under other policies.
		s.folders = map[string]folder{}
		for at := range b.held {
			s.looks[at] = look{reason: p.Message}
		}
		return s, nil
	}
	outside := b.path.look()
	for at, f := range s.folders {
		s.looks[at] = b.lookWith(f, outside)
	}
	for at := range b.held {
		if _, is := s.folders[at]; is {
			continue
		}
		s.looks[at] = look{gone: true}
		if i := slices.IndexFunc(skipped, func(s Skipped) bool { return s.Path == at }); i >= 0 {
			s.looks[at] = look{reason: skipped[i].Reason}
		}
	}
	return s, nil
}

// turned reports whether the folder that was served as one domain is now a folder of
// domains, or the other way round, and what there is to say.
func (b *Backend) turned(now map[string]folder) (domains.Problem, bool) {
	isServed := func(single bool) bool {
		for at, h := range b.held {
			if (at == ".") == single && h.inForce.served != nil {
				return true
			}
		}
		return false
	}
	_, single := now["."]
	switch {
	case !single && isServed(true):
		return mixed(true), true
	case single && isServed(false):
		return mixed(false), true
	}
	return domains.Problem{}, false
}

// lostSettings reports whether a folder has lost its domain.yaml since a look before.
func (l look) lostSettings(before look) bool {
	return before.settings && !l.settings && !l.gone && l.reason == ""
}
