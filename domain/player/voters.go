package player

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Values of Details["reason"] of Forbidden for an admin who can't approve.
const creditedReason = "credited"

// role is the admin's role as it is under lock; one that was revoked allows nothing.
func (v View) role(w wallet.Address) rbac.Assignment {
	role := v.Roles[w]
	role.Wallet = w
	return role
}

// Standing returns the approvals of a withdrawal that count in the next decision, for
// whoever shows them. Its view needs the player and the roles of ApproverNeeds.
func Standing(v View, w withdrawal.Withdrawal, policy rbac.Policy, signing withdrawal.Signing) []withdrawal.Approval {
	return v.standing(w, WithdrawalDecision{Policy: policy, Signing: signing})
}

// standing returns the approvals that count: those of admins who could give them again
// and whose roles were old enough when they did. A role that was revoked since, and
// perhaps granted anew, takes its open votes with it. One without a signature counts no
// more once signatures are required, so its admin may approve again.
func (v View) standing(w withdrawal.Withdrawal, d WithdrawalDecision) []withdrawal.Approval {
	var stand []withdrawal.Approval
	for _, a := range w.Approvals {
		role := v.role(a.By)
		if d.Policy.Check(role, rbac.WithdrawApprove) == nil && v.within(role) && role.CheckAge(a.At) == nil && d.Signing.Counts(w, a) == nil {
			stand = append(stand, a)
		}
	}
	return stand
}

// mayApprove refuses an admin whose role is too young, whose vote is one with an earlier
// one where two are needed, or who credited the player.
func (v View) mayApprove(earlier []withdrawal.Approval, needed int, d WithdrawalDecision) error {
	role := v.role(d.By)
	if err := role.CheckAge(d.At); err != nil {
		return err
	}
	if needed > 1 {
		for _, a := range earlier {
			if err := role.CheckApart(v.role(a.By), d.At); err != nil {
				return err
			}
		}
	}
	return v.notCreditor(role, d.At)
}

// notCreditor refuses an admin with a vote in a credit to the wallet within
// CreditorWindow, and one whose vote is one with such a vote.
func (v View) notCreditor(role rbac.Assignment, now time.Time) error {
	for _, y := range v.Votes {
		if !y.Credit || y.Wallet != v.Player.Wallet || !y.At.After(now.Add(-CreditorWindow)) {
			continue
		}
		if y.By == role.Wallet {
			return fault.New(fault.Forbidden, "an admin who credited the player in the last 30 days can't approve the player's withdrawals").
				With("reason", creditedReason)
		}
		if err := role.CheckApart(y.voter(), now); err != nil {
			return err
		}
	}
	return nil
}

// creditVotes are the votes of the admins who decided on a credit; the last one lets it
// go.
func (v View) creditVotes(id string, w wallet.Address, token money.Token, amount money.Amount, at time.Time, by ...wallet.Address) []Vote {
	votes := make([]Vote, len(by))
	for i, admin := range by {
		votes[i] = Vote{
			Of: id, Credit: true, Wallet: w, Token: token, Amount: amount, By: admin, At: at, Passes: i == len(by)-1,
		}
		votes[i].GrantedBy, votes[i].GrantedAt = v.Roles[admin].Origin()
		votes[i] = votes[i].Following(votes[:i])
	}
	return votes
}

// approvalVote is the admin's vote for the withdrawal.
func (v View) approvalVote(approved withdrawal.Withdrawal, d WithdrawalDecision) Vote {
	vote := Vote{
		Of: approved.ID, Wallet: approved.Wallet, Destination: approved.Destination, Token: approved.Token,
		Amount: approved.Amount, By: d.By, At: d.At, Passes: approved.Status == withdrawal.Approved,
	}
	vote.GrantedBy, vote.GrantedAt = v.Roles[d.By].Origin()
	return vote.Following(v.Votes)
}
