package batch

import (
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// AuditPart writes the audit records of the batch.
type AuditPart struct{ NoPart }

func (AuditPart) Stage(b *Batch, s *Step) {
	b.Content.Audit = append(b.Content.Audit, s.Change.Audit...)
	b.Places.Audit.Next(&b.Places, len(s.Change.Audit))
}

func (AuditPart) Write(b *Batch) error {
	chain.WriteAudit(&b.Asks, b.Head, b.Content.Audit, b.Places.Audit)
	return nil
}

// EventPart writes the events of the batch.
type EventPart struct{ NoPart }

func (EventPart) Stage(b *Batch, s *Step) {
	made := s.Wallet.View.Events(&s.Change)
	b.Content.Events = append(b.Content.Events, made...)
	b.Places.Events.Next(&b.Places, len(made))
}

func (EventPart) Write(b *Batch) error {
	chain.WriteEvents(&b.Asks, b.Head, b.Content.Events, b.Places.Events)
	return nil
}

// ListCell is a combination of filter values that a list has rows of. A trigger adds those of
// rounds with their figures.
type ListCell struct {
	bun.BaseModel `bun:"table:list_cells,alias:c"`
	List          string
	Game          string
	Token         money.Token
	Agent         string
}

// ListCells is a set of combinations.
type ListCells map[ListCell]struct{}

// Add adds combinations.
func (c *ListCells) Add(all ...ListCell) {
	for _, one := range all {
		Put((*map[ListCell]struct{})(c), one, struct{}{})
	}
}

// AddCells inserts new combinations.
var AddCells = table.ModelOf[ListCell, ListCell]().InsertNew()

// Rows returns the rows to send, sorted.
func (c ListCells) Rows() [][]any {
	var sent [][]any
	for one := range c {
		sent = append(sent, AddCells.Row(&one))
	}
	slices.SortFunc(sent, db.CompareRows)
	return sent
}

// Some keys are unique in the whole ledger, for all wallets together. Tables that are spread by
// wallet can't check that, so each such key has a row in the table once too: postings except
// those of rounds, which have random ids; seed pairs and their commitments; the signatures of
// payouts.

// onceKind is a kind of unique key. Postings have the kinds of their keys.
type onceKind string

const (
	OncePair       onceKind = "pair"
	OnceCommitment onceKind = "commitment"
	OnceSignature  onceKind = "signature"
)

// onceRow is a row of once.
type onceRow struct {
	bun.BaseModel `bun:"table:once,alias:o"`
	Kind          onceKind
	Scope         string
	ID            string
}

// addOnce inserts unique keys. An existing one fails with the item that uses it.
var addOnce = table.ModelOf[onceRow, onceRow]().Insert("")

// Once collects the unique keys of a batch.
type Once struct{ rows [][]any }

// Add adds an id of a kind.
func (o *Once) Add(kind onceKind, id string) {
	o.rows = append(o.rows, addOnce.Row(&onceRow{Kind: kind, ID: id}))
}

// Posting adds the key of a posting.
func (o *Once) Posting(k ledger.Key) {
	o.rows = append(o.rows, addOnce.Row(&onceRow{Kind: onceKind(k.Kind), Scope: k.Scope, ID: k.ID}))
}

// Write inserts them, sorted: two batches with the same keys wait for each other in one order.
func (o *Once) Write(b *Batch) {
	b.WriteSorted("note what is there once", addOnce.Query, o.rows)
}

// HasBalance records a stored balance by kind of account, and for a hold by its withdrawal.
func (w *Wallet) HasBalance(kind ledger.Kind, hold string, token money.Token, amount money.Amount) {
	switch kind {
	case ledger.Player:
		w.Has(token, amount)
	case ledger.Unclaimed:
		Put(&w.View.Unclaimed, token, amount)
	default:
		Put(&w.Held, hold, amount)
	}
}

// Has records a stored balance of the player.
func (w *Wallet) Has(token money.Token, amount money.Amount) {
	Put(&w.View.Balances, token, amount)
	w.Stored = append(w.Stored, token)
}

// holdsAfter returns the balances of the holds after a change: a withdrawal's hold has its amount
// while the withdrawal is open, and nothing after that.
func (w *Wallet) holdsAfter(c *player.Change) (map[string]money.Amount, error) {
	held, cloned := w.Held, false
	for _, p := range c.Postings {
		for _, t := range p.Transfers {
			if t.Debit.Kind != ledger.Hold && t.Credit.Kind != ledger.Hold {
				continue
			}
			if !cloned {
				held, cloned = maps.Clone(w.Held), true
			}
			ok := true
			if t.Debit.Kind == ledger.Hold {
				var after money.Amount
				after, ok = held[t.Debit.Owner].Sub(t.Amount)
				Put(&held, t.Debit.Owner, after)
			}
			if ok && t.Credit.Kind == ledger.Hold {
				var after money.Amount
				after, ok = held[t.Credit.Owner].Add(t.Amount)
				Put(&held, t.Credit.Owner, after)
			}
			if !ok {
				return nil, db.Defect("posting %v: a hold can't move %d", p.Key, t.Amount)
			}
		}
	}
	// The reason why a withdrawal isn't paid can be stored even if its hold has a wrong balance.
	if of := c.Withdrawal; of != nil && (cloned || of.Status != w.View.Withdrawals[of.ID].Status) {
		due := money.Amount(0)
		if of.Status.Open() {
			due = of.Held()
		}
		if held[of.ID] != due { // the law was checked, so only the stored balance can be wrong
			return nil, db.Defect("withdrawal %s is %s and its hold has %d of %d", of.ID, of.Status, held[of.ID], of.Held())
		}
	}
	return held, nil
}
