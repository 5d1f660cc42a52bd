package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// listsDomains is where to read names.
const listsDomains = "GET /api/v1/domains lists the domains."

// open finds the domain of a request (OntoBricks contract 1.0). What its policy hides of
// the tools is closed here too.
func (q *asked) open(ctx context.Context) (*domains.Domain, error) {
	q.name = domains.Name(q.text("domain_name"))
	if q.name == "" {
		q.name = q.site.Domain
	}
	if q.name == "" {
		return nil, domains.Invalid("Provide domain_name: this server keeps no domain open for programs. " + listsDomains)
	}
	if q.endpoint.domain == namedOnly {
		return nil, q.listed(ctx)
	}
	d, err := q.site.Open(ctx, q.name)
	if err != nil {
		return nil, q.noDomain(err)
	}
	q.name = d.Info.Name
	if err := closed(d.Info); err != nil {
		return nil, err
	}
	if err := q.version(ctx, d); err != nil {
		return nil, err
	}
	if t := q.endpoint.tool; t != "" {
		// --disable-tools spares clients that count tools; it closes nothing here.
		if ok, why := domains.Decide(domains.Tool{Name: t, Kind: domains.DomainTool}, d.WithoutTools(nil)); !ok {
			return nil, q.refused(why)
		}
	}
	return d, nil
}

// listed refuses a domain whose settings close this interface. One that is not listed may
// have versions all the same.
func (q *asked) listed(ctx context.Context) error {
	infos, err := q.site.Backend.Domains(ctx)
	if i := slices.IndexFunc(infos, func(i domains.Info) bool { return i.Name == q.name }); i >= 0 {
		return closed(infos[i])
	}
	return err
}

// closed refuses a domain whose settings close this interface.
func closed(i domains.Info) error {
	if !i.Policy.Closes(domains.EndpointREST) {
		return nil
	}
	return &domains.Error{Kind: domains.ErrRefused, Op: "opening domain", Domain: i.Name,
		Message: fmt.Sprintf("The REST interface of domain '%s' is closed by the domain's settings.", i.Name)}
}

// noDomain says what OntoBricks says of a domain that there is not, and the next step.
func (q *asked) noDomain(err error) error {
	if !errors.Is(err, domains.ErrUnknownDomain) {
		return err
	}
	return &domains.Error{Kind: domains.ErrUnknownDomain, Op: "opening domain", Domain: q.name,
		Message: fmt.Sprintf("No PUBLISHED version available for domain \"%s\". %s", q.name, listsDomains)}
}

// version refuses all versions but the one that is served.
func (q *asked) version(ctx context.Context, d *domains.Domain) error {
	want := q.text("domain_version")
	if want == "" || want == d.Version {
		return nil
	}
	list, err := q.site.Backend.Versions(ctx, q.name)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(v domains.Version) bool { return v.Name == want })
	switch {
	case i < 0:
		return &domains.Error{Kind: domains.ErrUnknownDomain, Op: "opening domain", Domain: q.name,
			Message: fmt.Sprintf("Version %s not found for domain '%s'. GET /api/v1/domain/versions lists its versions.", want, q.name)}
	case list[i].State != domains.StatePublished:
		return domains.Invalid(fmt.Sprintf("Version %s of domain '%s' is not PUBLISHED; the API only serves PUBLISHED versions", want, q.name))
	}
	return domains.Invalid(fmt.Sprintf("Version %s of domain '%s' is not the one that is served here: leave domain_version out to be answered from version %s.", want, q.name, d.Version))
}

func (q *asked) refused(why string) error {
	return &domains.Error{Kind: domains.ErrRefused, Op: q.endpoint.summary, Domain: q.name, Message: why}
}
