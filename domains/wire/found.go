package wire

import "encoding/json"

// Found is the answer of GET /digitaltwin/triples/find. Members that older versions
// do not send have the value that the contract gives them: HasMore and CacheUsed are
// false, CacheMode is empty, Total is the number of Triples.
type Found struct {
	Success bool `json:"success"`
	// SeedCount counts the subjects that match, EntityCount all that the triples
	// describe, on every page.
	SeedCount int      `json:"seed_count"`
	Depth     int      `json:"depth"`
	Triples   []Triple `json:"triples"`
	// Count is the number of Triples, Total that of all pages.
	Count       int     `json:"count"`
	Total       int     `json:"total"`
	HasMore     bool    `json:"has_more"`
	Limit       int     `json:"limit"`
	Offset      int     `json:"offset"`
	EntityCount int     `json:"entity_count"`
	Message     *string `json:"message"`
	// CacheUsed is true when the service answered from its search cache; CacheMode is
	// auto, force_on or force_off.
	CacheUsed bool   `json:"cache_used"`
	CacheMode string `json:"cache_mode"`
}

// Triple is one statement, its three terms as plain strings: whether an object is an
// IRI or a text is not told.
type Triple struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
}

// UnmarshalJSON reads an answer of any version.
func (f *Found) UnmarshalJSON(b []byte) error {
	type plain Found // without this method
	in := plain{Total: absent}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if in.Total == absent {
		in.Total = len(in.Triples)
	}
	*f = Found(in)
	return nil
}

// absent is no number of triples.
const absent = -1
