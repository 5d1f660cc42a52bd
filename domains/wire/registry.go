package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Registry is the answer of GET /digitaltwin/registry: where a deployment keeps its
// domains.
type Registry struct {
	Catalog    string `json:"catalog"`
	Schema     string `json:"schema"`
	Volume     string `json:"volume"`
	Configured bool   `json:"configured"`
}

// Health is the answer of GET /health of the versioned interface (OntoBricks contract
// 1.2).
type Health struct {
	Status    string `json:"status"`
	Version   string `json:"version"`
	Service   string `json:"service"`
	Framework string `json:"framework"`
}

// Versions is the answer of GET /domain/versions.
type Versions struct {
	Success       bool      `json:"success"`
	DomainName    string    `json:"domain_name"`
	Versions      []Version `json:"versions"`
	LatestVersion string    `json:"latest_version"`
	Message       *string   `json:"message"`
	// Served is ours.
	Served *Served `json:"served,omitempty"`
}

// Version is one entry of Versions.
type Version struct {
	Version     string `json:"version"`
	IsLatest    bool   `json:"is_latest"`
	Status      string `json:"status"` // in upper case
	IsPublished bool   `json:"is_published"`
}

// stateDraft is the state of a version that has none (OntoBricks contract 1.1).
const stateDraft = "DRAFT"

// List is the versions in the words of package domains: newest first, by the numbers
// between the dots. The highest PUBLISHED one is the one that is served.
func (v Versions) List() []domains.Version {
	out := make([]domains.Version, 0, len(v.Versions))
	for _, in := range v.Versions {
		if in.Version != "" {
			out = append(out, domains.Version{Name: in.Version, State: in.state()})
		}
	}
	slices.SortStableFunc(out, func(a, b domains.Version) int { return compareVersions(b.Name, a.Name) })
	out = slices.CompactFunc(out, func(a, b domains.Version) bool { return a.Name == b.Name })
	for i := range out {
		out[i].Latest = i == 0
	}
	active := func(in domains.Version) bool { return in.State == domains.StatePublished }
	if v.Served != nil {
		active = func(in domains.Version) bool { return in.Name == v.Served.Version }
	}
	if i := slices.IndexFunc(out, active); i >= 0 {
		out[i].Active = true
	}
	return out
}

// state is the life-cycle state, whichever of the two members an older version sends.
func (v Version) state() string {
	switch s := strings.ToUpper(strings.TrimSpace(v.Status)); {
	case s != "":
		return s
	case v.IsPublished:
		return domains.StatePublished
	}
	return stateDraft
}

// compareVersions orders dotted numbers by number and what is none by text, after
// them. Numbers may have any length.
func compareVersions(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i < min(len(as), len(bs)); i++ {
		x, xIs := number(as[i])
		y, yIs := number(bs[i])
		var c int
		switch {
		case xIs && yIs:
			c = cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
		case xIs != yIs:
			c = 1
			if yIs {
				c = -1
			}
		default:
			c = cmp.Compare(as[i], bs[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(as), len(bs)), cmp.Compare(a, b))
}

// number is the digits of a part without leading zeros; ok is false where there is
// something else.
func number(part string) (digits string, ok bool) {
	if part == "" || strings.Trim(part, "0123456789") != "" {
		return "", false
	}
	return strings.TrimLeft(part, "0"), true
}

// Design is the answer of GET /domain/design-status.
type Design struct {
	Success    bool   `json:"success"`
	DomainName string `json:"domain_name"`
	// Parts are nil when the answer leaves them out.
	Ontology   *DesignOntology   `json:"ontology,omitempty"`
	Metadata   *DesignMetadata   `json:"metadata,omitempty"`
	Assignment *DesignAssignment `json:"assignment,omitempty"`
	BuildReady bool              `json:"build_ready"`
	Message    *string           `json:"message"`
}

// UnmarshalJSON takes a part without members for one that is left out (OntoBricks
// contract 3.4, get_design_status).
func (d *Design) UnmarshalJSON(b []byte) error {
	type members Design
	var parts struct{ Ontology, Metadata, Assignment map[string]json.RawMessage }
	if err := errors.Join(json.Unmarshal(b, (*members)(d)), json.Unmarshal(b, &parts)); err != nil {
		return err
	}
	if len(parts.Ontology) == 0 {
		d.Ontology = nil
	}
	if len(parts.Metadata) == 0 {
		d.Metadata = nil
	}
	if len(parts.Assignment) == 0 {
		d.Assignment = nil
	}
	return nil
}

// DesignOntology is the part of Design about the ontology.
type DesignOntology struct {
	Ready           bool    `json:"ready"`
	BaseURI         *string `json:"base_uri"`
	ClassCount      int     `json:"class_count"`
	PropertyCount   int     `json:"property_count"`
	ConstraintCount int     `json:"constraint_count"`
	HasOWL          bool    `json:"has_owl"`
}

// DesignMetadata is the part of Design about the tables.
type DesignMetadata struct {
	Ready      bool `json:"ready"`
	TableCount int  `json:"table_count"`
}

// DesignAssignment is the part of Design about what is mapped to tables.
type DesignAssignment struct {
	Ready              bool   `json:"ready"`
	EntityTotal        int    `json:"entity_total"`
	EntityMapped       int    `json:"entity_mapped"`
	RelationshipTotal  int    `json:"relationship_total"`
	RelationshipMapped int    `json:"relationship_mapped"`
	AttributeTotal     int    `json:"attribute_total"`
	AttributeMapped    int    `json:"attribute_mapped"`
	ProgressPercent    int    `json:"progress_percent"`
	Status             string `json:"status"`
	HasR2RML           bool   `json:"has_r2rml"`
}

// Design is the design status in the words of package domains: what is mapped counts
// as used, relationships and attributes as properties.
func (d Design) Design() *domains.Design {
	out := domains.Design{BuildReady: d.BuildReady, Message: orEmpty(d.Message)}
	if o := d.Ontology; o != nil {
		out.Ontology = &domains.DesignOntology{Ready: o.Ready, HasOWL: o.HasOWL, Classes: o.ClassCount, Properties: o.PropertyCount}
	}
	if m := d.Metadata; m != nil {
		out.Metadata = &domains.DesignMetadata{Ready: m.Ready, Tables: m.TableCount}
	}
	if a := d.Assignment; a != nil {
		out.Assignment = &domains.DesignAssignment{
			ClassesTotal: a.EntityTotal, ClassesUsed: a.EntityMapped,
			PropertiesTotal: a.RelationshipTotal + a.AttributeTotal,
			PropertiesUsed:  a.RelationshipMapped + a.AttributeMapped,
			Percent:         a.ProgressPercent, Status: a.Status, HasR2RML: a.HasR2RML,
		}
	}
	return &out
}

// Ontology is the answer of GET /domain/ontology.
type Ontology struct {
	Success bool `json:"success"`
	// Format is "turtle", Content the document.
	Format        string  `json:"format"`
	Content       string  `json:"content"`
	BaseURI       *string `json:"base_uri"`
	ClassCount    int     `json:"class_count"`
	PropertyCount int     `json:"property_count"`
	Message       *string `json:"message"`
	// Model is ours, where it was asked for.
	Model *Model `json:"model,omitempty"`
}

// GraphQLSchema is the answer of GET /graphql/{domain}/schema (OntoBricks contract
// 2.1). Where the domain is not ready, SDL is null, Reason a word and Message a
// sentence.
type GraphQLSchema struct {
	SDL     *string `json:"sdl"`
	Ready   bool    `json:"ready"`
	Reason  string  `json:"reason,omitempty"`
	Message *string `json:"message,omitempty"`
}

// orEmpty turns null into the empty string.
func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// NewGraphQLSchema is a schema as OntoBricks answers it. Why there is none is a
// sentence; the word that OntoBricks has for it besides is not known here.
func NewGraphQLSchema(s *domains.GraphQLSchema) GraphQLSchema {
	if s.SDL == "" {
		return GraphQLSchema{Message: &s.Reason}
	}
	return GraphQLSchema{SDL: &s.SDL, Ready: true}
}
