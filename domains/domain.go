package domains

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Backend serves the domains of one place: a folder, an OntoBricks deployment.
// All methods may be called concurrently.
type Backend interface {
	// As is the back end as a principal sees it: for one request, cheap, and not to be
	// closed. What one principal is answered is never shown to another.
	As(p Principal) Backend
	// Domains lists the published domains and those that could not be served
	// (Info.Unavailable says why), ordered by name. With an error the list holds what
	// could be listed all the same.
	Domains(ctx context.Context) ([]Info, error)
	// Open returns a domain fixed to the revision that is current now. It is
	// cheap, is called once for each tool call, and the result needs no closing.
	// Errors, each an Error: ErrUnknownDomain; ErrUnavailable with the reason as its
	// Message.
	Open(ctx context.Context, name Name) (*Domain, error)
	// Versions lists all versions of a domain, newest first, whatever their
	// state. Errors as Open, but an unavailable domain still has versions.
	Versions(ctx context.Context, name Name) ([]Version, error)
	// Design reports how far the domain is designed. Errors as Open.
	Design(ctx context.Context, name Name) (*Design, error)
	// Watch calls changed with the name of each domain whose tools or content may differ
	// from before, one that appeared or is gone included, until ctx ends; it waits for
	// changed. It returns nil when ctx ends, and else why it cannot go on. It watches as
	// the program itself.
	Watch(ctx context.Context, changed func(Name)) error
	// Close ends background work and waits for it.
	Close() error
}

// Info is what a list of domains says of each.
type Info struct {
	Name        Name
	Description string
	// HasGraph is false for a domain that is an ontology only.
	HasGraph bool
	Policy   Policy
	// Unavailable says why the domain cannot be opened; empty when it can.
	Unavailable string
}

// Domain is one version of a domain at one revision. Abilities are fields; nil
// means that the domain lacks the ability. A Domain is immutable and may be used
// concurrently.
type Domain struct {
	Info Info
	// Version is the version served, as shown: "1", "2", "1.0.3".
	Version string
	// Revision is a digest of the content served; cursors are pinned to it.
	Revision string
	// Languages are the languages to prefer in labels, best first.
	Languages []string
	// Problems are the files or lines that could not be used. With at least one
	// the domain is degraded.
	Problems []Problem
	// Refused are the problems for which a newer state of the domain's sources is not
	// served; empty when the newest is.
	Refused []Problem

	// Ontology returns the ontology; never nil. Back ends load it once per
	// revision.
	Ontology func(ctx context.Context) (*Ontology, error)
	// Facts reads the graph; nil for an ontology-only domain.
	Facts Facts
	// Status tells where the domain's data is and in which state; never nil.
	Status func(ctx context.Context) (*Status, error)
	// GraphQL is the back end's own GraphQL service for the domain.
	GraphQL GraphQL
	// DerivedGraphQL is set where GraphQL passes on to a service that is derived from the
	// ontology as this program derives it.
	DerivedGraphQL bool
	// Usage tells how the graph uses classes and properties, where DerivedGraphQL is set.
	Usage func(ctx context.Context) (*Usage, error)
	// Columns reads the graph in batches. A domain that has it and no GraphQL of its own
	// gets a GraphQL service derived from its ontology.
	Columns Columns
	// Triples reads the graph as it was written; nil where nothing can.
	Triples Triples
	// Context tells what classes have besides facts.
	Context Context
	// ComputesNothing is set where it is known that no class has virtual attributes.
	ComputesNothing bool
	// Actions and Rules write.
	Actions Actions
	Rules   Rules
	// ReadOnly is set where abilities that write were taken away on purpose.
	ReadOnly bool
	// Off are the names of domain tools that the server does without, in every domain.
	Off []string
}

// WithoutWrites is the domain without the abilities that write.
func (d Domain) WithoutWrites() *Domain {
	d.Actions, d.Rules, d.ReadOnly = nil, nil, true
	return &d
}

// WithoutTools is the domain on a server that does without some tools. names stays the
// caller's and must not change.
func (d Domain) WithoutTools(names []string) *Domain {
	d.Off = names
	return &d
}

// withholds reports whether a domain tool is taken away by name, by the server or by the
// domain's policy.
func (d *Domain) withholds(tool string) bool {
	return slices.Contains(d.Off, tool) || d.Info.Policy.Hides(tool)
}

// Version is one version of a domain.
type Version struct {
	Name string // as shown: "2"
	// State is the life-cycle state in upper case: DRAFT, IN-REVIEW, PUBLISHED.
	State string
	// Active marks the version that is served; Latest the newest of any state.
	Active, Latest bool
}

// StatePublished is the state of versions that may be served.
const StatePublished = "PUBLISHED"

// Status tells where the data of a domain is and in which state.
type Status struct {
	// View and Graph name the places of the data; empty is shown as N/A.
	View, Graph string
	HasData     bool
	// Triples counts the facts.
	Triples int
	// Reason says why there is no data; empty is shown as OK.
	Reason string
	// Modified is when the data last changed; zero when not known.
	Modified time.Time
	// Problems are the domain's problems, see Domain.
	Problems []Problem
	// Refused are the domain's, see Domain.
	Refused []Problem
	// Notes say what is not offered on purpose, such as a function on a host that is not
	// allowed. They do not degrade the domain.
	Notes []Problem
}

// Design reports how far a domain is designed (OntoBricks contract 1.1,
// design-status). A part that is nil is one of which the back end tells nothing.
type Design struct {
	Ontology   *DesignOntology
	Metadata   *DesignMetadata
	Assignment *DesignAssignment
	BuildReady bool
	Message    string
}

// DesignOntology is what a Design says of the ontology.
type DesignOntology struct {
	Ready, HasOWL       bool
	Classes, Properties int
}

// DesignMetadata is what a Design says of the sources of facts.
type DesignMetadata struct {
	Ready  bool
	Tables int // datasets declared
}

// DesignAssignment counts the classes and properties that have facts.
type DesignAssignment struct {
	ClassesTotal, ClassesUsed       int
	PropertiesTotal, PropertiesUsed int
	Percent                         int    // 0–100
	Status                          string // not_started, in_progress or complete
	HasR2RML                        bool
}

// SettingsFile is the file of a domain's folder that describes the domain.
const SettingsFile = "domain.yaml"

// Problem is a fault in a source of a domain, with its place.
type Problem struct {
	// File is relative to the domain's folder, with forward slashes.
	File string
	// Line and Column count from 1; 0 means that the place is the whole file.
	Line, Column int
	Message      string
}

// LeavesFileOut reports whether the problem's file is left out of what is served.
// A fault of SettingsFile (a pattern that no file matches, a key that is not known)
// and one without a file leave none out.
func (p Problem) LeavesFileOut() bool { return p.File != "" && p.File != SettingsFile }

// String is the problem as file:line:column: message.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Message
	case p.Line == 0:
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}
