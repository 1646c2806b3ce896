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

// Covered is what blocks cover of the withdrawal.
func (w Withdrawal) Covered() event.Event {
	fields := []event.Field{
		event.Text("token", w.Token), event.Int("amount", w.Amount), event.Int("fee", w.Fee), event.Text("destination", w.Destination),
		event.Text("status", w.Status), event.Int("attempt", w.Attempt), event.Text("signature", w.Signature),
		event.Text("reason", w.Reason), event.Text("note", w.Note), event.Time("createdAt", w.CreatedAt), event.Time("updatedAt", w.UpdatedAt),
	}
	for i, a := range w.Approvals {
		// An address has no blank and a number neither: what is left is the note.
		given := string(a.By) + " " + strconv.FormatInt(a.At.UnixMicro(), 10) + " " + strconv.Itoa(a.Attempt) + " " +
			strconv.Itoa(a.Needed) + " " + a.Note
		fields = append(fields, event.Text(approvalField(i+1), given), event.Text(signatureField(i+1), a.signatureText()))
	}
	return event.New(event.Withdrawal, w.ID, w.Wallet, fields...)
}

// Covered is what blocks cover of an attempt to pay a wallet's withdrawal: of its bytes,
// their SHA-256.
func (a Attempt) Covered(w wallet.Address) event.Event {
	sum := sha256.Sum256(a.Transaction)
	return event.New(event.Attempt, attemptID(a.WithdrawalID, a.Number), w,
		event.Text("signature", a.Signature), event.Text("transaction", hex.EncodeToString(sum[:])), event.Text("blockhash", a.Blockhash),
		event.Uint("lastValidHeight", a.LastValidHeight), event.Uint("slot", a.Slot), event.Time("createdAt", a.CreatedAt))
}

// CoveredDead is what blocks cover of an attempt that was found dead.
func CoveredDead(withdrawalID string, number int, w wallet.Address) event.Event {
	return event.New(event.DeadAttempt, attemptID(withdrawalID, number), w, event.Flag("dead", true))
}

func attemptID(withdrawalID string, number int) string {
	return withdrawalID + "/" + strconv.Itoa(number)
}

// FromCovered reads back what Covered wrote. Seals are not covered.
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

// IsDead reports whether an event says that the withdrawal's newest attempt is dead.
func (w Withdrawal) IsDead(e event.Event) bool {
	return e.Kind == event.DeadAttempt && e.ID == attemptID(w.ID, w.Attempt)
}

// The purposes of the seals that withdrawals carry.
const (
	RequestPurpose  = "withdrawal request"
	ApprovalPurpose = "withdrawal approval"
	AttemptPurpose  = "payout attempt"
)

// SealedRequest is the message of the seal of what the player asked for. None of it ever
// changes.
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

// SealedApproval is the message of the seal of an approval. It holds the request, so that
// nobody approved anything else.
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

// ApprovalMessage returns the text that a person's wallet signs to approve the
// withdrawal:
//
//	casino-approve:{treasury}:{withdrawal}:{token}:{amount}:{destination}:{timestamp}
//
// The addresses are base58, the amount is in base units and the timestamp in Unix
// milliseconds, both written as plain decimal integers. No part but the id can hold a
// colon, so different approvals never have the same message. Only the withdrawal's ID,
// Token, Amount and Destination are used.
func (w Withdrawal) ApprovalMessage(treasury wallet.Address, timestampMillis int64) string {
	return strings.Join([]string{
		"casino-approve", string(treasury), w.ID, string(w.Token), strconv.FormatInt(int64(w.Amount), 10), w.Destination,
		strconv.FormatInt(timestampMillis, 10),
	}, ":")
}

// Signed reports whether the approval's signature is its person's over what pays the
// withdrawal out of the treasury, and nothing else. A By whose signatures prove nothing
// has signed nothing.
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

// WithSignature returns the approval with its person's signature over ApprovalMessage of
// the treasury and the timestamp.
func (a Approval) WithSignature(signature []byte, timestampMillis int64, treasury wallet.Address) Approval {
	a.Signature, a.Timestamp, a.Treasury = base64.StdEncoding.EncodeToString(signature), timestampMillis, treasury
	return a
}

// SignatureMaxAge is how old the timestamp of a signature may be when the approval is
// given: a key that is kept on a machine without a network takes its time.
const SignatureMaxAge = 10 * time.Minute

// Signing is what the signatures of approvals are held against.
type Signing struct {
	// Treasury is whose money the approvals let go.
	Treasury wallet.Address
	// Required says that an approval without a signature doesn't count.
	Required bool
	// Ahead is how far a timestamp may be ahead of our clock.
	Ahead time.Duration
}

// Admit refuses an approval that is about to be given when its signature is missing and
// required, when its timestamp is too old or ahead, and when it is not its person's
// signature over this withdrawal.
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
		return fault.New(fault.InvalidSignature, "the signature is not this wallet's over the approval of this withdrawal")
	}
	return nil
}

// Counts returns nil when an approval that was given before counts, as far as its
// signature goes: one that is there verifies, and one for this treasury is there where it
// is required. Else it is Unapproved, or Forged.
func (s Signing) Counts(w Withdrawal, a Approval) error {
	switch {
	case s.Required && (a.Signature == "" || a.Treasury != s.Treasury):
		return Unapproved("%s approved the withdrawal without a signature for this treasury, which counts no more", a.By)
	case a.Signature != "" && !w.Signed(a.Treasury, a):
		return Forged("an approval of the withdrawal carries a signature that is not its admin's over it")
	}
	return nil
}

// WronglySigned verifies the signatures in what blocks cover of a withdrawal, each for the
// treasury that it names, and returns whose don't hold.
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

// The names of the fields that an event has of the n-th approval, from 1.
func approvalField(n int) string  { return "approval" + strconv.Itoa(n) }
func signatureField(n int) string { return "signature" + strconv.Itoa(n) }

// signatureText is what an event says of an approval's signature: no part has a blank.
func (a Approval) signatureText() string {
	if a.Signature == "" {
		return ""
	}
	return a.Signature + " " + strconv.FormatInt(a.Timestamp, 10) + " " + string(a.Treasury)
}

// signatureOf reads what signatureText made.
func signatureOf(text string) (Approval, bool) {
	signature, rest, _ := strings.Cut(text, " ")
	timestamp, treasury, _ := strings.Cut(rest, " ")
	millis, err := strconv.ParseInt(timestamp, 10, 64)
	return Approval{Signature: signature, Timestamp: millis, Treasury: wallet.Address(treasury)}, err == nil
}
