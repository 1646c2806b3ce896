package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	approunds "github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// controls changes the control state as somebody beside the casino does.
func (h *house) controls(change func(*control.State)) {
	h.t.Helper()
	record := audit.Record{ID: h.deps.Entropy.ID(), Action: audit.PlayPaused, Target: "play", At: h.clock.Now()}
	err := h.store.ChangeControl(h.ctx, func(now control.State) (control.State, *audit.Record, error) {
		change(&now)
		return now, &record, nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// recovered finds the database restored a while ago, and begins the next epoch.
func (h *house) recovered() {
	h.t.Helper()
	h.controls(func(s *control.State) {
		s.Restored = &control.Restored{At: h.clock.Now().Add(-time.Minute), Reason: "a head is gone"}
	})
	h.begun()
}

// begun begins the next epoch and opens the service.
func (h *house) begun() {
	h.t.Helper()
	record := audit.Record{ID: h.deps.Entropy.ID(), Action: audit.EpochBegun, Target: "ledger", At: h.clock.Now()}
	_, err := h.store.BeginEpoch(h.ctx, nil, func(now control.State) (control.State, *audit.Record, error) {
		next := now.Next(h.clock.Advance(time.Second), 0)
		next.Restored = nil
		return next, &record, nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// TestWhileRestoredOnlyStoppingGoesOn: what a database that went back says of money is
// no ground for a decision, and whoever stops something needn't wait for a better one.
func TestWhileRestoredOnlyStoppingGoesOn(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, root := h.player("alice", 50_000), h.admin("root", "superadmin")
	w := h.withdraw(alice, 2_000)
	impose := func(requests ...protection.LimitRequest) error {
		return no(h.Accounts.AdminSetLimits(h.ctx, root, string(alice.Wallet), "seen to chase losses", requests))
	}
	if err := impose(daily(protection.Loss, 500)...); err != nil {
		t.Fatal(err)
	}
	for _, amount := range []money.Amount{100, 200} { // the raise waits for a day
		ok(h.Accounts.SetLimits(h.ctx, alice, daily(protection.Deposit, amount)))(t)
	}
	h.controls(func(s *control.State) { s.Restored = &control.Restored{At: h.clock.Now(), Reason: "a head is gone"} })
	h.unchanged(func() {
		for what, err := range map[string]error{
			"play": no(h.Play.Play(h.ctx, alice, dice(100))), "sign-in": no(h.Accounts.SignIn(h.ctx, login("bob", h.clock.Now()))),
			"cancel": no(h.Payouts.CancelWithdrawal(h.ctx, alice, w.ID)), "approve": no(h.Payouts.ApproveWithdrawal(h.ctx, root, approving(w.ID))),
			"release": no(h.Accounts.SetFrozen(h.ctx, root, string(alice.Wallet), "settled", false)),
			"raise":   impose(daily(protection.Loss, 501)...), "lift": impose(),
			"raise more": no(h.Accounts.SetLimits(h.ctx, alice, daily(protection.Deposit, 300))), "lift instead": no(h.Accounts.SetLimits(h.ctx, alice, nil)),
		} {
			if refused(t, err, fault.Maintenance, "reason", "restored"); t.Failed() {
				t.Fatal(what)
			}
		}
	})
	ok(h.Accounts.SetLimits(h.ctx, alice, append(daily(protection.Wager, 250), daily(protection.Deposit, 200)...)))(t)
	if err := impose(daily(protection.Loss, 400)...); err != nil {
		t.Error(err)
	}
	ok(h.Accounts.SetFrozen(h.ctx, root, string(alice.Wallet), "a dispute", true))(t)
	ok(h.Accounts.Exclude(h.ctx, alice, h.clock.Now().Add(time.Hour), false))(t)
	if err := h.Accounts.SignOut(h.ctx, alice); err != nil {
		t.Error(err)
	}
	ok(h.Accounts.Protection(h.ctx, alice))(t) // reads go on
}

// TestAnEpochEndsWhatBeganBefore: in the read that confirms a session, and in the commit
// of a bet, which doesn't read first.
func TestAnEpochEndsWhatBeganBefore(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 50_000)
	signedIn := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	session := ok(h.Accounts.Authenticate(h.ctx, signedIn.Token))(t)
	alice.Unconfirmed = &session
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	h.recovered()
	refused(t, no(h.Accounts.Authenticate(h.ctx, signedIn.Token)), fault.InvalidToken)
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.InvalidToken)
	again := ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	session = ok(h.Accounts.Authenticate(h.ctx, again.Token))(t)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
}

// TestUsedLoginMessagesStayUsed: which were used is part of what was lost, so none from
// before the discovery is admitted, and after the recovery none that a clock which runs ahead
// may have stamped before it.
func TestUsedLoginMessagesStayUsed(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.player("alice", 50_000)
	h.clock.Advance(time.Minute)
	found := h.clock.Now().Truncate(time.Millisecond)
	h.controls(func(s *control.State) { s.Restored = &control.Restored{At: found, Reason: "a head is gone"} })
	before, first := login("alice", found.Add(-time.Millisecond)), login("alice", found)
	last, stranger := login("alice", found.Add(time.Minute-time.Millisecond)), login("bob", found.Add(time.Minute))
	refused(t, no(h.Accounts.SignIn(h.ctx, before)), fault.Maintenance, "reason", "restored")
	ok(h.Accounts.SignIn(h.ctx, first))(t) // whoever stops something has to be signed in
	refused(t, no(h.Accounts.SignIn(h.ctx, first)), fault.ReplayedLogin)
	refused(t, no(h.Accounts.SignIn(h.ctx, stranger)), fault.Maintenance, "reason", "restored")
	h.begun()
	refused(t, no(h.Accounts.SignIn(h.ctx, last)), fault.StaleTimestamp)
	ok(h.Accounts.SignIn(h.ctx, stranger))(t)
	// Found once more, by a clock that is behind.
	h.controls(func(s *control.State) { s.Restored = &control.Restored{At: found.Add(-time.Hour)} })
	h.begun()
	refused(t, no(h.Accounts.SignIn(h.ctx, last)), fault.StaleTimestamp)
}

// TestAdminsStopThingsWhileRestored: an admin signs in by a fresh message, also one of whose
// first sign-in the copy knows nothing, and freezes, pauses and revokes.
func TestAdminsStopThingsWhileRestored(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 50_000)
	w := h.withdraw(alice, 2_000)
	h.admin("root", "superadmin")
	h.admin("finance", "finance")
	h.clock.Advance(time.Minute)
	h.controls(func(s *control.State) { s.Restored = &control.Restored{At: h.clock.Now(), Reason: "a head is gone"} })
	signedIn := ok(h.Accounts.SignIn(h.ctx, login("root", h.clock.Advance(time.Second))))(t)
	session := ok(h.Accounts.Authenticate(h.ctx, signedIn.Token))(t)
	root := app.Caller{Wallet: session.Wallet}
	ok(h.Accounts.SetFrozen(h.ctx, root, string(alice.Wallet), "a dispute", true))(t)
	ok(h.Play.PausePlay(h.ctx, root, play.PlayPauseRequest{Reason: "a check"}))(t)
	ok(h.Payouts.PausePayouts(h.ctx, root, "a check"))(t)
	if err := h.Admin.RevokeRole(h.ctx, root, string(fakes.Wallet("finance"))); err != nil {
		t.Error(err)
	}
	// What may have been paid in the lost time goes back to nobody.
	refused(t, no(h.Payouts.RejectWithdrawal(h.ctx, root, payouts.WithdrawalDecision{ID: w.ID, Reason: "no"})), fault.Maintenance, "reason", "restored")
	h.begun()
	h.clock.Advance(time.Minute)
	ok(h.Accounts.SignIn(h.ctx, login("root", h.clock.Now())))(t)
	h.audited()
}

// TestSeedsOfAnEarlierEpochDecideNothing: rounds that were lost may have been drawn from
// the pair and from the seed after it, so both are revealed and neither is played.
func TestSeedsOfAnEarlierEpochDecideNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 50_000)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	before := ok(h.Play.Seed(h.ctx, alice))(t)
	h.recovered()

	// A session that an instance issued whose clock is ahead.
	refused(t, no(h.Play.Play(h.ctx, alice, dice(100))), fault.InvalidToken)
	refused(t, no(h.Play.Rotate(h.ctx, alice, play.RotateRequest{})), fault.InvalidToken)

	ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	after := ok(h.Play.Seed(h.ctx, alice))(t)
	for _, now := range []string{after.Commitment, after.Next.Commitment} {
		if now == before.Commitment || now == before.Next.Commitment {
			t.Errorf("after the sign-in the seeds are %+v, before it %+v", after, before)
		}
	}
	history := ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Limit: 10}))(t)
	shown := map[string]int64{}
	for _, r := range history.Pairs {
		if err := r.Verify(); err != nil {
			t.Error(err)
		}
		shown[r.Commitment] = r.Rounds
	}
	if rounds, there := shown[before.Next.Commitment]; len(shown) != 2 || !there || rounds != 0 || shown[before.Commitment] != 1 {
		t.Errorf("revealed are %+v", history.Pairs)
	}
	played := ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	if played.Round.Commitment != after.Commitment || played.Round.Nonce != 0 {
		t.Errorf("drawn from %+v", played.Round)
	}
	ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	if again := ok(h.Play.Seed(h.ctx, alice))(t); again.ID != after.ID || again.Nonce != 1 {
		t.Errorf("another sign-in of the epoch replaced the pair: %+v", again)
	}
	h.audited()
}

// TestNobodyPlaysOnInARoundThatARecoveryBroughtBack: its player may have seen how it went
// on, so it is ended as one left alone, before its seeds are revealed.
func TestNobodyPlaysOnInARoundThatARecoveryBroughtBack(t *testing.T) {
	t.Parallel()
	h := climbers(t)
	alice := h.player("alice", 10_000)
	open := h.opened(alice, climb(1_000, doubling))
	open = *h.stepped(alice, open, fakes.Double).Open
	before := ok(h.Play.Seed(h.ctx, alice))(t)
	h.recovered()
	alice = h.enter("alice")
	step := approunds.StepRequest{RoundID: open.ID, Step: int64(open.Step()), Action: fakes.CashOut, Fingerprint: "cash"}
	refused(t, no(h.Rounds.Step(h.ctx, alice, step)), fault.InvalidState, "status", "recovered")
	for _, r := range ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Limit: 10}))(t).Pairs {
		if r.ID == before.ID {
			t.Error("its seeds are revealed before it has ended")
		}
	}
	h.abandoned()
	ended := ok(h.Accounts.Round(h.ctx, alice, open.ID))(t)
	equal(t, "payout", ended.Payout, 2_000)
	equal(t, "balance", h.balance("alice"), 10_000)
	refused(t, no(h.Rounds.Step(h.ctx, alice, step)), fault.InvalidState, "status", "ended")
	h.clock.Advance(time.Second)
	alice = h.enter("alice")
	equal(t, "pairs revealed", len(ok(h.Play.SeedHistory(h.ctx, alice, ports.Page{Limit: 10}))(t).Pairs), 2)
	// One that was opened since goes on, also by an instance whose clock is behind.
	h.clock.Advance(-3 * time.Second)
	young := h.opened(alice, climb(1_000))
	h.clock.Advance(3 * time.Second)
	h.abandoned()
	h.stepped(alice, young, fakes.CashOut)
	h.audited()
	h.solvent()
}

// TestTheAuditAcceptsWhatARecoveryLeftOut: numbers may be missing where a later epoch
// begins and nowhere else, and a kept head of a lost block is named.
func TestTheAuditAcceptsWhatARecoveryLeftOut(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.player("alice", 50_000)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	h.recovered()
	ok(h.Accounts.SignIn(h.ctx, login("alice", h.clock.Advance(time.Second))))(t)
	ok(h.Play.Play(h.ctx, alice, dice(100)))(t)
	if report := h.audited(); report.Epoch != 2 {
		t.Errorf("the ledger is in epoch %d", report.Epoch)
	}
	var begins hashchain.Head
	var before int64
	// again seals every block anew, with the number it had.
	again := func(change func(i int, b *ports.Block)) forged {
		var last hashchain.Head
		return forged{
			AuditStore: h.store,
			blocks: func(all []ports.Block) []ports.Block {
				last = hashchain.Head{}
				for i := range all {
					b := twin(all[i])
					if b.Seq != last.Seq+1 {
						begins, before = b.Head, last.Seq
					}
					change(i, &b)
					b.Previous = last.Hash
					last = hashchain.Again(last, b.Seq, b.Content)
					b.Head, all[i] = last, b
				}
				return all
			},
			heads: func([]hashchain.Head) []hashchain.Head { return []hashchain.Head{last} },
		}
	}
	if found := h.found(again(func(int, *ports.Block) {})); found != "" || begins.Seq-before < hashchain.EpochMargin {
		t.Errorf("sealed again as it is: %s", found)
	}
	lost := hashchain.Head{Lane: begins.Lane, Seq: before + 3, Hash: hashchain.Hash{1}}
	if found := h.found(again(func(int, *ports.Block) {}), lost); !strings.Contains(found, "lost by the restore") {
		t.Errorf("a kept head of a lost block: %q", found)
	}
	for want, change := range map[string]func(i int, b *ports.Block){
		"blocks are missing": func(_ int, b *ports.Block) { b.Epoch = 1 },
		"of epoch 1, and follows": func(_ int, b *ports.Block) {
			if b.Seq > begins.Seq {
				b.Epoch = 1
			}
		},
		"drawn from a pair of epoch 1": func(_ int, b *ports.Block) {
			for i := range b.Rounds { // as if the lost pair were played on
				b.Rounds[i].PairID = "one"
			}
		},
	} {
		if found := h.found(again(change)); !strings.Contains(found, want) {
			t.Errorf("want %q, found %q", want, found)
		}
	}
}

// TestAWatchThatTheCopyNeverSawBeginsWhereItWasMade: what players paid since is no capital.
func TestAWatchThatTheCopyNeverSawBeginsWhereItWasMade(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{true, false} {
		h := unwatched(t).capitalized()
		h.enter("alice")
		h.chain.pay("early", money.SOL, 9_000)
		h.chain.finalize()
		if known {
			position := ok(h.chain.Signed(h.ctx, treasury.Position{}, 10))(t).Next
			if err := h.store.ExtendIndex(h.ctx, "", position, nil); err != nil {
				t.Fatal(err)
			}
		}
		h.chain.pay("alice", money.SOL, 5_000)
		h.chain.finalize()
		h.controls(func(s *control.State) { s.Restored = &control.Restored{At: h.clock.Now(), Reason: "a head is gone"} })
		beginning := deposits.WatchBeginning{
			Cursors: h.store, History: h.chain, Controls: h.store, Index: h.store, Tokens: h.Tokens,
		}
		missing := ok(beginning.Missing(h.ctx))(t)
		equal(t, "tokens that the copy never saw watched", len(missing), len(h.Tokens.All()))
		equal(t, "it is known how far the copy reached", missing[0].After > 0, known)
		if err := h.Deposits.BeginWatch(h.ctx); err != nil {
			t.Fatal(err)
		}
		equal(t, "and once more", len(ok(beginning.Begin(h.ctx))(t)), 0)
		h.begun()
		h.round(h.Deposits.DepositWatcher())
		books := "player 5000, chain -5000"
		if !known {
			books = ""
		}
		h.books(books)
	}
}
