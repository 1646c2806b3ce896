package treasury

import (
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// State is whether it is known why a movement happened.
type State string

// The states. A Foreign movement is one for which payouts were paused; it becomes
// Explained when the operator accounts for it.
const (
	New       State = "new"
	Explained State = "explained"
	Foreign   State = "foreign"
)

// Next reports whether a movement may go from the state to another one.
func (s State) Next(to State) bool {
	return s == New && (to == Explained || to == Foreign) || s == Foreign && to == Explained
}

// SweepTime is for how long an announced sweep is expected unless somebody says
// otherwise, and SweepTimeMax the longest.
const (
	SweepTime    = 24 * time.Hour
	SweepTimeMax = 30 * 24 * time.Hour
)

// Sweep is money of the operator's own that is to leave the treasury, announced before
// it does.
type Sweep struct {
	ID string
	Payment
	Reason string
	At     time.Time
	Until  time.Time
	// Signature is of the movement that was it, empty until then.
	Signature string
}

// Announce returns a sweep, or what is wrong with it.
func Announce(id string, p Payment, reason string, at time.Time, valid time.Duration) (Sweep, error) {
	switch _, err := wallet.Parse(p.Destination); {
	case p.Token == "" || p.Amount < 1:
		return Sweep{}, fault.Field("amount", "must be at least 1 base unit of a token")
	case err != nil:
		return Sweep{}, fault.Field("destination", "is not a wallet")
	case valid <= 0 || valid > SweepTimeMax:
		return Sweep{}, fault.Field("valid", "must be more than 0 and at most 30 days")
	}
	return Sweep{ID: id, Payment: p, Reason: reason, At: at, Until: at.Add(valid)}, nil
}

// Expects reports whether the movement is this sweep. The block may be older than the
// announcement: an operator may account for what was paid already.
func (s Sweep) Expects(m Movement) bool {
	return s.Signature == "" && m.WithdrawalID == "" && !m.At.After(s.Until) && m.Pays(s.Token, s.Amount, s.Destination)
}
