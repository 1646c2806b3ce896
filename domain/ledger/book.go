package ledger

import (
	"maps"
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Balance is an account's balance of one token.
type Balance struct {
	Account Account
	Token   money.Token
	Amount  money.Total
}

type holding struct {
	account Account
	token   money.Token
}

// Book is the reference model of the ledger: small, slow and easy to verify. Auditors
// replay a store's transfers into it, simulators predict answers with it, and the memory
// adapter keeps its balances in it. It is not safe for concurrent use. The zero Book is
// empty and ready to use.
type Book struct {
	balances map[holding]money.Total
	posted   map[Key][]Transfer
}

// Post books the posting, all of it or nothing. Posting the same transfers under the
// same key again changes nothing; other transfers under it are a fault of kind
// IdempotencyConflict. If a transfer, in the order given, would take a player, hold or
// unclaimed account below zero or above money.Max, the whole posting is refused with
// InsufficientFunds or AmountOutOfRange. A key without a kind or an id, or a transfer
// that Check refuses, is an internal error.
func (b *Book) Post(p Posting) error { return b.postChecked(p, checkLiability) }

// Add is Post for replaying postings in unknown order: it doesn't check the accounts'
// bounds. OutOfBounds checks them at the end.
func (b *Book) Add(p Posting) error {
	return b.postChecked(p, func(holding, money.Total) error { return nil })
}

// OutOfBounds returns the player, hold and unclaimed accounts that are below
// zero or above money.Max, in the order of Balances.
func (b *Book) OutOfBounds() []Balance {
	return slices.DeleteFunc(b.Balances(), func(held Balance) bool {
		return checkLiability(holding{held.Account, held.Token}, held.Amount) == nil
	})
}

func (b *Book) postChecked(p Posting, check func(holding, money.Total) error) error {
	if err := p.Key.Check(); err != nil {
		return err
	}
	if earlier, ok := b.posted[p.Key]; ok {
		if slices.Equal(earlier, p.Transfers) {
			return nil
		}
		return fault.New(fault.IdempotencyConflict, "posting %v was booked with other transfers", p.Key)
	}
	changed := make(map[holding]money.Total, 2*len(p.Transfers))
	at := func(h holding) money.Total {
		if total, ok := changed[h]; ok {
			return total
		}
		return b.balances[h]
	}
	for _, t := range p.Transfers {
		if err := t.Check(); err != nil {
			return err
		}
		from, to := holding{t.Debit, t.Token}, holding{t.Credit, t.Token}
		changed[from] = at(from).SubAmount(t.Amount)
		changed[to] = at(to).AddAmount(t.Amount)
		if err := check(from, changed[from]); err != nil {
			return err
		}
		if err := check(to, changed[to]); err != nil {
			return err
		}
	}
	if b.posted == nil {
		b.posted, b.balances = map[Key][]Transfer{}, map[holding]money.Total{}
	}
	b.posted[p.Key] = slices.Clone(p.Transfers)
	maps.Copy(b.balances, changed)
	return nil
}

func checkLiability(h holding, total money.Total) error {
	if !h.account.Kind.Liability() {
		return nil
	}
	if total.Sign() < 0 {
		return fault.New(fault.InsufficientFunds, "%v would fall to %v", h.account, total)
	}
	if _, ok := total.Amount(); !ok {
		return fault.New(fault.AmountOutOfRange, "%v would rise to %v", h.account, total)
	}
	return nil
}

// Balance returns the account's balance of the token.
func (b *Book) Balance(a Account, token money.Token) money.Total {
	return b.balances[holding{a, token}]
}

// Posted returns the transfers booked under the key.
func (b *Book) Posted(k Key) ([]Transfer, bool) {
	transfers, ok := b.posted[k]
	return slices.Clone(transfers), ok
}

// Balances returns every account that ever had a transfer, sorted by account and token.
func (b *Book) Balances() []Balance {
	all := make([]Balance, 0, len(b.balances))
	for h, total := range b.balances {
		all = append(all, Balance{h.account, h.token, total})
	}
	slices.SortFunc(all, func(x, y Balance) int {
		if x.Account != y.Account {
			return strings.Compare(x.Account.String(), y.Account.String())
		}
		return strings.Compare(string(x.Token), string(y.Token))
	})
	return all
}

// Sums returns the sum over all accounts for each token. In a correct book every sum is
// zero.
func (b *Book) Sums() map[money.Token]money.Total {
	sums := map[money.Token]money.Total{}
	for h, total := range b.balances {
		sums[h.token] = sums[h.token].Add(total)
	}
	return sums
}

// Totals returns the book's balances summed by Bucket, as stores keep them.
func (b *Book) Totals() map[Account]map[money.Token]money.Total {
	totals := map[Account]map[money.Token]money.Total{}
	for h, total := range b.balances {
		bucket := h.account.Bucket()
		if totals[bucket] == nil {
			totals[bucket] = map[money.Token]money.Total{}
		}
		totals[bucket][h.token] = totals[bucket][h.token].Add(total)
	}
	return totals
}
