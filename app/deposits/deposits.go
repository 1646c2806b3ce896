// Package deposits credits players' payments on chain: transactions that players claim,
// transactions that the watcher finds, and transactions that an admin decides on.
package deposits

import (
	"context"
	"errors"
	"time"

	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Service has the use cases of deposits. It is safe for concurrent use.
type Service struct {
	core      *kernel.Kernel
	approvals *approvals.Service
	claims    ports.DepositReader
	deposits  ports.DepositTransactions
	mints     *mintWatch
}

// New returns the use cases of deposits. Claims reads the transactions that players claim;
// transactions builds those that players sign.
func New(core *kernel.Kernel, requests *approvals.Service, claims ports.DepositReader, transactions ports.DepositTransactions) *Service {
	c := &Service{
		core: core, approvals: requests, claims: claims, deposits: transactions,
		mints: &mintWatch{found: map[money.Token]error{}, minimum: map[money.Token]money.Amount{}},
	}
	requests.Register(approval.DepositResolution, c.creditOf)
	requests.Register(approval.UnclaimedAssignment, c.assignEffect)
	return c
}

// DepositResult is a deposit claim and the player's balance of its token in base units.
type DepositResult struct {
	Claim     deposit.Claim
	Balance   money.Amount
	Committed kernel.Committed
}

// Deposit registers an on-chain deposit of the caller. The returned claim is credited,
// pending, or in review; the latter two are credited later without another call. Calling it
// again is harmless. If the transaction isn't a deposit of the caller, it returns
// DepositRejected with Details["reason"]; if it was credited to another player,
// DepositTaken. Payments from before the watch of the token began belong to no player.
// Before BeginWatch every claim is refused with InvalidState.
func (c *Service) Deposit(ctx context.Context, caller kernel.Caller, signature, mint string) (DepositResult, error) {
	if err := deposit.CheckSignature(signature); err != nil {
		return DepositResult{}, err
	}
	name, err := money.ParseToken(mint)
	if err != nil {
		return DepositResult{}, err
	}
	terms, err := c.core.Tokens.Open(name)
	if err != nil {
		return DepositResult{}, err
	}
	ref := deposit.Ref{Signature: signature, Token: name}
	existing, err := c.core.Store.Deposits.Claim(ctx, caller.Wallet, ref)
	switch {
	case err == nil && existing.Status == deposit.Credited:
		return c.depositAnswer(ctx, existing)
	case err != nil && !fault.Is(err, fault.NotFound):
		return DepositResult{}, err
	}
	verdict, err := c.lookUp(ctx, caller.Wallet, ref, terms, existing)
	switch {
	case fault.Is(err, fault.RateLimited) && existing.Status == deposit.Pending:
		return c.depositAnswer(ctx, existing) // the DepositWorker follows it
	case err != nil:
		return DepositResult{}, err
	}
	switch {
	case verdict.Status == deposit.Rejected && existing.Status != deposit.Pending:
		return DepositResult{}, rejectedError(verdict.Reason)
	case verdict.Status == deposit.Review && existing.Reason == string(deposit.Declined):
		return DepositResult{}, rejectedError(deposit.Declined)
	case existing.Reason == string(deposit.Capital):
		return DepositResult{}, rejectedError(deposit.Capital)
	}
	return c.recordClaim(ctx, player.FromPlayer, caller.Wallet, ref, verdict)
}

// lookUp judges a claim for the player who makes it. If the player caused too many reads of
// the chain, it returns a fault of kind RateLimited. If the quota for all players is used
// up, a new claim becomes pending until the worker reads the transaction.
func (c *Service) lookUp(ctx context.Context, claimant wallet.Address, ref deposit.Ref, terms token.Terms, existing deposit.Claim) (deposit.Verdict, error) {
	pending := existing.Status == deposit.Pending
	purpose := "claim"
	if pending {
		purpose = "again"
	}
	// Check the rate limit first: counting open claims costs a read even if it then refuses.
	if err := c.mayAskChain(ctx, purpose, claimant); err != nil {
		return deposit.Verdict{}, err
	}
	if !pending {
		if err := c.roomForClaim(ctx, claimant); err != nil {
			return deposit.Verdict{}, err
		}
	}
	verdict, err := c.judgeTransaction(ctx, c.claims, claimant, ref, terms)
	if fault.Is(err, fault.RateLimited) && existing.ID == "" {
		return deposit.Verdict{Status: deposit.Pending}, nil
	}
	return verdict, err
}

// roomForClaim refuses a claim of a player who has deposit.OpenMax pending claims, before
// the chain is read for it. The watcher credits deposits without a claim too.
func (c *Service) roomForClaim(ctx context.Context, claimant wallet.Address) error {
	open, err := c.core.Store.Transactions.Transactions(ctx, ports.TransactionFilter{
		Wallet: claimant, Type: ports.DepositTransaction, Status: string(deposit.Pending),
	}, ports.Page{Number: 1, Limit: 1})
	if err != nil {
		return err
	}
	if open.Total >= deposit.OpenMax {
		return fault.New(fault.TooManyOpen, "%d deposits are already waiting for the chain", open.Total)
	}
	return nil
}

// claimRule limits how often a player causes reads of the chain. New claims, repeated
// claims, transactions to sign and balances are counted separately: front ends poll until a deposit
// is credited, and that must not block the next claim.
var claimRule = limit.Rule{Max: 60, Window: time.Minute}

// mayAskChain returns a fault of kind RateLimited if the player caused too many reads of
// the chain for the purpose.
func (c *Service) mayAskChain(ctx context.Context, purpose string, who wallet.Address) error {
	if c.core.Limiter == nil {
		return nil
	}
	decision, err := c.core.Limiter.Take(ctx, purpose+":"+string(who), claimRule)
	if err != nil || decision.Allowed {
		return err
	}
	return fault.New(fault.RateLimited, "too many requests about deposits: at most %d of one wallet in %g seconds", claimRule.Max, claimRule.Window.Seconds()).
		With("retryAfterMs", max(1, decision.RetryAfter.Milliseconds()))
}

func rejectedError(reason deposit.Reason) error {
	return fault.New(fault.DepositRejected, "the transaction is not a deposit of yours: %s", reason.Describe()).
		With("reason", string(reason))
}

// judgeTransaction reads the transaction from the chain and applies the rules.
func (c *Service) judgeTransaction(ctx context.Context, chain ports.DepositReader, claimant wallet.Address, ref deposit.Ref, terms token.Terms) (deposit.Verdict, error) {
	if err := c.mints.checkOpen(terms); err != nil {
		return deposit.Verdict{}, err
	}
	treasury, err := c.treasuryOf(ctx, terms)
	if err != nil {
		return deposit.Verdict{}, err
	}
	observation, err := chain.Observe(ctx, ref.Signature)
	if err != nil {
		return deposit.Verdict{}, err
	}
	return c.screen(ctx, ref, deposit.Judge(observation, claimant, terms, treasury))
}

// screen moves a deposit to review whose sender a screener doesn't allow. While a screener
// fails, the deposit stays pending.
func (c *Service) screen(ctx context.Context, ref deposit.Ref, verdict deposit.Verdict) (deposit.Verdict, error) {
	if verdict.Status != deposit.Credited || !c.core.Screening.At(admission.Deposit) {
		return verdict, nil
	}
	decision, err := c.core.Screening.Ask(ctx, admission.Subject{
		Point: admission.Deposit, Wallet: verdict.Sender, Address: string(verdict.Sender), ID: ref.Signature,
	})
	switch {
	case errors.Is(err, kernel.ErrUnscreened):
		verdict.Status, verdict.Reason = deposit.Pending, deposit.Screened
		return verdict, nil
	case err != nil:
		return verdict, err
	case decision.Verdict != admission.Allow:
		verdict.Status, verdict.Reason = deposit.Review, deposit.Screened
	}
	return verdict, c.core.Screening.Record(ctx, decision, "")
}

// treasuryOf returns the account that receives deposits of a token, and the slot after
// which receipts are deposits.
func (c *Service) treasuryOf(ctx context.Context, terms token.Terms) (deposit.Treasury, error) {
	treasury, err := c.core.Chain.Treasury(terms)
	if err != nil {
		return treasury, err
	}
	watch, err := c.core.Store.DepositCursors.Cursor(ctx, terms.Mint)
	if fault.Is(err, fault.NotFound) {
		err = kernel.ErrNotBegun(terms.Symbol)
	}
	treasury.After = watch.After
	return treasury, err
}

// recordClaim commits the verdict on a claim. The first credit to commit wins: its unique
// key is shared by all players and the watcher.
func (c *Service) recordClaim(ctx context.Context, from player.Source, claimant wallet.Address, ref deposit.Ref, verdict deposit.Verdict) (DepositResult, error) {
	now := c.core.Now()
	fresh := deposit.Claim{
		ID: c.core.Entropy.ID(), Wallet: claimant, Ref: ref, Status: deposit.Pending, CreatedAt: now, UpdatedAt: now,
	}
	keys := []player.UniqueKey{{Kind: player.OperationKey, ID: fresh.ID}}
	if verdict.Status == deposit.Credited {
		keys = kernel.CreditKeys(ref)
	}
	receipt, err := c.core.Store.Writer.Commit(ctx, player.Item{
		Wallet: claimant, Source: from,
		Keys:   keys,
		Needs:  player.Needs{Tokens: []money.Token{ref.Token}, Deposits: []deposit.Ref{ref}, Open: true},
		At:     now,
		Decide: func(v player.View) (player.Change, error) { return player.ClaimDeposit(v, fresh, verdict, now) },
	})
	switch {
	case fault.Is(err, fault.InvalidState):
		// Another claim or the worker credited it since the chain was read.
		return c.creditedMeanwhile(ctx, claimant, ref)
	case fault.Is(err, fault.AmountOutOfRange) && verdict.Status == deposit.Credited:
		verdict.Status, verdict.Reason = deposit.Review, deposit.AmountTooLarge
		return c.recordClaim(ctx, from, claimant, ref, verdict)
	case err != nil:
		return DepositResult{}, err
	case receipt.Replayed && receipt.Holder.Wallet != claimant:
		return DepositResult{}, kernel.ErrDepositTaken
	case receipt.Change.Deposit == nil:
		return DepositResult{}, kernel.ErrResultLost
	case receipt.Change.Deposit.Status == deposit.Rejected:
		return DepositResult{}, rejectedError(verdict.Reason)
	}
	claim := *receipt.Change.Deposit
	return DepositResult{
		Claim: claim, Balance: receipt.Change.Balance, Committed: kernel.CommittedBy(claimant, claim.ID, &receipt),
	}, nil
}

func (c *Service) creditedMeanwhile(ctx context.Context, claimant wallet.Address, ref deposit.Ref) (DepositResult, error) {
	claim, err := c.core.Store.Deposits.Claim(ctx, claimant, ref)
	if err != nil {
		return DepositResult{}, err
	}
	return c.depositAnswer(ctx, claim)
}

func (c *Service) depositAnswer(ctx context.Context, claim deposit.Claim) (DepositResult, error) {
	balances, err := c.core.Store.Players.Balances(ctx, claim.Wallet)
	if err != nil {
		return DepositResult{}, err
	}
	answer := DepositResult{Claim: claim, Committed: kernel.CommittedBy(claim.Wallet, claim.ID, nil)}
	for _, b := range balances {
		if b.Token == claim.Token {
			answer.Balance = b.Amount
		}
	}
	return answer, nil
}

// TreasuryAddress returns the wallet that receives deposits.
func (c *Service) TreasuryAddress() string { return c.core.Chain.TreasuryAddress() }

// DepositWorker follows pending deposit claims until they are credited or rejected.
type DepositWorker struct {
	casino *Service
	after  string
	inARow int // claims since the last pause
}

// followedInARow is the number of claims that a worker checks before it pauses. Pending
// claims are free to make, so following all of them must not use up the quota of the nodes.
const followedInARow = deposit.OpenMax

// DepositWorker returns a worker at the start of its pass.
func (c *Service) DepositWorker() *DepositWorker { return &DepositWorker{casino: c} }

// Step checks the next pending claim. It reports false after a pass over all of them, and
// after every followedInARow claims, so that the caller pauses.
func (w *DepositWorker) Step(ctx context.Context) (worked bool, err error) {
	w.casino.core.Progress.Began(kernel.DepositsWorker)
	waiting, err := w.casino.core.Store.Deposits.PendingClaims(ctx, w.after, 1)
	if err != nil {
		return false, err
	}
	if len(waiting) == 0 {
		w.after, w.inARow = "", 0
		return false, nil
	}
	w.after = waiting[0].ID
	w.inARow = (w.inARow + 1) % followedInARow
	return w.inARow != 0, w.casino.followClaim(ctx, waiting[0])
}

func (c *Service) followClaim(ctx context.Context, claim deposit.Claim) error {
	terms, err := c.core.Tokens.Known(claim.Token)
	if err != nil {
		return err
	}
	if c.mints.isStopped(terms) {
		return nil // the alarm was raised; the claim waits until its token is accepted again
	}
	verdict, err := c.judgeTransaction(ctx, c.core.Chain, claim.Wallet, claim.Ref, terms)
	if err != nil {
		return err
	}
	if verdict.Status == deposit.Pending {
		if verdict.Reason != deposit.NotFound || c.core.Now().Sub(claim.UpdatedAt) < deposit.NotFoundAfter {
			return nil
		}
		verdict.Status = deposit.Rejected
	}
	_, err = c.recordClaim(ctx, player.FromWorker, claim.Wallet, claim.Ref, verdict)
	if fault.Is(err, fault.DepositRejected) || fault.Is(err, fault.DepositTaken) {
		c.core.Logger.InfoContext(ctx, "deposit claim ended", "claim", claim.ID, "outcome", err.Error())
		return c.endTaken(ctx, claim, err)
	}
	return err
}

// endTaken closes a pending claim if its transaction was credited to another player in the
// meantime. A rejected claim is already closed.
func (c *Service) endTaken(ctx context.Context, claim deposit.Claim, outcome error) error {
	if !fault.Is(outcome, fault.DepositTaken) {
		return nil
	}
	verdict := deposit.Verdict{Status: deposit.Rejected, Reason: deposit.NotSender}
	if _, err := c.recordClaim(ctx, player.FromWorker, claim.Wallet, claim.Ref, verdict); !fault.Is(err, fault.DepositRejected) {
		return err
	}
	return nil
}

// DepositInterval and PayoutInterval are the pauses of the workers after a pass without
// work.
const (
	DepositInterval = time.Second
	PayoutInterval  = 2 * time.Second
)

// DepositTransaction builds a transaction that deposits an amount of a token, for the
// caller's wallet to sign and send. It books and reserves nothing; the deposit is credited
// on arrival, with or without a claim.
func (c *Service) DepositTransaction(ctx context.Context, caller kernel.Caller, mint string, amount money.Amount) (deposit.Unsigned, error) {
	name, err := money.ParseToken(mint)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	terms, err := c.core.Tokens.Open(name)
	if err != nil {
		return deposit.Unsigned{}, err
	}
	if err := c.mints.checkOpen(terms); err != nil {
		return deposit.Unsigned{}, err
	}
	if err := deposit.CheckAmount(amount, terms); err != nil {
		return deposit.Unsigned{}, err
	}
	if string(caller.Wallet) == c.core.Chain.TreasuryAddress() {
		return deposit.Unsigned{}, rejectedError(deposit.TreasurySigned)
	}
	if err := c.mayAskChain(ctx, "transaction", caller.Wallet); err != nil {
		return deposit.Unsigned{}, err
	}
	return c.deposits.DepositTransaction(ctx, caller.Wallet, terms, amount)
}

// Funds returns the caller's balance of a token on chain, from which deposits are paid.
// Known is false if the chain can't be queried now, or too many players ask.
func (c *Service) Funds(ctx context.Context, caller kernel.Caller, mint string) (held money.Amount, known bool, err error) {
	name, err := money.ParseToken(mint)
	if err != nil {
		return 0, false, err
	}
	terms, err := c.core.Tokens.Known(name)
	if err != nil {
		return 0, false, err
	}
	if err := c.mayAskChain(ctx, "funds", caller.Wallet); err != nil {
		return 0, false, err
	}
	held, err = c.deposits.Funds(ctx, caller.Wallet, terms)
	if fault.Is(err, fault.External) || fault.Is(err, fault.RateLimited) {
		return 0, false, nil
	}
	return held, err == nil, err
}
