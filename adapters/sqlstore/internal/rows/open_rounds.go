package rows

import (
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// OpenRounds are rounds that are played step by step and have not ended, read together
// with the seed pairs p that they are drawn from.
var OpenRounds = table("open_rounds", "r",
	ofWallet("wallet", func(o *bet.Open) *wallet.Address { return &o.Wallet }).keyed(),
	id("id", func(o *bet.Open) *string { return &o.ID }).keyed(),
	text("agent", func(o *bet.Open) *string { return &o.Agent }),
	text("game", func(o *bet.Open) *string { return &o.GameType }),
	text("rules", func(o *bet.Open) *string { return &o.Rules }),
	text("token", func(o *bet.Open) *money.Token { return &o.Token }),
	integer("wager", func(o *bet.Open) *money.Amount { return &o.Wager }),
	integer("stake", func(o *bet.Open) *money.Amount { return &o.Stake }),
	value("config", func(o *bet.Open) *game.Value { return &o.Config }).readAs("CAST(r.config AS TEXT)"),
	id("pair_id", func(o *bet.Open) *string { return &o.PairID }),
	integer("nonce", func(o *bet.Open) *int64 { return &o.Nonce }),
	value("actions", func(o *bet.Open) *game.Value { return &o.Actions }).readAs("CAST(r.actions AS TEXT)"),
	value("shown", func(o *bet.Open) *game.Value { return &o.Shown }).readAs("CAST(r.shown AS TEXT)"),
	value("choices", func(o *bet.Open) *game.Value { return &o.Choices }).readAs("CAST(r.choices AS TEXT)"),
	bits("multiplier_num", func(o *bet.Open) *uint64 { return &o.MaxMultiplier.Num }),
	bits("multiplier_den", func(o *bet.Open) *uint64 { return &o.MaxMultiplier.Den }),
	integer("exposure", func(o *bet.Open) *money.Amount { return &o.Exposure }),
	moment("opened_at", func(o *bet.Open) *time.Time { return &o.OpenedAt }),
	moment("touched_at", func(o *bet.Open) *time.Time { return &o.TouchedAt }),
	text("seal", func(o *bet.Open) *string { return &o.Seal }),
	text("commitment", func(o *bet.Open) *string { return &o.Commitment }).elsewhere("p.commitment"),
	text("client_seed", func(o *bet.Open) *string { return &o.ClientSeed }).elsewhere("p.client_seed"),
	source("client_source", func(o *bet.Open) *fairness.ClientSource { return &o.ClientSource }).elsewhere("p.client_source"),
)

var (
	addOpenRounds  = OpenRounds.insert("")
	stepOpenRounds = OpenRounds.update(update{set: []string{"stake", "actions", "shown", "choices", "touched_at", "seal"}})
	endOpenRounds  = db.Change("DELETE FROM open_rounds WHERE (wallet, id) IN (SELECT s.wallet, s.id FROM {sent} AS s)", "wallet:uuid", "id:uuid")
)

// openRoundsOf is the query of wallets' open rounds. Where several write, the planner takes
// few rows for none and would go through all of them in a join: there it is told to look
// for each wallet by itself, but where tables are spread over machines, which join only.
func openRoundsOf(d db.Dialect) *db.Query {
	from := "CROSS JOIN open_rounds AS r"
	if d.Lanes() > 0 && !db.IsSpread(d) {
		from = "CROSS JOIN LATERAL (SELECT o.* FROM open_rounds AS o WHERE o.wallet = s.wallet LIMIT 1000) AS r"
	}
	return db.NewQuery("SELECT "+OpenRounds.Columns()+", s.place FROM {sent} AS s "+from+` CROSS JOIN seed_pairs AS p
		WHERE r.wallet = s.wallet AND p.wallet = r.wallet AND p.id = r.pair_id`, "wallet:uuid", "place:int")
}

// openRounds are those of the items' wallets that asked for them.
type openRounds struct {
	plain
	stored map[string]bool     // by id
	staged map[string]openStep // by id
}

// openStep is an open round as a batch leaves it.
type openStep struct {
	bet.Open
	ended bool
}

func (o *openRounds) ask(b *Batch) {
	b.Ask("read open rounds", b.readOpenRounds, b.rowsOf(func(w *Wallet, add func(...any)) {
		if w.Needs.SeesOpenRounds() {
			add(w.key, w.at)
		}
	}), func(row db.Row) error {
		var at int
		open, err := OpenRounds.ScanWith(row, &at)
		if err == nil {
			put(&o.stored, open.ID, true)
			put(&b.sorted[at].View.OpenRounds, open.ID, open)
		}
		return err
	})
}

// check finds a round that is opened under an id that is known already. Those of other
// wallets the table's triggers tell.
func (o *openRounds) check(b *Batch, s *Step) error {
	if len(s.Change.Steps) == 0 {
		return nil
	}
	opened := &s.Change.Steps[0]
	if opened.Step() > 0 || has(s.Wallet.View.OpenRounds, opened.ID) {
		return nil
	}
	if err := isUUID(opened.ID); err != nil {
		return err
	}
	if err := b.drawn(opened.ID, opened.OpenedAt); err != nil {
		return err
	}
	return unique("round", opened.ID, has(o.stored, opened.ID) || has(o.staged, opened.ID))
}

// stage notes how the wallet's open rounds stand after a change.
func (o *openRounds) stage(b *Batch, s *Step) {
	if n := len(s.Change.Steps); n > 0 {
		last := s.Change.Steps[n-1]
		put(&o.staged, last.ID, openStep{last, last.Ended})
	}
	if r := s.Change.Round; r != nil && has(s.Wallet.View.OpenRounds, r.ID) {
		put(&o.staged, r.ID, openStep{s.Wallet.View.OpenRounds[r.ID], true})
	}
}

// write adds and changes those that are open. Those that have ended are taken away after
// their rounds are there.
func (o *openRounds) write(b *Batch) error {
	var fresh, stepped, ended [][]any
	for _, r := range sorted(o.staged) {
		switch {
		case r.ended && o.stored[r.ID]:
			ended = append(ended, []any{WalletKey(r.Wallet), r.ID})
		case r.ended: // it was opened in this batch
		case o.stored[r.ID]:
			stepped = append(stepped, stepOpenRounds.row(&r.Open))
		default:
			fresh = append(fresh, addOpenRounds.row(&r.Open))
		}
	}
	b.Write("write open rounds", stepOpenRounds.query, stepped)
	b.Write("write open rounds", addOpenRounds.query, fresh)
	b.endedRounds = ended
	return nil
}

// endedRounds are open rounds that have ended: their rounds are written before.
type endedRounds struct{ plain }

func (endedRounds) write(b *Batch) error {
	b.Write("end open rounds", endOpenRounds, b.endedRounds)
	return nil
}

// staked is what a wallet has staked on open rounds of a token.
func (w *Wallet) staked(token money.Token) (sum money.Amount) {
	for id := range w.View.OpenRounds {
		if open := w.View.OpenRounds[id]; open.Token == token {
			sum += open.Stake
		}
	}
	return sum
}
