package forge_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/test/fakes"
)

// roleAttacks are those meant to make an admin of a wallet that isn't one, or is no longer one.
var roleAttacks = []struct {
	name string
	// back restores the rows from before the last change of the roles.
	back bool
	sql  []string
}{
	{name: "a role put in", sql: []string{
		`INSERT INTO roles (wallet, role, agent, granted_by, granted_at, founding) VALUES ('{eve}', 'superadmin', '', '', 1, {true})`,
	}},
	{name: "a role put in with a version", sql: []string{
		`INSERT INTO roles (wallet, role, agent, granted_by, granted_at, founding) VALUES ('{eve}', 'superadmin', '', '', 1, {true})`,
		`UPDATE role_list SET version = version + 1`,
	}},
	{name: "a role raised", sql: []string{`UPDATE roles SET role = 'superadmin' WHERE wallet = '{mallory}'`}},
	{name: "a role made old", sql: []string{`UPDATE roles SET granted_at = 1, founding = {true} WHERE wallet = '{mallory}'`}},
	{name: "the roles of others removed", sql: []string{`DELETE FROM roles WHERE wallet <> '{mallory}'`}},
	{name: "the seal removed", sql: []string{`UPDATE role_list SET version = 0, seal = ''`}},
	{name: "a revoked role put back with its list", back: true},
}

// TestForgedRolesAllowNothing runs each attack. After it no role counts: neither mallory's, nor
// that of an admin whose approval is waiting to be signed.
func TestForgedRolesAllowNothing(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		for _, attack := range roleAttacks {
			for _, by := range both {
				t.Run(on.name+"/"+attack.name+" by "+string(by), func(t *testing.T) {
					t.Parallel()
					h := newHouse(t, on, by)
					ada, mallory := h.admin("ada", "finance"), h.admin("mallory", "finance")
					h.clock.Advance(48 * time.Hour)
					h.player("alice", 10e9)
					w, later := h.asked("alice", 1e9), h.asked("alice", 2e9)
					h.approve(ada, w)
					names := map[string]string{"eve": string(fakes.Wallet("eve")), "mallory": string(fakes.Wallet("mallory")), "true": "TRUE"}
					if attack.back {
						h.revokedAndPutBack(mallory)
					}
					for _, statement := range attack.sql {
						h.sql(fill(statement, names))
					}
					for name, who := range map[string]app.Caller{"mallory": mallory, "ada": ada} {
						_, err := h.Payouts.ApproveWithdrawal(h.Context(), who, payouts.WithdrawalDecision{ID: later.ID})
						if !fault.Is(err, fault.Maintenance) {
							h.Errorf("%s approves: %v", name, err)
						}
					}
					if _, err := h.Admin.GrantRole(h.Context(), mallory, string(fakes.Wallet("eve")), "finance", ""); !fault.Is(err, fault.Maintenance) {
						h.Errorf("mallory grants a role: %v", err)
					}
					h.pass()
					if h.chain.signed.Load() != 0 {
						h.Error("a payout was signed")
					}
					if h.alarms(alarm.RolesForged.Message()) == 0 {
						h.Error("nobody is alarmed")
					}
				})
			}
		}
	}
}

// revokedAndPutBack revokes a role and restores the earlier rows, including the seal.
func (h *house) revokedAndPutBack(who app.Caller) {
	h.Helper()
	before, err := h.store.RoleList(h.Context())
	h.must(err)
	root := h.admin("root", rbac.Superadmin)
	h.must(h.Admin.RevokeRole(h.Context(), root, string(who.Wallet)))
	h.sql("DELETE FROM roles")
	for _, a := range before.All {
		h.sql(fill(`INSERT INTO roles (wallet, role, agent, granted_by, granted_at, founding)
			VALUES ('{wallet}', '{role}', '', '', {at}, {founding})`, map[string]string{
			"wallet": string(a.Wallet), "role": a.Role, "at": micros(a.GrantedAt), "founding": strings.ToUpper(strconv.FormatBool(a.Founding)),
		}))
	}
	h.sql(fill(`UPDATE role_list SET version = {version}, seal = '{seal}'`, map[string]string{
		"version": number(before.Version), "seal": before.Seal,
	}))
	if put, err := h.store.RoleList(h.Context()); err != nil || put.Check(h.seals, 0) != nil {
		h.Fatalf("the list that was put back has no good seal: %+v, %v", put, err)
	}
}
