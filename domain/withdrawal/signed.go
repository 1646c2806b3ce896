package withdrawal

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

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
