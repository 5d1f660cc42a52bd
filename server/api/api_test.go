package api_test

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server/api"
)

// noDomains is a back end that has none.
type noDomains struct{ domains.Backend }

func (noDomains) Domains(context.Context) ([]domains.Info, error) { return nil, nil }

func (noDomains) Versions(context.Context, domains.Name) ([]domains.Version, error) { return nil, nil }

func (noDomains) Design(context.Context, domains.Name) (*domains.Design, error) {
	return &domains.Design{}, nil
}

// site answers from a domain without any ability, and from none.
func site() api.Site {
	return api.Site{Backend: noDomains{}, Open: func(_ context.Context, name domains.Name) (*domains.Domain, error) {
		if name != "bare" {
			return nil, &domains.Error{Kind: domains.ErrUnknownDomain, Op: "opening domain", Domain: name, Message: "Unknown"}
		}
		return &domains.Domain{
			Info: domains.Info{Name: name}, Version: "1",
			Ontology: func(context.Context) (*domains.Ontology, error) { return domains.NewOntology(domains.Ontology{}), nil },
			Status:   func(context.Context) (*domains.Status, error) { return &domains.Status{}, nil },
		}, nil
	}}
}

// FuzzServe holds that whatever is asked is answered, or refused with words, at every
// address: also by a domain that can do nothing.
func FuzzServe(f *testing.F) {
	for _, query := range []string{
		"", "domain_name=bare", "domain_name=nope&limit=x", "domain_name=bare&search=a&limit=99999999999999999999&offset=-1&depth=+3", "project_name=bare&entity_type=%00&cache=maybe",
		"domain_name=bare&entity_uri=https://e/1&dataset_row_limit=0&follow_bridges=Y&bridge_depth=6", "domain_name=bare&entity_uri=%ff&fetch_dataset_rows=on&model=1&limit=&limit=5",
	} {
		f.Add(query, "")
	}
	for _, body := range []string{
		`{}`, `[]`, `null`, `{"domain_name"`, `{"domain_name":"bare","entity_uri":"https://e/1","action_full_name":"a.b.c","rule":"Vip"}`, `{"domain_name":7,"entity_uri":null}`,
		`{"domain_name":"bare","text":"a","types":["b"],"limit":1e3}`, `{"domain_name":"bare","from":["a"],"depth":-1,"drop":9223372036854775807}`, `{"domain_name":"bare","text":{"a":[1]}} x`,
	} {
		f.Add("", body)
	}
	f.Fuzz(func(t *testing.T, query, body string) {
		values, _ := url.ParseQuery(query)
		for _, p := range api.Paths() {
			answer, _, err := api.Serve(t.Context(), site(), api.Request{Method: p.Method, Path: p.Path, Query: values, Body: []byte(body)})
			var unfit *api.Unfit
			var told *domains.Error
			switch {
			case err == nil && answer == nil:
				t.Errorf("%s %s: neither an answer nor an error", p.Method, p.Path)
			case err != nil && !errors.As(err, &unfit) && !errors.As(err, &told):
				t.Errorf("%s %s: %v, which is told as a fault of ours", p.Method, p.Path, err)
			case told != nil && told.Message == "":
				t.Errorf("%s %s: no words", p.Method, p.Path)
			}
		}
	})
}
