package ontobricks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/domains/wire"
)

// Versions lists all versions of a domain, newest first, whether or not it is listed:
// a domain without a published version has versions too. A domain may have none.
func (b *Backend) Versions(ctx context.Context, name domains.Name) ([]domains.Version, error) {
	const op = "listing versions"
	if name == "" {
		return nil, b.notFound(ctx, op, name, nil)
	}
	vs, err := b.versionList(ctx, name)
	if err != nil {
		return nil, b.notFound(ctx, op, name, err)
	}
	return slices.Clone(vs.list), nil
}

// Design reports how far a domain is designed.
func (b *Backend) Design(ctx context.Context, name domains.Name) (*domains.Design, error) {
	const op = "reading the design status"
	if name == "" {
		return nil, b.notFound(ctx, op, name, nil)
	}
	var in wire.Design
	if err := b.get(ctx, "/api/v1/domain/design-status", nil, name, op, &in); err != nil {
		return nil, b.notFound(ctx, op, name, err)
	}
	if !in.Success {
		return nil, b.refused(soft{doing: op, name: name, fallback: "Could not load design status."}, in.Message, "")
	}
	out := in.Design()
	out.Message = b.clean(out.Message)
	return out, nil
}

// versionsOf are the versions of a domain, and what an Ontogate tells of the one that it
// serves; nil from OntoBricks.
type versionsOf struct {
	list   []domains.Version
	served *wire.Served
}

func (b *Backend) versionList(ctx context.Context, name domains.Name) (versionsOf, error) {
	return b.mine.versions.get(ctx, string(name), func(ctx context.Context) (versionsOf, error) {
		const doing = "listing versions"
		var in wire.Versions
		if err := b.get(ctx, "/api/v1/domain/versions", nil, name, doing, &in); err != nil {
			return versionsOf{}, err
		}
		if !in.Success {
			return versionsOf{}, b.refused(soft{doing: doing, name: name, fallback: "Could not list versions."}, in.Message, "")
		}
		return versionsOf{in.List(), in.Served}, nil
	})
}

// served is the version that the deployment serves: the highest that is PUBLISHED.
// Where versions cannot be read, or not soon, it is the one that is known, or empty: older
// deployments have none. The only error is that ctx ended.
func (b *Backend) served(ctx context.Context, name domains.Name) (string, *wire.Served, error) {
	soon, cancel := context.WithTimeout(ctx, b.versionsWait)
	defer cancel()
	vs, err := b.versionList(soon, name)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	if err != nil {
		known, age, ok := b.mine.versions.last(string(name))
		if !ok || age >= versionMost {
			return "", nil, nil
		}
		vs = known
	}
	if i := slices.IndexFunc(vs.list, func(v domains.Version) bool { return v.Active }); i >= 0 {
		return vs.list[i].Name, vs.served, nil
	}
	return "", nil, nil
}

// notFound is the error of a request about one domain. Where the deployment does not
// find it, and it is not listed either, it is unknown; nil stands for a name about
// which nobody need be asked. Otherwise the error stays.
func (b *Backend) notFound(ctx context.Context, op string, name domains.Name, err error) error {
	var f *rest.Failure
	if err != nil && !(errors.As(err, &f) && f.Status == http.StatusNotFound) {
		return err
	}
	l, listErr := b.listing(ctx, listTTL)
	if listErr != nil {
		l = &listing{}
	}
	if info, ok := l.find(name); ok && err != nil {
		if info.Unavailable != "" {
			return &domains.Error{Kind: domains.ErrUnavailable, Op: op, Domain: name, Message: info.Unavailable, Err: err}
		}
		return err
	}
	own := ""
	if f != nil && f.Code == "not_found" {
		own = f.Message
	}
	return l.unknown(op, name, own)
}

// revision stands for the content of a version. The deployment tells no digest of what
// it serves, so content that changes within a version has the same.
func revision(name domains.Name, version string) string {
	sum := sha256.Sum256([]byte(string(name) + "\x00" + version))
	return hex.EncodeToString(sum[:8])
}

func sortedNames(names map[domains.Name]bool) []domains.Name { return slices.Sorted(maps.Keys(names)) }
