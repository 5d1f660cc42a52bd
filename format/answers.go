package format

import (
	"context"

	"github.com/ontogate/ontogate/domains"
)

// DomainsOptions narrow the answer of list_domains.
type DomainsOptions struct {
	// Search keeps the domains whose name or description holds it; empty keeps all.
	Search string
	// Selected is the domain in effect; empty when there is none.
	Selected domains.Name
}

// Domains is the answer of list_domains.
func Domains(f Frame, list []domains.Info, o DomainsOptions) string { return "" }

// Versions is the answer of list_domain_versions; list is newest first.
func Versions(f Frame, name domains.Name, list []domains.Version) string { return "" }

// Design is the answer of get_design_status.
func Design(f Frame, name domains.Name, d *domains.Design) string { return "" }

// Selected is the answer of select_domain when the session now holds the
// selection. hidden are the names of the tools that the domain does not offer.
func Selected(f Frame, d *domains.Domain, st *domains.Status, hidden []string) string { return "" }

// Checked is the answer of select_domain to a request without a session: the
// domain can be used, but nobody remembers it.
func Checked(f Frame, d *domains.Domain, st *domains.Status, hidden []string) string { return "" }

// Status is the answer of get_status.
func Status(f Frame, d *domains.Domain, st *domains.Status) string { return "" }

// OntologySummary is the answer of describe_ontology with format=summary.
// classes are the IRIs of the classes asked for; nil means all.
func OntologySummary(f Frame, d *domains.Domain, o *domains.Ontology, classes []string) string {
	return ""
}

// OntologyTurtle is the answer of describe_ontology with format=turtle: valid
// Turtle, in which everything that is not data is a comment. classes are as in
// OntologySummary.
func OntologyTurtle(f Frame, d *domains.Domain, o *domains.Ontology, classes []string) string {
	return ""
}

// EntityTypesOptions narrow the answer of list_entity_types.
type EntityTypesOptions struct {
	// Search keeps the types and properties whose name or IRI holds it; empty
	// keeps all.
	Search string
	// Limit is the most types on one page; 0 means 50.
	Limit int
}

// EntityTypes is the answer of list_entity_types.
func EntityTypes(f Frame, d *domains.Domain, o *domains.Ontology, st *domains.Stats, eo EntityTypesOptions) string {
	return ""
}

// EntitiesOptions say which entities to describe, and how.
type EntitiesOptions struct {
	// Search, EntityType and EntityURI are the arguments as they were typed; at
	// least one is set. Text repeats them when nothing is found.
	Search, EntityType, EntityURI string
	// Types are the class IRIs that EntityType stands for, sub-classes included.
	Types []string
	// Depth is the number of hops, 0–10; negative means not given, and then 1 is
	// used.
	Depth int
	// Limit is the most matches on one page; 0 means 5.
	Limit int
	// Detail is how much of each entity is told; 0 chooses.
	Detail Detail
}

// Entities is the answer of describe_entity. The domain must have Facts. Errors
// are those of the domain's abilities and of ctx.
func Entities(ctx context.Context, f Frame, d *domains.Domain, e EntitiesOptions) (string, error) {
	return "", nil
}
