package treasury

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
)

// Observed is a finalized transaction as an adapter to the chain saw it.
type Observed struct {
	deposit.Observation
	Slot uint64
	At   time.Time
	Fee  uint64 // lamports, paid by the first signer
	// Memo is the text of its only memo, empty when there is none or more.
	Memo string
}

// Read returns what an observed transaction took from its owner, and false when the
// owner did not sign it. Like a deposit it is judged by its effect on balances, never by
// its instructions.
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
	lamports := fallen(o.Lamports, owner)
	rent := min(rents(o), lamports.over(fee))
	m.Fee, m.Rent = amount(fee), amount(rent)
	falls, gains := tokenEffects(o.Tokens, owner)
	falls[money.SOL] = falls[money.SOL].plus(lamports).minus(fee).minus(rent)
	if destination, one := onlyRiser(o, owner); one && gains[money.SOL] == nil {
		gains[money.SOL] = map[string]bool{destination: true}
	}
	for _, token := range slices.SortedFunc(maps.Keys(falls), func(a, b money.Token) int { return cmp.Compare(a, b) }) {
		if fall := falls[token].over(0); fall > 0 {
			m.Payments = append(m.Payments, Payment{Token: token, Amount: amount(fall), Destination: only(gains[token])})
		}
	}
	return m, true
}

// fall is by how much a balance went down: it may also have gone up.
type fall struct{ down, up uint64 }

func (f fall) plus(other fall) fall {
	return fall{saturated(f.down, other.down), saturated(f.up, other.up)}
}
func (f fall) minus(units uint64) fall { return fall{f.down, saturated(f.up, units)} }

// over is what remains of the fall beyond so much, 0 when it is less.
func (f fall) over(units uint64) uint64 {
	up := saturated(f.up, units)
	return f.down - min(f.down, up)
}

func saturated(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

func amount(units uint64) money.Amount { return money.Amount(min(units, uint64(money.Max))) }

func fallen(all []deposit.LamportChange, owner string) (f fall) {
	for _, change := range all {
		if change.Address == owner {
			f = f.plus(fall{change.Pre, change.Post})
		}
	}
	return f
}

// rents is what keeps the token accounts alive that the transaction created.
func rents(o Observed) (sum uint64) {
	created := map[string]uint64{} // with the wrapped lamports that are a balance
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
			sum = saturated(sum, rise-min(rise, wrapped))
		}
	}
	return sum
}

// tokenEffects returns how much of each token left the owner's accounts, and whose
// accounts rose.
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
		falls[change.Mint] = falls[change.Mint].plus(f)
	}
	return falls, gains
}

// onlyRiser returns the one address, no token account, whose lamports rose.
func onlyRiser(o Observed, owner string) (address string, one bool) {
	risen := map[string]bool{}
	for _, change := range o.Lamports {
		ofToken := slices.ContainsFunc(o.Tokens, func(t deposit.TokenChange) bool { return t.Account == change.Address })
		if change.Post > change.Pre && change.Address != owner && !ofToken {
			risen[change.Address] = true
		}
	}
	address = only(risen)
	return address, address != ""
}

// only returns the one member of a set, empty when there is not exactly one.
func only(set map[string]bool) string {
	if len(set) != 1 {
		return ""
	}
	for member := range set {
		return member
	}
	return ""
}
