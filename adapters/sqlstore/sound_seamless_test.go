package sqlstore_test

import (
	"database/sql"
	"maps"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// kept is a round as provider_rounds stores it.
type kept struct {
	wallet, agent, connection, txn, maker, game, mint string
	wager, payout                                     money.Amount
	credits                                           int
	site                                              string
	loose, undone                                     bool
}

// transactions adds providers' transactions to their blocks and to the figures, and compares the
// rounds with their sums.
func transactions(t testing.TB, db *sql.DB, contents map[place]*hashchain.Content, daily map[figure.Key]figure.Cell) {
	t.Helper()
	want := map[string]kept{}
	rows(t, db, `SELECT id, connection, txn_id, kind, provider, game, game_type, reference, (SELECT w.wallet FROM players AS w WHERE w.key = t.wallet), agent, token,
			scale, requested_bet, requested_win, bet, win, residue, status, reason, round_id, site, balance, at, lane, seq
		FROM provider_transactions AS t ORDER BY lane, seq, position`, func(scan func(...any)) {
		var x seamless.Transaction
		var at int64
		var block place
		scan(&x.ID, &x.Connection, &x.TxnID, &x.Kind, &x.Provider, &x.Game, &x.GameType, &x.Reference, &x.Wallet, &x.Agent, &x.Token, &x.Scale,
			&x.Requested.Bet, &x.Requested.Win, &x.Bet, &x.Win, &x.Residue, &x.Status, &x.Reason, &x.RoundID, &x.Site, &x.Balance, &at, &block.lane, &block.seq)
		x.At = time.UnixMicro(at)
		content(contents, block).Seamless = append(content(contents, block).Seamless, x)
		if key, cell, counts := figure.OfSeamless(x); counts {
			daily[key] = daily[key].Add(cell)
		}
		if x.RoundID == "" {
			return
		}
		r := want[x.RoundID]
		if x.ID == x.RoundID {
			r.wallet, r.agent, r.connection, r.txn, r.maker, r.game, r.mint = string(x.Wallet), x.Agent, x.Connection, x.TxnID, x.Provider, x.Game, string(x.Token)
			r.site, r.wager, r.loose = x.Site, x.Bet, x.Kind == seamless.Credit || x.Kind == seamless.Settlement
		} else {
			r.credits++
		}
		switch {
		case x.Kind == seamless.Rollback:
			r.wager, r.payout, r.undone = r.wager-x.Paid(), r.payout-x.Bet, r.undone || x.Reference == r.txn
		case x.Status == seamless.Taken:
			r.payout += x.Win
		}
		want[x.RoundID] = r
	})
	got := map[string]kept{}
	rows(t, db, `SELECT id, wallet, agent, connection, txn_id, provider, game, token, site, wager, payout, credits, without_debit, rolled_back FROM readable_provider_rounds`,
		func(scan func(...any)) {
			var id string
			var r kept
			scan(&id, &r.wallet, &r.agent, &r.connection, &r.txn, &r.maker, &r.game, &r.mint, &r.site, &r.wager, &r.payout, &r.credits, &r.loose, &r.undone)
			got[id] = r
		})
	if !maps.Equal(got, want) {
		t.Errorf("provider rounds %+v\nwant %+v", got, want)
	}
}

// asks returns an item of a provider's callback.
func (w *world) asks(who wallet.Address, txn string, kind seamless.Kind, bet, win seamless.Decimal) player.Item {
	at := w.now()
	c := player.ProviderCallback{
		ID: w.id(), Ref: seamless.Ref{Connection: "gold", TxnID: txn, Provider: "MAKER", Game: "fruits"}, Kind: kind, GameType: "slot",
		Requested: seamless.Requested{Bet: bet, Win: win}, Caps: player.ProviderCaps{NetWin: 5_000, WithoutDebit: 1_000, Connection: 6_000},
		Tokens: token.NewBook(terms(money.SOL)), At: at,
	}
	tokens := []money.Token{money.SOL}
	return player.Item{
		Wallet: who, At: at, Keys: player.ProviderKeys("gold", txn, kind),
		Needs:  player.Needs{Tokens: tokens, Launches: []string{"gold"}, Seamless: []seamless.Ref{c.Ref}, Hours: c.Hours(money.SOL, 3)},
		Decide: func(v player.View) (player.Change, error) { return player.Transact(v, c) },
	}
}

// undoes returns an item of a provider's rollback of a transaction, or of an unknown one if it
// has no id.
func (w *world) undoes(who wallet.Address, txn string, undone seamless.Transaction) player.Item {
	r := player.ProviderRollback{
		ID: w.id(), Ref: seamless.Ref{Connection: "gold", TxnID: txn, Provider: "MAKER", Game: "fruits"}, GameType: "slot",
		Reference: undone.TxnID, Caps: player.ProviderCaps{NetWin: 5_000, Connection: 60_000}, At: w.now(),
	}
	if undone.ID != "" {
		r.Undone = undone
	}
	return player.Item{
		Wallet: who, At: r.At, Source: player.FromProvider, Keys: r.Keys(), Needs: r.Needs(money.SOL),
		Decide: func(v player.View) (player.Change, error) { return player.RollBack(v, r) },
	}
}

// visits lets players launch a game and play it: bets and wins in one and in two legs, a refused
// bet, a win in review, a credit without a debit.
func (w *world) visits(people ...wallet.Address) {
	w.Helper()
	for _, who := range people {
		at := w.now()
		w.commit(player.Item{
			Wallet: who, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
			Needs: player.Needs{Launches: []string{"gold"}, Tokens: []money.Token{money.SOL}},
			Decide: func(v player.View) (player.Change, error) {
				return player.Launch(v, player.ProviderLaunch{Connection: "gold", Token: money.SOL, Scale: 3, At: at})
			},
		})
		txn := func(name string) string { return name + " of " + string(who) }
		w.commit(w.asks(who, txn("loose"), seamless.Credit, "", "0.5"))
		w.commit(w.asks(who, txn("one"), seamless.Debit, "2", ""))
		w.commit(w.play(who, 100))
		w.commit(w.asks(who, txn("both"), seamless.DebitCredit, "1", "0.25"))
		w.commit(w.asks(who, txn("one"), seamless.Credit, "", "3"))
		w.commit(w.asks(who, txn("much"), seamless.Debit, "1000000", ""))
		w.commit(w.asks(who, txn("review"), seamless.DebitCredit, "1", "900"))
		bet := w.commit(w.asks(who, txn("undone"), seamless.Debit, "1", "")).Change.Seamless
		w.commit(w.undoes(who, txn("rollback"), *bet))
	}
}

func TestProvidersRowsAreSound(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		w.signIn(100_000, alice, bob)
		w.visits(alice, bob)
		w.sound()
		w.audited("")
	})
}

// audited runs the audit and checks that its first finding contains want, or that there is none.
func (w *world) audited(want string) {
	w.Helper()
	games, err := fakes.StandardGames()
	if err != nil {
		w.Fatal(err)
	}
	report, err := audit.NewAuditor(w.store, games, nil).Run(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	if found := len(report.Findings) > 0; found != (want != "") {
		w.Errorf("%s: findings %q", want, report.Findings)
	}
}

// TestDamagedProviderRowsAreFound changes one cell of a sound database after the other, as
// someone with write access to the file could, and changes it back.
func TestDamagedProviderRowsAreFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onSQLite, sqlstore.WriterOptions{})
	w.signIn(100_000, alice, bob)
	w.visits(alice, bob)
	db := w.beside()
	db.SetMaxOpenConns(1) // a temporary table belongs to one connection
	for _, trigger := range []string{"provider_rounds_fixed", "provider_rounds_kept", "provider_transactions_update", "provider_transactions_delete"} {
		execAll(t, db, "DROP TRIGGER "+trigger)
	}
	damages := map[string][]string{
		"provider_transactions": {
			"txn_id = txn_id || 'x'", "provider = 'OTHER'", "game = 'other'", "game_type = 'other'", "reference = 'x'", "agent = 'other'", "token = 'other'",
			"scale = scale + 1", "requested_bet = requested_bet || '0'", "requested_win = requested_win || '0'", "bet = bet + 1", "win = win + 1", "residue = '1'",
			"site = 'https://other.example'", "status = CASE status WHEN 'taken' THEN 'review' ELSE 'taken' END", "reason = reason || 'x'", "round_id = round_id || 'x'",
			"balance = balance + 1", "at = at + 1", "connection = 'other'",
		},
		"provider_rounds": {
			"wallet = " + keyOf(bob), "agent = 'other'", "connection = 'other'", "txn_id = txn_id || 'x'", "provider = 'OTHER'", "game = 'other'",
			"game_type = 'other'", "site = 'https://other.example'", "token = 'other'", "scale = scale + 1", "wager = wager + 1", "payout = payout + 1", "credits = credits + 1",
			"without_debit = 1 - without_debit", "rolled_back = 1 - rolled_back", "at = at + 1",
		},
	}
	for table, changes := range damages {
		id := map[string]string{"provider_transactions": "id", "provider_rounds": "unhex(replace(id, '-', ''))"}[table]
		which := " WHERE id = (SELECT " + id + " FROM provider_transactions WHERE txn_id = 'one of " + string(alice) + "' AND kind = 'debit')"
		execAll(t, db, "CREATE TEMP TABLE whole AS SELECT * FROM "+table+which)
		for _, change := range changes {
			execAll(t, db, "UPDATE "+table+" SET "+change+which)
			w.audited(table + ": " + change)
			execAll(t, db, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM whole)", "INSERT INTO "+table+" SELECT * FROM whole")
			w.audited("")
		}
		execAll(t, db, "DELETE FROM "+table+which)
		w.audited(table + " without the row")
		execAll(t, db, "INSERT INTO "+table+" SELECT * FROM whole", "DROP TABLE whole")
		w.audited("")
	}
	execAll(t, db, "CREATE TEMP TABLE forged AS SELECT * FROM provider_rounds LIMIT 1", "UPDATE forged SET id = "+w.on.newID()+", payout = 5",
		"INSERT INTO provider_rounds SELECT * FROM forged")
	w.audited("a round of no transaction")
}
