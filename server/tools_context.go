package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// ofEntity is the Need of tools that use an ability for one entity of the graph.
func ofEntity(need func(*domains.Domain) bool) func(*domains.Domain) bool {
	return func(d *domains.Domain) bool { return domains.NeedsFacts(d) && need(d) }
}

// contextOfClasses is the ability that tools about context need, in words.
const contextOfClasses = "context of its classes (datasets, bridges, virtual attributes)"

type getEntityContextInput struct {
	EntityURI     string `json:"entity_uri" doc:"From describe_entity." required:"true"`
	Rows          bool   `json:"fetch_dataset_rows" doc:"Read its dataset rows." narrow:"no fetch_dataset_rows"`
	RowLimit      int    `json:"dataset_row_limit" doc:"Most rows to fetch." default:"5" min:"1" max:"20"`
	FollowBridges bool   `json:"follow_bridges" doc:"Look in the target domains." narrow:"no follow_bridges"`
	Compute       bool   `json:"compute_virtual_attributes" doc:"Compute the values." narrow:"no compute_virtual_attributes"`
	inDomain
	unpaged
}

func getEntityContext() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "get_entity_context", Kind: domains.DomainTool, Need: ofEntity(domains.NeedsContext), Needs: contextOfClasses},
		title: "Get entity context",
		description: "Tell what an entity has besides facts: dataset, bridges, actions, business rules, virtual attributes. " +
			"Following bridges only peeks; it selects no domain.",
		example: `{"entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","fetch_dataset_rows":true}`,
		budget:  8_000,
	}, func(ctx context.Context, c *call, in getEntityContextInput) (string, error) {
		for _, use := range []struct {
			asked   bool
			element domains.Element
		}{
			{in.Rows, domains.ElementDataset}, {in.FollowBridges, domains.ElementBridges}, {in.Compute, domains.ElementVirtualAttributes},
		} {
			if !use.asked {
				continue
			}
			if err := elementOf(c.domain, use.element); err != nil {
				return "", err
			}
		}
		uri, err := c.entityURI(in.EntityURI)
		if err != nil {
			return "", err
		}
		ask := domains.ContextOptions{FollowBridges: in.FollowBridges, Compute: in.Compute}
		if in.Rows {
			ask.Rows = in.RowLimit
		}
		found, err := c.domain.Context.Entity(ctx, uri, ask)
		if err != nil {
			return "", err
		}
		return format.EntityContext(c.frame, c.domain, found, ask), nil
	})
}

type computeInput struct {
	EntityURI string `json:"entity_uri" doc:"From describe_entity." required:"true"`
	Function  string `json:"function" doc:"Full name of one; absent: all." narrow:"one function"`
	inDomain
	unpaged
}

func computeVirtualAttributes() *tool {
	return define(tool{
		Tool: domains.Tool{Name: "compute_virtual_attributes", Kind: domains.DomainTool, Need: ofEntity(domains.NeedsFunctions), Needs: "virtual attributes that can be computed",
			Element: domains.ElementVirtualAttributes},
		title: "Compute virtual attributes",
		description: "Compute values that are not in the graph, by functions that the entity's class declares. " +
			"Each gets one argument, the local ID in the URI.",
		example: `{"entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094"}`,
		budget:  6_000,
	}, func(ctx context.Context, c *call, in computeInput) (string, error) {
		uri, err := c.entityURI(in.EntityURI)
		if err != nil {
			return "", err
		}
		found, err := c.domain.Context.Compute(ctx, uri, in.Function)
		if err != nil {
			return "", err
		}
		return format.VirtualAttributes(c.frame, c.domain, found), nil
	})
}

// entityURI reads the argument entity_uri of tools for one entity: an IRI, also in
// angle brackets.
func (c *call) entityURI(argument string) (string, error) {
	uri := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(argument, "<"), ">"))
	if strings.Contains(uri, ":") {
		return uri, nil
	}
	return "", c.needs("entity_uri", "the whole URI of an entity", "describe_entity")
}

// needs is an error that says what an argument has to be, and which tool shows it; one
// that is not offered is not advised.
func (c *call) needs(argument, what, shownBy string) error {
	message := fmt.Sprintf("%s needs '%s': %s", c.tool.Name, argument, what)
	if c.offers(shownBy) {
		message += ", as " + shownBy + " shows it"
	}
	return domains.Invalid(message + ".")
}

// classContexts are what the classes of the call's domain have besides facts, for
// answers that can do without: what cannot be read is told by a note. The only error is
// that ctx ended.
func (c *call) classContexts(ctx context.Context) ([]domains.ClassContext, error) {
	if c.domain.Context == nil {
		return nil, nil
	}
	classes, err := c.domain.Context.Classes(ctx)
	if err != nil {
		return nil, c.without(ctx, "What classes have besides facts could not be read", err)
	}
	return classes, nil
}

// without notes what an answer had to do without, and why. The only error is that ctx
// ended.
func (c *call) without(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return err
	}
	c.server.cfg.Logger.WarnContext(ctx, what, "domain", string(c.domain.Info.Name), "request", c.record.request, "cause", err.Error())
	why := "the log of the server says why"
	var told *domains.Error
	if errors.As(err, &told) && told.Message != "" {
		why = c.offeredOnly(told.Message)
	}
	c.frame.Notes = append(c.frame.Notes, fmt.Sprintf("(%s: %s)", what, format.Line(why, mostWhy)))
	return nil
}

// mostWhy is the most characters of the reason in a note.
const mostWhy = 140
