package player

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// PayoutSigner is the worker that signs a payout, and what the payout is held against.
type PayoutSigner struct {
	Worker string
	Terms  token.Terms // with the token's caps
	// Policy says whose approvals count. Seals proves what the payout is decided by;
	// without them (nil) that is believed as it is stored.
	Policy rbac.Policy
	Seals  seal.Authenticator
	// Signing is what the signatures of approvals are held against, with seals or
	// without.
	Signing withdrawal.Signing
	// Unindexed says that this deployment has no index of what the treasury signed.
	Unindexed bool
	// Provable says that this deployment can prove what wallets have: nothing is paid then
	// without the Proof of the wallet, which was made a moment before.
	Provable bool
	Proof    proof.Proof
}

// Proves reports whether anything of a payout is proved before it is signed: by seals, or
// by the signatures of who approved it.
func (s PayoutSigner) Proves() bool { return !seal.Off(s.Seals) || s.Signing.Required }

// PayOut is Sign for a payout worker: only while neither the player is frozen nor payouts
// are paused, by the
// worker that leased the withdrawal, within the token's caps, when the chain shows that
// it was not paid, and what CanPay admits.
func PayOut(v View, attempt withdrawal.Attempt, s PayoutSigner, now time.Time) (Change, error) {
	if err := MayPay(v, attempt.WithdrawalID, s, now); err != nil {
		return Change{}, err
	}
	change, err := Sign(v, attempt, now)
	if err != nil {
		return Change{}, err
	}
	change.Attempt.Seal, err = seal.Or(s.Seals).Seal(withdrawal.AttemptPurpose, change.Attempt.Sealed())
	return change, err
}

// MayPay is PayOut without an attempt: it returns nil when one could be signed now.
func MayPay(v View, id string, s PayoutSigner, now time.Time) error {
	_, err := v.payableWithdrawal(id, s, now)
	return err
}

// payableWithdrawal returns the withdrawal when the payout controls and CanPay admit its payout.
func (v View) payableWithdrawal(id string, s PayoutSigner, now time.Time) (withdrawal.Withdrawal, error) {
	w, err := v.findWithdrawal(id)
	if err == nil {
		err = v.notFrozen()
	}
	if err == nil {
		err = v.Payouts.Admits(s.Worker, s.Terms, w.Amount, now)
	}
	if err == nil {
		err = v.owesNothing(w.Token)
	}
	if err == nil && !s.Unindexed {
		err = v.Payouts.Unpaid(w.CreatedAt, now)
	}
	if err == nil {
		err = CanPay(v, w, s, now)
	}
	return w, err
}

// ApproverNeeds are the wallets whose roles a signing commit must see.
func ApproverNeeds(w withdrawal.Withdrawal) []wallet.Address {
	all := make([]wallet.Address, len(w.Approvals))
	for i, a := range w.Approvals {
		all[i] = a.By
	}
	return all
}

// CanPay proves that an approved withdrawal may be paid, from rows that nobody can forge
// who has the database alone: the request is what the player asked for, its money is what
// was booked for the player, and enough persons, who still may, approved that and nothing
// else since it last failed. Where signatures are required each of them signed it, which
// whoever has the keys of seals can't forge either. Its view
// needs the withdrawal, Payouts and the roles of ApproverNeeds. The refusals are of kind
// InvalidState with the status ForgedStatus or UnapprovedStatus.
func CanPay(v View, w withdrawal.Withdrawal, s PayoutSigner, now time.Time) error {
	if !s.Proves() {
		return nil
	}
	if err := seal.Or(s.Seals).Verify(withdrawal.RequestPurpose, w.SealedRequest(), w.Seal); err != nil {
		return withdrawal.Forged("the withdrawal is not what the player asked for")
	}
	if !s.Terms.Proved(s.Seals) {
		return withdrawal.Forged("the limits of the token are not as they were configured")
	}
	if v.Payouts.Attempts != w.Attempt {
		return withdrawal.Forged("the withdrawal counts %d payout attempts and %d are stored", w.Attempt, v.Payouts.Attempts)
	}
	if err := v.proveBalances(w, s, now); err != nil {
		return err
	}
	return v.checkApprovals(w, s)
}

// ProofTime is how long a wallet's proof is good for: it is made just before each signing.
const ProofTime = time.Minute

// proveBalances proves the money that is paid: the wallet's balances and holds were the sum of
// what was booked for it when it was counted just now, the withdrawal's hold among them,
// and that hold is still there and has never been given back or paid out. What the player
// won or lost meanwhile is of the free balance, which the hold is no part of.
func (v View) proveBalances(w withdrawal.Withdrawal, s PayoutSigner, now time.Time) error {
	if !s.Provable {
		return nil
	}
	switch {
	case s.Proof.Wallet != w.Wallet || now.Sub(s.Proof.At).Abs() > ProofTime:
		return fault.New(fault.InvalidState, "what the player has is not proved").With("status", UnprovedStatus)
	case v.Payouts.Ended:
		return withdrawal.Forged("the withdrawal's money was given back or paid out before")
	case s.Proof.Held(w.ID) != w.Held() || v.Payouts.Held != w.Held():
		return withdrawal.Forged("the withdrawal's hold has not what was asked for")
	}
	return nil
}

// UnprovedStatus is the status in the refusal of a payout without a proof of the wallet.
const UnprovedStatus = "unproved"

// checkApprovals counts the approvals anew.
func (v View) checkApprovals(w withdrawal.Withdrawal, s PayoutSigner) error {
	needed, given := 1, map[wallet.Address]bool{}
	for _, a := range w.Approvals {
		if err := seal.Or(s.Seals).Verify(withdrawal.ApprovalPurpose, w.SealedApproval(a), a.Seal); err != nil {
			return withdrawal.Forged("an approval of the withdrawal is not what an admin gave")
		}
		if err := s.Signing.Counts(w, a); err != nil {
			return err
		}
		if a.Attempt < v.Payouts.Costly {
			return withdrawal.Forged("an approval of the withdrawal is from before its payout failed")
		}
		if err := s.Policy.Check(v.Roles[a.By], rbac.WithdrawApprove); err != nil {
			return withdrawal.Unapproved("%s, who approved the withdrawal, may not do so any more", a.By)
		}
		needed, given[a.By] = max(needed, a.Needed), true
	}
	if len(given) < needed {
		return withdrawal.Forged("%d persons approved the withdrawal and it takes %d", len(given), needed)
	}
	return nil
}

// FrozenReason is why a frozen player's withdrawals wait.
const FrozenReason = "withdrawals are paused while the account is frozen"

// notFrozen refuses to let the money of a frozen player leave.
func (v View) notFrozen() error {
	if v.Player.Protection.Frozen {
		return fault.New(fault.PlayerFrozen, FrozenReason)
	}
	return nil
}
