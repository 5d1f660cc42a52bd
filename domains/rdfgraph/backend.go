// Package rdfgraph is the back end that serves domains from a folder, with their
// graphs embedded: RDF files are read once into immutable snapshots, and every
// answer comes from their indexes.
//
// Each sub-folder is a domain; a folder that is a domain itself is served as the
// only one. A file domain.yaml says what the folder alone does not: name, versions,
// policy ([Keys] documents it). What is schema and what is fact is decided by the
// triples, not by the file in which they stand.
//
// A file that is broken is left out and its domain is served as degraded, with the
// fault and its place among [domains.Domain]'s Problems. A domain of which nothing
// loads is unavailable; the others stay up.
package rdfgraph

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Config says which domains to serve.
type Config struct {
	// Dir is the folder of the domains, or of the only domain, as CleanDir
	// understands it.
	Dir string
	// Home is the folder that ~ at the start of Dir stands for; empty refuses ~.
	Home string
	// FS, when set, is read instead of Dir. It is for domains that are built
	// into a program.
	FS fs.FS
	// OntologyPath are folders in which imported ontologies are looked for that a domain's
	// folder does not hold, the first one first; each as Dir is written.
	OntologyPath []string
	// Poll is how often the folder is looked at for changes, which are then loaded; 0 means
	// never, and FS never changes.
	Poll time.Duration
	// Snapshots says whether loaded graphs are kept in files beside the data; the zero
	// value neither reads nor writes any.
	Snapshots Snapshots
	// SnapshotMin is the size in bytes of the files of a domain below which no snapshot is
	// kept, because reading them is as quick; 0 means DefaultSnapshotMin.
	SnapshotMin int64
	// Survey has the files' contents counted while they are read, and looks for what will hurt,
	// for Report; serving does without. Snapshots have to be off.
	Survey bool
	// Progress is told how far the loading of domains is, at most a few times a second for
	// each; nil tells nobody. It is called by several goroutines, one call at a time.
	Progress func(Progress)
	// ActionHosts are the hosts, with or without port, whose endpoints actions and virtual
	// attributes may call; one without a port allows every port. Functions on others are left
	// out and noted in Status.Notes. Empty allows none.
	ActionHosts []string
	// Transport sends these calls; nil means one of the back end's own.
	Transport http.RoundTripper
	// Logger is told of each domain that was loaded; nil means silence.
	Logger *slog.Logger
}

// Snapshots says what is done with snapshot files.
type Snapshots uint8

// The uses of snapshot files.
const (
	// SnapshotsOff neither reads nor writes them.
	SnapshotsOff Snapshots = iota
	// SnapshotsOn reads those that are fresh, and writes them for domains of at least
	// SnapshotMin bytes, after the domain is served.
	SnapshotsOn
)

// DefaultSnapshotMin is 8 MiB: what is smaller loads in a fraction of a second.
const DefaultSnapshotMin = 8 << 20

// Progress is how far the loading of a domain is.
type Progress struct {
	Domain domains.Name
	Stage  Stage
	// Done and Total are bytes of files while these are read, and else steps of the stage;
	// Total is 0 where it is not known. Done reaches Total once, at the end of the stage.
	Done, Total int64
}

// Stage is a part of loading.
type Stage uint8

// The stages, in the order in which a domain goes through them.
const (
	Reading   Stage = iota + 1 // files, or a snapshot file
	Indexing                   // triples are sorted into the graph
	Preparing                  // names, classes and counts are worked out
)

// Backend serves the domains of a folder. It implements [domains.Backend].
type Backend struct {
	config   Config
	log      *slog.Logger
	tell     *teller
	state    atomic.Pointer[state]
	watchers watchers

	// turn holds a token while the folder is looked at or loaded; whoever has it may use
	// what follows.
	turn    chan struct{}
	held    map[string]*held   // path of a folder → what is kept of it
	skipped []Skipped          // that lay among the domains when it was looked last
	pending map[string]pending // path of a folder → how it looks since it looks otherwise
	asides  map[string]*aside  // path of a folder → how it is being loaded, while others are looked at
	// freeAgain is set when a large graph was replaced: whoever read it may have let go of
	// it later.
	freeAgain bool
	lost      string // why the folder of the domains could not be read, when that was logged last

	heavy chan struct{} // holds a token while a folder is loaded aside

	path    *ontologyPath      // nil for none
	calls   *calls             // of function endpoints
	keep    *saver             // of snapshot files; nil keeps none
	stop    context.CancelFunc // of polling; nil when nothing polls
	polling sync.WaitGroup
}

// Skipped is a folder or file among the domains that is none of them.
type Skipped struct {
	// Path is relative to the folder of the domains.
	Path   string
	Reason string
}

// New finds the domains of a folder and loads them, several at once. A fault in a
// domain is no error: the domain is degraded or unavailable then. Errors: the
// folder can't be read; it holds folders of domains but no domain; ctx ended. The caller
// closes what New returns; polling does not end with ctx.
func New(ctx context.Context, c Config) (*Backend, error) {
	b := &Backend{
		config: c, log: c.Logger, tell: newTeller(c.Progress),
		turn: make(chan struct{}, 1), held: map[string]*held{}, pending: map[string]pending{},
		asides: map[string]*aside{}, heavy: make(chan struct{}, 1),
	}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if b.path, err = newOntologyPath(c); err != nil {
		return nil, err
	}
	b.keep, b.calls = newSaver(c, b.log), newCalls(c)
	if err := b.begin(ctx); err != nil {
		b.keep.close()
		b.calls.close()
		return nil, err
	}
	if c.Poll > 0 && c.FS == nil {
		polls, stop := context.WithCancel(context.WithoutCancel(ctx))
		b.stop = stop
		b.polling.Go(func() { b.poll(polls) })
	}
	return b, nil
}

// begin loads all domains. Folders that change while they are read are read again, a few
// times: what was read may be half written, and its policy too.
func (b *Backend) begin(ctx context.Context) error {
	const tries = 3
	var due []string
	for try := range tries {
		found, err := b.survey()
		if err != nil && try > 0 {
			return nil // what was read is served
		}
		if err != nil {
			return err
		}
		if try == 0 {
			due = found.all()
		}
		if due, err = b.take(ctx, found, due, false); err != nil {
			return fmt.Errorf("loading domains: %w", err)
		}
		if len(due) == 0 {
			return nil
		}
	}
	return nil
}

// As is the back end itself: a folder shows everybody the same.
func (b *Backend) As(domains.Principal) domains.Backend { return b }

// Among is the back end with bridges that lead to the domains of all.
func (b *Backend) Among(all domains.Backend) domains.Backend { return among{b, all} }

// among is a Backend as a part of others.
type among struct {
	*Backend
	all domains.Backend
}

// As is the part itself: what a principal sees of all is all's to know.
func (a among) As(domains.Principal) domains.Backend { return a }

// Open returns a domain as Backend does.
func (a among) Open(_ context.Context, name domains.Name) (*domains.Domain, error) {
	return a.open(name, a.all)
}

// Domains lists the published domains and those that are unavailable, by name.
func (b *Backend) Domains(context.Context) ([]domains.Info, error) {
	return b.state.Load().listed(), nil
}

func (s *state) listed() []domains.Info {
	var out []domains.Info
	for _, d := range s.domains {
		if !d.hidden {
			out = append(out, d.info)
		}
	}
	return out
}

// Open returns a domain at the revision that is in force.
func (b *Backend) Open(_ context.Context, name domains.Name) (*domains.Domain, error) {
	return b.open(name, b)
}

// open returns a domain whose bridges lead to the domains of all.
func (b *Backend) open(name domains.Name, all domains.Backend) (*domains.Domain, error) {
	d, err := b.find("opening domain", name)
	if err != nil {
		return nil, err
	}
	if d.declared == nil || d.served == nil {
		return d.served, nil
	}
	out := *d.served
	d.declared.into(&out, b, all)
	return &out, nil
}

// Versions lists the versions that domain.yaml declares, newest first. A domain
// whose domain.yaml can't be read has none.
func (b *Backend) Versions(_ context.Context, name domains.Name) ([]domains.Version, error) {
	d, err := b.find("listing versions", name)
	if d == nil {
		return nil, err
	}
	return d.versionList(), nil
}

// Design reports how far a domain is designed.
func (b *Backend) Design(_ context.Context, name domains.Name) (*domains.Design, error) {
	d, err := b.find("reading design status", name)
	if err != nil {
		return nil, err
	}
	design := d.design
	return &design, nil
}

// Skipped lists what lies among the domains and is none, by path.
func (b *Backend) Skipped() []Skipped { return slices.Clone(b.state.Load().skipped) }

// Watch tells of each domain that a reload changed, brought or took away.
func (b *Backend) Watch(ctx context.Context, changed func(domains.Name)) error {
	b.watchers.watch(ctx, changed)
	return nil
}

// Close ends polling, the writing of snapshot files and calls of functions, and waits for
// them. What was opened stays usable, but for functions.
func (b *Backend) Close() error {
	if b.stop != nil {
		b.stop()
	}
	b.polling.Wait()
	b.calls.close()
	b.keep.close()
	return nil
}

// find returns a published domain. With ErrUnavailable the domain comes too.
func (b *Backend) find(op string, name domains.Name) (*domain, error) {
	s := b.state.Load()
	d := s.at(name)
	if d == nil {
		return nil, domains.NoDomain(op, name, "", s.listed())
	}
	if d.info.Unavailable != "" {
		return d, &domains.Error{Kind: domains.ErrUnavailable, Op: op, Domain: name, Message: d.info.Unavailable}
	}
	return d, nil
}
