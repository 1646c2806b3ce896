package forge_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// stage is the state of alice's withdrawal when it is attacked.
type stage int

const (
	pending  stage = iota
	halfway        // one of two approvals
	approved       // waits to be signed
	inFlight       // signed and sent, and it may land
	failed         // landed with an error
)

// attack is a change of rows outside the service.
type attack struct {
	name string
	at   stage
	// amount is what alice requests, of her 10 SOL; 0 means 1 SOL.
	amount int64
	by     []attacker
	sql    []string
}

var both = []attacker{role, superuser}

// attacks are those meant to get a payout signed or sent again.
var attacks = []attack{
	{name: "status set to approved", at: pending, by: both, sql: []string{
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "one of two approvals taken for enough", at: halfway, amount: 3e9, by: both, sql: []string{
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "an approval put in", at: pending, by: both, sql: []string{
		`INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal)
			VALUES ('{id}', 0, {alice.key}, '{ada}', 1, '', 0, 1, '', 0, '', '')`,
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "an approval copied from another withdrawal", at: pending, by: both, sql: []string{
		`INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal)
			SELECT '{id}', 0, {alice.key}, approver, at, note, attempt, needed, signature, signed_at, treasury, seal FROM approvals WHERE withdrawal_id = '{other}'`,
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "a second approval copied from the first", at: halfway, amount: 3e9, by: both, sql: []string{
		`INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal)
			SELECT '{id}', 1, wallet, '{bea}', at, note, attempt, needed, signature, signed_at, treasury, seal FROM approvals WHERE withdrawal_id = '{id}'`,
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "one approval said to be enough", at: halfway, amount: 3e9, by: both, sql: []string{
		`UPDATE approvals SET needed = 1 WHERE withdrawal_id = '{id}'`,
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "an approval given a signature", at: approved, by: both, sql: []string{
		`UPDATE approvals SET signature = 'c2lnbmVk', signed_at = 5, treasury = '{mallory}' WHERE withdrawal_id = '{id}'`,
	}},
	{name: "amount changed", at: approved, by: []attacker{superuser}, sql: []string{
		`UPDATE transactions SET amount = 2000000000 WHERE id = '{id}'`,
		`UPDATE balances SET amount = 2000000000 WHERE hold = '{id}'`,
	}},
	{name: "destination changed", at: approved, by: []attacker{superuser}, sql: []string{
		`UPDATE transactions SET destination = '{mallory}' WHERE id = '{id}'`,
	}},
	{name: "wallet changed", at: approved, by: []attacker{superuser}, sql: []string{
		`UPDATE transactions SET wallet = {bob.key} WHERE id = '{id}'`,
		`UPDATE balances SET wallet = {bob.key} WHERE hold = '{id}'`,
	}},
	{name: "a withdrawal put in", at: pending, by: both, sql: []string{
		`INSERT INTO transactions (id, type, wallet, agent, credit, status, token, amount, destination, signature, reason, note, attempts,
			actor, balance, seal, reference, created_at, updated_at)
			SELECT '{new}', type, wallet, agent, credit, 'approved', token, amount, '{mallory}', '', '', '', 0, actor, balance, seal, reference, created_at,
			updated_at FROM transactions WHERE id = '{other}'`,
		`INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal)
			SELECT '{new}', n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal FROM approvals WHERE withdrawal_id = '{other}'`,
		`INSERT INTO balances (wallet, kind, hold, token, amount)
			SELECT wallet, kind, '{new}', token, amount FROM balances WHERE hold = '{other}'`,
	}},
	{name: "an old approval put back after a failure", at: failed, by: both, sql: []string{
		`INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal) VALUES {old}`,
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "an attempt in flight said to be dead", at: inFlight, by: both, sql: []string{
		`UPDATE payout_attempts SET dead = TRUE WHERE withdrawal_id = '{id}'`,
		`UPDATE transactions SET status = 'approved' WHERE id = '{id}'`,
	}},
	{name: "an attempt forgotten by its withdrawal", at: inFlight, by: both, sql: []string{
		`UPDATE transactions SET status = 'approved', attempts = 0 WHERE id = '{id}'`,
	}},
	{name: "the bytes of an attempt changed", at: inFlight, by: []attacker{superuser}, sql: []string{
		`UPDATE payout_attempts SET bytes = (SELECT a.bytes FROM payout_attempts AS a WHERE a.withdrawal_id = '{other}'),
			signature = '{other} again' WHERE withdrawal_id = '{id}'`,
	}},
	{name: "the end of an attempt moved", at: inFlight, by: []attacker{superuser}, sql: []string{
		`UPDATE payout_attempts SET last_valid_height = 1 WHERE withdrawal_id = '{id}'`,
	}},
}

// TestNothingForgedIsPaid runs each attack, and checks that nothing is signed or sent after it,
// that an alarm is raised, and that an admin sees why.
func TestNothingForgedIsPaid(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		for _, attack := range attacks {
			for _, by := range attack.by {
				t.Run(on.name+"/"+attack.name+" by "+string(by), func(t *testing.T) {
					t.Parallel()
					attack.run(newHouse(t, on, by))
				})
			}
		}
	}
}

func (a attack) run(h *house) {
	names := a.prepare(h)
	for _, statement := range a.sql {
		h.sql(fill(statement, names))
	}
	h.paysNothing(names["shown"])
}

// paysNothing checks that nothing is signed or sent, that an alarm is raised, and that an admin
// sees why the withdrawal waits.
func (h *house) paysNothing(shown string) {
	h.Helper()
	sent, signed := h.chain.sent.Load(), h.chain.signed.Load()
	for range 2 {
		h.pass()
		h.clock.Advance(time.Second)
	}
	if now := h.chain.sent.Load(); now != sent {
		h.Errorf("%d transactions were sent", now-sent)
	}
	if now := h.chain.signed.Load(); now != signed {
		h.Errorf("%d transactions were signed", now-signed)
	}
	if alarms := h.alarms(alarm.PayoutForged.Message()); alarms == 0 {
		h.Error("nobody is alarmed")
	}
	if forged := h.stands(shown); forged.Status == withdrawal.Approved && forged.Reason == "" {
		h.Error("nobody sees why the withdrawal is not paid")
	}
}

// prepare brings the withdrawal to its stage. Another one, of bob, is already approved and sent.
func (a attack) prepare(h *house) map[string]string {
	h.Helper()
	ada, bea := h.admin("ada", "finance"), h.admin("bea", "finance")
	h.clock.Advance(48 * time.Hour)
	h.player("bob", 10e9)
	other := h.asked("bob", 1e9)
	h.approve(ada, other)
	h.pass()
	h.player("alice", 10e9)
	amount := a.amount
	if amount == 0 {
		amount = 1e9
	}
	w := h.asked("alice", amount)
	names := map[string]string{
		"id": w.ID, "other": other.ID, "alice": string(w.Wallet), "bob": string(other.Wallet), "ada": string(ada.Wallet),
		"bea": string(bea.Wallet), "mallory": string(fakes.Wallet("mallory")), "new": h.Entropy.ID(), "shown": w.ID,
	}
	if a.name == "a withdrawal put in" {
		names["shown"] = names["new"]
	}
	if a.at == pending {
		return names
	}
	h.approve(ada, w)
	if a.at == failed {
		names["old"] = h.approvals(w)
		h.chain.Script("Send", fakes.Unreachable)
	}
	if a.at >= inFlight {
		h.pass()
	}
	if a.at == failed {
		h.chain.Drain(w.Token)
		h.chain.Fund(wallet.Address(h.chain.TreasuryAddress()), w.Token, fakes.ChainFee)
		h.pass()
		h.chain.Finalize()
		h.pass()
		h.chain.Fund(wallet.Address(h.chain.TreasuryAddress()), w.Token, 1<<50)
		if now := h.stands(w.ID).Status; now != withdrawal.Failed {
			h.Fatalf("the withdrawal is %s", now)
		}
	}
	return names
}

// approvals returns the rows of a withdrawal's approvals, to be inserted again.
func (h *house) approvals(w withdrawal.Withdrawal) string {
	h.Helper()
	var approver, seal string
	var at, needed int64
	h.must(h.db.QueryRowContext(h.Context(), "SELECT approver, at, needed, seal FROM approvals WHERE withdrawal_id = '"+w.ID+"'").
		Scan(&approver, &at, &needed, &seal))
	return fmt.Sprintf("('%s', 0, (SELECT w.key FROM players AS w WHERE w.wallet = '%s'), '%s', %d, 'looked at it', 0, %d, '', 0, '', '%s')", w.ID, w.Wallet, approver, at, needed, seal)
}
