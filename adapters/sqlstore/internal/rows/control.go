package rows

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/player"
)

// ControlGuard is what everybody locks who changes the control state. Batches don't.
const ControlGuard = "control"

// controlRow is the control state as it is stored: what restricts is text that is
// empty while nothing does, so that a batch then reads nothing else.
type controlRow struct {
	bun.BaseModel `bun:"table:control,alias:c"`
	One           single `bun:",pk"`
	Ledger        string
	Epoch         int64
	EpochAt       time.Time `bun:",nullzero"`
	LoginsFrom    time.Time `bun:",nullzero"`
	Restored      string
	Pauses        string
}

// controls is the one row of the control state.
var controls = modelOf[controlRow, controlRow]()

// ScanControl reads the control state.
func ScanControl(row db.Row) (control.State, error) { return scanControlWith(row) }

// scanControlWith is ScanControl where more columns come after, with their places.
func scanControlWith(row db.Row, more ...any) (control.State, error) {
	c, err := controls.ScanWith(row, more...)
	if err != nil {
		return control.State{}, err
	}
	return c.state()
}

// state is the row as the control state it is.
func (c controlRow) state() (_ control.State, err error) {
	s := control.State{Ledger: c.Ledger, Epoch: c.Epoch, EpochAt: c.EpochAt, LoginsFrom: c.LoginsFrom}
	if s.Restored, err = wire.DecodeRestored(c.Restored); err != nil {
		return control.State{}, err
	}
	s.Pauses, err = wire.DecodePauses(c.Pauses)
	return s, err
}

// Controls is the control state.
var Controls = View[control.State]{controls.Columns(), controls.From(), ScanControl}

// ReadControl reads the control state for whoever is about to change it.
func ReadControl(ctx context.Context, tx bun.Tx) (control.State, error) {
	var c controlRow
	if err := tx.NewSelect().Model(&c).Scan(ctx); err != nil {
		return control.State{}, db.Wrap("read the control state", err)
	}
	s, err := c.state()
	return s, db.Wrap("read the control state", err)
}

// WriteControl writes the control state as a whole.
func WriteControl(ctx context.Context, tx bun.Tx, s control.State) (err error) {
	c := controlRow{Ledger: s.Ledger, Epoch: s.Epoch, EpochAt: s.EpochAt, LoginsFrom: s.LoginsFrom}
	if c.Restored, err = wire.EncodeRestored(s.Restored); err != nil {
		return err
	}
	if c.Pauses, err = wire.EncodePauses(s.Pauses); err != nil {
		return err
	}
	_, err = tx.NewUpdate().Model(&c).WherePK().Exec(ctx)
	return db.Wrap("write the control state", err)
}

// controlOfBatch is the query of the control state, and of the database's clock, for
// batches, with what else keeps players from playing whoever they are: which of the sent
// games are switched off, and, where players come with their locks, which agents are
// blocked, of which few ever are. It is one statement because each costs a batch as much as
// several bets do. Its look for a row that can't be there locks nothing, but where several
// write at a time it makes the batch one that Dialect.AwaitBatches waits for, until it ends.
func controlOfBatch(d db.Dialect) *db.Query {
	blocked := "''"
	if LockWallets(d, false) != nil {
		blocked = "coalesce((SELECT string_agg(a.code, ' ') FROM agents AS a WHERE a.status <> 'active' OR a.deleted), '')"
	}
	return db.NewQuery("SELECT "+controls.Columns()+", "+d.Clock()+", s.game, "+blocked+`,
			EXISTS (SELECT 1 FROM provider_games AS g WHERE g.code = s.game AND g.provider = '`+catalog.Own+`' AND NOT g.enabled)
		FROM {sent} AS s CROSS JOIN control AS c
		WHERE c.one = s.one AND NOT EXISTS (SELECT 1 FROM control AS g WHERE g.one = 0`+d.LockRows("g")+`)`, "one:int", "game")
}

// controlled is the control state of a batch, and what else keeps everybody from playing.
type controlled struct {
	plain
	there    bool
	disabled map[string]bool // games that items need
}

func (o *controlled) ask(b *Batch) {
	b.Control, b.blocked = &control.State{}, nil
	b.Ask("read the control state", b.readControl, o.wanted(b), func(row db.Row) (err error) {
		var now int64
		var game, blocked string
		var disabled bool
		*b.Control, err = scanControlWith(row, &now, &game, &blocked, &disabled)
		b.Now, o.there, b.blocked = b.Clock(db.Moment(now)), true, strings.Fields(blocked)
		if disabled {
			put(&o.disabled, game, true)
		}
		return err
	})
}

// wanted are the games that items need, one that is none where they need none: each stands
// for a row of the answer.
func (*controlled) wanted(b *Batch) [][]any {
	var games []string
	for _, item := range b.Items {
		if game := item.Needs.Game; game != "" && !slices.Contains(games, game) {
			games = append(games, game)
		}
	}
	if len(games) == 0 {
		return [][]any{{1, ""}}
	}
	slices.Sort(games)
	sent := make([][]any, len(games))
	for i, game := range games {
		sent[i] = []any{1, game}
	}
	return sent
}

func (o *controlled) answered(*Batch) error {
	if !o.there {
		return db.Defect("the row of the control state is gone")
	}
	return nil
}

func (o *controlled) show(b *Batch, item *player.Item, whole *player.View) {
	whole.Control, whole.Now, whole.GameDisabled = b.Control, b.Now, o.disabled[item.Needs.Game]
}
