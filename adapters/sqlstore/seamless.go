package sqlstore

import (
	"cmp"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// launchKey names a row of provider_launches.
type launchKey struct {
	wallet     wallet.Address
	connection string
}

const launchColumns = "l.wallet, l.connection, l.token, l.scale, l.first_at, l.at, l.hour, l.net, l.loose"

const playedColumns = `r.id, r.wallet, r.agent, r.connection, r.txn_id, r.provider, r.game, r.game_type, r.token, r.scale, r.site,
	r.wager, r.payout, r.balance, r.credits, r.loose, r.at`

const seamlessColumns = `t.id, t.connection, t.txn_id, t.kind, t.provider, t.game, t.game_type, t.wallet, t.agent, t.token,
	t.scale, t.asked_bet, t.asked_win, t.bet, t.win, t.residue, t.status, t.reason, t.round_id, t.site, t.balance, t.at`

var (
	readLaunches = newQuery("SELECT "+launchColumns+` FROM {sent} AS s CROSS JOIN provider_launches AS l
		WHERE l.wallet = s.wallet AND l.connection = s.connection`, "wallet", "connection")
	readExact = newQuery("SELECT "+playedColumns+` FROM {sent} AS s CROSS JOIN provider_rounds AS r
		WHERE r.wallet = s.wallet AND r.connection = s.connection AND r.txn_id = s.txn_id AND NOT r.loose`,
		"wallet", "connection", "txn_id")
	readLatest = newQuery("SELECT "+playedColumns+` FROM {sent} AS s CROSS JOIN provider_rounds AS r
		WHERE r.id = (SELECT max(n.id) FROM provider_rounds AS n WHERE n.wallet = s.wallet AND n.connection = s.connection
			AND n.provider = s.provider AND n.game = s.game AND NOT n.loose)`,
		"wallet", "connection", "provider", "game")
	writeLaunches = insert("provider_launches", `ON CONFLICT (wallet, connection) DO UPDATE SET token = excluded.token,
		scale = excluded.scale, at = excluded.at, hour = excluded.hour, net = excluded.net, loose = excluded.loose`,
		"wallet", "connection", "token", "scale:int", "first_at:int", "at:int", "hour:int", "net:int", "loose:int")
	writePlayed = insert("provider_rounds", `ON CONFLICT (id) DO UPDATE SET payout = excluded.payout,
		balance = excluded.balance, credits = excluded.credits`,
		"id", "wallet", "agent", "connection", "txn_id", "provider", "game", "game_type", "token", "scale:int", "site",
		"wager:int", "payout:int", "balance:int", "credits:int", "loose:bool", "at:int")
	insertSeamless = insert("provider_transactions", "",
		"id", "connection", "txn_id", "kind", "provider", "game", "game_type", "wallet", "agent", "token", "scale:int",
		"asked_bet", "asked_win", "bet:int", "win:int", "residue", "status", "reason", "round_id", "site", "balance:int", "at:int",
		"lane:int", "seq:int", "position:int")
)

func scanLaunch(row interface{ Scan(...any) error }) (seamless.Launch, error) {
	var l seamless.Launch
	var first, at int64
	err := row.Scan(&l.Wallet, &l.Connection, &l.Token, &l.Scale, &first, &at, &l.Hour, &l.Net, &l.Loose)
	l.FirstAt, l.At = moment(first), moment(at)
	return l, err
}

func scanPlayed(row interface{ Scan(...any) error }) (seamless.Round, error) {
	var r seamless.Round
	var at int64
	err := row.Scan(&r.ID, &r.Wallet, &r.Agent, &r.Connection, &r.TxnID, &r.Provider, &r.Game, &r.GameType, &r.Token,
		&r.Scale, &r.Site, &r.Wager, &r.Payout, &r.Balance, &r.Credits, &r.Loose, &at)
	r.At = moment(at)
	return r, err
}

// scanSeamless reads a transaction; more are the places of further columns.
func scanSeamless(row interface{ Scan(...any) error }, more ...any) (seamless.Transaction, error) {
	var t seamless.Transaction
	var at int64
	err := row.Scan(append([]any{&t.ID, &t.Connection, &t.TxnID, &t.Kind, &t.Provider, &t.Game, &t.GameType, &t.Wallet,
		&t.Agent, &t.Token, &t.Scale, &t.Asked.Bet, &t.Asked.Win, &t.Bet, &t.Win, &t.Residue, &t.Status, &t.Reason,
		&t.RoundID, &t.Site, &t.Balance, &at}, more...)...)
	t.At = moment(at)
	return t, err
}

func (r *run) askLaunches() {
	rows := r.rowsOf(func(w wallet.Address, n player.Needs, add func(...any)) {
		for _, connection := range n.Launches {
			add(string(w), connection)
		}
	})
	r.ask("read launches", readLaunches, rows, func(row Row) error {
		l, err := scanLaunch(row)
		if err == nil {
			put(&r.wallets[l.Wallet].view.Launches, l.Connection, l)
		}
		return err
	})
}

// askStandings reads the rounds that credits may belong to.
func (r *run) askStandings() {
	var exact, latest [][]any
	for _, w := range r.sorted {
		for _, ref := range r.wallets[w].needs.Seamless {
			put(&r.wallets[w].view.Seamless, ref, seamless.Standing{})
			exact = append(exact, []any{string(w), ref.Connection, ref.TxnID})
			latest = append(latest, []any{string(w), ref.Connection, ref.Provider, ref.Game})
		}
	}
	for _, part := range []struct {
		query *query
		rows  [][]any
	}{{readExact, exact}, {readLatest, latest}} {
		slices.SortFunc(part.rows, compareRows)
		part.rows = slices.CompactFunc(part.rows, func(a, b []any) bool { return compareRows(a, b) == 0 })
		r.ask("read provider rounds", part.query, part.rows, func(row Row) error {
			played, err := scanPlayed(row)
			if err != nil {
				return err
			}
			standings := r.wallets[played.Wallet].view.Seamless
			for ref, standing := range standings {
				standings[ref] = standing.After(ref, played)
			}
			return nil
		})
	}
}

// stageSeamless notes a provider's transaction and what it makes of the wallet's
// standing and of the round.
func (o *output) stageSeamless(w wallet.Address, c player.Change) {
	if c.Launch != nil {
		o.launches[launchKey{w, c.Launch.Connection}] = struct{}{}
	}
	if c.ProviderRound != nil {
		o.played[c.ProviderRound.ID] = *c.ProviderRound
	}
	if t := c.Seamless; t != nil {
		o.content.Seamless = append(o.content.Seamless, *t)
		if key, cell, counts := figure.OfSeamless(*t); counts {
			o.figures[key] = o.figures[key].Add(cell)
		}
	}
}

func (r *run) writeLaunches() {
	keys := slices.SortedFunc(maps.Keys(r.out.launches), func(a, b launchKey) int {
		return cmp.Or(cmp.Compare(a.wallet, b.wallet), cmp.Compare(a.connection, b.connection))
	})
	rows := make([][]any, len(keys))
	for i, k := range keys {
		l := r.wallets[k.wallet].view.Launches[k.connection]
		rows[i] = []any{string(l.Wallet), l.Connection, string(l.Token), int64(l.Scale), micros(l.FirstAt), micros(l.At),
			l.Hour, l.Net, int64(l.Loose)}
	}
	r.write("write launches", writeLaunches, rows)
}

func (r *run) writePlayed() {
	var rows [][]any
	for _, p := range sorted(r.out.played) {
		rows = append(rows, []any{p.ID, string(p.Wallet), p.Agent, p.Connection, p.TxnID, p.Provider, p.Game, p.GameType,
			string(p.Token), int64(p.Scale), p.Site, int64(p.Wager), int64(p.Payout), int64(p.Balance), int64(p.Credits), p.Loose,
			micros(p.At)})
	}
	r.write("write provider rounds", writePlayed, rows)
}

func (r *run) writeSeamless() {
	rows := make([][]any, len(r.out.content.Seamless))
	for i, t := range r.out.content.Seamless {
		rows[i] = []any{t.ID, t.Connection, t.TxnID, string(t.Kind), t.Provider, t.Game, t.GameType, string(t.Wallet),
			t.Agent, string(t.Token), int64(t.Scale), string(t.Asked.Bet), string(t.Asked.Win), int64(t.Bet), int64(t.Win),
			t.Residue, string(t.Status), string(t.Reason), t.RoundID, t.Site, int64(t.Balance), micros(t.At),
			r.head.Lane, r.head.Seq, i}
	}
	r.write("write provider transactions", insertSeamless, rows)
}
