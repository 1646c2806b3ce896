package sim

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	appadmin "github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

func caller(w wallet.Address) app.Caller { return app.Caller{Wallet: w, RequestID: "sim"} }

// refusedWith checks that an answer is one of the refusals.
func refusedWith(err error, kinds ...fault.Kind) error {
	for _, kind := range kinds {
		if fault.Is(err, kind) {
			return nil
		}
	}
	return fmt.Errorf("answered %w (kind %d), expected one of %v", err, fault.KindOf(err), kinds)
}

func (w *World) signIn(ctx context.Context, a *account) error {
	at := w.clock.Now().UnixMilli()
	request := accounts.SignInRequest{
		Wallet: string(a.wallet), Timestamp: at,
		Signature: ed25519.Sign(w.keys[a.wallet], []byte(wallet.LoginMessage(a.wallet, at))),
	}
	_, err := w.casino.Accounts.SignIn(ctx, request)
	switch {
	case err == nil:
		if _, err := w.casino.Accounts.SignIn(ctx, request); err == nil {
			return errors.New("the same login message opened two sessions")
		}
	case fault.Is(err, fault.Unavailable), fault.Is(err, fault.ReplayedLogin):
		// The answer was lost. The next read shows whether the player exists.
	default:
		return err
	}
	if _, err := w.kept.Player(ctx, a.wallet); err == nil {
		a.known = true
	}
	return nil
}

// signInAs signs a new player of an agent in.
func (w *World) signInAs(ctx context.Context, member wallet.Address, code string) error {
	at := w.clock.Now().UnixMilli()
	_, err := w.casino.Accounts.SignIn(ctx, accounts.SignInRequest{
		Wallet: string(member), Timestamp: at, AgentCode: code,
		Signature: ed25519.Sign(w.keys[member], []byte(wallet.LoginMessage(member, at))),
	})
	return err
}

func (w *World) play(ctx context.Context, a *account) error {
	games := w.games.Games()
	request := play.PlayRequest{
		GameType: games[w.random.IntN(len(games))].Type(), Token: string(money.SOL),
		Wager: 9_000 + w.random.Int64N(60_000_000), Idempotency: w.key(),
	}
	l, keyed := w.limitsOf(a), w.random.IntN(4) > 0
	answer, err := again(w, func() (play.PlayResult, error) {
		if !keyed {
			return w.unkeyed(ctx, request, a)
		}
		return w.casino.Play.Play(ctx, caller(a.wallet), request)
	})
	forbidden := l.forbid(request.Wager)
	switch {
	case err != nil && !forbidden:
		return refusedWith(err, fault.WagerOutOfRange, fault.InsufficientFunds)
	case err != nil:
		return refusedWith(err, fault.WagerOutOfRange, fault.InsufficientFunds, fault.LimitExceeded)
	case forbidden:
		return fmt.Errorf("a wager of %d was taken beyond %+v", request.Wager, *l)
	}
	l.count(request.Wager, int64(answer.Round.Payout))
	if err := a.played(answer.Round); err != nil || !keyed {
		return err
	}
	if second, err := again(w, func() (play.PlayResult, error) { return w.casino.Play.Play(ctx, caller(a.wallet), request) }); err != nil ||
		!second.Replayed || second.Round.ID != answer.Round.ID || second.Balance != answer.Balance {
		return fmt.Errorf("the key gave round %s and then %s (%w)", answer.Round.ID, second.Round.ID, err)
	}
	return nil
}

func (w *World) rotate(ctx context.Context, a *account) error {
	request := play.RotateRequest{Idempotency: w.key()}
	if w.random.IntN(2) == 0 {
		seed := fmt.Sprintf("seed %d", w.serial)
		request.ClientSeed = &seed
	}
	answer, err := again(w, func() (play.RotateResult, error) { return w.casino.Play.Rotate(ctx, caller(a.wallet), request) })
	if err != nil {
		return err
	}
	return a.rotated(w.games, answer.Revealed, answer.Active)
}

// payIn pays the treasury on chain; claiming the deposit is another step.
func (w *World) payIn(_ context.Context, a *account) error {
	amount := 500_000 + w.random.Int64N(200_000_000)
	if int64(w.chain.Held(string(a.wallet), money.SOL)) < amount {
		return nil
	}
	signature := w.chain.Deposit(a.wallet, money.SOL, money.Amount(amount))
	a.claims[deposit.Ref{Signature: signature, Token: money.SOL}] = amount
	return nil
}

// claimDeposit registers a payment: mostly the player's own, sometimes another player's.
func (w *World) claimDeposit(ctx context.Context, a *account) error {
	owner := a
	if w.random.IntN(4) == 0 {
		owner = w.players[w.random.IntN(len(w.players))]
	}
	if refs := sortedRefs(owner.claims); len(refs) > 0 {
		ref := refs[0]
		answer, err := again(w, func() (deposits.DepositResult, error) {
			return w.casino.Deposits.Deposit(ctx, caller(a.wallet), ref.Signature, string(ref.Token))
		})
		if owner != a {
			if err == nil && answer.Claim.Status == deposit.Credited {
				return fmt.Errorf("%s was credited with the payment of %s", a.wallet, owner.wallet)
			}
			return nil
		}
		if err != nil {
			if a.claims[ref] >= int64(terms.MinDeposit) {
				return fmt.Errorf("a deposit of %d: %w", a.claims[ref], err)
			}
			delete(a.claims, ref)
			return refusedWith(err, fault.DepositRejected)
		}
		return w.credited(a, ref, answer.Claim)
	}
	return nil
}

func (w *World) credited(a *account, ref deposit.Ref, claim deposit.Claim) error {
	if claim.Status != deposit.Credited {
		return nil
	}
	if int64(claim.Amount) != a.claims[ref] {
		return fmt.Errorf("deposit %s credited %d, %d was paid", ref.Signature, claim.Amount, a.claims[ref])
	}
	delete(a.claims, ref)
	a.balances[ref.Token] += int64(claim.Amount)
	return nil
}

func (w *World) withdraw(ctx context.Context, a *account) error {
	request := payouts.WithdrawalRequest{
		Amount: 900_000 + w.random.Int64N(500_000_000), Token: string(money.SOL),
		Destination: string(a.wallet), Idempotency: w.key(),
	}
	answer, err := again(w, func() (payouts.WithdrawalResult, error) {
		return w.casino.Payouts.Withdraw(ctx, caller(a.wallet), request)
	})
	if err != nil {
		return refusedWith(err, fault.AmountOutOfRange, fault.InsufficientFunds, fault.TooManyOpen)
	}
	a.balances[money.SOL] -= request.Amount
	if int64(answer.Balance) != a.balances[money.SOL] {
		return fmt.Errorf("withdrawal leaves %d, expected %d", answer.Balance, a.balances[money.SOL])
	}
	a.open[answer.Withdrawal.ID] = withdrawal.Pending
	return nil
}

func (w *World) cancel(ctx context.Context, a *account) error {
	if ids := sortedIDs(a.open); len(ids) > 0 {
		id := ids[0]
		// Without a key a lost answer causes a second request, which finds the first's effect.
		answer, err := again(w, func() (payouts.WithdrawalResult, error) {
			return w.casino.Payouts.CancelWithdrawal(ctx, caller(a.wallet), id)
		})
		if err != nil && !fault.Is(err, fault.InvalidState) {
			return err
		}
		return w.refreshed(ctx, a, id, answer.Withdrawal.Status)
	}
	return nil
}

// refreshed updates a withdrawal's state in the model; a refund is added to the balance once.
func (w *World) refreshed(ctx context.Context, a *account, id string, _ withdrawal.Status) error {
	now, err := w.kept.Withdrawal(ctx, id)
	if err != nil {
		return err
	}
	if attempt, err := w.kept.Attempt(ctx, id); err == nil {
		w.signed[id] = signedPayout{attempt.CreatedAt, now.Amount}
	}
	if !now.Status.Open() {
		delete(a.open, id)
		if now.Status != withdrawal.Completed {
			a.balances[now.Token] += int64(now.Amount)
		}
		return nil
	}
	a.open[id] = now.Status
	return nil
}

// decide lets two admins race for a withdrawal: at most one decision counts.
func (w *World) decide(ctx context.Context, a *account) error {
	if ids := sortedIDs(a.open); len(ids) > 0 {
		id := ids[0]
		for range 2 {
			admin := caller(w.admins[w.random.IntN(len(w.admins))])
			decide, verb := w.casino.Payouts.ApproveWithdrawal, "approve"
			if w.random.IntN(3) == 0 {
				decide, verb = w.casino.Payouts.RejectWithdrawal, "reject"
			}
			decision := payouts.WithdrawalDecision{ID: id, Reason: "simulated", Note: "simulated", Idempotency: w.key()}
			_, err := again(w, func() (payouts.WithdrawalResult, error) { return decide(ctx, admin, decision) })
			if err != nil && refusedWith(err, fault.InvalidState, fault.Forbidden) != nil {
				return fmt.Errorf("%s: %w", verb, err)
			}
		}
		return w.refreshed(ctx, a, id, "")
	}
	return nil
}

func (w *World) adjust(ctx context.Context, a *account) error {
	request := appadmin.AdjustmentRequest{
		User: string(a.wallet), Token: string(money.SOL), Amount: w.random.Int64N(200_000_000) - 100_000_000,
		Reason: "simulated", Idempotency: w.key(),
	}
	if request.Amount == 0 {
		return nil
	}
	admin := caller(w.admins[0])
	answer, err := again(w, func() (approvals.AdjustResult, error) { return w.casino.Admin.AdjustBalance(ctx, admin, request) })
	if err != nil {
		return refusedWith(err, fault.InsufficientFunds)
	}
	if answer.Approval != nil {
		return w.second(ctx, a, *answer.Approval)
	}
	a.balances[money.SOL] += request.Amount
	if int64(answer.Balance) != a.balances[money.SOL] {
		return fmt.Errorf("adjustment leaves %d, expected %d", answer.Balance, a.balances[money.SOL])
	}
	return nil
}

// second lets the admin who requested a credit, and then another one, decide on it: only the
// other's approval has an effect.
func (w *World) second(ctx context.Context, a *account, asked approval.Approval) error {
	decision := approvals.ApprovalDecision{ID: asked.ID, Approve: true, Idempotency: w.key()}
	decide := func(by wallet.Address) (approvals.ApprovalResult, error) {
		return again(w, func() (approvals.ApprovalResult, error) {
			return w.casino.Approvals.DecideApproval(ctx, caller(by), decision)
		})
	}
	if _, err := decide(w.admins[0]); !fault.Is(err, fault.Forbidden) {
		return fmt.Errorf("who asked for a credit decided on it: %w", err)
	}
	decision.Approve = w.random.IntN(2) == 0
	if _, err := decide(w.admins[1+w.random.IntN(2)]); err != nil {
		return err
	}
	if decision.Approve {
		a.balances[money.SOL] += asked.Amount
	}
	return nil
}

// work advances the chain and runs the workers' steps; a failed step is tried again later, as in
// their loops.
func (w *World) work(ctx context.Context, _ *account) error {
	w.chain.Advance(uint64(1 + w.random.IntN(2*fakes.ChainFinality)))
	if w.random.IntN(3) == 0 {
		w.node.deliver(ctx)
	}
	for range 4 {
		w.busy = true
		worker := w.payouts[w.random.IntN(2)]
		for range 2 { // every other step may be a look at the treasury's history
			_, _ = worker.Step(ctx) // a fault of a port: the next round tries again
		}
		w.busy = false
		_, _ = w.claims.Step(ctx)  // likewise
		_, _ = w.watcher.Step(ctx) // likewise
		_, _ = w.forwarder.Step(ctx)
	}
	if len(w.found) > 0 {
		return errors.New(w.found[0])
	}
	for _, a := range w.players {
		for _, id := range sortedIDs(a.open) {
			if err := w.refreshed(ctx, a, id, ""); err != nil {
				return err
			}
		}
		for _, ref := range sortedRefs(a.claims) {
			claim, err := w.kept.Claim(ctx, a.wallet, ref)
			if err == nil {
				err = w.credited(a, ref, claim)
			}
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
		}
	}
	return nil
}

// look compares the balance that the service shows with the model.
func (w *World) look(ctx context.Context, a *account) error {
	balances, err := w.casino.Accounts.Balances(ctx, caller(a.wallet), time.Time{})
	if err != nil {
		return err
	}
	reported := map[money.Token]int64{}
	for _, b := range balances {
		reported[b.Token] = int64(b.Amount)
	}
	if reported[money.SOL] != a.balances[money.SOL] {
		return fmt.Errorf("%s has %d, expected %d", a.wallet, reported[money.SOL], a.balances[money.SOL])
	}
	history, err := w.casino.Accounts.History(ctx, caller(a.wallet), ports.RoundFilter{}, ports.Page{Number: 1, Limit: 5})
	if err != nil {
		return err
	}
	for _, round := range history.Rounds {
		if round.PairID == "" { // a provider's: it has no seeds
			continue
		}
		if (round.ServerSeed == "") != (round.Commitment == a.pairHash) && a.pairHash != "" {
			return fmt.Errorf("round %s shows its seed while the pair is active, or hides it afterwards", round.ID)
		}
	}
	return nil
}

// limits is what a player set for a day, with the day's sums so far. Own and providers' games
// count in the same way.
type limits struct {
	since        time.Time
	set          bool
	wager, loss  int64
	wagered, net int64 // net is wagers minus wins
	day          string
}

// on returns the limits on a day: another day's sums begin at zero.
func (l *limits) on(day string) *limits {
	if l.day != day {
		l.day, l.wagered, l.net = day, 0, 0
	}
	return l
}

// forbid reports whether a wager could break one of them.
func (l *limits) forbid(wager int64) bool {
	return l.set && (l.wagered+wager > l.wager || l.net+wager > l.loss)
}

func (l *limits) count(wager, payout int64) {
	l.wagered, l.net = l.wagered+wager, l.net+wager-payout
}

// limitsOf returns a player's current limits.
func (w *World) limitsOf(a *account) *limits {
	return a.limits.on(w.clock.Now().UTC().Format("2006-01-02"))
}

// limit lets a player limit a day's wagers and losses, once.
func (w *World) limit(ctx context.Context, a *account) error {
	l := w.limitsOf(a)
	if l.set {
		return nil
	}
	l.wager, l.loss = 100_000_000+w.random.Int64N(600_000_000), 50_000_000+w.random.Int64N(300_000_000)
	requested := []protection.LimitRequest{
		{Kind: protection.Wager, Period: protection.Day, Token: money.SOL, Amount: money.Amount(l.wager)},
		{Kind: protection.Loss, Period: protection.Day, Token: money.SOL, Amount: money.Amount(l.loss)},
	}
	_, err := again(w, func() (protection.State, error) { return w.casino.Accounts.SetLimits(ctx, caller(a.wallet), requested) })
	l.set, l.since, l.wagered, l.net = err == nil, w.clock.Now(), 0, 0
	return err
}

// unkeyed plays a round without a key, which the client can't repeat: the store must resolve a
// lost COMMIT.
func (w *World) unkeyed(ctx context.Context, request play.PlayRequest, a *account) (play.PlayResult, error) {
	saved := w.faults.perThousand
	defer func() { w.faults.perThousand = saved }()
	w.faults.perThousand = 0
	w.rerun = w.random.IntN(4) == 0
	defer func() { w.rerun = false }()
	request.Idempotency = app.Idempotency{}
	return w.casino.Play.Play(ctx, caller(a.wallet), request)
}
