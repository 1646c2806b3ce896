package forge_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// walletAttack is a change of alice's balance, after a withdrawal of 1 SOL was approved.
type walletAttack struct {
	name string
	by   []attacker
	// early says that the rows are changed before she requests 15 of her 10 SOL; ended that her
	// approved withdrawal was rejected before; block that a valid block is made for the inserted
	// rows, as a skilled attacker would.
	early, ended, block bool
	sql                 []string
}

const (
	raised   = `UPDATE balances SET amount = amount + 1000 WHERE wallet = {alice.key} AND kind = 'player'`
	adjusted = `INSERT INTO transfers (kind, scope, id, n, debit_kind, debit_owner, credit_kind, credit_owner, token, amount, wallet, lane, seq, position)
		SELECT 'adjust', '', '{new}', 0, 'adjustment', '', 'player', '{alice}', token, 1000, {alice.key}, lane, {seq}, {position} FROM transfers
		WHERE kind = 'withdraw' AND id = '{id}'`
	line = `INSERT INTO transactions (id, type, wallet, agent, credit, status, token, amount, destination, signature, reason, note, attempts,
		actor, balance, seal, reference, created_at, updated_at)
		SELECT '{new}', 'adjustment', wallet, agent, TRUE, 'completed', token, 1000, '', '', '', '', 0, '{ada}', balance, '', '', created_at, updated_at
		FROM transactions WHERE id = '{id}'`
)

var walletAttacks = []walletAttack{
	{name: "a balance raised", by: both, sql: []string{raised}},
	{name: "a balance raised before it is asked for", early: true, by: both, sql: []string{
		`UPDATE balances SET amount = 15000000000 WHERE wallet = {alice.key} AND kind = 'player'`,
	}},
	{name: "a balance put back to before a bet was lost", by: both, sql: []string{
		`UPDATE balances SET amount = {before} WHERE wallet = {alice.key} AND kind = 'player'`,
	}},
	{name: "a balance copied from another player", by: both, sql: []string{
		`UPDATE balances SET amount = (SELECT b.amount FROM balances AS b WHERE b.wallet = {bob.key} AND b.kind = 'player')
			WHERE wallet = {alice.key} AND kind = 'player'`,
	}},
	{name: "a hold raised", by: both, sql: []string{`UPDATE balances SET amount = 2000000000 WHERE hold = '{id}'`}},
	{name: "a hold given to the player", by: both, sql: []string{
		`UPDATE balances SET amount = 5 WHERE hold = '{id}'`,
		`UPDATE balances SET amount = amount + 999999995 WHERE wallet = {alice.key} AND kind = 'player'`,
	}},
	{name: "a balance of another token put in", by: both, sql: []string{
		`INSERT INTO balances (wallet, kind, hold, token, amount) VALUES ({alice.key}, 'player', '', '{mallory}', 7)`,
	}},
	{name: "something unclaimed put in", by: both, sql: []string{
		`INSERT INTO balances (wallet, kind, hold, token, amount) VALUES ({alice.key}, 'unclaimed', '', '{mallory}', 7)`,
	}},
	{name: "a posting put into a block", by: both, sql: []string{adjusted, line, raised}},
	{name: "a posting put in with a block of its own", block: true, by: both, sql: []string{adjusted, line, raised}},
	{name: "a round's payout raised", by: []attacker{superuser}, sql: []string{
		`UPDATE rounds SET payout = 1000 WHERE nonce = (SELECT v.nonce FROM readable_rounds AS v WHERE v.id = '{lost}') AND wallet = {alice.key}`, raised,
	}},
	{name: "a lost round taken away", by: []attacker{superuser}, sql: []string{
		`DELETE FROM rounds WHERE nonce = (SELECT v.nonce FROM readable_rounds AS v WHERE v.id = '{lost}') AND wallet = {alice.key}`, raised,
	}},
	{name: "a withdrawal that was given back approved again", ended: true, by: []attacker{superuser}, sql: []string{
		`UPDATE transactions SET status = 'approved', reason = '' WHERE id = '{id}'`,
		`UPDATE balances SET amount = 1000000000 WHERE hold = '{id}'`,
	}},
	{name: "a withdrawal that was given back approved again, its money taken from the balance", ended: true, by: []attacker{superuser}, sql: []string{
		`UPDATE transactions SET status = 'approved', reason = '' WHERE id = '{id}'`,
		`UPDATE balances SET amount = 1000000000 WHERE hold = '{id}'`,
		`UPDATE balances SET amount = amount - 1000000000 WHERE wallet = {alice.key} AND kind = 'player'`,
	}},
}

// TestNothingThatWasNotBookedIsPaid runs each attack, both without an earlier proof and with a
// proof of the wallet from an earlier payout.
func TestNothingThatWasNotBookedIsPaid(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		for i, attack := range walletAttacks {
			for j, by := range attack.by {
				t.Run(on.name+"/"+attack.name+" by "+string(by), func(t *testing.T) {
					t.Parallel()
					attack.run(newHouse(t, on, by), (i+j)%2 == 0)
				})
			}
		}
	}
}

func (a walletAttack) run(h *house, proved bool) {
	ada, bea := h.admin("ada", "finance"), h.admin("bea", "finance")
	h.clock.Advance(48 * time.Hour)
	h.player("bob", 30e9)
	h.player("alice", 10e9)
	names := map[string]string{
		"alice": string(fakes.Wallet("alice")), "bob": string(fakes.Wallet("bob")), "ada": string(ada.Wallet),
		"mallory": string(fakes.Wallet("mallory")), "new": h.Entropy.ID(),
	}
	if proved {
		h.paid(ada, 5)
		h.states()
		h.clock.Advance(time.Hour)
	}
	names["lost"], names["before"] = h.lost(1_000)
	amount := int64(1e9)
	if a.early {
		amount = 15e9
		a.make(h, names)
	}
	w := h.asked("alice", amount)
	names["id"] = w.ID
	h.approve(ada, w)
	if a.early {
		h.approve(bea, w)
	}
	if a.ended {
		approval := h.approvals(w)
		_, err := h.Payouts.RejectWithdrawal(h.Context(), bea, payouts.WithdrawalDecision{ID: w.ID, Reason: "no"})
		h.must(err)
		a.sql = append(a.sql, `DELETE FROM approvals WHERE withdrawal_id = '{id}'`,
			`INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal) VALUES `+approval)
	}
	if !a.early {
		a.make(h, names)
	}
	h.paysNothing(w.ID)
	h.statesNothing()
}

// make changes the rows.
func (a walletAttack) make(h *house, names map[string]string) {
	h.Helper()
	heads, err := h.store.Heads(h.Context())
	h.must(err)
	last := heads[len(heads)-1]
	names["seq"], names["position"] = number(last.Seq), "1000"
	if a.block {
		names["seq"], names["position"] = number(last.Seq+1), "0"
	}
	for _, statement := range a.sql {
		h.sql(fill(statement, names))
	}
	if !a.block {
		return
	}
	content := hashchain.Content{At: h.clock.Now(), Epoch: 1, Postings: []ledger.Posting{{
		Key: ledger.Key{Kind: ledger.Adjust, ID: names["new"]},
		Transfers: []ledger.Transfer{{
			Debit: ledger.System(ledger.Adjustment), Credit: ledger.PlayerOf(fakes.Wallet("alice")), Token: money.SOL, Amount: 1_000,
		}},
	}}}
	next := hashchain.Next(last, content)
	h.sql(fmt.Sprintf("INSERT INTO blocks (lane, seq, previous, hash, root, size, at, epoch, seal) SELECT %d, %d, '%s', '%s', '%s', %d, %s, 1, seal FROM blocks WHERE lane = %d AND seq = %d",
		next.Lane, next.Seq, last.Hash, next.Hash(), next.Root, next.Size, micros(content.At), last.Lane, last.Seq))
}

// lost lets alice lose a bet, and returns the round and her balance before it.
func (h *house) lost(wager int64) (round, before string) {
	h.Helper()
	for range 50 {
		result, err := h.Play.Play(h.Context(), caller("alice"), play.PlayRequest{GameType: "dice", Wager: wager, Token: string(money.SOL)})
		h.must(err)
		if result.Round.Payout == 0 {
			return result.Round.ID, number(int64(result.Balance) + wager)
		}
	}
	h.Fatal("alice never loses")
	return "", ""
}

// paid gets a small withdrawal of alice paid.
func (h *house) paid(by app.Caller, amount int64) {
	h.Helper()
	w := h.asked("alice", amount)
	h.approve(by, w)
	h.pass()
	h.chain.Finalize()
	h.pass()
	if got := h.stands(w.ID); got.Status != withdrawal.Completed {
		h.Fatalf("a withdrawal is %s: %s", got.Status, got.Reason)
	}
}

// TestWhatWasBookedIsPaid plays, wins, loses, and credits and debits between payouts: each is
// paid, with the last proof, with one of missing blocks, and without any.
func TestWhatWasBookedIsPaid(t *testing.T) {
	t.Parallel()
	for _, on := range engines {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, on, superuser)
			ada := h.admin("ada", "finance")
			h.clock.Advance(48 * time.Hour)
			h.player("alice", 10e9)
			for i, meanwhile := range []string{
				"",
				`UPDATE wallet_proofs SET state = replace(state, '"rounds":', '"rounds":1')`,
				`UPDATE wallet_proofs SET seal = ''`,
				`UPDATE wallet_proofs SET state = 'none'`,
				`DELETE FROM wallet_proofs`,
				"",
			} {
				for range 120 {
					h.lost(10)
				}
				if meanwhile != "" {
					h.sql(meanwhile)
				}
				if i == 2 {
					h.clock.Advance(5 * time.Hour)
				}
				h.paid(ada, 1_000)
			}
			if n := h.alarms(alarm.PayoutForged.Message()); n > 0 {
				t.Errorf("%d alarms", n)
			}
		})
	}
}

// TestAProofOfALostTimeIsCountedAnew inserts a proof that the service made of lost blocks, or one
// that it never made: it neither withholds money from a player nor gives any.
func TestAProofOfALostTimeIsCountedAnew(t *testing.T) {
	t.Parallel()
	for i, on := range append(slices.Clone(engines), engines...) {
		sealed := i < len(engines)
		t.Run(fmt.Sprintf("%s, sealed %v", on.name, sealed), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, on, superuser)
			ada := h.admin("ada", "finance")
			h.clock.Advance(48 * time.Hour)
			h.player("alice", 10e9)
			h.paid(ada, 1_000)
			lost, err := h.store.WalletProof(t.Context(), fakes.Wallet("alice"))
			h.must(err)
			lost.Sums[0].Player += 5e9 // as if she had won them
			lost.Heads[len(lost.Heads)-1].Hash[0]++
			lost.Seal, err = h.seals.Seal("wallet proof", lost.Sealed())
			h.must(err)
			h.must(h.store.KeepWalletProof(t.Context(), lost))
			h.paid(ada, 1_000)
			// It gives the same finding as a raised balance.
			lost, err = h.store.WalletProof(t.Context(), fakes.Wallet("alice"))
			h.must(err)
			lost.Sums[0].Player += 1_000
			if sealed {
				lost.Heads[len(lost.Heads)-1].Hash[0]++
				lost.Seal, err = h.seals.Seal("wallet proof", lost.Sealed())
				h.must(err)
			}
			h.must(h.store.KeepWalletProof(t.Context(), lost))
			h.sql(fill(raised, map[string]string{"alice": string(fakes.Wallet("alice"))}))
			w := h.asked("alice", 1_000)
			h.approve(ada, w)
			h.paysNothing(w.ID)
		})
	}
}
