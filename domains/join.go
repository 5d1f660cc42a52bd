package domains

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Member is a back end among several that are joined.
type Member struct {
	// Label says in a few words where its domains come from, as it stands within a
	// sentence: "the folder my-domains".
	Label   string
	Backend Backend
}

// Joined serves the domains of several back ends as one. A name that two members
// serve belongs to neither: the domain is listed as unavailable until one of them is
// renamed, because a guess could show one domain's facts under the other's policy.
type Joined struct{ members []Member }

// Join joins back ends, whose order decides nothing but who forwards (see Forward).
func Join(members ...Member) *Joined { return (&Joined{slices.Clone(members)}).bridged() }

// As is the members as a principal sees them.
func (j *Joined) As(p Principal) Backend {
	as := &Joined{make([]Member, len(j.members))}
	for i, m := range j.members {
		as.members[i] = Member{m.Label, m.Backend.As(p)}
	}
	return as.bridged()
}

// bridged lets the bridges of each member lead to the domains of all.
func (j *Joined) bridged() *Joined {
	for i, m := range j.members {
		if b, ok := m.Backend.(Bridger); ok {
			j.members[i].Backend = b.Among(j)
		}
	}
	return j
}

// Domains lists the domains of all members. When a member fails, or takes longer than
// a few seconds, the list holds those of the others, and what the failing one could list all the same.
func (j *Joined) Domains(ctx context.Context) ([]Info, error) {
	m := j.merge(ctx)
	return m.infos, m.err()
}

// Open opens the domain of the member that lists it. A name that none lists is asked of
// all, since a member may know more than it lists. Errors, besides the member's own:
// ErrUnavailable when two members have it; when none has, the error of a member that
// could not tell, else ErrUnknownDomain.
func (j *Joined) Open(ctx context.Context, name Name) (*Domain, error) {
	return ask(ctx, j, "opening domain", name, func(b Backend) (*Domain, error) { return b.Open(ctx, name) })
}

// Versions lists the versions of a domain, with the errors of Open: a name that two
// members serve has no versions that could be told.
func (j *Joined) Versions(ctx context.Context, name Name) ([]Version, error) {
	return ask(ctx, j, "listing versions", name, func(b Backend) ([]Version, error) { return b.Versions(ctx, name) })
}

// Design reports how far a domain is designed, with the errors of Open.
func (j *Joined) Design(ctx context.Context, name Name) (*Design, error) {
	return ask(ctx, j, "reading design status", name, func(b Backend) (*Design, error) { return b.Design(ctx, name) })
}

// Forward passes a request on to the first member that is a Forwarder. Without one it
// is ErrUnavailable.
func (j *Joined) Forward(ctx context.Context, path string) (*Reply, error) {
	for _, m := range j.members {
		if f, ok := m.Backend.(Forwarder); ok {
			return f.Forward(ctx, path)
		}
	}
	return nil, &Error{Kind: ErrUnavailable, Op: "forwarding", Message: "Nothing that is served here has a GraphQL service of its own."}
}

// Ready reports which members can't answer now; members that can't tell are ready.
func (j *Joined) Ready(ctx context.Context) error {
	return j.each(func(m Member) error {
		if p, ok := m.Backend.(Prober); ok {
			return p.Ready(ctx)
		}
		return nil
	})
}

// Reload reloads the members that can be; an error says which could not.
func (j *Joined) Reload(ctx context.Context) error {
	return j.each(func(m Member) error {
		r, ok := m.Backend.(Reloader)
		if !ok {
			return nil
		}
		if err := r.Reload(ctx); err != nil {
			return fmt.Errorf("%s: %w", m.Label, err)
		}
		return nil
	})
}

// Watch watches all members; changed may be called from several goroutines at once. When
// one member cannot go on, the watch of all ends with its error.
func (j *Joined) Watch(ctx context.Context, changed func(Name)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	return j.each(func(m Member) error {
		err := m.Backend.Watch(ctx, changed)
		if err != nil {
			stop()
		}
		return err
	})
}

// Close closes all members.
func (j *Joined) Close() error { return j.each(func(m Member) error { return m.Backend.Close() }) }

// Clash is the error for a start with names that several members serve: it names the
// members and all these names. Members whose lists can't be read are left out.
func (j *Joined) Clash(ctx context.Context) error {
	m := j.merge(ctx)
	var order []string
	names := map[string][]string{} // who serves them, as text → names
	for _, info := range m.infos {
		if len(m.owners[info.Name]) < 2 {
			continue
		}
		who := j.labels(m.owners[info.Name])
		if names[who] == nil {
			order = append(order, who)
		}
		names[who] = append(names[who], fmt.Sprintf("%q", string(info.Name)))
	}
	var clashes []error
	for _, who := range order {
		noun := "a domain named"
		if len(names[who]) > 1 {
			noun = "domains named"
		}
		clashes = append(clashes, fmt.Errorf("%s have %s %s: rename one of them (that of a folder with name in its "+SettingsFile+"), or serve the two apart", who, noun, strings.Join(names[who], ", ")))
	}
	return errors.Join(clashes...)
}

// each runs do for all members at once, and waits for all.
func (j *Joined) each(do func(Member) error) error {
	errs := make([]error, len(j.members))
	var all sync.WaitGroup
	for i, m := range j.members {
		all.Go(func() { errs[i] = do(m) })
	}
	all.Wait()
	return joinErrors(errs)
}

// joinErrors is errors.Join, which leaves a single error as it is.
func joinErrors(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// merged is what the members list.
type merged struct {
	infos  []Info         // by name, each name once
	owners map[Name][]int // name → the members that list it
	errs   []error        // of the members, nil for those that could be read
}

func (m merged) err() error { return joinErrors(slices.Clone(m.errs)) }

// patience is how long the list of one member may keep the others' domains waiting. A
// member whose list is read in the meantime has it at the next call.
const patience = 4 * time.Second

// list reads the list of a member.
func (m Member) list(ctx context.Context) ([]Info, error) {
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	infos, err := m.Backend.Domains(soon)
	if soon.Err() != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = &Error{Kind: ErrUpstream, Op: "listing domains", Err: err,
			Message: fmt.Sprintf("The domains of %s could not be listed within %s. Try again in a moment.", m.Label, patience)}
	}
	return infos, err
}

// merge reads the lists of all members at once.
func (j *Joined) merge(ctx context.Context) merged {
	lists := make([][]Info, len(j.members))
	m := merged{owners: map[Name][]int{}, errs: make([]error, len(j.members))}
	var all sync.WaitGroup
	for i, member := range j.members {
		all.Go(func() { lists[i], m.errs[i] = member.list(ctx) })
	}
	all.Wait()
	for i, list := range lists {
		for _, info := range list {
			m.owners[info.Name] = append(m.owners[info.Name], i)
			if len(m.owners[info.Name]) == 1 {
				m.infos = append(m.infos, info)
			}
		}
	}
	for i, info := range m.infos {
		if owners := m.owners[info.Name]; len(owners) > 1 {
			m.infos[i] = Info{Name: info.Name, Unavailable: j.reason(info.Name, owners)}
		}
	}
	slices.SortFunc(m.infos, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	return m
}

// ask puts a question about a domain to the member that has it.
func ask[T any](ctx context.Context, j *Joined, op string, name Name, question func(Backend) (T, error)) (answer T, err error) {
	m := j.merge(ctx)
	owners := m.owners[name]
	if len(owners) == 1 {
		return question(j.members[owners[0]].Backend)
	}
	var none T
	if len(owners) == 0 {
		for i, member := range j.members {
			switch got, err := question(member.Backend); {
			case err == nil:
				answer, owners = got, append(owners, i)
			case !errors.Is(err, ErrUnknownDomain) && m.errs[i] == nil:
				m.errs[i] = err
			}
		}
	}
	switch {
	case len(owners) == 1:
		return answer, nil
	case len(owners) > 1:
		return none, &Error{Kind: ErrUnavailable, Op: op, Domain: name, Message: j.reason(name, owners)}
	case m.err() != nil:
		return none, m.err()
	}
	return none, NoDomain(op, name, "", m.infos)
}

// reason says why a domain that several members serve is unavailable.
func (j *Joined) reason(name Name, owners []int) string {
	return fmt.Sprintf("More than one place has a domain named %q: %s. Rename one of them: that of a folder with name in its "+SettingsFile+".", string(name), j.labels(owners))
}

// labels are the labels of members: "a and b", "a, b and c".
func (j *Joined) labels(members []int) string {
	var labels []string
	for _, i := range members {
		labels = append(labels, j.members[i].Label)
	}
	last := len(labels) - 1
	return strings.Join(labels[:last], ", ") + " and " + labels[last]
}
