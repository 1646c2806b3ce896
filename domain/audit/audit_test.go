package audit_test

import (
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/wallet"
)

func TestWhatPlayersDoToThemselvesIsAPartOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action audit.Action
		by     wallet.Address
		target string
		want   audit.Part
	}{
		{audit.SessionOpened, "alice", "alice", audit.Players}, {audit.SessionsEnded, "alice", "alice", audit.Players},
		{audit.PlayerFirstSignedIn, "alice", "alice", audit.Players},
		{audit.LimitsChanged, "alice", "alice", audit.Players}, {audit.PlayerExcluded, "alice", "alice", audit.Players},
		{audit.LimitsChanged, "olga", "alice", audit.Admins}, {audit.PlayerExcluded, "olga", "alice", audit.Admins},
		{audit.RoleRevoked, "olga", "olga", audit.Admins}, {audit.PlayerReleased, "alice", "alice", audit.Admins},
		{audit.RoundVoided, "", "r1", audit.Admins}, {audit.LimitsChanged, "", "alice", audit.Admins},
	} {
		if got := (audit.Record{Action: c.action, By: c.by, Target: c.target}).Part(); got != c.want {
			t.Errorf("%s of %s by %s is of the %s", c.action, c.target, c.by, got)
		}
	}
}
