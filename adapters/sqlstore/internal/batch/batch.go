// Package batch holds the data that the items of one writer transaction see and change. Each
// feature adds a Part, which reads and writes its own tables.
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

// Batch is the data that the items of one transaction see and change. Its queries wait in Asks
// until the writer sends them.
type Batch struct {
	Options
	db.Asks
	// Items are the items of the batch, in order.
	Items []*player.Item
	// Locked holds the players that were locked and read at once; nil where a transaction
	// that writes is alone, and a part reads players.
	Locked map[wallet.Address]player.Player
	// Wallets are the wallets of the items.
	Wallets map[wallet.Address]*Wallet
	// Control is the control state, read once and shown to every item.
	Control *control.State
	// Now is the database's time when the batch read the control state.
	Now time.Time
	// Funds are the agents' accounts that items need, Hours the wins at providers' connections,
	// and Payouts the payout controls by withdrawal, for items that sign payouts. All are locked
	// and read separately.
	Funds   map[agent.FundsRef]agent.Funds
	Hours   map[seamless.HourRef]seamless.Hour
	Payouts map[string]withdrawal.PayoutControls
	// Content is the content of the batch's block. Head is that block, without its hash until it
	// is sealed.
	Content hashchain.Content
	Head    hashchain.Head
	// Places are the positions of Content's rows in the block.
	Places chain.Places
	// Unsettled says that batches that may not count the lane were running when it was taken.
	Unsettled bool
	// Changes counts the staged changes.
	Changes int

	Bets    []HourBet // of Hours, per lane
	Blocked []string  // agents, where players are read with their locks
	// Stored are names of rounds that an earlier batch of the writer has stored, Named those that
	// this batch stores.
	Stored map[table.Name]struct{}
	Named  []table.Name
	// EndedRounds are the keys of open rounds that have ended.
	EndedRounds [][]any
	Sorted      []*Wallet // Wallets, by address
	parts       []Part
}

// Wallet is one wallet in a batch, after the items before. Its view has more than a single item
// needs.
type Wallet struct {
	Address wallet.Address
	View    player.View
	Needs   player.Needs // of all its items together
	// Broken is why its view can't be built; its items fail with it.
	Broken error

	// Held are the balances of its withdrawals' holds.
	Held map[string]money.Amount
	// Key is the wallet's key in tables, At its index among the batch's wallets.
	Key string
	At  int
	// Kept says that the wallet has a row in players.
	Kept bool
	// RoleList is the list of roles, if any item needs roles.
	RoleList *rbac.List
	// Stored are the tokens for which the player's balance has a row.
	Stored []money.Token
}

// Fail records why the wallet's items fail.
func (w *Wallet) Fail(err error) {
	if err != nil {
		w.Broken = err
	}
}

// HourBet is the sum of bets at a provider's connection in an hour, for one lane.
type HourBet struct {
	Ref    seamless.HourRef
	Number int64
	Amount money.Total
}

// Step is the processing of one item: what its decision sees, what it decides, and its wallet
// afterwards.
type Step struct {
	Item   *player.Item
	Wallet *Wallet
	Seen   player.View
	Change player.Change
	Next   player.View
}

// Part reads rows of some tables for the items of a batch and writes the changes of their
// decisions, each row once. Each batch has new parts.
type Part interface {
	// Ask adds queries for what the items need.
	Ask(b *Batch)
	// Answered is called when all queries have their results.
	Answered(b *Batch) error
	// Show adds data shared by all wallets to an item's whole view.
	Show(b *Batch, item *player.Item, whole *player.View)
	// Check returns an error in a change that only the rows reveal.
	Check(b *Batch, s *Step) error
	// Stage records what a change does. It can't fail: everything was checked before.
	Stage(b *Batch, s *Step)
	// Write adds the queries that write the staged changes.
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

// Options is what all batches of a store share.
type Options struct {
	// Parts makes new parts of a batch, in the order in which they read and write.
	Parts func() []Part
	// Seals seals blocks.
	Seals seal.Authenticator
	// IDFrom returns the least id that may be drawn at a time, if all ids contain their creation
	// time, else it is nil.
	IDFrom func(time.Time) string
	// Recent receives committed blocks.
	Recent *Recent
	// Clock returns the current time, given the database's.
	Clock func(time.Time) time.Time
}

// NewBatch returns an empty batch of a writer that has stored these names.
func NewBatch(o Options, stored map[table.Name]struct{}) *Batch {
	return &Batch{
		Options: o, Stored: stored, Funds: map[agent.FundsRef]agent.Funds{}, Hours: map[seamless.HourRef]seamless.Hour{},
		Payouts: map[string]withdrawal.PayoutControls{},
	}
}

// AskViews adds queries for what the items need. Data read before is discarded.
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

// Answered builds views when all queries have their results.
func (b *Batch) Answered() error {
	for _, t := range b.parts {
		if err := t.Answered(b); err != nil {
			return err
		}
	}
	return nil
}

// Look begins a step with the view of its item's decision.
func (b *Batch) Look(s *Step, item *player.Item) {
	*s = Step{Item: item, Wallet: b.Wallets[item.Wallet]}
	whole := &s.Wallet.View
	for _, t := range b.parts {
		t.Show(b, item, whole)
	}
	player.Narrow(&s.Seen, whole, &item.Needs)
}

// Accept checks a decision against the law and the rows. Then it applies it for the items after
// this one, and stages it to be written.
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

// Covered reports whether there is anything for a block to cover.
func (b *Batch) Covered() bool {
	return !b.Content.Empty()
}

// WriteRows adds the queries that write the staged changes.
func (b *Batch) WriteRows() error {
	for _, t := range b.parts {
		if err := t.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// RowsOf returns rows for the needs of each wallet, in wallet order.
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

// Unique returns an error if an id for a new object is known already. For ids unknown here, the
// keys of the tables decide.
func Unique(what, id string, known bool) error {
	if known {
		return db.Defect("%s %s is there already", what, id)
	}
	return nil
}

// CheckID checks that the time in a new row's id is the row's time, if ids contain times.
func (b *Batch) CheckID(id string, at time.Time) error {
	if b.IDFrom != nil && (id < b.IDFrom(at.Add(-table.IDSlack)) || id >= b.IDFrom(at.Add(table.IDSlack))) {
		return db.Defect("the id %q was not drawn at its row's moment, %s", id, at)
	}
	return nil
}

// IsUUID checks an id that is stored as a UUID.
func IsUUID(id string) error {
	if !db.IsID(id) {
		return db.Defect("the id %q is no UUID", id)
	}
	return nil
}

// Put stores a value in a map, which it makes if necessary.
func Put[K comparable, V any](in *map[K]V, key K, value V) {
	if *in == nil {
		*in = map[K]V{}
	}
	(*in)[key] = value
}

// WriteSorted is Write for rows sorted by their columns, so that every writer writes in the same
// order.
func (b *Batch) WriteSorted(doing string, q *db.Query, rows [][]any) {
	slices.SortFunc(rows, db.CompareRows)
	b.Write(doing, q, rows)
}

// Owner returns the batch's wallet that owns a row. It fails for a key without a player: the
// player's row was deleted outside the service.
func (b *Batch) Owner(of wallet.Address) (*Wallet, error) {
	if w := b.Wallets[of]; w != nil {
		return w, nil
	}
	return nil, db.Defect("rows were found of the wallet %q, which nobody asked for", of)
}

// OwnIDs returns rows of ids that items need of their own wallets, with the wallets' keys, each
// once and sorted.
func (b *Batch) OwnIDs(of func(*player.Needs) []string) [][]any {
	return b.RowsOf(func(w *Wallet, add func(...any)) {
		ids := slices.Clone(of(&w.Needs))
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			add(w.Key, id)
		}
	})
}

// IdsOf returns rows of ids that items need, each once and sorted.
func (b *Batch) IdsOf(of func(*player.Needs) []string) [][]any {
	var wanted map[string]struct{}
	for _, item := range b.Items {
		for _, id := range of(&item.Needs) {
			Put(&wanted, id, struct{}{})
		}
	}
	return db.SortedRows(wanted)
}
