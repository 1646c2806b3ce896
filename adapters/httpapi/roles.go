package httpapi

import (
	"net/http"
	"slices"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/rbac"
)

func (a *API) adminMe(r *request) (answer, error) {
	me, err := a.casino.Admin.AdminMe(r.ctx, r.caller)
	return ok(api.Identity{
		Wallet: string(me.Wallet), Role: me.Role.Name, Level: me.Role.Level,
		Permissions: slices.Sorted(slices.Values(me.Role.Permissions)), AgentCode: orNull(me.AgentCode),
	}), err
}

func roleOf(i kernel.Identity) api.Role {
	permissions := slices.Sorted(slices.Values(i.Role.Permissions))
	if permissions == nil {
		permissions = []rbac.Permission{}
	}
	return api.Role{
		Identity: api.Identity{
			Wallet: string(i.Wallet), Role: i.Assignment.Role, Level: i.Role.Level, Permissions: permissions, AgentCode: orNull(i.AgentCode),
		},
		GrantedBy: orNull(string(i.GrantedBy)), GrantedAt: millis(i.GrantedAt), Founding: i.Founding,
	}
}

func (a *API) listRoles(r *request) (answer, error) {
	all, err := a.casino.Admin.Roles(r.ctx, r.caller)
	return ok(api.RolesResponse{Roles: each(all, roleOf)}), err
}

func (a *API) role(r *request) (answer, error) {
	found, err := a.casino.Admin.RoleOf(r.ctx, r.caller, r.params["wallet"])
	return ok(roleOf(found)), err
}

// roleNameMax is the longest name of a role, in characters.
const roleNameMax = 64

func (a *API) grantRole(r *request) (answer, error) {
	f := r.body()
	f.Need("role")
	role, agent := f.Limited("role", roleNameMax), f.Limited("agentCode", agentCodeMax)
	if f.Err != nil {
		return answer{}, f.Err
	}
	granted, err := a.casino.Admin.GrantRole(r.ctx, r.caller, r.params["wallet"], role, agent)
	return ok(roleOf(granted)), err
}

func (a *API) revokeRole(r *request) (answer, error) {
	if f := r.noBody(); f.Err != nil {
		return answer{}, f.Err
	}
	return answer{status: http.StatusNoContent}, a.casino.Admin.RevokeRole(r.ctx, r.caller, r.params["wallet"])
}
