package accounts

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Balance is an amount owed to a wallet: a player's money in a token, a withdrawal's hold, or
// deposits from before the first sign-in.
type Balance struct {
	bun.BaseModel `bun:"table:balances,alias:b"`
	Wallet        wallet.Address `bun:",pk,type:uuid"`
	Kind          ledger.Kind    `bun:",pk"` // of the account
	Hold          string         `bun:",pk"` // the withdrawal, for a hold
	Token         money.Token    `bun:",pk"`
	Amount        money.Amount
	TallyColumns
}

// TallyColumns are the totals of play of a player's balance; holds and unclaimed balances have
// none.
type TallyColumns struct {
	Rounds    int64
	Wagered   table.Sum `bun:"embed:wagered_"`
	Won       table.Sum `bun:"embed:won_"`
	Deposited table.Sum `bun:"embed:deposited_"`
}

// Owed returns the balance without its tally.
func (b Balance) Owed() ledger.Balance {
	return ledger.Balance{
		Account: ledger.Account{Kind: b.Kind, Owner: cmp.Or(b.Hold, string(b.Wallet))}, Token: b.Token, Amount: money.TotalOf(b.Amount),
	}
}

func tallyColumns(t session.Tally) TallyColumns {
	return TallyColumns{t.Rounds, table.SumOf(t.Wagered), table.SumOf(t.Won), table.SumOf(t.Deposited)}
}

// Tally returns the totals of play.
func (c TallyColumns) Tally() session.Tally {
	return session.Tally{Rounds: c.Rounds, Wagered: c.Wagered.Total(), Won: c.Won.Total(), Deposited: c.Deposited.Total()}
}

var (
	// CountedBalances is the model of balances, Balances the same without tallies.
	CountedBalances = table.ModelOf[Balance, Balance]()
	Balances        = CountedBalances.Only("wallet", "kind", "hold", "token", "amount")
)

// Unclaimed is a view of unclaimed balances, with their ids in a list.
var Unclaimed = table.NewView[ports.UnclaimedBalance]("u.wallet, u.token, u.amount", `(SELECT o.wallet, b.token, b.amount, o.wallet || ' ' || b.token AS place
	FROM balances AS b JOIN players AS o ON o.key = b.wallet WHERE b.kind = 'unclaimed' AND b.amount > 0) AS u`,
	func(row db.Row) (b ports.UnclaimedBalance, err error) {
		return b, row.Scan(&b.Wallet, &b.Token, &b.Amount)
	})

// ReadPlayerBalances reads the amounts that players can play with and withdraw, by wallet key.
var ReadPlayerBalances = db.NewQuery(`SELECT b.wallet, b.token, b.amount FROM {sent} AS s CROSS JOIN balances AS b
	WHERE b.wallet = s.wallet AND b.kind = 'player' AND b.hold = '' ORDER BY b.wallet, b.token`, "wallet:uuid")

var (
	// A balance read by its whole key is matched by the index of the key.
	readBalances = db.NewQuery(`SELECT s.place, b.amount FROM {sent} AS s CROSS JOIN balances AS b
		WHERE b.wallet = s.wallet AND b.kind = 'player' AND b.hold = '' AND b.token = s.token`, "wallet:uuid", "token", "place:int")
	readEveryBalance = CountedBalances.Find("b.wallet = s.wallet AND b.kind IN ('player', 'unclaimed') AND b.hold = ''", "wallet:uuid")
	readHolds        = Balances.Find("b.wallet = s.wallet AND b.kind = 'hold' AND b.hold = s.hold", "wallet:uuid", "hold")
	// For an existing row an update costs less than an insert, which looks for it first and locks
	// it before. Bets neither deposit nor withdraw.
	updateBalances = db.Change("UPDATE balances SET amount = s.amount, "+addPlay("s")+` FROM {sent} AS s
		WHERE balances.wallet = s.wallet AND balances.kind = 'player' AND balances.hold = '' AND balances.token = s.token`,
		"wallet:uuid", "token", "amount:int", "rounds:int", "wagered_hi:int", "wagered_lo:int", "won_hi:int", "won_lo:int")
	writeBalances = CountedBalances.Insert("ON CONFLICT (wallet, kind, hold, token) DO UPDATE SET amount = excluded.amount, " +
		addPlay("excluded") + ", " + table.AddUp("balances", "deposited_"))
)

// addPlay returns assignments that add to the tallies of rounds.
func addPlay(from string) string {
	return "rounds = balances.rounds + " + from + ".rounds, " + table.AddUpFrom("balances", from, "wagered_", "won_")
}

// BalancePart reads and writes the balances of wallets.
type BalancePart struct {
	batch.NoPart
	changed map[balanceKey]session.Tally
}

// balanceKey identifies a row of balances.
type balanceKey struct {
	wallet wallet.Address
	kind   ledger.Kind
	hold   string
	token  money.Token
}

func (*BalancePart) Ask(b *batch.Batch) {
	type place struct {
		of    *batch.Wallet
		token money.Token
	}
	places := make([]place, 0, len(b.Sorted))
	b.Ask("read balances", readBalances, b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		if readsAll(w) {
			return
		}
		for _, token := range w.Needs.Tokens {
			add(w.Key, string(token), len(places))
			places = append(places, place{w, token})
		}
	}), func(row db.Row) error {
		var at int
		var amount money.Amount
		if err := row.Scan(&at, &amount); err != nil {
			return err
		}
		places[at].of.Has(places[at].token, amount)
		return nil
	})
	readEveryBalance.Ask(&b.Asks, "read balances", b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		if w.Needs.Tallies {
			w.View.Tallies = map[money.Token]session.Tally{}
		}
		if readsAll(w) {
			add(w.Key)
		}
	}), func(found Balance) error {
		w, err := b.Owner(found.Wallet)
		if err != nil {
			return err
		}
		if w.Needs.Tallies && found.Kind == ledger.Player {
			w.View.Tallies[found.Token] = found.Tally()
		}
		w.HasBalance(found.Kind, found.Hold, found.Token, found.Amount)
		return nil
	})
	readHolds.Ask(&b.Asks, "read holds", b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		for _, id := range w.Needs.Withdrawals {
			add(w.Key, id)
		}
	}), func(found Balance) error {
		w, err := b.Owner(found.Wallet)
		if err == nil {
			w.HasBalance(found.Kind, found.Hold, found.Token, found.Amount)
		}
		return err
	})
}

// readsAll reports whether every balance of the wallet is read, not only those of some tokens.
func readsAll(w *batch.Wallet) bool { return w.Needs.Unclaimed || w.Needs.Tallies }

func (a *BalancePart) Stage(_ *batch.Batch, s *batch.Step) {
	for i := range s.Change.Postings {
		for j := range s.Change.Postings[i].Transfers {
			t := &s.Change.Postings[i].Transfers[j]
			of, by, counts := session.Of(s.Change.Postings[i].Key.Kind, t)
			for _, account := range [...]ledger.Account{t.Debit, t.Credit} {
				tally := session.Tally{}
				if counts && account == of {
					tally = by
				}
				a.moved(s.Wallet.Address, account, t.Token, tally)
			}
			if counts && of != t.Debit && of != t.Credit { // only an open round's ending counts here
				a.moved(s.Wallet.Address, of, t.Token, by)
			}
		}
	}
}

func (a *BalancePart) moved(w wallet.Address, account ledger.Account, token money.Token, by session.Tally) {
	if !account.Kind.Liability() {
		return
	}
	key := balanceKey{w, account.Kind, "", token}
	if account.Kind == ledger.Hold {
		key.hold = account.Owner
	}
	batch.Put(&a.changed, key, a.changed[key].Add(by))
}

func (a *BalancePart) Write(b *batch.Batch) error {
	var known, others [][]any
	for k, tally := range a.changed {
		w := b.Wallets[k.wallet]
		amount := w.View.Balances[k.token]
		switch {
		case k.kind == ledger.Unclaimed:
			amount = w.View.Unclaimed[k.token]
		case k.kind == ledger.Hold:
			amount = w.Held[k.hold]
		case k.kind == ledger.Stake:
			amount = staked(w, k.token)
		case tally.Deposited == (money.Total{}) && slices.Contains(w.Stored, k.token):
			wageredHi, wageredLo := tally.Wagered.Parts()
			wonHi, wonLo := tally.Won.Parts()
			known = append(known, []any{w.Key, string(k.token), int64(amount), tally.Rounds, wageredHi, wageredLo, wonHi, wonLo})
			continue
		}
		others = append(others, writeBalances.Row(&Balance{
			Wallet: k.wallet, Kind: k.kind, Hold: k.hold, Token: k.token, Amount: amount, TallyColumns: tallyColumns(tally),
		}))
	}
	b.WriteSorted("write balances", updateBalances, known)
	b.WriteSorted("write balances", writeBalances.Query, others)
	return nil
}

// staked returns a wallet's stakes on open rounds of a token.
func staked(w *batch.Wallet, token money.Token) (sum money.Amount) {
	for id := range w.View.OpenRounds {
		if open := w.View.OpenRounds[id]; open.Token == token {
			sum += open.Stake
		}
	}
	return sum
}

// readBalances is the most frequent query of players; concurrent requests share it.
func (s *Store) readBalances(ctx context.Context, wallets []string, found func(string, []ports.TokenBalance)) error {
	all := map[string][]ports.TokenBalance{}
	keys, named := table.WalletKeys(wallets)
	err := s.DB.Known(ctx, "read balances", ReadPlayerBalances, keys, func(row *sql.Rows) error {
		var of table.ID
		var b ports.TokenBalance
		err := row.Scan(&of, &b.Token, &b.Amount)
		all[named[of]] = append(all[named[of]], b)
		return err
	})
	for of, balances := range all {
		found(of, balances)
	}
	return err
}

// Balances implements ports.Players.
func (s *Store) Balances(ctx context.Context, w wallet.Address) ([]ports.TokenBalance, error) {
	balances, _, err := s.balances.Find(ctx, string(w))
	return slices.Clone(balances), err // other callers got the same slice
}

// UnclaimedBalances implements ports.Unclaimed. It reads all unclaimed balances, each of which
// came from a deposit.
func (s *Store) UnclaimedBalances(ctx context.Context, filter ports.UnclaimedFilter, page ports.Page) (ports.UnclaimedPage, error) {
	l := read.ListOf(Unclaimed, "u.place")
	l.Equals("u.wallet", string(filter.Wallet))
	l.Equals("u.token", string(filter.Token))
	found, info, err := read.ListPage(ctx, s.Reads, "list unclaimed balances", page, Unclaimed,
		func(b *ports.UnclaimedBalance) string { return string(b.Wallet) + " " + string(b.Token) }, l)
	return ports.UnclaimedPage{Balances: found, PageInfo: info}, err
}
