package rows

import (
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Balance is what is owed to a wallet: a player's money in a token, a withdrawal's
// hold, or what arrived before the first sign-in.
type Balance struct {
	bun.BaseModel `bun:"table:balances,alias:b"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	Kind          string         `bun:",pk"` // the account's
	Hold          string         `bun:",pk"` // the withdrawal of a hold
	Token         money.Token    `bun:",pk"`
	Amount        money.Amount
	TallyColumns
}

// TallyColumns are what was counted of a player's balance; of holds and of what is unclaimed
// nothing is.
type TallyColumns struct {
	Rounds    int64
	Wagered   Sum `bun:"embed:wagered_"`
	Won       Sum `bun:"embed:won_"`
	Deposited Sum `bun:"embed:deposited_"`
}

func tallyColumns(t session.Tally) TallyColumns {
	return TallyColumns{t.Rounds, sumOf(t.Wagered), sumOf(t.Won), sumOf(t.Deposited)}
}

// Tally is what was counted.
func (c TallyColumns) Tally() session.Tally {
	return session.Tally{Rounds: c.Rounds, Wagered: c.Wagered.Total(), Won: c.Won.Total(), Deposited: c.Deposited.Total()}
}

var (
	// CountedBalances are what is owed to wallets, Balances the same without what was counted.
	CountedBalances = modelOf[Balance, Balance]()
	Balances        = CountedBalances.only("wallet", "kind", "hold", "token", "amount")
)

// Unclaimed are the balances that are unclaimed, with their places in a list of them.
var Unclaimed = View[ports.UnclaimedBalance]{"u.wallet, u.token, u.amount", `(SELECT o.wallet, b.token, b.amount, o.wallet || ' ' || b.token AS place
	FROM balances AS b JOIN players AS o ON o.key = b.wallet WHERE b.kind = 'unclaimed' AND b.amount > 0) AS u`,
	func(row db.Row) (b ports.UnclaimedBalance, err error) {
		return b, row.Scan(&b.Wallet, &b.Token, &b.Amount)
	}}

// ReadPlayerBalances reads what players may play with and withdraw, by the keys of their
// wallets.
var ReadPlayerBalances = db.NewQuery(`SELECT b.wallet, b.token, b.amount FROM {sent} AS s CROSS JOIN balances AS b
	WHERE b.wallet = s.wallet AND b.kind = 'player' AND b.hold = '' ORDER BY b.wallet, b.token`, "wallet:uuid")

var (
	// What is found under a whole key is answered by the place of the key.
	readBalances = db.NewQuery(`SELECT s.place, b.amount FROM {sent} AS s CROSS JOIN balances AS b
		WHERE b.wallet = s.wallet AND b.kind = 'player' AND b.hold = '' AND b.token = s.token`, "wallet:uuid", "token", "place:int")
	readEveryBalance = CountedBalances.find("b.wallet = s.wallet AND b.kind IN ('player', 'unclaimed') AND b.hold = ''", "wallet:uuid")
	readHolds        = Balances.find("b.wallet = s.wallet AND b.kind = 'hold' AND b.hold = s.hold", "wallet:uuid", "hold")
	// Where the row is known to be there, an update takes less than an insert that
	// looks for it first and locks it before. A bet neither deposits nor withdraws.
	updateBalances = db.Change("UPDATE balances SET amount = s.amount, "+addPlay("s")+` FROM {sent} AS s
		WHERE balances.wallet = s.wallet AND balances.kind = 'player' AND balances.hold = '' AND balances.token = s.token`,
		"wallet:uuid", "token", "amount:int", "rounds:int", "wagered_hi:int", "wagered_lo:int", "won_hi:int", "won_lo:int")
	writeBalances = CountedBalances.insert("ON CONFLICT (wallet, kind, hold, token) DO UPDATE SET amount = excluded.amount, " +
		addPlay("excluded") + ", " + addUp("balances", "deposited_"))
)

// addPlay adds to what was counted of rounds.
func addPlay(from string) string {
	return "rounds = balances.rounds + " + from + ".rounds, " + addUpFrom("balances", from, "wagered_", "won_")
}

// balances are what wallets have.
type balances struct {
	plain
	changed map[balanceKey]session.Tally
}

// balanceKey names a row of balances.
type balanceKey struct {
	wallet wallet.Address
	kind   ledger.Kind
	hold   string
	token  money.Token
}

func (*balances) ask(b *Batch) {
	type place struct {
		of    *Wallet
		token money.Token
	}
	places := make([]place, 0, len(b.sorted))
	b.Ask("read balances", readBalances, b.rowsOf(func(w *Wallet, add func(...any)) {
		if w.readsAll() {
			return
		}
		for _, token := range w.Needs.Tokens {
			add(w.key, string(token), len(places))
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
	readEveryBalance.ask(&b.Asks, "read balances", b.rowsOf(func(w *Wallet, add func(...any)) {
		if w.Needs.Tallies {
			w.View.Tallies = map[money.Token]session.Tally{}
		}
		if w.readsAll() {
			add(w.key)
		}
	}), func(found Balance) error {
		w, err := b.owner(found.Wallet)
		if err != nil {
			return err
		}
		if w.Needs.Tallies && found.Kind == ledger.Player.String() {
			w.View.Tallies[found.Token] = found.Tally()
		}
		w.hasBalance(found)
		return nil
	})
	readHolds.ask(&b.Asks, "read holds", b.rowsOf(func(w *Wallet, add func(...any)) {
		for _, id := range w.Needs.Withdrawals {
			add(w.key, id)
		}
	}), func(found Balance) error {
		w, err := b.owner(found.Wallet)
		if err == nil {
			w.hasBalance(found)
		}
		return err
	})
}

// readsAll reports whether every balance of the wallet is read, not some tokens' alone.
func (w *Wallet) readsAll() bool { return w.Needs.Unclaimed || w.Needs.Tallies }

// has notes a stored balance of the player's.
func (w *Wallet) has(token money.Token, amount money.Amount) {
	put(&w.View.Balances, token, amount)
	w.stored = append(w.stored, token)
}

// hasBalance notes a stored balance of any kind.
func (w *Wallet) hasBalance(found Balance) {
	switch found.Kind {
	case ledger.Player.String():
		w.has(found.Token, found.Amount)
	case ledger.Unclaimed.String():
		put(&w.View.Unclaimed, found.Token, found.Amount)
	default:
		put(&w.held, found.Hold, found.Amount)
	}
}

func (a *balances) stage(_ *Batch, s *Step) {
	for i := range s.Change.Postings {
		for j := range s.Change.Postings[i].Transfers {
			t := &s.Change.Postings[i].Transfers[j]
			of, by, counts := session.Of(t)
			for _, account := range [...]ledger.Account{t.Debit, t.Credit} {
				tally := session.Tally{}
				if counts && account == of {
					tally = by
				}
				a.moved(s.Wallet.Address, account, t.Token, tally)
			}
			if counts && of != t.Debit && of != t.Credit { // an open round has ended
				a.moved(s.Wallet.Address, of, t.Token, by)
			}
		}
	}
}

func (a *balances) moved(w wallet.Address, account ledger.Account, token money.Token, by session.Tally) {
	if !account.Kind.Liability() {
		return
	}
	key := balanceKey{w, account.Kind, "", token}
	if account.Kind == ledger.Hold {
		key.hold = account.Owner
	}
	put(&a.changed, key, a.changed[key].Add(by))
}

func (a *balances) write(b *Batch) error {
	var known, others [][]any
	for k, tally := range a.changed {
		w := b.Wallets[k.wallet]
		amount := w.View.Balances[k.token]
		switch {
		case k.kind == ledger.Unclaimed:
			amount = w.View.Unclaimed[k.token]
		case k.kind == ledger.Hold:
			amount = w.held[k.hold]
		case k.kind == ledger.Stake:
			amount = w.staked(k.token)
		case tally.Deposited == (money.Total{}) && slices.Contains(w.stored, k.token):
			wageredHi, wageredLo := tally.Wagered.Parts()
			wonHi, wonLo := tally.Won.Parts()
			known = append(known, []any{w.key, string(k.token), int64(amount), tally.Rounds, wageredHi, wageredLo, wonHi, wonLo})
			continue
		}
		others = append(others, writeBalances.row(&Balance{
			Wallet: k.wallet, Kind: k.kind.String(), Hold: k.hold, Token: k.token, Amount: amount, TallyColumns: tallyColumns(tally),
		}))
	}
	b.WriteSorted("write balances", updateBalances, known)
	b.WriteSorted("write balances", writeBalances.query, others)
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
