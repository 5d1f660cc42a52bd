package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// Domains is the answer of GET /domains.
type Domains struct {
	Success bool         `json:"success"`
	Domains []DomainInfo `json:"domains"`
	Message *string      `json:"message"`
}

// DomainInfo is one entry of Domains.
type DomainInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// GraphBackend is "none" for a domain that is an ontology only.
	GraphBackend string `json:"graph_backend"`
	Policy       Policy `json:"mcp_policy"`
	// HasGraph is true where it is missing.
	HasGraph bool `json:"has_graph"`
	// Unavailable says why the domain cannot be used, and Endpoints which are closed;
	// ours, as Scope.
	Unavailable string    `json:"unavailable,omitempty"`
	Endpoints   Endpoints `json:"endpoints,omitempty"`

	unreadable bool // a member was received that has another type
}

// The values of DomainInfo.GraphBackend that we send.
const (
	backendNone     = "none"
	backendEmbedded = "embedded"
)

// NewDomains lists domains in the order given.
func NewDomains(infos []domains.Info) Domains {
	out := Domains{Success: true, Domains: make([]DomainInfo, 0, len(infos))}
	for _, i := range infos {
		d := DomainInfo{
			Name: string(i.Name), Description: i.Description, HasGraph: i.HasGraph,
			GraphBackend: backendNone, Policy: NewPolicy(i.Policy), Unavailable: i.Unavailable,
			Endpoints: newEndpoints(i.Policy.Closed),
		}
		if i.HasGraph {
			d.GraphBackend = backendEmbedded
		}
		out.Domains = append(out.Domains, d)
	}
	return out
}

// UnmarshalJSON reads an entry of any version. It never fails: an entry of which a member
// has another type is remembered as unreadable, so that one domain's fault is not all
// domains'. Only a description that is no text is none.
func (d *DomainInfo) UnmarshalJSON(b []byte) error {
	type plain DomainInfo
	*d = DomainInfo{HasGraph: true}
	in := struct {
		*plain
		Description json.RawMessage `json:"description"`
	}{plain: (*plain)(d)}
	err := json.Unmarshal(b, &in) // what has the right type is read all the same
	d.Description, _ = text(in.Description)
	d.unreadable = err != nil
	return nil
}

// unreadableEntry is why a domain is not served of whose entry a part could not be
// understood: a graph or a fault may be what it tells.
const unreadableEntry = "Its entry in the list of domains could not be read, so nothing of the domain is shown. Check that this server knows the version of OntoBricks."

// unreadablePolicy is why a domain is not served whose policy could not be understood:
// serving it could show what its owner hides.
const unreadablePolicy = "Its MCP policy could not be read, so nothing of the domain is shown. Ask the owner of the domain to save its policy again in OntoBricks."

// Info is the entry in the words of package domains.
func (d DomainInfo) Info() domains.Info {
	out := domains.Info{
		Name: domains.Name(d.Name), Description: d.Description, Policy: d.Policy.Policy(),
		HasGraph: d.HasGraph && d.GraphBackend != backendNone, Unavailable: d.Unavailable,
	}
	out.Policy.Closed = d.Endpoints.closed()
	switch {
	case out.Unavailable != "":
	case d.Policy.unreadable:
		out.Unavailable = unreadablePolicy
	case d.unreadable:
		out.Unavailable = unreadableEntry
	}
	return out
}

// Infos lists the domains by name. An entry without a name is left out; of entries
// with one name the first counts.
func (d Domains) Infos() []domains.Info {
	out := make([]domains.Info, 0, len(d.Domains))
	for _, entry := range d.Domains {
		if entry.Name != "" {
			out = append(out, entry.Info())
		}
	}
	slices.SortStableFunc(out, func(a, b domains.Info) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b domains.Info) bool { return a.Name == b.Name })
}

// Policy is the policy of a domain; what is normal is absent, and so {} hides
// nothing (OntoBricks contract 3.6).
type Policy struct {
	DisabledTools []string                         `json:"disabled_tools,omitempty"`
	Context       map[domains.Element]domains.Mode `json:"context,omitempty"`

	unreadable bool // what was received is no policy at all
}

// NewPolicy keeps what differs from normal, tool names sorted and once each.
func NewPolicy(p domains.Policy) Policy {
	var out Policy
	out.DisabledTools = slices.Compact(slices.Sorted(slices.Values(p.DisabledTools)))
	for _, e := range domains.Elements {
		if m := p.Mode(e); m != domains.ModeNormal {
			if out.Context == nil {
				out.Context = map[domains.Element]domains.Mode{}
			}
			out.Context[e] = m
		}
	}
	return out
}

// UnmarshalJSON reads a policy as the contract's own client does: disabled_tools that
// are no list hide nothing, items that are no text are ignored, unknown names are
// kept, unknown elements dropped, and an unknown mode is normal. null is the policy
// that hides nothing. It never fails: what is no object is remembered as unreadable,
// so that one domain's fault is not all domains'.
func (p *Policy) UnmarshalJSON(b []byte) error {
	*p = Policy{}
	if string(bytes.TrimSpace(b)) == "null" {
		return nil
	}
	var in struct {
		DisabledTools json.RawMessage `json:"disabled_tools"`
		Context       json.RawMessage `json:"context"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		p.unreadable = true
		return nil
	}
	for _, item := range each[[]json.RawMessage](in.DisabledTools) {
		if name, ok := text(item); ok && name != "" {
			p.DisabledTools = append(p.DisabledTools, name)
		}
	}
	modes := each[map[domains.Element]json.RawMessage](in.Context)
	for _, e := range domains.Elements {
		m, _ := text(modes[e])
		if mode := domains.Mode(m); mode == domains.ModePreferred || mode == domains.ModeDisabled {
			if p.Context == nil {
				p.Context = map[domains.Element]domains.Mode{}
			}
			p.Context[e] = mode
		}
	}
	return nil
}

// Policy is the policy in the words of package domains.
func (p Policy) Policy() domains.Policy {
	return domains.Policy{DisabledTools: p.DisabledTools, Context: p.Context}
}

// Endpoints say of the ways into a domain which are on and which off.
type Endpoints map[domains.Endpoint]string

const (
	endpointOn  = "on"
	endpointOff = "off"
)

func newEndpoints(closed []domains.Endpoint) Endpoints {
	var out Endpoints
	for _, e := range closed {
		if out == nil {
			out = Endpoints{}
		}
		out[e] = endpointOff
	}
	return out
}

// UnmarshalJSON never fails: an endpoint that is named is on when it says so, as text
// or as true, and else off.
func (e *Endpoints) UnmarshalJSON(b []byte) error {
	*e = nil
	for name, v := range each[map[domains.Endpoint]json.RawMessage](b) {
		if *e == nil {
			*e = Endpoints{}
		}
		(*e)[name] = endpointOff
		if s, _ := text(v); s == endpointOn || string(v) == "true" {
			(*e)[name] = endpointOn
		}
	}
	return nil
}

// closed lists the endpoints that are off, in order.
func (e Endpoints) closed() []domains.Endpoint {
	var out []domains.Endpoint
	for name, state := range e {
		if state != endpointOn {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// each reads a list or object of JSON; anything else has no elements.
func each[T any](b json.RawMessage) T {
	var out, none T
	if len(b) == 0 || json.Unmarshal(b, &out) != nil {
		return none
	}
	return out
}

// text is a JSON string; ok is false for anything else.
func text(b json.RawMessage) (s string, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return "", false
	}
	return s, json.Unmarshal(b, &s) == nil
}
