package ontobricks

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"weak"

	"golang.org/x/sync/singleflight"
)

// shared is the memory of what is made of equal texts: whoever was sent the same text has
// the same value, and it is made once. Nobody gets one without having been sent its text.
// What no cache holds any more goes.
type shared[T any] struct {
	flight singleflight.Group

	mu     sync.Mutex
	byText map[string]weak.Pointer[T] // digest of the texts → value
}

// digest stands for texts, in their order.
func digest(texts ...string) string {
	sum := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(sum, "%d:%s", len(t), t) // a hash never fails
	}
	return string(sum.Sum(nil))
}

// get returns the value for a digest, making it unless it is in memory or under way.
func (s *shared[T]) get(ctx context.Context, f *flights, digest string, makeIt func(context.Context) (*T, error)) (*T, error) {
	v, err := f.run(ctx, &s.flight, digest, func(ctx context.Context) (any, error) {
		s.mu.Lock()
		known := s.byText[digest].Value()
		s.mu.Unlock()
		if known != nil {
			return known, nil
		}
		made, err := makeIt(ctx)
		if err != nil {
			return nil, err
		}
		s.keep(digest, made)
		return made, nil
	})
	out, _ := v.(*T)
	return out, err
}

// keep remembers a value, and forgets those that are gone.
func (s *shared[T]) keep(digest string, made *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, p := range s.byText {
		if p.Value() == nil {
			delete(s.byText, key)
		}
	}
	if s.byText == nil {
		s.byText = map[string]weak.Pointer[T]{}
	}
	s.byText[digest] = weak.Make(made)
}
