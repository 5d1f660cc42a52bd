package domains

import "context"

// Reloader is a back end that can be asked to look for changes of its sources now.
type Reloader interface {
	// Reload loads what changed, and returns when it is served. A change with a fault is
	// refused (see Domain) and no error. Errors: the sources can't be read; ctx ended.
	Reload(ctx context.Context) error
}
