package rdfgraph

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// state is what a Backend serves at one moment. It never changes: a reload puts another
// in its place.
type state struct {
	domains []*domain // by name, each name once
	skipped []Skipped // by path
}

// held is what is kept of the folder of a domain from one look to the next.
type held struct {
	// inForce is the domain as it was loaded, with the name that it wants.
	inForce *domain
	// refused are the problems for which the state of the folder that was seen last is not
	// in force; empty when it is.
	refused []domains.Problem
	// shown is what is served: that of inForce, with what was refused. It stays the same
	// pointer while both do.
	shown *domains.Domain
	// seen is the folder as it was loaded last, in force or not.
	seen look
	// recheck is when the contents are read once more, because a file was written so shortly
	// before it was read that a later writing may have left the same time; zero for never.
	recheck time.Time
	// blocked is the name for which the newer state is refused: another domain has it.
	blocked domains.Name
	// unlogged is set until it was logged what is in force.
	unlogged bool
}

// coarse is the longest time in which two writings of a file may leave the same time of
// modification (FAT counts in steps of two seconds).
const coarse = 2 * time.Second

// put makes a domain the one in force.
func (h *held) put(d *domain, refused []domains.Problem) {
	h.inForce, h.refused, h.shown = d, refused, d.served
	if len(refused) == 0 || d.served == nil {
		return
	}
	shown := *d.served
	shown.Refused = refused
	shown.Status = func(ctx context.Context) (*domains.Status, error) {
		s, err := d.served.Status(ctx)
		if err == nil {
			s.Refused = refused
		}
		return s, err
	}
	h.shown = &shown
}

// candidate is a domain to settle names with: settling changes it.
func (h *held) candidate() *domain {
	d := *h.inForce
	d.versions, d.served = slices.Clone(d.versions), h.shown
	return &d
}

// Reload looks at the folder now and loads what changed, by content and not by the times
// of files alone. What it loads is in force when it returns. A newer state of a domain
// that has a fault which the one in force has not is refused, see [domains.Domain]'s
// Refused; that is no error. Errors: the folder can't be read, and everything stays as it
// is; files change all the time, and their domains stay as they are; ctx ended. Where
// Config.FS is read there is nothing to do. A domain.yaml that has vanished or is empty is
// believed when it is so half a second later, because some editors begin with that. Small
// folders come first, and those that are large at the end.
func (b *Backend) Reload(ctx context.Context) error {
	if b.config.FS != nil {
		return nil
	}
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := b.finishAside(ctx); err != nil {
		return err
	}
	const tries = 3
	var unsteady []string
	for range tries {
		found, err := b.surveyWithSettings(ctx)
		if err != nil {
			return fmt.Errorf("reloading: %w", err)
		}
		unsteady = nil
		quick, slow := found.split(found.all())
		for _, due := range [][]string{quick, slow} {
			changing, err := b.take(ctx, found, due, true)
			if err != nil {
				return fmt.Errorf("reloading: %w", err)
			}
			unsteady = append(unsteady, changing...)
		}
		if len(unsteady) == 0 {
			return nil
		}
	}
	return fmt.Errorf("reloading: files of %s change while they are read: reload again when they are written", strings.Join(unsteady, ", "))
}

// renew puts a newer state of a domain in force, or refuses it. It returns the number of
// triples that are not needed any more.
func (h *held) renew(ctx context.Context, log *slog.Logger, newer *domain) (freed int) {
	before := h.inForce
	if before == nil {
		h.put(newer, nil)
		h.unlogged = true
		return 0
	}
	if refused := refusal(before, newer); len(refused) > 0 {
		h.refuse(ctx, log, refused)
		return newer.counts.triples
	}
	if before.isSame(newer) {
		newer.served = before.served
		if len(h.refused) > 0 {
			h.put(newer, nil)
		} else {
			h.inForce = newer
		}
	} else {
		h.put(newer, nil)
		h.unlogged = true
	}
	if newer.built != nil && before.built != nil && newer.built.content.snapshot == before.built.content.snapshot {
		return 0
	}
	return before.counts.triples
}

// refuse keeps the domain in force and notes why a newer state is not. It is logged once
// for a state.
func (h *held) refuse(ctx context.Context, log *slog.Logger, refused []domains.Problem) {
	if slices.Equal(h.refused, refused) {
		return
	}
	h.put(h.inForce, refused)
	log.WarnContext(ctx, "a newer state of the domain has a fault: the state before is served until it is mended",
		"domain", h.inForce.info.Name, "problems", len(refused), "first", refused[0].String())
}

// lose takes away a domain whose folder is gone. One whose folder is still there, but is
// none of a domain any more, stays as it is: files are seldom all removed on purpose while
// the folder is left.
func (b *Backend) lose(ctx context.Context, at string, seen look) {
	h := b.held[at]
	if h == nil {
		return
	}
	h.seen, h.recheck = seen, time.Time{}
	if seen.reason != "" && h.inForce.served != nil {
		h.refuse(ctx, b.log, []domains.Problem{{Message: seen.reason}})
		return
	}
	delete(b.held, at)
	b.log.InfoContext(ctx, "domain gone", "domain", h.inForce.info.Name, "folder", at)
}

// isSame reports whether a domain that was loaded again is what it was.
func (d *domain) isSame(newer *domain) bool {
	if (d.served == nil) != (newer.served == nil) || d.served != nil && d.served.Revision != newer.served.Revision {
		return false
	}
	return d.hidden == newer.hidden && reflect.DeepEqual(d.info, newer.info) &&
		slices.Equal(d.problems, newer.problems) && slices.Equal(d.versions, newer.versions)
}

// refusal are the problems for which a newer state of a domain is not put in force: the
// faults that the state before has not. A domain that is withdrawn from publication is
// never kept, and neither is one that could not be served before; one that was not
// published stays so.
func refusal(before, newer *domain) []domains.Problem {
	if before.hidden && !newer.hidden && newer.info.Unavailable != "" {
		// Who can't be understood is not known to be published: nobody hears of it still.
		return []domains.Problem{{Message: newer.info.Unavailable}}
	}
	if before.served == nil || newer.hidden {
		return nil
	}
	if newer.info.Name == "" {
		return []domains.Problem{{Message: newer.whyNameless()}}
	}
	faults := newFaults(before, newer)
	if reason := newer.info.Unavailable; reason != "" && !slices.ContainsFunc(faults, func(p domains.Problem) bool { return strings.Contains(reason, p.String()) }) {
		faults = append(faults, domains.Problem{Message: reason})
	}
	return faults
}

// newFaults are the problems of a newer state that the one before has not. What is said of
// a file that was left out before is nothing new, whatever is wrong with it now.
func newFaults(before, newer *domain) []domains.Problem {
	known := map[string]bool{}
	key := func(p domains.Problem) string {
		if p.LeavesFileOut() {
			return "file " + p.File
		}
		return "fault " + p.Message
	}
	for _, p := range before.problems {
		known[key(p)] = true
	}
	var out []domains.Problem
	for _, p := range newer.problems {
		if !known[key(p)] {
			out = append(out, p)
		}
	}
	return out
}

// publish settles names and puts a new state in the place of the one that is served. Those
// who watch are told what differs.
func (b *Backend) publish(ctx context.Context, skipped []Skipped) {
	b.skipped = skipped
	before := b.state.Load()
	var candidates []*domain
	for _, at := range slices.Sorted(maps.Keys(b.held)) {
		candidates = append(candidates, b.held[at].candidate())
	}
	named, nameless := splitNameless(candidates)
	if before != nil {
		// Who has a name keeps it; a newcomer that wants it too does not take it away.
		slices.SortStableFunc(named, func(c, d *domain) int { return cmp.Compare(before.rank(c), before.rank(d)) })
	}
	now := &state{domains: settleNames(named), skipped: append(slices.Clone(skipped), nameless...)}
	slices.SortFunc(now.skipped, func(s, t Skipped) int { return cmp.Compare(s.Path, t.Path) })
	for _, s := range now.skipped {
		if before == nil || !slices.Contains(before.skipped, s) {
			b.log.InfoContext(ctx, "not a domain", "path", s.Path, "reason", s.Reason)
		}
	}
	for _, d := range now.domains {
		if h := b.held[d.folder.path]; h.unlogged {
			d.log(ctx, b.log)
			h.unlogged = false
		}
	}
	b.state.Store(now)
	if before != nil {
		b.watchers.tell(before.differs(now))
	}
}

// rank orders candidates for names: first those that have the name which they want.
func (s *state) rank(d *domain) int {
	if have := s.at(d.info.Name); have != nil && have.folder.path == d.folder.path && have.info.Unavailable == "" {
		return 0
	}
	return 1
}

// at is the domain with a name that can be listed; nil when there is none.
func (s *state) at(name domains.Name) *domain {
	i := slices.IndexFunc(s.domains, func(d *domain) bool { return d.info.Name == name && !d.hidden })
	if i < 0 {
		return nil
	}
	return s.domains[i]
}

// differs are the names of the domains that are served otherwise in another state, by name.
func (s *state) differs(now *state) []domains.Name {
	var out []domains.Name
	note := func(from, to *state) {
		for _, d := range from.domains {
			if d.hidden {
				continue
			}
			if other := to.at(d.info.Name); other == nil || other.served != d.served || !reflect.DeepEqual(other.info, d.info) {
				out = append(out, d.info.Name)
			}
		}
	}
	note(s, now)
	note(now, s)
	slices.Sort(out)
	return slices.Compact(out)
}

// whyNameless says why a domain has no name, and what to do.
func (d *domain) whyNameless() string {
	_, err := domains.ParseName(d.folder.path)
	reason := fmt.Sprintf("%s; rename the folder, or set name: in its %s", err, settingsFile)
	if len(d.problems) > 0 {
		reason += fmt.Sprintf(" (%s)", d.problems[0])
	}
	return reason
}

// mixed is why the whole folder stays as it is: it became a domain, or ceased to be one.
func mixed(single bool) domains.Problem {
	if single {
		return domains.Problem{Message: "the folder is no domain itself any more: put back its " + settingsFile + " and RDF files, or start the server anew to serve what it holds now"}
	}
	return domains.Problem{Message: "a " + settingsFile + " or RDF files have made the folder of the domains a domain itself: move them into a folder of their own, or start the server anew"}
}
