package ontobricks

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/domains/wire"
)

// classContext implements domains.Context. The deployment withholds what a policy
// disables and bridges to domains that are not published; both are withheld here too,
// by what this principal is shown.
type classContext struct{ *view }

// Classes lists the classes that have context. What the deployment sends follows the policy
// of the time, so that it is kept for that policy alone.
func (c classContext) Classes(ctx context.Context) ([]domains.ClassContext, error) {
	all, err := c.mine.classes.get(ctx, c.key()+"\x00"+state(c.info), func(ctx context.Context) ([]domains.ClassContext, error) {
		const doing = "reading the context of the classes"
		var in wire.Classes
		if err := c.get(ctx, "/api/v1/domain/classes", nil, c.info.Name, doing, &in); err != nil {
			return nil, err
		}
		if !in.Success {
			return nil, c.refused(soft{doing: doing, name: c.info.Name, fallback: "Could not load what the classes of the domain have."}, in.Message, "")
		}
		return in.List(), nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]domains.ClassContext, 0, len(all))
	for _, class := range all {
		if shown := c.shown(class); !shown.IsEmpty() {
			out = append(out, shown)
		}
	}
	return out, nil
}

// What the deployment takes for the number of dataset rows.
const (
	usualRows = 5
	mostRows  = 20
)

// Entity tells the context of one entity.
func (c classContext) Entity(ctx context.Context, iri string, o domains.ContextOptions) (*domains.EntityContext, error) {
	const doing = "reading the context of an entity"
	rows := usualRows
	if o.Rows > 0 {
		rows = min(o.Rows, mostRows)
	}
	more := map[string]string{
		"entity_uri": iri, "fetch_dataset_rows": strconv.FormatBool(o.Rows > 0), "dataset_row_limit": strconv.Itoa(rows),
		"follow_bridges": strconv.FormatBool(o.FollowBridges), "compute_virtual_attributes": strconv.FormatBool(o.Compute),
	}
	if o.FollowBridges && o.BridgeDepth > 1 {
		more["bridge_depth"] = strconv.Itoa(min(o.BridgeDepth, 5))
	}
	return c.entity(ctx, "/api/v1/digitaltwin/nodes/context", more, doing, "Could not retrieve node context.", o)
}

// Compute computes virtual attributes.
func (c classContext) Compute(ctx context.Context, iri, function string) (*domains.EntityContext, error) {
	const doing = "computing virtual attributes"
	if err := c.allowed(domains.ElementVirtualAttributes, doing); err != nil {
		return nil, err
	}
	more := map[string]string{"entity_uri": iri}
	if function != "" {
		more["function"] = function
	}
	return c.entity(ctx, "/api/v1/digitaltwin/nodes/virtual-attributes", more, doing, "Could not compute virtual attributes.", domains.ContextOptions{Compute: true})
}

// entity asks for the context of the entity that is named among the parameters.
func (c classContext) entity(ctx context.Context, path string, more map[string]string, doing, fallback string, o domains.ContextOptions) (*domains.EntityContext, error) {
	var in wire.NodeContext
	if err := c.get(ctx, path, more, c.info.Name, doing, &in); err != nil {
		return nil, err
	}
	if !in.Success {
		return nil, c.refused(soft{doing: doing, name: c.info.Name, fallback: fallback}, in.Message, string(in.Error))
	}
	out := in.Context(more["entity_uri"], o.Rows > 0, o.FollowBridges)
	out.ClassContext, out.Message = c.shown(out.ClassContext), c.clean(out.Message)
	for i := range out.Functions {
		f := &out.Functions[i]
		f.Error, f.Message = c.clean(f.Error), c.clean(f.Message)
	}
	if c.info.Policy.Mode(domains.ElementDataset) == domains.ModeDisabled {
		out.Message = "" // it is about the rows of the dataset
	}
	return out, nil
}

// shown is the context without what policy disables and without bridges to domains
// that are not listed.
func (v *view) shown(class domains.ClassContext) domains.ClassContext {
	class = class.Under(v.info.Policy)
	var bridges []domains.Bridge
	for _, b := range class.Bridges {
		if _, ok := v.listed.find(b.Domain); ok {
			bridges = append(bridges, b)
		}
	}
	class.Bridges = slices.Clip(bridges)
	return class
}

// allowed is the error where policy disables an element.
func (v *view) allowed(e domains.Element, op string) error {
	if ok, why := domains.DecideElement(e, &domains.Domain{Info: v.info}); !ok {
		return &domains.Error{Kind: domains.ErrRefused, Op: op, Domain: v.info.Name, Message: why}
	}
	return nil
}

// writes implements domains.Actions and domains.Rules.
type writes struct{ *view }

// Invoke runs an action, once.
func (w writes) Invoke(ctx context.Context, iri, action string) (*domains.ActionResult, error) {
	const doing = "invoking an action"
	if err := w.allowed(domains.ElementActions, doing); err != nil {
		return nil, err
	}
	where, err := w.whereabouts(ctx, w.info.Name)
	if err != nil {
		return nil, err
	}
	q := wire.ActionRequest{EntityURI: iri, Action: action, Where: where}
	var in wire.ActionResult
	if err := w.post(ctx, "/api/v1/digitaltwin/nodes/action", q, doing, &in); err != nil {
		return nil, err
	}
	if !in.Success {
		return nil, w.refused(soft{doing: doing, name: w.info.Name, fallback: "Could not invoke the action.", writes: true}, in.Message, string(in.Error))
	}
	return in.Result(q), nil
}

// Apply applies a business rule, once.
func (w writes) Apply(ctx context.Context, iri, rule string) (*domains.RuleResult, error) {
	const doing = "applying a business rule"
	if err := w.allowed(domains.ElementBusinessRules, doing); err != nil {
		return nil, err
	}
	where, err := w.whereabouts(ctx, w.info.Name)
	if err != nil {
		return nil, err
	}
	q := wire.RuleRequest{EntityURI: iri, Rule: rule, Where: where}
	var in wire.RuleResult
	if err := w.post(ctx, "/api/v1/digitaltwin/nodes/business-rule", q, doing, &in); err != nil {
		return nil, err
	}
	if !in.Success {
		return nil, w.refused(soft{doing: doing, name: w.info.Name, fallback: "Could not run the business rule.", writes: true}, in.Message, string(in.Error))
	}
	return in.Result(q), nil
}

// post sends a request that writes.
func (v *view) post(ctx context.Context, path string, body any, doing string, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return &domains.Error{Kind: domains.ErrInvalid, Op: doing, Domain: v.info.Name, Message: "The request cannot be written as JSON.", Err: err}
	}
	return v.client.JSON(ctx, rest.Request{
		Method: http.MethodPost, Path: path, Body: text, Writes: true, Principal: v.who, Domain: v.info.Name, Doing: doing,
	}, into)
}
