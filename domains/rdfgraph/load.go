package rdfgraph

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// domain is a domain as it was loaded.
type domain struct {
	folder   folder
	info     domains.Info
	versions []version // newest first; empty when domain.yaml can't be read
	// hidden is set for a domain that is not published: nobody hears of it.
	hidden   bool
	served   *domains.Domain // nil when unavailable or hidden
	design   domains.Design
	counts   counts
	built    *built  // nil when nothing was read, or not all
	unsaved  *saving // of built, when a snapshot file of it is to be written
	problems []domains.Problem
	warnings []domains.Problem
	notes    []domains.Problem // what is left out on purpose
	imports  Imports
	declared *declared    // nil where no class has context
	files    []FileReport // when asked for
	findings []Finding    // when asked for
}

// counts are what a report tells of a domain's content. Facts are the triples that
// are not about schema terms.
type counts struct{ files, triples, facts, entities int }

// bar makes a domain unavailable: no version of it is served.
func (d *domain) bar(reason string) {
	d.info.Unavailable, d.info.HasGraph, d.served = reason, false, nil
	for i := range d.versions {
		d.versions[i].Active = false
	}
}

func (d *domain) versionList() []domains.Version {
	out := make([]domains.Version, len(d.versions))
	for i, v := range d.versions {
		out[i] = v.Version
	}
	return out
}

func (d *domain) log(ctx context.Context, log *slog.Logger) {
	switch {
	case d.hidden:
		log.InfoContext(ctx, "domain not published", "domain", d.info.Name)
	case d.info.Unavailable != "":
		log.WarnContext(ctx, "domain unavailable", "domain", d.info.Name, "reason", d.info.Unavailable)
	default:
		log.InfoContext(ctx, "domain loaded", "domain", d.info.Name, "version", d.served.Version,
			"files", d.counts.files, "triples", d.counts.triples, "facts", d.counts.facts, "problems", len(d.problems))
	}
}

// load reads the domain of a folder. It never panics: what goes wrong makes the
// domain degraded or unavailable. The only error is that ctx ended.
func load(ctx context.Context, f folder, o loadOptions) (d *domain, err error) {
	d = &domain{folder: f, info: domains.Info{Name: f.name}}
	defer func() {
		if r := recover(); r != nil {
			o.log.ErrorContext(ctx, "loading a domain panicked", "domain", d.info.Name, "panic", r, "stack", string(debug.Stack()))
			d.bar("it could not be loaded because of an internal error; the log says more")
		}
	}()
	fsys, closer, err := f.open()
	if err != nil {
		d.bar("the folder " + readingFault(err))
		return d, nil
	}
	defer closer.Close()
	l := loader{domain: d, fsys: fsys, before: o.before, byContent: o.byContent, keep: o.keep, calls: o.calls, path: o.path}
	if o.survey {
		l.survey = &surveying{files: map[string]surveyed{}}
	}
	if v := l.choose(o.drafts); v != nil {
		l.progress = o.tell.of(l.info.Name)
		return d, l.loadVersion(ctx, *v)
	}
	return d, nil
}

// loadOptions say how a domain is loaded.
type loadOptions struct {
	log  *slog.Logger // never nil
	tell *teller      // nil tells nobody
	// drafts loads what is not published too, without serving it.
	drafts bool
	// before is the domain as it was loaded before, whose content is used again where the
	// files are the same; nil when there is none.
	before *domain
	// byContent compares files by what they hold, also where size and time are the same.
	byContent bool
	keep      *saver        // nil keeps no snapshot files
	calls     *calls        // of function endpoints
	path      *ontologyPath // nil for none
	survey    bool          // count what files hold, and look for what will hurt
}

// loader is the state of loading one domain.
type loader struct {
	*domain
	before    *domain // see loadOptions
	byContent bool
	keep      *saver
	calls     *calls
	path      *ontologyPath
	survey    *surveying // nil counts nothing
	fsys      fs.FS
	settings  settings
	places    map[string]place
	digest    []byte // of domain.yaml
	progress  *reporter
}

// choose reads domain.yaml and returns the version to load, or nil when there is
// none: then the domain is unavailable or hidden.
func (l *loader) choose(drafts bool) *version {
	text, err := readSmall(l.fsys, settingsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.bar(settingsFile + " " + readingFault(err))
		return nil
	}
	if name := settingsIn(l.fsys, "."); name != "" && name != settingsFile {
		l.bar(fmt.Sprintf("%s is not read under this name: rename it to %s", name, settingsFile))
		return nil
	}
	var faults []fault
	var ok bool
	l.settings, l.places, faults, ok = readSettings(text)
	sum := sha256.Sum256(text)
	l.digest = sum[:]
	if l.settings.Name != "" {
		l.info.Name = domains.Name(l.settings.Name)
	} else if l.folder.note != "" {
		l.warnings = append(l.warnings, domains.Problem{File: settingsFile, Message: l.folder.note})
	}
	l.info.Description = l.settings.Description
	l.info.Policy = l.settings.policy()
	barring := ""
	statesKnown := true // of the versions
	for _, f := range faults {
		l.problems = append(l.problems, f.Problem)
		if f.barring && barring == "" {
			barring = f.String()
		}
		top, _, _ := strings.Cut(f.path, ".")
		statesKnown = statesKnown && top != "versions"
	}
	if !ok {
		l.bar(barring)
		return nil
	}
	versions, reason := versionsOf(&l.settings)
	l.versions = versions
	l.hidden = !l.settings.isPublished() || !hasPublished(versions) && statesKnown
	if barring == "" && reason != "" {
		p := domains.Problem{File: settingsFile, Line: l.places["active"].line, Column: l.places["active"].column, Message: reason}
		l.problems = append(l.problems, p)
		barring = p.String()
	}
	if barring != "" {
		l.bar(barring)
		return nil
	}
	for i := range versions {
		if versions[i].Active {
			if !l.hidden || drafts {
				return &versions[i]
			}
		}
	}
	if drafts {
		return &versions[0]
	}
	return nil
}

// readSmall reads a settings file whole, up to a byte more than its limit.
func readSmall(fsys fs.FS, name string) ([]byte, error) {
	f, err := openRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSettingsSize+1))
}
