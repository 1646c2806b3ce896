package withdrawal

import "github.com/casino-service/casino/domain/treasury"

// MemoPurpose is what the tags in memos are sealed for.
const MemoPurpose = "memo"

// Meaning is what a transaction of the treasury's is to the withdrawal whose id it
// carries.
type Meaning uint8

// The meanings.
const (
	// Foreign pays something else, or a second time.
	Foreign Meaning = iota
	// Expected is the payment that the books wait for or have booked.
	Expected
	// Proof has paid the withdrawal, and the books don't know it: they are older than the
	// payment.
	Proof
	// CostOnly landed with an error: it moved nothing but its fee.
	CostOnly
)

// Means says what a movement that carries the withdrawal's id is to it.
func (w Withdrawal) Means(m treasury.Movement) Meaning {
	_, open := w.Status.Next(Prove)
	switch {
	case m.WithdrawalID != w.ID:
		return Foreign
	case m.Failed:
		return CostOnly
	case !m.Pays(w.Token, w.Amount, w.Destination):
		return Foreign
	case m.Signature == w.Signature && (w.Status == Sending || w.Status == Completed):
		return Expected
	case open:
		return Proof
	}
	return Foreign
}
