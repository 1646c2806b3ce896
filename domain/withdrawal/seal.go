package withdrawal

import (
	"errors"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/fault"
)

// The purposes of the seals that withdrawals carry.
const (
	RequestPurpose  = "withdrawal request"
	ApprovalPurpose = "withdrawal approval"
	AttemptPurpose  = "payout attempt"
)

// SealedRequest is the message of the seal of what the player asked for. None of it ever
// changes.
func (w Withdrawal) SealedRequest() []byte {
	return canonical.Message("casino withdrawal request 1", w.request)
}

func (w Withdrawal) request(e *canonical.Encoder) {
	e.Text(w.ID)
	e.Text(string(w.Wallet))
	e.Text(string(w.Token))
	e.Integer(int64(w.Amount))
	e.Integer(int64(w.Fee))
	e.Text(w.Destination)
	e.Moment(w.CreatedAt)
}

// SealedApproval is the message of the seal of an approval. It holds the request, so that
// nobody approved anything else.
func (w Withdrawal) SealedApproval(a Approval) []byte {
	return canonical.Message("casino withdrawal approval 1", func(e *canonical.Encoder) {
		w.request(e)
		e.Text(string(a.By))
		e.Moment(a.At)
		e.Text(a.Note)
		e.Integer(int64(a.Attempt))
		e.Integer(int64(a.Needed))
		e.Text(a.Signature)
		e.Integer(a.Timestamp)
		e.Text(string(a.Treasury))
	})
}

// Sealed is the message of the attempt's seal: the bytes that are sent, and when they are
// dead.
func (a Attempt) Sealed() []byte {
	return canonical.Message("casino payout attempt 1", func(e *canonical.Encoder) {
		e.Text(a.WithdrawalID)
		e.Integer(int64(a.Number))
		e.Text(a.Signature)
		e.Bytes(a.Transaction)
		e.Text(a.Blockhash)
		e.Integer(int64(a.LastValidHeight))
		e.Integer(int64(a.Slot))
		e.Moment(a.CreatedAt)
	})
}

// Reasons why a payout is not signed before a person has looked at it, in
// Details["status"] of InvalidState.
const (
	// ForgedStatus: what it is decided by is not what the service wrote.
	ForgedStatus = "forged"
	// UnapprovedStatus: its approvals don't count any more.
	UnapprovedStatus = "unapproved"
)

// Forged is the refusal of a payout whose rows are not what the service wrote.
func Forged(format string, args ...any) error {
	return fault.New(fault.InvalidState, format, args...).With("status", ForgedStatus)
}

// Unapproved is the refusal of a payout whose approvals don't count any more.
func Unapproved(format string, args ...any) error {
	return fault.New(fault.InvalidState, format, args...).With("status", UnapprovedStatus)
}

// ObstacleOf returns the status of a refusal that Forged or Unapproved made, and "" for
// any other error.
func ObstacleOf(err error) string {
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind != fault.InvalidState {
		return ""
	}
	if status, _ := refusal.Details["status"].(string); status == ForgedStatus || status == UnapprovedStatus {
		return status
	}
	return ""
}
