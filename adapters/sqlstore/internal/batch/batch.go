// Package batch is what the items of one transaction of the writer see of the tables and make of them.
// Each feature adds a Part, which reads and writes its own tables.
package batch

import (
	"maps"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
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
	Places chain.Places
	// Unsettled says that the lane was taken while others decided who may not count it.
	Unsettled bool
	// Changes counts what was staged.
	Changes int

	Bets    []HourBet // of Hours, by lane
	Blocked []string  // agents, where players come with their locks
	// endedRounds are the keys of open rounds that have ended.
	EndedRounds [][]any
	Sorted      []*Wallet // Wallets, by address
	parts       []Part
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
	Held map[string]money.Amount
	// key is what stands for the wallet in tables, at its place among those of the batch.
	Key string
	At  int
	// kept says that the wallet has a row of players.
	Kept bool
	// roleList is the list of roles, where any item asks for roles.
	RoleList *rbac.List
	// stored are the tokens of which the player's balance has a row.
	Stored []money.Token
}

// Fail notes why the wallet's items fail.
func (w *Wallet) Fail(err error) {
	if err != nil {
		w.Broken = err
	}
}

// HourBet is what was bet at a provider's connection in an hour, as one lane counts it.
type HourBet struct {
	Ref    seamless.HourRef
	Number int64
	Amount money.Total
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

// Part reads rows of some tables for the items of a batch and writes what their decisions
// change of them, each row once. It is made anew for each batch.
type Part interface {
	// Ask asks for what the items need.
	Ask(b *Batch)
	// Answered is called when all that was asked has its answers.
	Answered(b *Batch) error
	// Show puts what is kept for everybody into an item's whole view.
	Show(b *Batch, item *player.Item, whole *player.View)
	// Check returns what only the rows can tell is wrong with a change.
	Check(b *Batch, s *Step) error
	// Stage notes what a change does. It can't fail: everything was checked before.
	Stage(b *Batch, s *Step)
	// Write asks to write what was staged.
	Write(b *Batch) error
}

// NoPart implements Part by doing nothing. Parts embed it for the methods they don't need.
type NoPart struct{}

func (NoPart) Ask(*Batch) {}

func (NoPart) Answered(*Batch) error { return nil }

func (NoPart) Show(*Batch, *player.Item, *player.View) {}

func (NoPart) Check(*Batch, *Step) error { return nil }

func (NoPart) Stage(*Batch, *Step) {}

func (NoPart) Write(*Batch) error { return nil }

// Options is what all batches of a store know.
type Options struct {
	// Parts makes the parts of a batch anew, in the order in which they read and write.
	Parts func() []Part
	// Seals seals blocks.
	Seals seal.Authenticator
	// IDFrom returns the least id that may be drawn at a moment, where all ids tell
	// the moment they were drawn; nil where they don't.
	IDFrom func(time.Time) string
	// Recent is given what is committed.
	Recent *Recent
	// Clock makes of the database's moment the one that the store counts by.
	Clock func(time.Time) time.Time
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
	b.Items, b.parts = items, b.Parts()
	b.Wallets = make(map[wallet.Address]*Wallet, len(b.Items))
	all := make([]Wallet, len(b.Items))
	for i, item := range b.Items {
		w := b.Wallets[item.Wallet]
		if w == nil {
			w = &all[i]
			w.Address, w.View.Player.Wallet, w.Key = item.Wallet, item.Wallet, table.WalletKey(item.Wallet)
			b.Wallets[item.Wallet] = w
		}
		w.Needs.Join(&item.Needs)
	}
	b.Sorted = b.Sorted[:0]
	for _, address := range slices.Sorted(maps.Keys(b.Wallets)) {
		w := b.Wallets[address]
		w.At = len(b.Sorted)
		b.Sorted = append(b.Sorted, w)
	}
	for _, t := range b.parts {
		t.Ask(b)
	}
}

// Answered makes views of what was read, when all answers are there.
func (b *Batch) Answered() error {
	for _, t := range b.parts {
		if err := t.Answered(b); err != nil {
			return err
		}
	}
	return nil
}

// Look begins a step with what its item's decision may see.
func (b *Batch) Look(s *Step, item *player.Item) {
	*s = Step{Item: item, Wallet: b.Wallets[item.Wallet]}
	whole := &s.Wallet.View
	for _, t := range b.parts {
		t.Show(b, item, whole)
	}
	player.Narrow(&s.Seen, whole, &item.Needs)
}

// Accept holds what was decided against the law and against the rows, and makes it
// what the items after this one see, and what is written.
func (b *Batch) Accept(s *Step) error {
	if err := player.Check(s.Item, &s.Seen, &s.Change); err != nil {
		return err
	}
	for _, t := range b.parts {
		if err := t.Check(b, s); err != nil {
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
	for _, t := range b.parts {
		t.Stage(b, s)
	}
	b.Changes++
	if s.Item.At.After(b.Content.At) {
		b.Content.At = s.Item.At
	}
	s.Wallet.View, s.Wallet.Held = s.Next, held
	return nil
}

// Covered reports whether there is anything that a block covers.
func (b *Batch) Covered() bool {
	return !b.Content.Empty()
}

// WriteRows asks to write what was staged.
func (b *Batch) WriteRows() error {
	for _, t := range b.parts {
		if err := t.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// RowsOf makes rows of what each wallet needs, wallets sorted, nobody's left out.
func (b *Batch) RowsOf(of func(w *Wallet, add func(row ...any))) [][]any {
	var rows [][]any
	add := func(row ...any) { rows = append(rows, row) }
	for _, w := range b.Sorted {
		if w.Address != "" {
			of(w, add)
		}
	}
	return rows
}

// Has reports whether a map has a key.
func Has[K comparable, V any](in map[K]V, key K) bool {
	_, there := in[key]
	return there
}

// Unique returns an error about what begins under an id that is known already. What
// isn't known here the keys of the tables tell.
func Unique(what, id string, known bool) error {
	if known {
		return db.Defect("%s %s is there already", what, id)
	}
	return nil
}

// CheckID checks that an id of a new row tells the row's moment, where ids tell any.
func (b *Batch) CheckID(id string, at time.Time) error {
	if b.IDFrom != nil && (id < b.IDFrom(at.Add(-table.IDSlack)) || id >= b.IDFrom(at.Add(table.IDSlack))) {
		return db.Defect("the id %q was not drawn at its row's moment, %s", id, at)
	}
	return nil
}

// IsUUID checks an id that is kept as a UUID.
func IsUUID(id string) error {
	if !db.IsID(id) {
		return db.Defect("the id %q is no UUID", id)
	}
	return nil
}

// Put keeps a value in a map that is made for the first one.
func Put[K comparable, V any](in *map[K]V, key K, value V) {
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

// Owner is the wallet of the batch that a row is of. A key that no player has is of none: the
// player's row was taken away behind the service's back.
func (b *Batch) Owner(of wallet.Address) (*Wallet, error) {
	if w := b.Wallets[of]; w != nil {
		return w, nil
	}
	return nil, db.Defect("rows were found of the wallet %q, which nobody asked for", of)
}

// OwnIDs makes rows of ids that items need of their own wallets, with the wallets' keys,
// each once and sorted.
func (b *Batch) OwnIDs(of func(*player.Needs) []string) [][]any {
	return b.RowsOf(func(w *Wallet, add func(...any)) {
		ids := slices.Clone(of(&w.Needs))
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			add(w.Key, id)
		}
	})
}

// IdsOf makes rows of ids that items need, each once and sorted.
func (b *Batch) IdsOf(of func(*player.Needs) []string) [][]any {
	var wanted map[string]struct{}
	for _, item := range b.Items {
		for _, id := range of(&item.Needs) {
			Put(&wanted, id, struct{}{})
		}
	}
	return db.SortedRows(wanted)
}
