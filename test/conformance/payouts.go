package conformance

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// PayoutQueue is the suite of ports.PayoutQueue.
func PayoutQueue(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, payoutQueueCases)
}

var payoutQueueCases = []story{
	{"one worker has a withdrawal until its lease ends", Rows, func(b *bench) {
		start := b.now()
		for _, row := range []struct {
			after  time.Duration
			worker string
			want   bool
		}{
			{0, "one", true}, {time.Second, "two", false}, {time.Second, "one", true}, // until 1:01
			{time.Minute, "two", false}, {61*time.Second - time.Millisecond, "two", false},
			{61 * time.Second, "two", true}, {61 * time.Second, "one", false},
		} {
			now := start.Add(row.after)
			b.same(fmt.Sprint("after ", row.after, " worker ", row.worker), must(b.Lease(background, "w-1", row.worker, now, now.Add(time.Minute)))(b), row.want)
		}
		b.errorIf(!must(b.Lease(background, "w-2", "one", start, start.Add(time.Minute)))(b),
			"another withdrawal is leased too")
	}},
	{"a lease is given to one of many at once", Races, func(b *bench) {
		for round := range 5 {
			var given atomic.Int32
			now := b.now()
			atOnce(8, func(i int) {
				ok, err := b.Lease(background, fmt.Sprint("w-", round), fmt.Sprint("worker ", i), now, now.Add(time.Minute))
				b.check(err)
				if ok {
					given.Add(1)
				}
			})
			b.same("leases of one withdrawal", given.Load(), 1)
		}
	}},
	{"a worker releases its own lease only", Rows, func(b *bench) {
		b.lease("w-1", "one")
		b.reopen()
		for _, row := range []struct {
			releases string
			free     bool
		}{{"two", false}, {"one", true}} {
			b.ok(b.Release(background, "w-1", row.releases))
			b.same("leased after a release by "+row.releases, b.lease("w-1", "three"), row.free)
		}
		b.check(b.Release(background, "never leased", "one"))
	}},
	{"a signing commit sees the lease", Logic, func(b *bench) {
		w := b.payable(alice, money.SOL, 300)
		b.refuse(b.payOut(w, 1, "one", terms(money.SOL)), fault.InvalidState)
		b.lease(w.ID, "two")
		b.refuse(b.payOut(w, 1, "one", terms(money.SOL)), fault.InvalidState)
		late := b.payOut(w, 1, "two", terms(money.SOL))
		b.clock.Advance(2 * time.Minute)
		b.lease(w.ID, "one")
		b.refuse(late, fault.InvalidState)
		b.commit(b.payOut(w, 1, "one", terms(money.SOL)))
		b.refuse(b.payOut(w, 2, "one", terms(money.SOL)), fault.InvalidState)
		b.sound()
	}},
	{"payouts signed in the window are counted over all players", Rows, func(b *bench) {
		first, second := b.payable(alice, money.SOL, 300), b.payable(bob, money.SOL, 200)
		for _, w := range []withdrawal.Withdrawal{first, second} {
			b.lease(w.ID, "one")
			b.commit(b.payOut(w, 1, "one", terms(money.SOL)))
		}
		third := b.payable(carol, money.SOL, 100)
		b.same("signed", b.payoutState(third).Signed.String(), "500")
		limited := terms(money.SOL)
		limited.PayoutCapPerHour = 599
		b.lease(third.ID, "one")
		b.refuse(b.payOut(third, 1, "one", limited), fault.AmountOutOfRange)
		b.clock.Advance(withdrawal.CapWindow)
		b.same("signed an hour later", b.payoutState(third).Signed.String(), "0")
		b.lease(third.ID, "one")
		b.commit(b.payOut(third, 1, "one", limited))
		b.sound()
	}},
	{"dead attempts are left out and other tokens too", Rows, func(b *bench) {
		w, token := b.payable(alice, money.SOL, 300), b.payable(bob, usd, 50)
		b.lease(w.ID, "one")
		b.commit(b.payOut(w, 1, "one", terms(money.SOL)))
		b.same("of the other token", b.payoutState(token).Signed.String(), "0")
		b.commit(b.settle(w, 1, dead))
		b.same("after it died", b.payoutState(w).Signed.String(), "0")
		b.commit(b.payOut(w, 2, "one", terms(money.SOL)))
		b.same("signed anew", b.payoutState(w).Signed.String(), "300")
		b.commit(b.settle(w, 2, errored))
		b.same("after it failed", b.payoutState(w).Signed.String(), "300")
	}},
	{"signing commits at once stay within the cap together", Races, func(b *bench) {
		people := []wallet.Address{alice, bob, carol, other, fakes.Wallet("dan"), fakes.Wallet("eve")}
		items := make([]player.Item, len(people))
		limited := terms(money.SOL)
		limited.PayoutCapPerHour = 250
		for i, w := range people {
			asked := b.payable(w, money.SOL, 100)
			b.lease(asked.ID, "one")
			items[i] = b.payOut(asked, 1, "one", limited)
		}
		b.same("payouts of 100 under a cap of 250", b.winners(len(items), fault.AmountOutOfRange, func(i int) error {
			return errorOf(b.Commit(background, items[i]))
		}), 2)
		b.sound()
	}},
	{"attempts are counted, and those that landed", Rows, func(b *bench) {
		w, other := b.payable(alice, money.SOL, 300), b.payable(bob, money.SOL, 200)
		counted := func(attempts, landed int) {
			b.Helper()
			if state := b.payoutState(w); state.Attempts != attempts || state.Costly != landed {
				b.Errorf("%d attempts, the newest that landed is %d; want %d and %d", state.Attempts, state.Costly, attempts, landed)
			}
		}
		settle := func(number int, outcome withdrawal.Outcome) {
			b.Helper()
			b.commit(b.step(w, func(v player.View, at time.Time) (player.Change, error) {
				return player.Settle(v, w.ID, number, outcome, at)
			}))
		}
		counted(0, 0)
		b.lease(other.ID, "one")
		b.commit(b.payOut(other, 1, "one", terms(money.SOL)))
		counted(0, 0)
		b.lease(w.ID, "one")
		b.commit(b.payOut(w, 1, "one", terms(money.SOL)))
		counted(1, 0)
		settle(1, withdrawal.Outcome{Status: withdrawal.Dead})
		counted(1, 0)
		b.commit(b.payOut(w, 2, "one", terms(money.SOL)))
		settle(2, withdrawal.Outcome{Status: withdrawal.Errored, Reason: "broke", Cost: withdrawal.Cost{Fee: 5}})
		counted(2, 2)
		b.sound()
	}},
}

// PayoutControls is the suite of ports.PayoutControls.
func PayoutControls(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, payoutControlsCases)
}

var payoutControlsCases = []story{
	{"the pause is stored with its audit record", Rows, func(b *bench) {
		b.same("at first", must(b.Pause(background))(b), withdrawal.Pause{})
		b.turn(true)
		b.reopen()
		paused := must(b.Pause(background))(b)
		b.errorIf(!paused.Paused || paused.By != admin || paused.Reason != "because" || paused.At.IsZero(), "%+v", paused)
		records := b.recordsOf(audit.PayoutsPaused)
		b.errorIf(len(records) != 1 || !records[0].At.Equal(paused.At), "%+v", records)
		b.turn(false)
		resumed := must(b.Pause(background))(b)
		b.errorIf(resumed.Paused, "%+v", resumed)
		b.chained()
	}},
	{"a refusal is returned as it is, and like a record that can't be kept it changes nothing", Rows, func(b *bench) {
		b.turn(true)
		before := must(b.Pause(background))(b)
		b.unchanged(audit.PayoutsPaused, func(record audit.Record, refusal error) error {
			return b.ChangePause(background, func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error) {
				b.same("what the decision sees", now, before)
				return withdrawal.Pause{}, record, refusal
			})
		})
	}},
	{"a signing commit sees the pause", Logic, func(b *bench) {
		w := b.payable(alice, money.SOL, 300)
		b.lease(w.ID, "one")
		item := b.payOut(w, 1, "one", terms(money.SOL))
		b.turn(true)
		b.errorIf(!b.payoutState(w).Paused, "the state doesn't say that payouts are paused")
		b.refuse(item, fault.InvalidState)
		b.turn(false)
		b.commit(item)
		b.sound()
	}},
}

// payoutState returns the data that a signing commit of the withdrawal would see.
func (b *bench) payoutState(w withdrawal.Withdrawal) withdrawal.PayoutControls {
	b.Helper()
	at := b.clock.Now()
	return must(b.PayoutState(background, withdrawal.PayoutQuery{WithdrawalID: w.ID, Wallet: w.Wallet, Token: w.Token, Since: at.Add(-withdrawal.CapWindow)}))(b)
}

// lease requests a lease of a minute.
func (b *bench) lease(id, worker string) bool {
	b.Helper()
	now := b.clock.Now()
	return must(b.Lease(background, id, worker, now, now.Add(time.Minute)))(b)
}

// payOut returns an item that signs a withdrawal as a payout worker does.
func (b *bench) payOut(w withdrawal.Withdrawal, number int, worker string, terms token.Terms) player.Item {
	return b.payOutBy(w, number, player.PayoutSigner{Worker: worker, Terms: terms, Unindexed: true})
}

func (b *bench) payOutBy(w withdrawal.Withdrawal, number int, signer player.PayoutSigner) player.Item {
	attempt := withdrawal.Attempt{
		WithdrawalID: w.ID, Number: number, Signature: fakes.Signature(fmt.Sprint(w.ID, number)),
		Transaction: []byte{1}, Blockhash: string(fakes.Mint("block")), CreatedAt: b.now(),
	}
	item := b.step(w, func(v player.View, at time.Time) (player.Change, error) {
		return player.PayOut(v, attempt, signer, at)
	})
	item.Needs.Payouts = withdrawal.PayoutQuery{WithdrawalID: w.ID, Wallet: w.Wallet, Token: w.Token, Since: item.At.Add(-withdrawal.CapWindow)}
	return item
}

// payable returns an approved withdrawal of a wallet, which it signs in.
func (b *bench) payable(w wallet.Address, mint money.Token, amount money.Amount) withdrawal.Withdrawal {
	b.Helper()
	if _, err := b.Player(background, w); err != nil {
		b.signIn(w, 0)
	}
	b.grant(admin, "superadmin")
	b.commit(b.credit(w, b.id(), mint, amount))
	asked := *b.commit(b.withdrawIn(w, mint, amount)).Change.Withdrawal
	return *b.commit(b.approve(asked, admin)).Change.Withdrawal
}

// turn pauses or resumes payouts.
func (b *bench) turn(paused bool) {
	b.Helper()
	action := audit.PayoutsResumed
	if paused {
		action = audit.PayoutsPaused
	}
	at := b.now()
	record := audit.Record{ID: b.id(), Action: action, By: admin, Target: "payouts", At: at}
	b.ok(b.ChangePause(background, func(withdrawal.Pause) (withdrawal.Pause, audit.Record, error) {
		return withdrawal.Pause{Paused: paused, By: admin, Reason: "because", At: at}, record, nil
	}))
}
