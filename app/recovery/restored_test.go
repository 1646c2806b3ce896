package recovery_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	approunds "github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// recover marks the database as restored a while ago, and begins the next epoch.
func (h *house) recover() {
	h.T.Helper()
	h.ChangeControls(func(s *control.State) {
		s.Restored = &control.Restored{At: h.Clock.Now().Add(-time.Minute), Reason: "a head is gone"}
	})
	h.BeginEpoch()
}

// TestWhileRestoredOnlyStoppingGoesOn: the balances of a restored database are no basis for
// a decision, but stopping something is always possible.
func TestWhileRestoredOnlyStoppingGoesOn(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice, root := h.NewPlayer("alice", 50_000), h.NewAdmin("root", "superadmin")
	w := h.RequestWithdrawal(alice, 2_000)
	impose := func(requests ...protection.LimitRequest) error {
		return apptest.ErrorOf(h.Accounts.AdminSetLimits(h.Ctx, root, string(alice.Wallet), "seen to chase losses", requests))
	}
	if err := impose(apptest.DailyLimit(protection.Loss, 500)...); err != nil {
		t.Fatal(err)
	}
	for _, amount := range []money.Amount{100, 200} { // the raise waits for a day
		apptest.OK(h.Accounts.SetLimits(h.Ctx, alice, apptest.DailyLimit(protection.Deposit, amount)))(t)
	}
	h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
	h.CheckUnchanged(func() {
		for what, err := range map[string]error{
			"play": apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), "sign-in": apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, apptest.Login("bob", h.Clock.Now()))),
			"cancel": apptest.ErrorOf(h.Payouts.CancelWithdrawal(h.Ctx, alice, w.ID)), "approve": apptest.ErrorOf(h.Payouts.ApproveWithdrawal(h.Ctx, root, apptest.Approving(w.ID))),
			"release": apptest.ErrorOf(h.Accounts.SetFrozen(h.Ctx, root, string(alice.Wallet), "settled", false)),
			"raise":   impose(apptest.DailyLimit(protection.Loss, 501)...), "lift": impose(),
			"raise more": apptest.ErrorOf(h.Accounts.SetLimits(h.Ctx, alice, apptest.DailyLimit(protection.Deposit, 300))), "lift instead": apptest.ErrorOf(h.Accounts.SetLimits(h.Ctx, alice, nil)),
		} {
			if apptest.Refused(t, err, fault.Maintenance, "reason", "restored"); t.Failed() {
				t.Fatal(what)
			}
		}
	})
	apptest.OK(h.Accounts.SetLimits(h.Ctx, alice, append(apptest.DailyLimit(protection.Wager, 250), apptest.DailyLimit(protection.Deposit, 200)...)))(t)
	if err := impose(apptest.DailyLimit(protection.Loss, 400)...); err != nil {
		t.Error(err)
	}
	apptest.OK(h.Accounts.SetFrozen(h.Ctx, root, string(alice.Wallet), "a dispute", true))(t)
	apptest.OK(h.Accounts.Exclude(h.Ctx, alice, h.Clock.Now().Add(time.Hour), false))(t)
	if err := h.Accounts.SignOut(h.Ctx, alice); err != nil {
		t.Error(err)
	}
	apptest.OK(h.Accounts.Protection(h.Ctx, alice))(t) // reads are still possible
}

// TestAnEpochEndsWhatBeganBefore: sessions are refused in the read that confirms them, and
// in the commit of a bet, which doesn't read first.
func TestAnEpochEndsWhatBeganBefore(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	signedIn := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	session := apptest.OK(h.Accounts.Authenticate(h.Ctx, signedIn.Token))(t)
	alice.Unconfirmed = &session
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	h.recover()
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.Authenticate(h.Ctx, signedIn.Token)), fault.InvalidToken)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.InvalidToken)
	again := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	session = apptest.OK(h.Accounts.Authenticate(h.Ctx, again.Token))(t)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
}

// TestUsedLoginMessagesStayUsed: the used messages may be lost, so messages from before the
// discovery are refused. After the recovery, so are those that a fast clock may have
// stamped before it.
func TestUsedLoginMessagesStayUsed(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewPlayer("alice", 50_000)
	h.Clock.Advance(time.Minute)
	found := h.Clock.Now().Truncate(time.Millisecond)
	h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: found, Reason: "a head is gone"} })
	before, first := apptest.Login("alice", found.Add(-time.Millisecond)), apptest.Login("alice", found)
	last, stranger := apptest.Login("alice", found.Add(time.Minute-time.Millisecond)), apptest.Login("bob", found.Add(time.Minute))
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, before)), fault.Maintenance, "reason", "restored")
	apptest.OK(h.Accounts.SignIn(h.Ctx, first))(t) // an admin who stops something must be signed in
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, first)), fault.ReplayedLogin)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, stranger)), fault.Maintenance, "reason", "restored")
	h.BeginEpoch()
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, last)), fault.StaleTimestamp)
	apptest.OK(h.Accounts.SignIn(h.Ctx, stranger))(t)
	// Found again, by an instance with a slow clock.
	h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: found.Add(-time.Hour)} })
	h.BeginEpoch()
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, last)), fault.StaleTimestamp)
}

// TestAdminsStopThingsWhileRestored: an admin signs in with a new message, even if the copy
// lacks their first sign-in, and freezes, pauses and revokes.
func TestAdminsStopThingsWhileRestored(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	w := h.RequestWithdrawal(alice, 2_000)
	h.NewAdmin("root", "superadmin")
	h.NewAdmin("finance", "finance")
	h.Clock.Advance(time.Minute)
	h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
	signedIn := apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("root", h.Clock.Advance(time.Second))))(t)
	session := apptest.OK(h.Accounts.Authenticate(h.Ctx, signedIn.Token))(t)
	root := app.Caller{Wallet: session.Wallet}
	apptest.OK(h.Accounts.SetFrozen(h.Ctx, root, string(alice.Wallet), "a dispute", true))(t)
	apptest.OK(h.Play.PausePlay(h.Ctx, root, play.PlayPauseRequest{Reason: "a check"}))(t)
	apptest.OK(h.Payouts.PausePayouts(h.Ctx, root, "a check"))(t)
	if err := h.Admin.RevokeRole(h.Ctx, root, string(fakes.Wallet("finance"))); err != nil {
		t.Error(err)
	}
	// Money that may have been paid in the lost time isn't returned.
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.RejectWithdrawal(h.Ctx, root, payouts.WithdrawalDecision{ID: w.ID, Reason: "no"})), fault.Maintenance, "reason", "restored")
	h.BeginEpoch()
	h.Clock.Advance(time.Minute)
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("root", h.Clock.Now())))(t)
	h.CheckAudit()
}

// TestSeedsOfAnEarlierEpochDecideNothing: lost rounds may have been drawn from the pair and
// from the seed after it, so both are revealed and neither is played.
func TestSeedsOfAnEarlierEpochDecideNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	before := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	h.recover()

	// A session that an instance with a fast clock issued.
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.InvalidToken)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{})), fault.InvalidToken)

	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	after := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	for _, now := range []string{after.Commitment, after.Next.Commitment} {
		if now == before.Commitment || now == before.Next.Commitment {
			t.Errorf("after the sign-in the seeds are %+v, before it %+v", after, before)
		}
	}
	history := apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Limit: 10}))(t)
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
	played := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	if played.Round.Commitment != after.Commitment || played.Round.Nonce != 0 {
		t.Errorf("drawn from %+v", played.Round)
	}
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	if again := apptest.OK(h.Play.Seed(h.Ctx, alice))(t); again.ID != after.ID || again.Nonce != 1 {
		t.Errorf("another sign-in of the epoch replaced the pair: %+v", again)
	}
	h.CheckAudit()
}

// TestNobodyPlaysOnInARoundThatARecoveryBroughtBack: the player may have seen its lost end,
// so it is ended like an abandoned round before its seeds are revealed.
func TestNobodyPlaysOnInARoundThatARecoveryBroughtBack(t *testing.T) {
	t.Parallel()
	h := openWithLadder(t)
	alice := h.NewPlayer("alice", 10_000)
	open := h.OpenRound(alice, apptest.Climb(1_000, apptest.Doubling))
	open = *h.StepRound(alice, open, fakes.Double).Open
	before := apptest.OK(h.Play.Seed(h.Ctx, alice))(t)
	h.recover()
	alice = h.SignIn("alice")
	step := approunds.StepRequest{RoundID: open.ID, Step: int64(open.Step()), Action: fakes.CashOut, Fingerprint: "cash"}
	apptest.Refused(t, apptest.ErrorOf(h.Rounds.Step(h.Ctx, alice, step)), fault.InvalidState, "status", "recovered")
	for _, r := range apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Limit: 10}))(t).Pairs {
		if r.ID == before.ID {
			t.Error("its seeds are revealed before it has ended")
		}
	}
	h.EndAbandonedRounds()
	ended := apptest.OK(h.Accounts.Round(h.Ctx, alice, open.ID))(t)
	apptest.Equal(t, "payout", ended.Payout, 2_000)
	apptest.Equal(t, "balance", h.Balance("alice"), 10_000)
	apptest.Refused(t, apptest.ErrorOf(h.Rounds.Step(h.Ctx, alice, step)), fault.InvalidState, "status", "ended")
	h.Clock.Advance(time.Second)
	alice = h.SignIn("alice")
	apptest.Equal(t, "pairs revealed", len(apptest.OK(h.Play.SeedHistory(h.Ctx, alice, ports.Page{Limit: 10}))(t).Pairs), 2)
	// A round opened since can continue, even on an instance with a slow clock.
	h.Clock.Advance(-3 * time.Second)
	young := h.OpenRound(alice, apptest.Climb(1_000))
	h.Clock.Advance(3 * time.Second)
	h.EndAbandonedRounds()
	h.StepRound(alice, young, fakes.CashOut)
	h.CheckAudit()
	h.CheckSolvent()
}

// TestTheAuditAcceptsWhatARecoveryLeftOut: numbers may be missing only before a later
// epoch, and a kept head of a lost block is named.
func TestTheAuditAcceptsWhatARecoveryLeftOut(t *testing.T) {
	t.Parallel()
	h := open(t)
	alice := h.NewPlayer("alice", 50_000)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	h.recover()
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Advance(time.Second))))(t)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	if report := h.CheckAudit(); report.Epoch != 2 {
		t.Errorf("the ledger is in epoch %d", report.Epoch)
	}
	var begins hashchain.Head
	var before int64
	// again seals every block again with its old number.
	again := func(change func(i int, b *ports.Block)) apptest.Forged {
		var last hashchain.Head
		return apptest.Forged{
			AuditStore: h.Store,
			Blocks: func(all []ports.Block) []ports.Block {
				last = hashchain.Head{}
				for i := range all {
					b := apptest.CloneBlock(all[i])
					if b.Seq != last.Seq+1 {
						begins, before = b.Head, last.Seq
					}
					change(i, &b)
					again := hashchain.Again(last, b.Seq, b.Content)
					last = again.Head()
					b.Head, b.Previous, b.Root, b.Size = last, again.Previous, again.Root, again.Size
					all[i] = b
				}
				return all
			},
			Heads: func([]hashchain.Head) []hashchain.Head { return []hashchain.Head{last} },
		}
	}
	if found := h.AuditFindings(again(func(int, *ports.Block) {})); found != "" || begins.Seq-before < hashchain.EpochMargin {
		t.Errorf("sealed again as it is: %s", found)
	}
	lost := hashchain.Head{Lane: begins.Lane, Seq: before + 3, Hash: hashchain.Hash{1}}
	if found := h.AuditFindings(again(func(int, *ports.Block) {}), lost); !strings.Contains(found, "lost by the restore") {
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
			for i := range b.Rounds { // as if the lost pair were still used
				b.Rounds[i].PairID = "one"
			}
		},
	} {
		if found := h.AuditFindings(again(change)); !strings.Contains(found, want) {
			t.Errorf("want %q, found %q", want, found)
		}
	}
}

// TestAWatchThatTheCopyNeverSawBeginsWhereItWasMade: payments since the copy are not
// capital.
func TestAWatchThatTheCopyNeverSawBeginsWhereItWasMade(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{true, false} {
		h := &house{unwatched(t).Capitalized()}
		h.SignIn("alice")
		h.Chain.Pay("early", money.SOL, 9_000)
		h.Chain.Finalize()
		if known {
			position := apptest.OK(h.Chain.Signed(h.Ctx, treasury.Position{}, 10))(t).Next
			if err := h.Store.ExtendIndex(h.Ctx, "", position, nil); err != nil {
				t.Fatal(err)
			}
		}
		h.Chain.Pay("alice", money.SOL, 5_000)
		h.Chain.Finalize()
		h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), Reason: "a head is gone"} })
		beginning := deposits.WatchBeginning{
			Cursors: h.Store, History: h.Chain, Controls: h.Store, Index: h.Store, Tokens: h.Tokens,
		}
		missing := apptest.OK(beginning.Missing(h.Ctx))(t)
		apptest.Equal(t, "tokens that the copy never saw watched", len(missing), len(h.Tokens.All()))
		apptest.Equal(t, "it is known how far the copy reached", missing[0].After > 0, known)
		if err := h.Deposits.BeginWatch(h.Ctx); err != nil {
			t.Fatal(err)
		}
		apptest.Equal(t, "and once more", len(apptest.OK(beginning.Begin(h.Ctx))(t)), 0)
		h.BeginEpoch()
		h.RunWatcher(h.Deposits.DepositWatcher())
		books := "player 5000, chain -5000"
		if !known {
			books = ""
		}
		h.CheckBooks(books)
	}
}
