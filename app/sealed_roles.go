package app

import (
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/seal"
)

// sealRoles puts the sealed list in front of roles and decisions.
func (d *Deps) sealRoles() {
	if seal.Off(d.Authenticator) {
		return
	}
	if d.RoleVersions == nil {
		d.RoleVersions = &admin.RoleVersionsOfProcess{}
	}
	sealed := admin.SealedRoles{Lists: d.Store.RoleLists, Seals: d.Authenticator, Versions: d.RoleVersions}
	d.Store.Roles, d.Store.Writer = sealed, admin.RoleWriter{Writer: d.Store.Writer, Roles: sealed}
}
