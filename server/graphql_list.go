package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// graphQLList is the answer of GET /graphql (OntoBricks contract 2.1).
type graphQLList struct {
	Success bool           `json:"success"`
	Domains []graphQLEntry `json:"domains"`
	Message *string        `json:"message"`
}

type graphQLEntry struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// listGraphQL passes on the list of domains of a back end that has such a list, makes
// one for others, and adds the derived services where several back ends are joined.
func (s *Server) listGraphQL(ctx context.Context, p *passage) (*outgoing, error) {
	b := s.backend(p.caller)
	reply, err := forward(ctx, b, "graphql")
	_, joined := b.(*domains.Joined)
	switch {
	case errors.Is(err, errNoService):
		list, err := s.graphQLDomains(ctx, b, hasGraphQL)
		if err != nil {
			return nil, err
		}
		return ourReply(jsonType, []byte(jsonText(graphQLList{Success: true, Domains: list}))), nil
	case !joined:
		return passedOn(reply, err)
	}
	list, failed := s.graphQLDomains(ctx, b, onlyDerived)
	if failed != nil || len(list) == 0 {
		return passedOn(reply, err)
	}
	return joinedList(reply, err, list)
}

// joinedList is the list of another service with ours in it. Where the other cannot be
// read, ours is all there is, and says so.
func joinedList(reply *domains.Reply, err error, list []graphQLEntry) (*outgoing, error) {
	all := graphQLList{}
	if err == nil {
		var body []byte
		if body, err = readReply(reply); err == nil && (reply.Status != http.StatusOK || json.Unmarshal(body, &all) != nil) {
			err = errors.New("no list")
		}
	}
	if err != nil {
		message := strings.Trim(partial(err), "()")
		all = graphQLList{Message: &message}
	}
	all.Success, all.Domains = true, append(all.Domains, list...)
	slices.SortStableFunc(all.Domains, func(a, b graphQLEntry) int { return strings.Compare(a.Name, b.Name) })
	all.Domains = slices.CompactFunc(all.Domains, func(a, b graphQLEntry) bool { return a.Name == b.Name })
	return ourReply(jsonType, []byte(jsonText(all))), nil
}

// onlyDerived refuses domains whose GraphQL is not derived, and those that hasGraphQL
// refuses.
func onlyDerived(d *domains.Domain) error {
	if !isDerived(d) {
		return errNoService
	}
	return hasGraphQL(d)
}

// graphQLDomains are the domains that refused refuses not, by name.
func (s *Server) graphQLDomains(ctx context.Context, b domains.Backend, refused func(*domains.Domain) error) ([]graphQLEntry, error) {
	infos, err := b.Domains(ctx)
	if err != nil && len(infos) == 0 {
		return nil, err
	}
	list := []graphQLEntry{}
	for _, i := range infos {
		if i.Unavailable != "" {
			continue
		}
		d, err := b.Open(ctx, i.Name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && refused(d) == nil {
			list = append(list, graphQLEntry{string(i.Name), i.Description})
		}
	}
	return list, nil
}

// graphQLDepth passes on how deep queries may go, and says it of derived services where
// there are no others.
func (s *Server) graphQLDepth(ctx context.Context, p *passage) (*outgoing, error) {
	b := s.backend(p.caller)
	reply, err := forward(ctx, b, "graphql/settings/depth")
	if !errors.Is(err, errNoService) {
		return passedOn(reply, err)
	}
	list, failed := s.graphQLDomains(ctx, b, onlyDerived)
	switch {
	case failed != nil:
		return nil, failed
	case len(list) == 0:
		return nil, err
	}
	return ourReply(jsonType, []byte(jsonText(struct {
		Default int `json:"default"`
		Max     int `json:"max"`
	}{mostDepth, mostDepth}))), nil
}

// forward passes on a request for an address without a domain. The cause of its error is
// errNoService where the back end has none: joined ones say so when they are asked.
func forward(ctx context.Context, b domains.Backend, path string) (*domains.Reply, error) {
	if f, ok := b.(domains.Forwarder); ok {
		if reply, err := f.Forward(ctx, path); !errors.Is(err, domains.ErrUnavailable) {
			return reply, err
		}
	}
	return nil, &domains.Error{Kind: domains.ErrRefused, Err: errNoService, Message: "The services behind this server have no setting of depth."}
}
