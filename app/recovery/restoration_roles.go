package recovery

import (
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/witness"
)

// RoleVersions returns the versions of the list of roles that are kept with the heads:
// an earlier list that is put back is refused after a restart too, and by instances that
// never met the later one.
func (r *Restoration) RoleVersions() admin.RoleVersions { return keptRoleVersions{r} }

type keptRoleVersions struct{ *Restoration }

// Latest serves RoleVersions.
func (v keptRoleVersions) Latest() int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.roles
}

// Keep serves RoleVersions: every witness is given it. While the database counts as
// restored nothing is kept, as with heads.
func (v keptRoleVersions) Keep(version int64) {
	v.mu.Lock()
	ledger, newer := v.ledger, version > v.roles && v.closed == nil
	if newer {
		v.roles = version
	}
	v.mu.Unlock()
	if newer && ledger != "" { // before the first comparison: then the comparison gives it to them
		v.keep(witness.Record{Ledger: ledger, RolesVersion: version, At: kernel.Now(v.options.Clock)})
	}
}

// takeRoles notes the latest version that is kept of the ledger. The lock is held.
func (r *Restoration) takeRoles(f finding) {
	for _, k := range f.kept {
		if k.Ledger == f.state.Ledger {
			r.roles = max(r.roles, k.RolesVersion)
		}
	}
}
