package withdrawal

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/canonical"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Covered returns the withdrawal's values that blocks cover.
func (w Withdrawal) Covered() event.Event {
	fields := []event.Field{
		event.Text("token", w.Token), event.Int("amount", w.Amount), event.Int("fee", w.Fee), event.Text("destination", w.Destination),
		event.Text("status", w.Status), event.Int("attempt", w.Attempt), event.Text("signature", w.Signature),
		event.Text("reason", w.Reason), event.Text("note", w.Note), event.Time("createdAt", w.CreatedAt), event.Time("updatedAt", w.UpdatedAt),
	}
	for i, a := range w.Approvals {
		// Addresses and numbers have no blanks: the rest is the note.
		given := string(a.By) + " " + strconv.FormatInt(a.At.UnixMicro(), 10) + " " + strconv.Itoa(a.Attempt) + " " +
			strconv.Itoa(a.Needed) + " " + a.Note
		fields = append(fields, event.Text(approvalField(i+1), given), event.Text(signatureField(i+1), a.signatureText()))
	}
	return event.New(event.Withdrawal, w.ID, w.Wallet, fields...)
}

// Covered returns the values of an attempt that blocks cover; for its bytes, their
// SHA-256.
func (a Attempt) Covered(w wallet.Address) event.Event {
	sum := sha256.Sum256(a.Transaction)
	return event.New(event.Attempt, attemptID(a.WithdrawalID, a.Number), w,
		event.Text("signature", a.Signature), event.Text("transaction", hex.EncodeToString(sum[:])), event.Text("blockhash", a.Blockhash),
		event.Uint("lastValidHeight", a.LastValidHeight), event.Uint("slot", a.Slot), event.Time("createdAt", a.CreatedAt))
}

// CoveredDead returns the event of an attempt that was found dead.
func CoveredDead(withdrawalID string, number int, w wallet.Address) event.Event {
	return event.New(event.DeadAttempt, attemptID(withdrawalID, number), w, event.Flag("dead", true))
}

func attemptID(withdrawalID string, number int) string {
	return withdrawalID + "/" + strconv.Itoa(number)
}

// FromCovered returns the withdrawal of an event that Covered made, without seals, which
// aren't covered.
func FromCovered(e event.Event) Withdrawal {
	w := Withdrawal{
		ID: e.ID, Wallet: e.Wallet, Token: money.Token(e.Value("token")), Amount: money.Amount(e.Number("amount")),
		Fee: money.Amount(e.Number("fee")), Destination: e.Value("destination"), Status: Status(e.Value("status")),
		Attempt: int(e.Number("attempt")), Signature: e.Value("signature"), Reason: e.Value("reason"), Note: e.Value("note"),
		CreatedAt: e.At("createdAt"), UpdatedAt: e.At("updatedAt"),
	}
	for n := 1; e.Value(approvalField(n)) != ""; n++ {
		// by, moment, attempt, needed, and the note with its blanks
		part := strings.SplitN(e.Value(approvalField(n)), " ", 5)
		if len(part) < 5 {
			break
		}
		var a Approval
		if signed := e.Value(signatureField(n)); signed != "" {
			a, _ = signatureOf(signed)
		}
		a.By, a.Note = wallet.Address(part[0]), part[4]
		if micros, err := strconv.ParseInt(part[1], 10, 64); err == nil {
			a.At = time.UnixMicro(micros).UTC()
		}
		a.Attempt, _ = strconv.Atoi(part[2])
		a.Needed, _ = strconv.Atoi(part[3])
		w.Approvals = append(w.Approvals, a)
	}
	return w
}

// IsDead reports whether an event marks the withdrawal's newest attempt as dead.
func (w Withdrawal) IsDead(e event.Event) bool {
	return e.Kind == event.DeadAttempt && e.ID == attemptID(w.ID, w.Attempt)
}

// The purposes of withdrawals' seals.
const (
	RequestPurpose  = "withdrawal request"
	ApprovalPurpose = "withdrawal approval"
	AttemptPurpose  = "payout attempt"
)

// SealedRequest returns the message of the seal of the player's request. Its values
// never change.
func (w Withdrawal) SealedRequest() []byte {
	return canonical.Message("casino withdrawal request 1", w.encodeRequest)
}

func (w Withdrawal) encodeRequest(e *canonical.Encoder) {
	e.Text(w.ID)
	e.Text(string(w.Wallet))
	e.Text(string(w.Token))
	e.Integer(int64(w.Amount))
	e.Integer(int64(w.Fee))
	e.Text(w.Destination)
	e.Moment(w.CreatedAt)
}

// SealedApproval returns the message of an approval's seal. It includes the request, so
// that the approval is valid for no other.
func (w Withdrawal) SealedApproval(a Approval) []byte {
	return canonical.Message("casino withdrawal approval 1", func(e *canonical.Encoder) {
		w.encodeRequest(e)
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

// Sealed returns the message of the attempt's seal: the bytes to send, and when they are
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

// Reasons why a payout isn't signed before an admin reviews it, in Details["status"] of
// InvalidState.
const (
	// ForgedStatus: a value that decides it isn't what the service wrote.
	ForgedStatus = "forged"
	// UnapprovedStatus: its approvals no longer count.
	UnapprovedStatus = "unapproved"
)

// Forged returns the refusal of a payout with forged rows.
func Forged(format string, args ...any) error {
	return fault.New(fault.InvalidState, format, args...).With("status", ForgedStatus)
}

// Unapproved returns the refusal of a payout with approvals that no longer count.
func Unapproved(format string, args ...any) error {
	return fault.New(fault.InvalidState, format, args...).With("status", UnapprovedStatus)
}

// ObstacleOf returns the status of a refusal made by Forged or Unapproved, and "" for
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

// ApprovalMessage returns the text that an admin's wallet signs to approve the
// withdrawal:
//
//	casino-approve:{treasury}:{withdrawal}:{token}:{amount}:{destination}:{timestamp}
//
// The addresses are base58. The amount in base units and the timestamp in Unix
// milliseconds are decimal integers. No part except the id can contain a colon, so
// different approvals never have the same message. Only the withdrawal's ID, Token,
// Amount and Destination are used.
func (w Withdrawal) ApprovalMessage(treasury wallet.Address, timestampMillis int64) string {
	return strings.Join([]string{
		"casino-approve", string(treasury), w.ID, string(w.Token), strconv.FormatInt(int64(w.Amount), 10), w.Destination,
		strconv.FormatInt(timestampMillis, 10),
	}, ":")
}

// Signed reports whether the approval's signature is that of its admin over exactly the
// payment of this withdrawal from the treasury. It is false if By isn't a key with
// trustworthy signatures.
func (w Withdrawal) Signed(treasury wallet.Address, a Approval) bool {
	by, err := wallet.Parse(string(a.By))
	if err != nil {
		return false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(a.Signature)
	if err != nil || base64.StdEncoding.EncodeToString(raw) != a.Signature {
		return false
	}
	return wallet.VerifyMessage(by, w.ApprovalMessage(treasury, a.Timestamp), raw)
}

// WithSignature returns the approval with its admin's signature over ApprovalMessage of
// the treasury and the timestamp.
func (a Approval) WithSignature(signature []byte, timestampMillis int64, treasury wallet.Address) Approval {
	a.Signature, a.Timestamp, a.Treasury = base64.StdEncoding.EncodeToString(signature), timestampMillis, treasury
	return a
}

// SignatureMaxAge is how old a signature's timestamp may be when the approval is given:
// signing on an offline machine takes time.
const SignatureMaxAge = 10 * time.Minute

// Signing holds the rules for signatures of approvals.
type Signing struct {
	// Treasury is the treasury that pays.
	Treasury wallet.Address
	// Required reports that an approval without a signature doesn't count.
	Required bool
	// Ahead is how far a timestamp may be ahead of our clock.
	Ahead time.Duration
}

// Admit refuses a new approval if a required signature is missing, if its timestamp is
// too old or too far ahead, or if it isn't the admin's signature over this withdrawal.
func (s Signing) Admit(w Withdrawal, a Approval, now time.Time) error {
	if a.Signature == "" {
		if !s.Required {
			return nil
		}
		return fault.Field("signature", "is required: sign casino-approve:{treasury}:{withdrawal}:{token}:{amount}:{destination}:{timestamp} with your wallet")
	}
	at := time.UnixMilli(a.Timestamp)
	if at.Before(now.Add(-SignatureMaxAge)) || at.After(now.Add(s.Ahead)) {
		return fault.New(fault.StaleTimestamp, "timestamp: must be at most %v old and %v ahead", SignatureMaxAge, s.Ahead).
			With("serverTime", now.UnixMilli())
	}
	if !w.Signed(s.Treasury, a) {
		return fault.New(fault.InvalidSignature, "the signature is not this wallet's for the approval of this withdrawal")
	}
	return nil
}

// Counts returns nil if the signature of an earlier approval still counts: it must
// verify if present, and be present for this treasury if required. Else the fault is
// Unapproved or Forged.
func (s Signing) Counts(w Withdrawal, a Approval) error {
	switch {
	case s.Required && (a.Signature == "" || a.Treasury != s.Treasury):
		return Unapproved("%s approved the withdrawal without a signature for this treasury, so the approval no longer counts", a.By)
	case a.Signature != "" && !w.Signed(a.Treasury, a):
		return Forged("an approval of the withdrawal has an invalid signature")
	}
	return nil
}

// WronglySigned verifies the signatures in an event of a withdrawal, each for the
// treasury that it names, and returns the admins with invalid ones.
func WronglySigned(e event.Event) []wallet.Address {
	w := Withdrawal{ID: e.ID, Token: money.Token(e.Value("token")), Destination: e.Value("destination")}
	amount, err := strconv.ParseInt(e.Value("amount"), 10, 64)
	w.Amount = money.Amount(amount)
	var wrong []wallet.Address
	for n := 1; e.Value(approvalField(n)) != ""; n++ {
		text := e.Value(signatureField(n))
		if text == "" {
			continue
		}
		by, _, _ := strings.Cut(e.Value(approvalField(n)), " ")
		a, whole := signatureOf(text)
		a.By = wallet.Address(by)
		if err != nil || !whole || !w.Signed(a.Treasury, a) {
			wrong = append(wrong, a.By)
		}
	}
	return wrong
}

// The names of an event's fields for the n-th approval, from 1.
func approvalField(n int) string  { return "approval" + strconv.Itoa(n) }
func signatureField(n int) string { return "signature" + strconv.Itoa(n) }

// signatureText formats an approval's signature for an event: no part has a blank.
func (a Approval) signatureText() string {
	if a.Signature == "" {
		return ""
	}
	return a.Signature + " " + strconv.FormatInt(a.Timestamp, 10) + " " + string(a.Treasury)
}

// signatureOf parses the form of signatureText.
func signatureOf(text string) (Approval, bool) {
	signature, rest, _ := strings.Cut(text, " ")
	timestamp, treasury, _ := strings.Cut(rest, " ")
	millis, err := strconv.ParseInt(timestamp, 10, 64)
	return Approval{Signature: signature, Timestamp: millis, Treasury: wallet.Address(treasury)}, err == nil
}
