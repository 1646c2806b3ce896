package withdrawal

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/event"
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
