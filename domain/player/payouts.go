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

// PayoutSigner is the worker that signs a payout, with the rules that the payout must
// meet.
type PayoutSigner struct {
	Worker string
	Terms  token.Terms // with the token's caps
	// Policy decides whether an approver's role still counts. Seals verifies the payout's
	// data; if nil the data is trusted as stored.
	Policy rbac.Policy
	Seals  seal.Authenticator
	// Signing holds the rules for approvals' signatures, independent of seals.
	Signing withdrawal.Signing
	// Unindexed reports that this deployment has no treasury index.
	Unindexed bool
	// Provable reports that this deployment can prove wallets' balances: a payout then
	// requires the wallet's Proof, made just before.
	Provable bool
	Proof    proof.Proof
}

// Proves reports whether a payout is verified before it is signed: by seals, or by
// approvers' signatures.
func (s PayoutSigner) Proves() bool { return !seal.Off(s.Seals) || s.Signing.Required }

// PayOut is Sign for a payout worker. The player must not be frozen and payouts not
// paused, the worker must have leased the withdrawal, the amount must be within the
// token's caps, the chain must show that it was not paid, and CanPay must admit it.
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

// MayPay is PayOut without an attempt: it returns nil if one could be signed now.
func MayPay(v View, id string, s PayoutSigner, now time.Time) error {
	_, err := v.payableWithdrawal(id, s, now)
	return err
}

// payableWithdrawal returns the withdrawal if the payout controls and CanPay admit its
// payout.
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

// ApproverNeeds returns the wallets with roles that a signing commit must see.
func ApproverNeeds(w withdrawal.Withdrawal) []wallet.Address {
	all := make([]wallet.Address, len(w.Approvals))
	for i, a := range w.Approvals {
		all[i] = a.By
	}
	return all
}

// CanPay verifies that an approved withdrawal may be paid, from rows that access to the
// database alone can't forge: the request is the player's, its money was booked for the
// player, and enough admins, who still may, approved exactly that since it last failed.
// If signatures are required each of them signed it, which even the keys of seals can't
// forge. Its view needs the withdrawal, Payouts and the roles of ApproverNeeds. The
// refusals are of kind InvalidState with the status ForgedStatus or UnapprovedStatus.
func CanPay(v View, w withdrawal.Withdrawal, s PayoutSigner, now time.Time) error {
	if !s.Proves() {
		return nil
	}
	if err := seal.Or(s.Seals).Verify(withdrawal.RequestPurpose, w.SealedRequest(), w.Seal); err != nil {
		return withdrawal.Forged("the withdrawal differs from the player's request")
	}
	if !s.Terms.Proved(s.Seals) {
		return withdrawal.Forged("the limits of the token differ from the configured ones")
	}
	if v.Payouts.Attempts != w.Attempt {
		return withdrawal.Forged("the withdrawal counts %d payout attempts and %d are stored", w.Attempt, v.Payouts.Attempts)
	}
	if err := v.proveBalances(w, s, now); err != nil {
		return err
	}
	return v.checkApprovals(w, s)
}

// ProofTime is how long a wallet's proof is valid: it is made just before each signing.
const ProofTime = time.Minute

// proveBalances verifies the money to be paid. When counted just now, the wallet's
// balances and holds were the sum of its bookings, including the withdrawal's hold. That
// hold must still exist and never have been returned or paid. Play since then affects
// only the free balance.
func (v View) proveBalances(w withdrawal.Withdrawal, s PayoutSigner, now time.Time) error {
	if !s.Provable {
		return nil
	}
	switch {
	case s.Proof.Wallet != w.Wallet || now.Sub(s.Proof.At).Abs() > ProofTime:
		return fault.New(fault.InvalidState, "the player's balances are not proved").With("status", UnprovedStatus)
	case v.Payouts.Ended:
		return withdrawal.Forged("the withdrawal's money was already returned or paid out")
	case s.Proof.Held(w.ID) != w.Held() || v.Payouts.Held != w.Held():
		return withdrawal.Forged("the withdrawal's hold differs from the requested amount")
	}
	return nil
}

// UnprovedStatus is the status in the refusal of a payout without a proof of the wallet.
const UnprovedStatus = "unproved"

// checkApprovals verifies and counts the approvals again.
func (v View) checkApprovals(w withdrawal.Withdrawal, s PayoutSigner) error {
	needed, given := 1, map[wallet.Address]bool{}
	for _, a := range w.Approvals {
		if err := seal.Or(s.Seals).Verify(withdrawal.ApprovalPurpose, w.SealedApproval(a), a.Seal); err != nil {
			return withdrawal.Forged("an approval of the withdrawal differs from what the admin approved")
		}
		if err := s.Signing.Counts(w, a); err != nil {
			return err
		}
		if a.Attempt < v.Payouts.Costly {
			return withdrawal.Forged("an approval of the withdrawal is from before its payout failed")
		}
		if err := s.Policy.Check(v.Roles[a.By], rbac.WithdrawApprove); err != nil {
			return withdrawal.Unapproved("%s approved the withdrawal but may no longer approve it", a.By)
		}
		needed, given[a.By] = max(needed, a.Needed), true
	}
	if len(given) < needed {
		return withdrawal.Forged("%d persons approved the withdrawal, but it needs %d", len(given), needed)
	}
	return nil
}

// FrozenReason says why a frozen player's withdrawals wait.
const FrozenReason = "withdrawals are paused while the account is frozen"

// notFrozen refuses payouts of a frozen player.
func (v View) notFrozen() error {
	if v.Player.Protection.Frozen {
		return fault.New(fault.PlayerFrozen, FrozenReason)
	}
	return nil
}
