package player

import (
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
)

// UnderSealedRoles returns a decision that believes no role which the sealed list of
// roles doesn't have: with a list that is forged, or older than the latest version that
// is known, it refuses with rbac.ErrForged. A view without Roles is left as it is.
func UnderSealedRoles(seals seal.Authenticator, latest int64, decide Decision) Decision {
	return func(v View) (Change, error) {
		if v.Asked != nil && len(v.Asked.Roles) == 0 {
			return decide(v)
		}
		if err := v.RoleList.Check(seals, latest); err != nil {
			return Change{}, err
		}
		known := make(map[wallet.Address]rbac.Assignment, len(v.Roles))
		for w := range v.Roles {
			if known[w] = v.RoleList.Of(w); known[w].Role == "" {
				return Change{}, rbac.ErrForged
			}
		}
		v.Roles = known
		return decide(v)
	}
}
