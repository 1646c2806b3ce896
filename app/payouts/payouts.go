package payouts

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// StuckAfter is how long a payout may take from approval to signature, and from signature
// to its end, before an alarm is raised.
const StuckAfter = 10 * time.Minute

// PayoutWorker pays approved withdrawals: it signs a transaction, stores it, sends it, and
// follows it to its end. It signs again only after the chain proves the previous
// transaction dead. So each withdrawal is paid once, even if a worker dies at any point or
// two work at the same time. Leases only avoid duplicate work; double payment is prevented
// by the signing commit, which checks lease, state and attempt number under lock.
type PayoutWorker struct {
	casino *Service
	name   string
	stage  int
	after  string
	index  treasuryIndexer
	looked bool // in the previous step
	// deaths maps the signatures of attempts that the chain called dead, and that are not yet
	// confirmed by the treasury's index, to the slot at which they were first called so.
	deaths map[string]uint64
	// counts are the unfinished counts of wallets; proved is the newest proof.
	counts map[wallet.Address]*walletCount
	proved proof.Proof
}

// stages are the states that a worker goes through, transactions in flight first.
var stages = [...]withdrawal.Status{withdrawal.Sending, withdrawal.Approved}

// PayoutWorker returns a worker at the start of its pass. Its name in leases is that of the
// instance, or else a new one.
func (c *Service) PayoutWorker() *PayoutWorker {
	return &PayoutWorker{casino: c, name: cmp.Or(c.core.Settings.Instance, c.core.Entropy.ID()), index: treasuryIndexer{casino: c}}
}

// Step works on the next withdrawal, or reads the treasury's new transactions into the
// index, at most every lookEvery for all withdrawals. It reports false at the end of a
// pass.
func (p *PayoutWorker) Step(ctx context.Context) (worked bool, err error) {
	p.casino.core.Progress.Began(kernel.PayoutsWorker)
	// Between pages of a long history, attempts in flight are followed.
	if due := p.index.more || !p.casino.core.Now().Before(p.index.due); due && !p.looked && p.casino.Indexed() {
		p.looked = true
		return true, p.index.readNextPage(ctx)
	}
	p.looked = false
	next, err := p.casino.core.Store.Withdrawals.WithdrawalsIn(ctx, stages[p.stage], p.after, 1)
	if err != nil {
		return false, err
	}
	if len(next) == 0 {
		p.after, p.stage = "", (p.stage+1)%len(stages)
		return p.stage != 0 || p.index.more || p.isCounting(), nil
	}
	p.after = next[0].ID
	return true, p.workLeased(ctx, next[0].ID, stages[p.stage])
}

// workLeased works on a withdrawal in the given state, under a lease against other workers.
// If the worker dies, the lease lasts until it expires or the worker restarts.
func (p *PayoutWorker) workLeased(ctx context.Context, id string, status withdrawal.Status) (err error) {
	given, err := p.takeLease(ctx, id)
	if err != nil || !given {
		return err
	}
	defer func() {
		released := p.casino.core.Store.PayoutQueue.Release(context.WithoutCancel(ctx), id, p.name)
		if err == nil {
			err = released
		}
	}()
	// The withdrawal may have changed between the listing and the lease.
	w, err := p.casino.core.Store.Withdrawals.Withdrawal(ctx, id)
	switch {
	case err != nil || w.Status != status:
		return err
	case status == withdrawal.Approved:
		return p.startPayout(ctx, w)
	}
	return p.followAttempt(ctx, w)
}

// takeLease takes or renews the lease of a withdrawal. It reports false if another worker
// has it.
func (p *PayoutWorker) takeLease(ctx context.Context, id string) (given bool, err error) {
	now := p.casino.core.Now()
	return p.casino.core.Store.PayoutQueue.Lease(ctx, id, p.name, now, now.Add(withdrawal.LeaseTime))
}

// startPayout signs an approved withdrawal, stores the transaction, and sends it. A payout
// that can't be signed stays approved with a reason: its player may cancel it if it can
// never be paid, and an admin may reject it otherwise.
func (p *PayoutWorker) startPayout(ctx context.Context, w withdrawal.Withdrawal) error {
	c := p.casino
	switch frozen, err := c.isFrozen(ctx, w.Wallet); {
	case err != nil:
		return err
	case frozen:
		return c.recordReason(ctx, w, player.FrozenReason)
	}
	// A payout that was frozen until now isn't stuck.
	if w.Reason != player.FrozenReason && c.core.Now().Sub(w.UpdatedAt) >= StuckAfter {
		c.core.Alarms.Raise(ctx, alarm.PayoutStuck, w.ID, StatusFact, string(w.Status), "since", w.UpdatedAt)
	}
	attempt, err := p.signAndStore(ctx, w)
	switch {
	case errors.Is(err, errLeaseLost):
		return nil
	case err != nil:
		return p.recordRefusal(ctx, w, err)
	}
	return c.core.Chain.Send(ctx, attempt)
}

// signAndStore returns the stored attempt of an approved withdrawal, or the obstacle.
func (p *PayoutWorker) signAndStore(ctx context.Context, w withdrawal.Withdrawal) (attempt withdrawal.Attempt, err error) {
	c := p.casino
	terms, err := c.core.Tokens.Known(w.Token)
	if err != nil {
		return attempt, err
	}
	state, err := c.core.Store.PayoutQueue.PayoutState(ctx, payoutQuery(w, c.core.Now()))
	if err != nil {
		return attempt, err
	}
	if err := state.Admits(p.name, terms, w.Amount, c.core.Now()); err != nil {
		return attempt, err
	}
	if c.Indexed() {
		if err := state.Unpaid(w.CreatedAt, c.core.Now()); err != nil {
			return attempt, err
		}
	}
	switch known, err := p.proveWallet(ctx, w.Wallet); {
	case err != nil:
		return attempt, err
	case !known:
		return attempt, errCounting
	}
	if err := p.provePayable(ctx, w, terms); err != nil {
		return attempt, err
	}
	if w.Tag, err = MemoTag(c.core.Seals, w.Wallet); err != nil {
		return attempt, err
	}
	decision, err := c.screen(ctx, admission.Payout, w, netip.Addr{})
	switch {
	case err != nil:
		return attempt, err
	case decision.Verdict != admission.Allow:
		return attempt, errScreened
	}
	switch given, err := p.takeLease(ctx, w.ID); { // the proofs may have outlasted the lease
	case err != nil:
		return attempt, err
	case !given:
		return attempt, errLeaseLost
	}
	if attempt, err = c.core.Chain.Sign(ctx, w, terms); err != nil {
		return attempt, unsigned{err}
	}
	now := c.core.Now()
	attempt.WithdrawalID, attempt.Number, attempt.CreatedAt = w.ID, w.Attempt+1, now
	return attempt, p.storeAttempt(ctx, w, attempt, terms, now)
}

// errCounting delays a payout while its wallet takes more than one step to prove.
var errCounting = fault.New(fault.InvalidState, "the player's history is still being checked").With("status", "counting")

// errLeaseLost ends an attempt at a payout that another worker leased in the meantime.
var errLeaseLost = errors.New("another worker has the payout's lease")

// unsigned is the refusal of a payout by the chain or the signer.
type unsigned struct{ error }

// Unwrap returns the refusal.
func (u unsigned) Unwrap() error { return u.error }

// forGood reports whether the payout can never be made as requested, because of its
// destination or because its amount is too small for it.
func (u unsigned) forGood() bool {
	why := (*fault.Error)(nil)
	return fault.Is(u, fault.InvalidDestination) ||
		fault.Is(u, fault.AmountOutOfRange) && errors.As(u, &why) && why.Details["field"] == "amount"
}

// AttemptDoubt is the age below which an attempt isn't believed to be dead by its row
// alone. No blockhash stays valid that long while the chain runs, and after it a node may
// have forgotten the transaction.
const AttemptDoubt = time.Hour

// provePayable checks whether the payout may be signed before anything is signed, because
// anyone who gets a signed transaction could send it. The commit that stores it checks
// again, under lock. The previous transaction must be dead or failed according to the
// chain, whatever its row says (see AttemptDoubt).
func (p *PayoutWorker) provePayable(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) error {
	c := p.casino
	state, err := c.core.Store.Controls.State(ctx)
	if err == nil {
		err = state.Open() // nothing is signed while the database counts as restored
	}
	signer := p.payoutSigner(terms)
	if err != nil || !signer.Proves() {
		return err
	}
	// Read this before the withdrawal, or one that ends in between looks like an earlier one.
	queued, err := c.core.Store.PayoutQueue.PayoutState(ctx, payoutQuery(w, c.core.Now()))
	if err != nil {
		return err
	}
	seen, err := c.viewOf(ctx, w)
	if seen.Payouts = queued; err == nil {
		err = player.MayPay(seen, w.ID, signer, c.core.Now())
	}
	if err != nil {
		return err
	}
	if w.Attempt == 0 {
		return nil
	}
	last, err := p.storedAttempt(ctx, w)
	if err != nil || c.core.Now().Sub(last.CreatedAt) > AttemptDoubt {
		return err
	}
	outcome, err := c.core.Chain.Outcome(ctx, last)
	if err == nil && outcome.Status != withdrawal.Dead && outcome.Status != withdrawal.Errored {
		err = withdrawal.Forged("the transaction that was signed before may still land")
	}
	return err
}

// StatusFact names the fact with a withdrawal's status in alarms.
const StatusFact = "status"

// storedAttempt returns the newest attempt of a withdrawal after checking its seal.
func (p *PayoutWorker) storedAttempt(ctx context.Context, w withdrawal.Withdrawal) (withdrawal.Attempt, error) {
	last, err := p.casino.core.Store.Withdrawals.Attempt(ctx, w.ID)
	if err != nil {
		return last, err
	}
	if last.Number != w.Attempt || p.casino.core.Seals.Verify(withdrawal.AttemptPurpose, last.Sealed(), last.Seal) != nil {
		return last, withdrawal.Forged("the stored payout attempt differs from the one that the service signed")
	}
	return last, nil
}

// storeAttempt commits the signed attempt, unless the payout controls refuse it under lock.
func (p *PayoutWorker) storeAttempt(ctx context.Context, w withdrawal.Withdrawal, attempt withdrawal.Attempt, terms token.Terms, now time.Time) error {
	item := p.signingItem(w, terms, now, func(v player.View, signer player.PayoutSigner, now time.Time) (player.Change, error) {
		return player.PayOut(v, attempt, signer, now)
	})
	// If the answer is lost, the attempt may still be stored. It isn't sent now; the next
	// pass finds and sends it.
	_, err := p.casino.core.Store.Writer.Commit(ctx, item)
	return err
}

// signingItem returns an item with the needs of a signing commit.
func (p *PayoutWorker) signingItem(w withdrawal.Withdrawal, terms token.Terms, now time.Time,
	decide func(player.View, player.PayoutSigner, time.Time) (player.Change, error)) player.Item {
	c := p.casino
	item := OfWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}})
	item.Needs.Payouts = payoutQuery(w, now)
	signer := p.payoutSigner(terms)
	if signer.Proves() {
		item.Needs.Roles = player.ApproverNeeds(w)
	}
	item.At, item.Source = now, player.FromWorker
	item.Decide = func(v player.View) (player.Change, error) { return decide(v, signer, now) }
	return item
}

// payoutSigner describes the worker for the commit that signs.
func (p *PayoutWorker) payoutSigner(terms token.Terms) player.PayoutSigner {
	c := p.casino
	return player.PayoutSigner{
		Worker: p.name, Terms: terms, Policy: c.core.Policy, Seals: c.core.Seals, Signing: c.signingRules(), Unindexed: !c.Indexed(),
		Provable: c.provesWallets(), Proof: p.proved,
	}
}

func payoutQuery(w withdrawal.Withdrawal, now time.Time) withdrawal.PayoutQuery {
	return withdrawal.PayoutQuery{WithdrawalID: w.ID, Wallet: w.Wallet, Token: w.Token, Since: now.Add(-withdrawal.CapWindow)}
}

// followAttempt reads the outcome of the stored transaction from the chain, and settles it,
// sends it again unchanged, or waits for it to land.
func (p *PayoutWorker) followAttempt(ctx context.Context, w withdrawal.Withdrawal) error {
	c := p.casino
	attempt, err := p.storedAttempt(ctx, w)
	if withdrawal.ObstacleOf(err) == withdrawal.ForgedStatus {
		c.core.Alarms.Raise(ctx, alarm.PayoutForged, w.ID, StatusFact, string(w.Status), "reason", err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	if c.core.Now().Sub(attempt.CreatedAt) >= StuckAfter {
		c.core.Alarms.Raise(ctx, alarm.PayoutStuck, w.ID, StatusFact, string(w.Status), "signature", attempt.Signature, "since", attempt.CreatedAt)
	}
	outcome, err := c.core.Chain.Outcome(ctx, attempt)
	switch {
	case err != nil:
		return err
	case outcome.Status == withdrawal.Landed:
		return nil
	case outcome.Status == withdrawal.Unknown:
		return c.resendAttempt(ctx, w.Wallet, attempt)
	case outcome.Status == withdrawal.Errored:
		c.core.Alarms.Raise(ctx, alarm.PayoutFailed, w.ID, "signature", attempt.Signature, "reason", outcome.Reason)
	case outcome.Status == withdrawal.Dead:
		if dead, err := p.isUnlisted(ctx, attempt, outcome.Slot); err != nil || !dead {
			return err
		}
	}
	now := c.core.Now()
	item := OfWithdrawal(w, []player.UniqueKey{{Kind: player.OperationKey, ID: c.core.Entropy.ID()}})
	item.At, item.Source = now, player.FromWorker
	item.Decide = func(v player.View) (player.Change, error) {
		return player.Settle(v, w.ID, attempt.Number, outcome, now)
	}
	_, err = c.core.Store.Writer.Commit(ctx, item)
	return kernel.Overtaken(err)
}

// deathsMax is the maximum number of deaths that a worker remembers.
const deathsMax = 4096

// isUnlisted reports whether the treasury's index confirms that an attempt is dead: the
// index must reach the slot at which the chain first called it dead, and must not list it.
// Without this, a node that forgets a transaction for one answer would cause a second
// payment. An attempt in the index isn't dead, whatever a node answers now.
func (p *PayoutWorker) isUnlisted(ctx context.Context, attempt withdrawal.Attempt, slot uint64) (bool, error) {
	c := p.casino
	if !c.Indexed() {
		return true, nil
	}
	first, again := p.deaths[attempt.Signature]
	if !again {
		if len(p.deaths) >= deathsMax || p.deaths == nil {
			p.deaths = map[string]uint64{}
		}
		p.deaths[attempt.Signature], first = slot, slot
	}
	known, err := c.core.Store.TreasuryIndex.IndexPosition(ctx)
	if err != nil {
		return false, err
	}
	if known.Slot < first {
		p.index.due = c.core.Now()
		return false, nil
	}
	delete(p.deaths, attempt.Signature)
	movements, err := c.core.Store.TreasuryIndex.Movements(ctx, attempt.WithdrawalID)
	listed := slices.ContainsFunc(movements, func(m treasury.Movement) bool { return m.Signature == attempt.Signature })
	return err == nil && !listed, err
}

// resendAttempt sends the same bytes again, unless payouts are paused or the player is
// frozen.
func (c *Service) resendAttempt(ctx context.Context, w wallet.Address, attempt withdrawal.Attempt) error {
	pause, err := c.core.Store.PayoutControls.Pause(ctx)
	if err != nil || pause.Paused {
		return err
	}
	if frozen, err := c.isFrozen(ctx, w); err != nil || frozen {
		return err
	}
	return c.core.Chain.Send(ctx, attempt)
}
