// Package steps stores open rounds, which are played step by step, and their exposure.
package steps

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.OpenRounds and ports.CrashBets.
type Store struct{ *read.Reads }

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
		Asked         game.Value
		MaxPayout     money.Amount
		PairID        string                `bun:",type:uuid"`
		Commitment    string                `bun:",scanonly"`
		ClientSeed    string                `bun:",scanonly"`
		ClientSource  fairness.ClientSource `bun:",scanonly"`
		Nonce         int64
		Shared        bet.Shared `bun:"embed:"`
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

// OpenRounds is the model of rounds played step by step that have not ended, read together with
// their seed pairs p.
var OpenRounds = play.OfPairs(table.ModelOf[openRoundRow, bet.Open]())

// StandingRounds is a view of OpenRounds joined with their pairs.
var StandingRounds = table.NewView[bet.Open](OpenRounds.Columns(), OpenRounds.From()+play.PairsOfRounds, OpenRounds.Scan)

var (
	addOpenRounds  = OpenRounds.Insert("")
	stepOpenRounds = OpenRounds.Update(table.Update{Set: []string{"stake", "actions", "shown", "choices", "touched_at", "seal"}})
	endOpenRounds  = db.Change("DELETE FROM open_rounds WHERE (wallet, id) IN (SELECT s.wallet, s.id FROM {sent} AS s)", "wallet:uuid", "id:uuid")
)

// openRoundsOf returns the query of wallets' open rounds. In a join, PostgreSQL's planner would
// scan the small table; the query makes it look up each wallet, except where tables are spread
// over machines, which only join.
func openRoundsOf(d db.Dialect) *db.Query {
	from := "CROSS JOIN open_rounds AS r"
	if d.Lanes() > 0 && !db.IsSpread(d) {
		from = "CROSS JOIN LATERAL (SELECT o.* FROM open_rounds AS o WHERE o.wallet = s.wallet LIMIT 1000) AS r"
	}
	return db.NewQuery("SELECT "+OpenRounds.Columns()+", s.place FROM {sent} AS s "+from+play.PairsOfRounds+" WHERE r.wallet = s.wallet", "wallet:uuid", "place:int")
}

// roundPart reads and writes the open rounds of the items' wallets.
type roundPart struct {
	batch.NoPart
	read   *db.Query
	stored map[string]bool     // by id
	staged map[string]openStep // by id
}

// NewRoundPart returns a function that makes the part of batches for open rounds.
func NewRoundPart(d db.Dialect) func() batch.Part {
	read := openRoundsOf(d)
	return func() batch.Part { return &roundPart{read: read} }
}

// openStep is an open round to be written by a batch.
type openStep struct {
	bet.Open
	ended bool
}

func (o *roundPart) Ask(b *batch.Batch) {
	b.Ask("read open rounds", o.read, b.RowsOf(func(w *batch.Wallet, add func(...any)) {
		if w.Needs.SeesOpenRounds() {
			add(w.Key, w.At)
		}
	}), func(row db.Row) error {
		var at int
		open, err := OpenRounds.ScanWith(row, &at)
		if err == nil {
			batch.Put(&o.stored, open.ID, true)
			batch.Put(&b.Sorted[at].View.OpenRounds, open.ID, open)
		}
		return err
	})
}

// Check refuses to open a round with an existing id. The table's triggers find ids of other
// wallets' rounds.
func (o *roundPart) Check(b *batch.Batch, s *batch.Step) error {
	if len(s.Change.Steps) == 0 {
		return nil
	}
	opened := &s.Change.Steps[0]
	if opened.Step() > 0 || batch.Has(s.Wallet.View.OpenRounds, opened.ID) {
		return nil
	}
	if err := batch.IsUUID(opened.ID); err != nil {
		return err
	}
	if err := b.CheckID(opened.ID, opened.OpenedAt); err != nil {
		return err
	}
	return batch.Unique("round", opened.ID, batch.Has(o.stored, opened.ID) || batch.Has(o.staged, opened.ID))
}

// Stage records the wallet's open rounds after a change.
func (o *roundPart) Stage(b *batch.Batch, s *batch.Step) {
	if n := len(s.Change.Steps); n > 0 {
		last := s.Change.Steps[n-1]
		batch.Put(&o.staged, last.ID, openStep{last, last.Ended})
	}
	if r := s.Change.Round; r != nil && batch.Has(s.Wallet.View.OpenRounds, r.ID) {
		batch.Put(&o.staged, r.ID, openStep{s.Wallet.View.OpenRounds[r.ID], true})
	}
}

// Write inserts and updates open rounds. Ended ones are deleted later, after their rounds are
// written.
func (o *roundPart) Write(b *batch.Batch) error {
	var fresh, stepped, ended [][]any
	for _, r := range o.staged {
		switch {
		case r.ended && o.stored[r.ID]:
			ended = append(ended, []any{table.WalletKey(r.Wallet), r.ID})
		case r.ended: // it was opened in this batch
		case o.stored[r.ID]:
			stepped = append(stepped, stepOpenRounds.Row(&r.Open))
		default:
			fresh = append(fresh, addOpenRounds.Row(&r.Open))
		}
	}
	b.WriteSorted("write open rounds", stepOpenRounds.Query, stepped)
	b.WriteSorted("write open rounds", addOpenRounds.Query, fresh)
	b.EndedRounds = ended
	return nil
}

// EndedRoundPart deletes ended open rounds, after their rounds are written.
type EndedRoundPart struct{ batch.NoPart }

func (EndedRoundPart) Write(b *batch.Batch) error {
	b.WriteSorted("end open rounds", endOpenRounds, b.EndedRounds)
	return nil
}

// OpenRound implements ports.OpenRounds.
func (s *Store) OpenRound(ctx context.Context, id string) (bet.Open, error) {
	missing := fault.New(fault.NotFound, "no open round %q", id)
	if !db.IsID(id) {
		return bet.Open{}, missing
	}
	return read.From(s.Reads, StandingRounds).Where("r.id = ?", s.DB.Dialect.ID(id)).One(ctx, "read open round", missing)
}

// OpenRoundsOf implements ports.OpenRounds.
func (s *Store) OpenRoundsOf(ctx context.Context, w wallet.Address) ([]bet.Open, error) {
	return read.From(s.Reads, StandingRounds).Where("r.wallet = ?", s.Key(w)).Order("r.id").Kept(ctx, "read open rounds")
}

// UntouchedRounds implements ports.OpenRounds.
func (s *Store) UntouchedRounds(ctx context.Context, before time.Time, after string, limit int) ([]bet.Open, error) {
	q := read.From(s.Reads, StandingRounds).Where("r.touched_at < ?", db.Micros(before)).Order("r.id").Limit(limit)
	if s.IDFrom != nil { // a round opened since then is too new
		q.Where("r.id < ?", s.DB.Dialect.ID(s.IDFrom(before.Add(table.IDSlack+time.Millisecond))))
	}
	if db.IsID(after) {
		q.Where("r.id > ?", s.DB.Dialect.ID(after))
	}
	return q.Kept(ctx, "read untouched rounds")
}

// CrashBets implements ports.CrashBets.
func (s *Store) CrashBets(ctx context.Context, on bet.Shared, after string, limit int) ([]bet.Open, error) {
	q := read.From(s.Reads, StandingRounds).Where("r.chain <> ''").Where("r.chain = ?", on.Chain).Where("r.number = ?", on.Number).Order("r.id").Limit(limit)
	if db.IsID(after) {
		q.Where("r.id > ?", s.DB.Dialect.ID(after))
	}
	return q.Kept(ctx, "read bets on a crash round")
}

// SettledCrashBets implements ports.CrashBets. The conditions are those of the index rounds_shared.
func (s *Store) SettledCrashBets(ctx context.Context, on bet.Shared, after string, limit int) ([]bet.Round, error) {
	q := read.From(s.Reads, play.WholeRounds).Where("r.pair_id IS NULL").Where("r.config ->> 'chain' = ?", on.Chain).
		Where("CAST(r.config ->> 'round' AS bigint) = ?", on.Number).Order("r.id").Limit(limit)
	if db.IsID(after) {
		q.Where("r.id > ?", s.DB.Dialect.ID(after))
	}
	return q.Kept(ctx, "read settled bets on a crash round")
}

// Exposure is what open rounds of a token may cost, as one lane counts it: rounds opened in it
// minus rounds ended in it. It may be negative.
type Exposure struct {
	bun.BaseModel `bun:"table:lane_exposures,alias:l"`
	Lane          int         `bun:",pk"`
	Token         money.Token `bun:",pk"`
	table.Sum
}

// Exposures is the model of lanes' exposures.
var Exposures = table.ModelOf[Exposure, Exposure]()

// OpenExposures is a view of the exposures as the sums of open rounds.
var OpenExposures = table.NewView[Exposure](
	"o.token, o.hi, o.lo",
	"(SELECT r.token, sum(r.exposure >> 40) AS hi, sum(r.exposure & 1099511627775) AS lo FROM open_rounds AS r GROUP BY r.token) AS o",
	Exposures.Only("token", "hi", "lo").Scan)

var (
	addExposures  = Exposures.Insert("ON CONFLICT (lane, token) DO UPDATE SET " + table.AddUp("lane_exposures", ""))
	readExposures = Exposures.Find("l.token = s.token", "token")
)

// exposurePart reads and writes exposures. A batch reads them only if it opens a round. The
// lane's own value can't change, because no other writer uses the lane; another lane that opens
// rounds at the same time has its own share of the limit.
type exposurePart struct {
	batch.NoPart
	// lanesTaken names the lanes in use; nil where there is one.
	lanesTaken *db.Query
	asked      map[money.Token]map[int]money.Total // by lane
	taken      []int                               // lanes in use
	staged     map[money.Token]money.Total
}

// NewExposurePart returns a function that makes the part of batches that reads and adds to
// exposures.
func NewExposurePart(d db.Dialect) func() batch.Part {
	var lanesTaken *db.Query
	if text := d.LanesTaken(); text != "" {
		lanesTaken = db.NewQuery(text, "one:int")
	}
	return func() batch.Part { return &exposurePart{lanesTaken: lanesTaken} }
}

func (o *exposurePart) Ask(b *batch.Batch) {
	var tokens []string
	for _, item := range b.Items {
		if token := string(item.Needs.Exposure); token != "" && !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	if len(tokens) == 0 {
		return
	}
	slices.Sort(tokens)
	sent := make([][]any, len(tokens))
	for i, token := range tokens {
		batch.Put(&o.asked, money.Token(token), map[int]money.Total{})
		sent[i] = []any{token}
	}
	// The lanes first: a lane taken later opens no round before this batch has ended.
	if o.lanesTaken != nil {
		b.Ask("read the lanes in use", o.lanesTaken, [][]any{{1}}, func(row db.Row) error {
			var lane int
			err := row.Scan(&lane)
			o.taken = append(o.taken, lane)
			return err
		})
	}
	readExposures.Ask(&b.Asks, "read exposures", sent, func(of Exposure) error {
		o.asked[of.Token][of.Lane] = of.Total()
		return nil
	})
}

// Show adds the exposures after the batch's earlier items.
func (o *exposurePart) Show(b *batch.Batch, item *player.Item, whole *player.View) {
	whole.Exposed = nil
	token := item.Needs.Exposure
	if token == "" {
		return
	}
	lanes := o.asked[token]
	exposed := &bet.Exposed{Own: lanes[b.Head.Lane].Add(o.staged[token]), Unsettled: b.Unsettled}
	for _, lane := range o.taken {
		if lane != b.Head.Lane {
			exposed.Others = append(exposed.Others, lanes[lane])
		}
	}
	for lane, amount := range lanes {
		if lane != b.Head.Lane && !slices.Contains(o.taken, lane) {
			exposed.Idle = exposed.Idle.Add(amount)
		}
	}
	whole.Exposed = exposed
}

func (o *exposurePart) Stage(_ *batch.Batch, s *batch.Step) {
	before := s.Wallet.View.OpenRounds
	if n := len(s.Change.Steps); n > 0 {
		last := &s.Change.Steps[n-1]
		if !batch.Has(before, last.ID) && !last.Ended {
			batch.Put(&o.staged, last.Token, o.staged[last.Token].AddAmount(last.Exposure))
		}
	}
	if r := s.Change.Round; r != nil {
		if ended, known := before[r.ID]; known {
			batch.Put(&o.staged, ended.Token, o.staged[ended.Token].Sub(money.TotalOf(ended.Exposure)))
		}
	}
}

func (o *exposurePart) Write(b *batch.Batch) error {
	var rows [][]any
	for token, amount := range o.staged {
		rows = append(rows, addExposures.Row(&Exposure{Lane: b.Head.Lane, Token: token, Sum: table.SumOf(amount)}))
	}
	b.WriteSorted("add to what open rounds may cost", addExposures.Query, rows)
	return nil
}

// ReadExposures returns exposures, as lanes store them and as the sums of open rounds.
func ReadExposures(ctx context.Context, r *read.Reads) (lines []ports.ExposureLine, err error) {
	kept, open := map[money.Token]money.Total{}, map[money.Token]money.Total{}
	for into, of := range map[*map[money.Token]money.Total]read.Source[Exposure]{&kept: Exposures, &open: OpenExposures} {
		lanes, err := read.From(r, of).All(ctx, "read exposures")
		if err != nil {
			return nil, err
		}
		for _, e := range lanes {
			(*into)[e.Token] = (*into)[e.Token].Add(e.Total())
		}
	}
	for token := range open {
		kept[token] = kept[token].Add(money.Total{})
	}
	for _, token := range slices.Sorted(maps.Keys(kept)) {
		lines = append(lines, ports.ExposureLine{Token: token, Kept: kept[token], Open: open[token]})
	}
	return lines, nil
}

// OpenExposure implements ports.OpenRounds.
func (s *Store) OpenExposure(ctx context.Context, token money.Token) (sum money.Total, err error) {
	lanes, err := read.From(s.Reads, Exposures).Where("l.token = ?", token).All(ctx, "read exposures")
	for _, e := range lanes {
		sum = sum.Add(e.Total())
	}
	return sum, err
}
