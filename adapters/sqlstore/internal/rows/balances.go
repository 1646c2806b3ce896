package rows

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// Balance is what is owed to a wallet: a player's money in a token, a withdrawal's
// hold, or what arrived before the first sign-in.
type Balance struct {
	Wallet wallet.Address
	Kind   string // the account's
	Hold   string // the withdrawal of a hold
	Token  money.Token
	Amount money.Amount
}

// Balances are what is owed to wallets.
var Balances = table("balances", "b",
	text("wallet", func(b *Balance) *wallet.Address { return &b.Wallet }).keyed(),
	text("kind", func(b *Balance) *string { return &b.Kind }).keyed(),
	text("hold", func(b *Balance) *string { return &b.Hold }).keyed(),
	text("token", func(b *Balance) *money.Token { return &b.Token }).keyed(),
	integer("amount", func(b *Balance) *money.Amount { return &b.Amount }),
)

// ReadPlayerBalances reads what players may play with and withdraw, by wallet.
var ReadPlayerBalances = db.NewQuery(`SELECT b.wallet, b.token, b.amount FROM {sent} AS s CROSS JOIN balances AS b
	WHERE b.wallet = s.wallet AND b.kind = 'player' AND b.hold = '' ORDER BY b.wallet, b.token`, "wallet")

var (
	// What is found under a whole key is answered by the place of the key.
	readBalances = db.NewQuery(`SELECT s.place, b.amount FROM {sent} AS s CROSS JOIN balances AS b
		WHERE b.wallet = s.wallet AND b.kind = 'player' AND b.hold = '' AND b.token = s.token`, "wallet", "token", "place:int")
	readEveryBalance = Balances.find("b.wallet = s.wallet AND b.kind IN ('player', 'unclaimed') AND b.hold = ''", "wallet")
	readHolds        = Balances.find("b.wallet = s.wallet AND b.kind = 'hold' AND b.hold = s.hold", "wallet", "hold")
	// Where the row is known to be there, an update takes less than an insert that
	// looks for it first and locks it before.
	updateBalances = db.Change(`UPDATE balances SET amount = s.amount FROM {sent} AS s
		WHERE balances.wallet = s.wallet AND balances.kind = 'player' AND balances.hold = '' AND balances.token = s.token`,
		"wallet", "token", "amount:int")
	writeBalances = Balances.upsert("amount")
)

// balances are what wallets have.
type balances struct {
	plain
	changed map[balanceKey]struct{}
}

// balanceKey names a row of balances.
type balanceKey struct {
	wallet wallet.Address
	kind   ledger.Kind
	hold   string
	token  money.Token
}

func (k balanceKey) compare(other balanceKey) int {
	return cmp.Or(cmp.Compare(k.wallet, other.wallet), cmp.Compare(k.kind, other.kind),
		cmp.Compare(k.hold, other.hold), cmp.Compare(k.token, other.token))
}

func (*balances) ask(b *Batch) {
	type place struct {
		of    *Wallet
		token money.Token
	}
	places := make([]place, 0, len(b.sorted))
	b.Ask("read balances", readBalances, b.rowsOf(func(w *Wallet, add func(...any)) {
		if w.Needs.Unclaimed {
			return
		}
		for _, token := range w.Needs.Tokens {
			add(string(w.Address), string(token), len(places))
			places = append(places, place{w, token})
		}
	}), func(row db.Row) error {
		var at int
		var amount money.Amount
		if err := row.Scan(&at, &amount); err != nil {
			return err
		}
		places[at].of.has(places[at].token, amount)
		return nil
	})
	b.Ask("read balances", readEveryBalance, b.rowsOf(func(w *Wallet, add func(...any)) {
		if w.Needs.Unclaimed {
			add(string(w.Address))
		}
	}), b.scanBalance)
	b.Ask("read holds", readHolds, b.rowsOf(func(w *Wallet, add func(...any)) {
		for _, id := range w.Needs.Withdrawals {
			add(string(w.Address), id)
		}
	}), b.scanBalance)
}

// has notes a stored balance of the player's.
func (w *Wallet) has(token money.Token, amount money.Amount) {
	put(&w.View.Balances, token, amount)
	w.stored = append(w.stored, token)
}

func (b *Batch) scanBalance(row db.Row) error {
	found, err := Balances.Scan(row)
	if err != nil {
		return err
	}
	switch w := b.Wallets[found.Wallet]; found.Kind {
	case ledger.Player.String():
		w.has(found.Token, found.Amount)
	case ledger.Unclaimed.String():
		put(&w.View.Unclaimed, found.Token, found.Amount)
	default:
		put(&w.held, found.Hold, found.Amount)
	}
	return nil
}

func (a *balances) stage(_ *Batch, s *Step) {
	for _, p := range s.Change.Postings {
		for _, t := range p.Transfers {
			a.moved(s.Wallet.Address, t.Debit, t.Token)
			a.moved(s.Wallet.Address, t.Credit, t.Token)
		}
	}
}

func (a *balances) moved(w wallet.Address, account ledger.Account, token money.Token) {
	switch {
	case account.Kind == ledger.Hold:
		put(&a.changed, balanceKey{w, account.Kind, account.Owner, token}, struct{}{})
	case account.Kind.Liability():
		put(&a.changed, balanceKey{w, account.Kind, "", token}, struct{}{})
	}
}

func (a *balances) write(b *Batch) error {
	var known, others [][]any
	for _, k := range slices.SortedFunc(maps.Keys(a.changed), balanceKey.compare) {
		w := b.Wallets[k.wallet]
		amount := w.View.Balances[k.token]
		switch {
		case k.kind == ledger.Unclaimed:
			amount = w.View.Unclaimed[k.token]
		case k.kind == ledger.Hold:
			amount = w.held[k.hold]
		case slices.Contains(w.stored, k.token):
			known = append(known, []any{string(k.wallet), string(k.token), int64(amount)})
			continue
		}
		others = append(others, writeBalances.row(&Balance{k.wallet, k.kind.String(), k.hold, k.token, amount}))
	}
	b.Write("write balances", updateBalances, known)
	b.Write("write balances", writeBalances.query, others)
	return nil
}

// holdsAfter returns the balances of the holds after a change, of which a withdrawal's
// has its amount while that is open and nothing afterwards.
func (w *Wallet) holdsAfter(c *player.Change) (map[string]money.Amount, error) {
	held, cloned := w.held, false
	for _, p := range c.Postings {
		for _, t := range p.Transfers {
			if t.Debit.Kind != ledger.Hold && t.Credit.Kind != ledger.Hold {
				continue
			}
			if !cloned {
				held, cloned = maps.Clone(w.held), true
			}
			ok := true
			if t.Debit.Kind == ledger.Hold {
				var after money.Amount
				after, ok = held[t.Debit.Owner].Sub(t.Amount)
				put(&held, t.Debit.Owner, after)
			}
			if ok && t.Credit.Kind == ledger.Hold {
				var after money.Amount
				after, ok = held[t.Credit.Owner].Add(t.Amount)
				put(&held, t.Credit.Owner, after)
			}
			if !ok {
				return nil, db.Defect("posting %v: a hold can't move %d", p.Key, t.Amount)
			}
		}
	}
	// Why a withdrawal isn't paid can be noted even where its hold is not what was booked.
	if of := c.Withdrawal; of != nil && (cloned || of.Status != w.View.Withdrawals[of.ID].Status) {
		due := money.Amount(0)
		if of.Status.Open() {
			due = of.Held()
		}
		if held[of.ID] != due { // by the law only what was stored can be wrong
			return nil, db.Defect("withdrawal %s is %s and its hold has %d of %d", of.ID, of.Status, held[of.ID], of.Held())
		}
	}
	return held, nil
}
