package rows

import (
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Batch is what the items of one transaction see of the tables and make of them.
// What it reads and writes waits in Asks until the writer sends it.
type Batch struct {
	Options
	db.Asks
	// Items are those of the batch, in their order.
	Items []*player.Item
	// Locked are the players whose rows were locked and read so; nil where a
	// transaction that writes is alone, and players are read like anything else.
	Locked map[wallet.Address]player.Player
	// Wallets are those of the items.
	Wallets map[wallet.Address]*Wallet
	// Control is the control state, read once and shown to every item.
	Control *control.State
	// Now is the moment by the database's own clock, when the batch read the control
	// state.
	Now time.Time
	// Funds are the agents' accounts that items ask for, Hours what is won at providers'
	// connections, and Payouts what items that sign payouts ask for, by withdrawal: all
	// are locked and read apart.
	Funds   map[agent.FundsRef]agent.Funds
	Hours   map[seamless.HourRef]seamless.Hour
	Payouts map[string]withdrawal.PayoutControls
	// Content is what the block covers that the batch is sealed by. Head is that
	// block, without its hash until it is sealed.
	Content hashchain.Content
	Head    hashchain.Head
	// places are where the rows of Content are in the block.
	places places
	// Unsettled says that the lane was taken while others decided who may not count it.
	Unsettled bool
	// Changes counts what was staged.
	Changes int

	bets    []betHour // of Hours, by lane
	blocked []string  // agents, where players come with their locks
	// endedRounds are the keys of open rounds that have ended.
	endedRounds [][]any
	sorted      []*Wallet // Wallets, by address
	things      []thing
}

// Wallet is one wallet in a batch: what it looks like after the items before. Its
// view is wider than what one item asked for.
type Wallet struct {
	Address wallet.Address
	View    player.View
	Needs   player.Needs // of all its items together
	// Broken is why its view can't be made; its items fail with it.
	Broken error

	// held are the balances of its withdrawals' holds.
	held map[string]money.Amount
	// key is what stands for the wallet in tables, at its place among those of the batch.
	key string
	at  int
	// kept says that the wallet has a row of players.
	kept bool
	// roleList is the list of roles, where any item asks for roles.
	roleList *rbac.List
	// stored are the tokens of which the player's balance has a row.
	stored []money.Token
}

// Step is what becomes of one item: what its decision sees, what it decides, and how
// its wallet looks afterwards.
type Step struct {
	Item   *player.Item
	Wallet *Wallet
	Seen   player.View
	Change player.Change
	Next   player.View
}

// thing is how one thing is read for the items of a batch and how what changed of it
// is written, each row once. It is made anew for each batch.
type thing interface {
	// ask asks for what the items need.
	ask(b *Batch)
	// answered is called when all that was asked has its answers.
	answered(b *Batch) error
	// show puts what is kept for everybody into an item's whole view.
	show(b *Batch, item *player.Item, whole *player.View)
	// check returns what only the rows can tell is wrong with a change.
	check(b *Batch, s *Step) error
	// stage notes what a change does. It can't fail: everything was checked before.
	stage(b *Batch, s *Step)
	// write asks to write what was staged.
	write(b *Batch) error
}

// plain is a thing that does nothing by itself, for others to begin with.
type plain struct{}

func (plain) ask(*Batch)                              {}
func (plain) answered(*Batch) error                   { return nil }
func (plain) show(*Batch, *player.Item, *player.View) {}
func (plain) check(*Batch, *Step) error               { return nil }
func (plain) stage(*Batch, *Step)                     {}
func (plain) write(*Batch) error                      { return nil }

// Options is what all batches of a store know.
type Options struct {
	Seeds *Seeds
	// Seals seals blocks.
	Seals seal.Authenticator
	// IDFrom returns the least id that may be drawn at a moment, where all ids tell
	// the moment they were drawn; nil where they don't.
	IDFrom func(time.Time) string
	// Recent is given what is committed.
	Recent *Recent
	// Clock makes of the database's moment the one that the store counts by.
	Clock func(time.Time) time.Time

	readControl, readClientSeeds, readProtections, readOpenRounds *db.Query
	readLatest                                                    selection[seamless.Round]
	lockFunds                                                     selection[FundsLine]
	lockHours                                                     selection[wonHour]
	// lanesTaken names the lanes that somebody decides in; nil where there is one.
	lanesTaken *db.Query
}

// On is the options on a database.
func (o Options) On(d db.Dialect) Options {
	o.readControl, o.readClientSeeds, o.readProtections, o.readLatest = controlOfBatch(d), clientSeedsOf(d), protectionsOf(d), latestOf(d)
	o.readOpenRounds = openRoundsOf(d)
	o.lockFunds, o.lockHours = lockFundsOf(d), lockHoursOf(d)
	if text := d.LanesTaken(); text != "" {
		o.lanesTaken = db.NewQuery(text, "one:int")
	}
	return o
}

// NewBatch is a batch that nothing was read for.
func NewBatch(o Options) *Batch {
	return &Batch{
		Options: o, Funds: map[agent.FundsRef]agent.Funds{}, Hours: map[seamless.HourRef]seamless.Hour{},
		Payouts: map[string]withdrawal.PayoutControls{},
	}
}

// AskViews asks for what the items need. Whatever was read before is forgotten.
func (b *Batch) AskViews(items []*player.Item) {
	b.Items, b.things = items, things()
	b.Wallets = make(map[wallet.Address]*Wallet, len(b.Items))
	all := make([]Wallet, len(b.Items))
	for i, item := range b.Items {
		w := b.Wallets[item.Wallet]
		if w == nil {
			w = &all[i]
			w.Address, w.View.Player.Wallet, w.key = item.Wallet, item.Wallet, WalletKey(item.Wallet)
			b.Wallets[item.Wallet] = w
		}
		w.Needs.Join(&item.Needs)
	}
	b.sorted = b.sorted[:0]
	for _, address := range slices.Sorted(maps.Keys(b.Wallets)) {
		w := b.Wallets[address]
		w.at = len(b.sorted)
		b.sorted = append(b.sorted, w)
	}
	for _, t := range b.things {
		t.ask(b)
	}
}

// Answered makes views of what was read, when all answers are there.
func (b *Batch) Answered() error {
	for _, t := range b.things {
		if err := t.answered(b); err != nil {
			return err
		}
	}
	return nil
}

// Look begins a step with what its item's decision may see.
func (b *Batch) Look(s *Step, item *player.Item) {
	*s = Step{Item: item, Wallet: b.Wallets[item.Wallet]}
	whole := &s.Wallet.View
	for _, t := range b.things {
		t.show(b, item, whole)
	}
	player.Narrow(&s.Seen, whole, &item.Needs)
}

// Accept holds what was decided against the law and against the rows, and makes it
// what the items after this one see, and what is written.
func (b *Batch) Accept(s *Step) error {
	if err := player.Check(s.Item, &s.Seen, &s.Change); err != nil {
		return err
	}
	for _, t := range b.things {
		if err := t.check(b, s); err != nil {
			return err
		}
	}
	s.Next = s.Wallet.View
	if err := s.Next.Apply(&s.Change); err != nil {
		return err
	}
	held, err := s.Wallet.holdsAfter(&s.Change)
	if err != nil {
		return err
	}
	for _, t := range b.things {
		t.stage(b, s)
	}
	b.Changes++
	if s.Item.At.After(b.Content.At) {
		b.Content.At = s.Item.At
	}
	s.Wallet.View, s.Wallet.held = s.Next, held
	return nil
}

// Covered reports whether there is anything that a block covers.
func (b *Batch) Covered() bool {
	return !b.Content.Empty()
}

// WriteRows asks to write what was staged.
func (b *Batch) WriteRows() error {
	for _, t := range b.things {
		if err := t.write(b); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf makes rows of what each wallet needs, wallets sorted, nobody's left out.
func (b *Batch) rowsOf(of func(w *Wallet, add func(row ...any))) [][]any {
	var rows [][]any
	add := func(row ...any) { rows = append(rows, row) }
	for _, w := range b.sorted {
		if w.Address != "" {
			of(w, add)
		}
	}
	return rows
}

func has[K comparable, V any](in map[K]V, key K) bool {
	_, there := in[key]
	return there
}

// unique returns an error about what begins under an id that is known already. What
// isn't known here the keys of the tables tell.
func unique(what, id string, known bool) error {
	if known {
		return db.Defect("%s %s is there already", what, id)
	}
	return nil
}

// IDSlack is how far the moment that an id tells may be from its row's own. Use
// cases draw both together, and ids follow a clock that is set back by more than
// half a minute. A change with more is refused: lists of a span of time find rows by
// their ids and would miss it.
const IDSlack = time.Minute

// drawn checks that an id of a new row tells the row's moment, where ids tell any.
func (b *Batch) drawn(id string, at time.Time) error {
	if b.IDFrom != nil && (id < b.IDFrom(at.Add(-IDSlack)) || id >= b.IDFrom(at.Add(IDSlack))) {
		return db.Defect("the id %q was not drawn at its row's moment, %s", id, at)
	}
	return nil
}

// isUUID checks an id that is kept as a UUID.
func isUUID(id string) error {
	if !db.IsID(id) {
		return db.Defect("the id %q is no UUID", id)
	}
	return nil
}

// put keeps a value in a map that is made for the first one.
func put[K comparable, V any](in *map[K]V, key K, value V) {
	if *in == nil {
		*in = map[K]V{}
	}
	(*in)[key] = value
}

// WriteSorted is Write for rows in the order of their columns: every writer writes in one
// order.
func (b *Batch) WriteSorted(doing string, q *db.Query, rows [][]any) {
	slices.SortFunc(rows, db.CompareRows)
	b.Write(doing, q, rows)
}

// owner is the wallet of the batch that a row is of. A key that no player has is of none: the
// player's row was taken away behind the service's back.
func (b *Batch) owner(of wallet.Address) (*Wallet, error) {
	if w := b.Wallets[of]; w != nil {
		return w, nil
	}
	return nil, db.Defect("rows were found of the wallet %q, which nobody asked for", of)
}

// ownIDs makes rows of ids that items need of their own wallets, with the wallets' keys,
// each once and sorted.
func (b *Batch) ownIDs(of func(*player.Needs) []string) [][]any {
	return b.rowsOf(func(w *Wallet, add func(...any)) {
		ids := slices.Clone(of(&w.Needs))
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			add(w.key, id)
		}
	})
}

// idsOf makes rows of ids that items need, each once and sorted.
func (b *Batch) idsOf(of func(*player.Needs) []string) [][]any {
	var wanted map[string]struct{}
	for _, item := range b.Items {
		for _, id := range of(&item.Needs) {
			put(&wanted, id, struct{}{})
		}
	}
	return db.SortedRows(wanted)
}
