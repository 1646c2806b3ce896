package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// openRoundRow is a row of open_rounds.
type openRoundRow struct {
	bun.BaseModel `bun:"table:open_rounds,alias:r"`
	Open          struct {
		ID            string         `bun:",pk,type:uuid"`
		Wallet        wallet.Address `bun:",pk,type:uuid"`
		Agent         string
		GameType      string `bun:"game"`
		Rules         string
		Token         money.Token
		Wager         money.Amount
		Stake         money.Amount
		Config        game.Value
		PairID        string                `bun:",type:uuid"`
		Commitment    string                `bun:",scanonly"`
		ClientSeed    string                `bun:",scanonly"`
		ClientSource  fairness.ClientSource `bun:",scanonly"`
		Nonce         int64
		Actions       game.Value
		Shown         game.Value
		Choices       game.Value
		MaxMultiplier money.Ratio `bun:"embed:multiplier_"`
		Exposure      money.Amount
		Ended         bool `bun:"-"`
		OpenedAt      time.Time
		TouchedAt     time.Time
		Seal          string
	} `bun:"embed:"`
}

// OpenRounds are rounds that are played step by step and have not ended, read together
// with the seed pairs p that they are drawn from.
var OpenRounds = ofPairs(modelOf[openRoundRow, bet.Open]())

// StandingRounds are OpenRounds with their pairs joined.
var StandingRounds = View[bet.Open]{OpenRounds.Columns(), OpenRounds.From() + PairsOfRounds, OpenRounds.Scan}

// ofPairs reads from a seed pair p what rounds know of theirs.
func ofPairs[T any](m *Model[T]) *Model[T] {
	return m.reading("commitment", "p.commitment").reading("client_seed", "p.client_seed").reading("client_source", "p.client_source")
}

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
	for _, r := range o.staged {
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
	b.WriteSorted("write open rounds", stepOpenRounds.query, stepped)
	b.WriteSorted("write open rounds", addOpenRounds.query, fresh)
	b.endedRounds = ended
	return nil
}

// endedRounds are open rounds that have ended: their rounds are written before.
type endedRounds struct{ plain }

func (endedRounds) write(b *Batch) error {
	b.WriteSorted("end open rounds", endOpenRounds, b.endedRounds)
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
