package httpapi

import (
	"net/http"
	"slices"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/rbac"
)

// roleBody is who has which role since when.
type roleBody struct {
	Wallet      string            `json:"wallet"`
	Role        string            `json:"role"`
	Level       int               `json:"level"`
	Permissions []rbac.Permission `json:"permissions"`
	AgentCode   *string           `json:"agentCode"`
	GrantedBy   *string           `json:"grantedBy"`
	GrantedAt   int64             `json:"grantedAt"`
}

func roleOf(i app.Identity) roleBody {
	permissions := slices.Sorted(slices.Values(i.Role.Permissions))
	if permissions == nil {
		permissions = []rbac.Permission{}
	}
	return roleBody{
		Wallet: string(i.Wallet), Role: i.Assignment.Role, Level: i.Role.Level, Permissions: permissions,
		AgentCode: orNull(i.AgentCode), GrantedBy: orNull(string(i.GrantedBy)), GrantedAt: millis(i.GrantedAt),
	}
}

func (a *API) listRoles(r *request) (answer, error) {
	all, err := a.casino.Roles(r.context(), r.caller)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Roles []roleBody `json:"roles"`
	}{each(all, roleOf)}), nil
}

func (a *API) role(r *request) (answer, error) {
	found, err := a.casino.RoleOf(r.context(), r.caller, r.params["wallet"])
	if err != nil {
		return answer{}, err
	}
	return ok(roleOf(found)), nil
}

// roleNameMax is the longest name of a role, in characters.
const roleNameMax = 64

func (a *API) grantRole(r *request) (answer, error) {
	f := r.body("role", "agentCode")
	f.take("role")
	role, agent := f.limited("role", roleNameMax), f.limited("agentCode", agentCodeMax)
	if f.err != nil {
		return answer{}, f.err
	}
	granted, err := a.casino.GrantRole(r.context(), r.caller, r.params["wallet"], role, agent)
	if err != nil {
		return answer{}, err
	}
	return ok(roleOf(granted)), nil
}

func (a *API) revokeRole(r *request) (answer, error) {
	if f := r.optionalBody(); f.err != nil {
		return answer{}, f.err
	}
	return answer{status: http.StatusNoContent}, a.casino.RevokeRole(r.context(), r.caller, r.params["wallet"])
}
