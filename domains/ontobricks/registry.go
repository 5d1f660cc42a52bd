package ontobricks

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/domains/wire"
)

// Registry is where a deployment keeps its domains.
type Registry struct {
	Catalog, Schema string
	// Volume is empty for the usual one, OntoBricksRegistry.
	Volume string
}

// usualVolume need not be sent (OntoBricks contract 3.3).
const usualVolume = "OntoBricksRegistry"

// RegistryOfVolumePath is the registry in a Unity Catalog volume,
// /Volumes/catalog/schema/volume; what is below the volume does not matter.
func RegistryOfVolumePath(path string) (Registry, error) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) < 4 || !strings.EqualFold(parts[0], "Volumes") || parts[1] == "" || parts[2] == "" || parts[3] == "" {
		return Registry{}, fmt.Errorf("the volume path %q does not have the form /Volumes/<catalog>/<schema>/<volume>", path)
	}
	return Registry{Catalog: parts[1], Schema: parts[2], Volume: parts[3]}, nil
}

// where names the registry in a request with a body; nothing that is usual or unknown.
func (r Registry) where() wire.Where {
	w := wire.Where{RegistryCatalog: r.Catalog, RegistrySchema: r.Schema}
	if r.Volume != usualVolume {
		w.RegistryVolume = r.Volume
	}
	return w
}

// query is where, as parameters of a request without a body.
func query(w wire.Where) url.Values {
	q := url.Values{}
	for name, value := range map[string]string{
		"registry_catalog": w.RegistryCatalog, "registry_schema": w.RegistrySchema, "registry_volume": w.RegistryVolume,
		"domain_name": w.DomainName,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// discovery finds out the registry, once for the process. The deployment's answer is
// about itself and the same for everybody; it is asked as the program.
type discovery struct {
	given  Registry // wins over what the deployment says
	flight singleflight.Group

	mu    sync.Mutex
	found Registry
	until time.Time // when to ask again; zero means now, see known
	known bool      // found will not change
}

// What is waited for a registry, and how long an answer that tells none counts. A
// deployment that does not answer leaves the registry open: it knows its own.
const (
	registryTime = 5 * time.Second
	registryTTL  = 5 * time.Second
)

// whereabouts is the registry to send, with the domain if there is one.
func (d *deployment) whereabouts(ctx context.Context, name domains.Name) (wire.Where, error) {
	r, err := d.locate(ctx)
	w := r.where()
	w.DomainName = string(name)
	return w, err
}

// locate is the registry as far as it is known. The only error is that ctx ended.
func (d *deployment) locate(ctx context.Context) (Registry, error) {
	given := d.registry.given
	if given.Catalog != "" && given.Schema != "" {
		return given, nil
	}
	found, ok := d.registry.lookUp(d.clock())
	if !ok {
		v, err := d.flights.run(ctx, &d.registry.flight, "", func(ctx context.Context) (any, error) {
			return d.discover(ctx), nil
		})
		if err != nil {
			return given, err
		}
		found = v.(Registry)
	}
	return Registry{
		Catalog: cmp.Or(given.Catalog, found.Catalog), Schema: cmp.Or(given.Schema, found.Schema), Volume: cmp.Or(given.Volume, found.Volume),
	}, nil
}

func (r *discovery) lookUp(now time.Time) (Registry, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.found, r.known || now.Before(r.until)
}

// discover asks the deployment. What fails is asked again soon, and not reported: the
// call that follows it tells better what is wrong.
func (d *deployment) discover(ctx context.Context) Registry {
	if found, ok := d.registry.lookUp(d.clock()); ok {
		return found
	}
	ctx, cancel := context.WithTimeout(ctx, registryTime)
	defer cancel()
	var in wire.Registry
	err := d.client.JSON(ctx, rest.Request{Method: http.MethodGet, Path: "/api/v1/digitaltwin/registry", Doing: "asking for the registry"}, &in)
	if err != nil {
		in = wire.Registry{}
	}
	d.registry.mu.Lock()
	defer d.registry.mu.Unlock()
	d.registry.found = Registry{Catalog: in.Catalog, Schema: in.Schema, Volume: in.Volume}
	d.registry.known = in.Catalog != "" && in.Schema != ""
	d.registry.until = d.clock().Add(registryTTL)
	return d.registry.found
}
