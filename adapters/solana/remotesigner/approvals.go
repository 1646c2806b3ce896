package remotesigner

import (
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Approval is one person's signature, as the service passes it on. The signer computes the
// signed text itself, from the message that it decodes.
type Approval struct {
	By        string `json:"by"`
	Timestamp int64  `json:"timestamp"` // Unix milliseconds, as signed
	Signature string `json:"signature"` // base64 of 64 bytes
}

// approvalAhead is how far a timestamp may be ahead of the signer's clock.
const approvalAhead = time.Minute

// checkApprovals returns nil if enough approvers signed the payment. A person counts once,
// and not for a payment to their own wallet. perDay is the amount of the token signed
// within a day, including this payment.
func (p Policy) checkApprovals(payment Payment, given []Approval, perDay money.Amount, now time.Time) error {
	if len(p.Approvers) == 0 {
		return nil
	}
	var persons []wallet.Address
	for _, a := range given {
		by := wallet.Address(a.By)
		if slices.Contains(p.Approvers, by) && a.By != payment.Destination && !slices.Contains(persons, by) && p.isApprovedBy(payment, a, now) {
			persons = append(persons, by)
		}
	}
	at := slices.IndexFunc(p.Tokens, func(t token.Terms) bool { return t.Mint == payment.Token })
	if at < 0 {
		return fmt.Errorf("token %s is not accepted", payment.Token)
	}
	if needed := withdrawal.ApprovalsNeeded(p.Tokens[at], payment.Amount, perDay); len(persons) < needed {
		return fmt.Errorf("%d of the signer's approvers signed this payment of withdrawal %s; it needs %d", len(persons), payment.withdrawalID(), needed)
	}
	return nil
}

// isApprovedBy reports whether the approval is its person's signature over this payment,
// and neither too old nor in the future.
func (p Policy) isApprovedBy(payment Payment, a Approval, now time.Time) bool {
	at := time.UnixMilli(a.Timestamp)
	if at.Before(now.Add(-p.ApprovalMaxAge)) || at.After(now.Add(approvalAhead)) {
		return false
	}
	w := withdrawal.Withdrawal{
		ID: payment.withdrawalID(), Token: payment.Token, Amount: payment.Amount, Destination: payment.Destination,
	}
	return w.Signed(p.Treasury, withdrawal.Approval{By: wallet.Address(a.By), Timestamp: a.Timestamp, Signature: a.Signature})
}
