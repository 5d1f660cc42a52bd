package ontobricks

import "time"

// How long answers count, for tests.
const (
	ListTTL     = listTTL
	ListMinimum = listMinimum
	ListMost    = listMost
	FailureTTL  = failureTTL
	StatsTTL    = statsTTL
	VersionsTTL = versionsTTL
	VersionMost = versionMost
	SchemaTTL   = schemaTTL
	TenantIdle  = tenantIdle
	MostTenants = mostTenants
)

// Tenants counts the principals whose answers are kept, the program not among them.
func (b *Backend) Tenants() int {
	b.tenants.mu.Lock()
	defer b.tenants.mu.Unlock()
	return len(b.tenants.byKey)
}

// KnownVersions counts the domains whose versions the program keeps.
func (b *Backend) KnownVersions() int {
	c := &b.tenants.program.versions
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.cells)
}

// SetVersionsWait sets how long Open waits for versions.
func (b *Backend) SetVersionsWait(d time.Duration) { b.versionsWait = d }
