// Package treasury defines the index of transactions that the treasury signed: how far
// it reaches, and the sweeps that the operator announced.
//
// Anyone can send the treasury a lamport with any memo. Only a transaction that the
// treasury signed proves a payment, so nothing else is a Movement.
package treasury

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Payment is the amount of one token that left the treasury.
type Payment struct {
	Token  money.Token
	Amount money.Amount
	// Destination is the wallet that received it, empty if there isn't exactly one.
	Destination string
}

// Movement is a finalized transaction that the treasury signed.
type Movement struct {
	Signature string
	Slot      uint64
	At        time.Time // of its block
	Failed    bool      // it landed with an error, and moved nothing but its fee
	// WithdrawalID and Tag are from its memo; empty if it isn't a payout's.
	WithdrawalID string
	Tag          string
	// Payments are sorted by token; empty if only fees left.
	Payments []Payment
	// Fee and Rent are the costs besides the payments, in lamports.
	Fee, Rent money.Amount
}

// Pays reports whether the movement consists of exactly this payment.
func (m Movement) Pays(token money.Token, amount money.Amount, destination string) bool {
	return !m.Failed && len(m.Payments) == 1 && m.Payments[0] == Payment{Token: token, Amount: amount, Destination: destination}
}

// InOrder compares movements by their position in the chain.
func InOrder(a, b Movement) int {
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Signature, b.Signature))
}

// AgeMax is how far the newest indexed block may be from our clock, in either direction,
// for a payout to be signed. If it is ahead one of the two clocks is wrong, and an old
// index could look fresh.
const AgeMax = time.Minute

// Position is the end of the index of movements. The index has no gap: it contains
// everything between Since and Slot.
type Position struct {
	// Cursor is the chain adapter's own text, empty before the first page.
	Cursor string
	// Slot is finalized, and At is its block's time. Both are zero until the history has
	// been read once to the end.
	Slot uint64
	At   time.Time
	// Since is the beginning of the nodes' history; zero is the chain's beginning.
	Since time.Time
}

// Reasons why a payout can't be signed because of the index, in Details["status"] of
// InvalidState.
const (
	StaleStatus   = "treasury unindexed"
	UnknownStatus = "history unknown"
	LandedStatus  = "paid already"
)

// Covers returns nil if the index is complete for a withdrawal requested at a moment: a
// payment that isn't in it was not made.
func (p Position) Covers(requested, now time.Time) error {
	switch age := now.Sub(p.At); {
	case p.Slot == 0:
		return fault.New(fault.InvalidState, "the treasury's history is not read yet").With("status", StaleStatus)
	case age > AgeMax:
		return fault.New(fault.InvalidState, "the treasury's history is known up to %s ago", age.Round(time.Second)).With("status", StaleStatus)
	case age < -AgeMax:
		return fault.New(fault.InvalidState, "the chain's newest block is %s ahead of this clock", (-age).Round(time.Second)).
			With("status", StaleStatus)
	case !p.Since.IsZero() && requested.Before(p.Since):
		return fault.New(fault.InvalidState, "no node has the treasury's history before %s", p.Since.UTC().Format(time.RFC3339)).
			With("status", UnknownStatus)
	}
	return nil
}

const (
	tagLength = 16
	idMax     = 64
)

// Memo returns the memo of a payout on chain: the withdrawal's id and a tag of its
// wallet. The tag identifies the owner even if the database lacks the withdrawal.
// Without a tag it is only the id.
func Memo(id, tag string) string {
	if tag == "" {
		return id
	}
	return id + " " + tag
}

// ParseMemo parses the form of Memo, false for any other text.
func ParseMemo(text string) (id, tag string, ok bool) {
	id, tag, tagged := strings.Cut(text, " ")
	if id == "" || len(id) > idMax || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", "", false
	}
	if tagged && (len(tag) != tagLength || strings.Trim(tag, "0123456789abcdef") != "") {
		return "", "", false
	}
	return id, tag, true
}

// Observed is a finalized transaction as read from the chain.
type Observed struct {
	deposit.Observation
	Slot uint64
	At   time.Time
	Fee  uint64 // lamports, paid by the first signer
	// Memo is the text of its only memo, empty if it has none or several.
	Memo string
}

// Read returns the owner's payments in an observed transaction, and false if the owner
// did not sign it. Like a deposit it is judged by its effect on balances, never by its
// instructions.
func Read(o Observed, owner string) (Movement, bool) {
	if !slices.Contains(o.Signers, owner) {
		return Movement{}, false
	}
	m := Movement{Signature: o.Signature, Slot: o.Slot, At: o.At, Failed: o.Failed}
	if id, tag, ok := ParseMemo(o.Memo); ok {
		m.WithdrawalID, m.Tag = id, tag
	}
	var fee uint64
	if o.Signers[0] == owner {
		fee = o.Fee
	}
	lamports := sumFalls(o.Lamports, owner)
	rent := min(sumRents(o), lamports.remainderAbove(fee))
	m.Fee, m.Rent = amountOf(fee), amountOf(rent)
	falls, gains := tokenEffects(o.Tokens, owner)
	falls[money.SOL] = falls[money.SOL].addFall(lamports).subtractUnits(fee).subtractUnits(rent)
	if destination, one := onlyRiser(o, owner); one && gains[money.SOL] == nil {
		gains[money.SOL] = map[string]bool{destination: true}
	}
	for _, token := range slices.SortedFunc(maps.Keys(falls), func(a, b money.Token) int { return cmp.Compare(a, b) }) {
		if fall := falls[token].remainderAbove(0); fall > 0 {
			m.Payments = append(m.Payments, Payment{Token: token, Amount: amountOf(fall), Destination: onlyMember(gains[token])})
		}
	}
	return m, true
}

// fall is how much a balance fell; it may also have risen.
type fall struct{ down, up uint64 }

func (f fall) addFall(other fall) fall {
	return fall{addSaturating(f.down, other.down), addSaturating(f.up, other.up)}
}
func (f fall) subtractUnits(units uint64) fall { return fall{f.down, addSaturating(f.up, units)} }

// remainderAbove returns the fall less this amount, 0 if the fall is smaller.
func (f fall) remainderAbove(units uint64) uint64 {
	up := addSaturating(f.up, units)
	return f.down - min(f.down, up)
}

func addSaturating(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

func amountOf(units uint64) money.Amount { return money.Amount(min(units, uint64(money.Max))) }

func sumFalls(all []deposit.LamportChange, owner string) (f fall) {
	for _, change := range all {
		if change.Address == owner {
			f = f.addFall(fall{change.Pre, change.Post})
		}
	}
	return f
}

// sumRents returns the rent of the token accounts that the transaction created.
func sumRents(o Observed) (sum uint64) {
	created := map[string]uint64{} // with the wrapped lamports, which are a balance
	for _, change := range o.Tokens {
		if change.OwnerPre == "" && change.OwnerPost != "" {
			created[change.Account] = 0
			if change.Mint == money.SOL {
				created[change.Account] = change.Post
			}
		}
	}
	for _, change := range o.Lamports {
		if wrapped, fresh := created[change.Address]; fresh {
			rise := change.Post - min(change.Pre, change.Post)
			sum = addSaturating(sum, rise-min(rise, wrapped))
		}
	}
	return sum
}

// tokenEffects returns how much of each token left the owner's accounts, and the owners
// of the accounts that rose.
func tokenEffects(all []deposit.TokenChange, owner string) (map[money.Token]fall, map[money.Token]map[string]bool) {
	falls, gains := map[money.Token]fall{}, map[money.Token]map[string]bool{}
	for _, change := range all {
		var f fall
		if change.OwnerPre == owner {
			f.down = change.Pre
		}
		if change.OwnerPost == owner {
			f.up = change.Post
		} else if change.OwnerPost != "" && (change.Post > change.Pre || change.OwnerPre == owner) {
			if gains[change.Mint] == nil {
				gains[change.Mint] = map[string]bool{}
			}
			gains[change.Mint][change.OwnerPost] = true
		}
		falls[change.Mint] = falls[change.Mint].addFall(f)
	}
	return falls, gains
}

// onlyRiser returns the one address, not a token account, with risen lamports.
func onlyRiser(o Observed, owner string) (address string, one bool) {
	risen := map[string]bool{}
	for _, change := range o.Lamports {
		ofToken := slices.ContainsFunc(o.Tokens, func(t deposit.TokenChange) bool { return t.Account == change.Address })
		if change.Post > change.Pre && change.Address != owner && !ofToken {
			risen[change.Address] = true
		}
	}
	address = onlyMember(risen)
	return address, address != ""
}

// onlyMember returns the one member of a set, empty if there isn't exactly one.
func onlyMember(set map[string]bool) string {
	if len(set) != 1 {
		return ""
	}
	for member := range set {
		return member
	}
	return ""
}

// State says whether a movement is explained.
type State string

// The states. Payouts are paused for a Foreign movement; it becomes Explained when the
// operator accounts for it.
const (
	New       State = "new"
	Explained State = "explained"
	Foreign   State = "foreign"
)

// Next reports whether a movement may change from the state to another one.
func (s State) Next(to State) bool {
	return s == New && (to == Explained || to == Foreign) || s == Foreign && to == Explained
}

// SweepTime is how long an announced sweep is valid by default, SweepTimeMax at most.
const (
	SweepTime    = 24 * time.Hour
	SweepTimeMax = 30 * 24 * time.Hour
)

// Sweep is an announced transfer of the operator's own money out of the treasury.
type Sweep struct {
	ID string
	Payment
	Reason string
	At     time.Time
	Until  time.Time
	// Signature is that of its movement, empty until then.
	Signature string
}

// Announce returns a new sweep, or a fault.
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
// announcement: an operator may account for a past payment.
func (s Sweep) Expects(m Movement) bool {
	return s.Signature == "" && m.WithdrawalID == "" && !m.At.After(s.Until) && m.Pays(s.Token, s.Amount, s.Destination)
}
