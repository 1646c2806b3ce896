package rows

import (
	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/ledger"
)

// Some things are there once in the whole ledger, whoever's they are. Tables that are spread
// by their wallets can't tell, so that what is theirs is noted in a table of its own beside
// the row itself: postings but for those of rounds, whose ids are drawn; seed pairs and
// their commitments; the signatures of payouts.

// onceKind is what is there once. Postings have the kinds of their keys.
type onceKind string

const (
	oncePair       onceKind = "pair"
	onceCommitment onceKind = "commitment"
	onceSignature  onceKind = "signature"
)

// onceRow is a row of once.
type onceRow struct {
	bun.BaseModel `bun:"table:once,alias:o"`
	Kind          onceKind
	Scope         string
	ID            string
}

// addOnce notes them. One that is there already is refused, and with it whoever has it too.
var addOnce = modelOf[onceRow, onceRow]().insert("")

// once is what a batch notes so.
type once struct{ rows [][]any }

func (o *once) add(kind onceKind, id string) {
	o.rows = append(o.rows, addOnce.row(&onceRow{Kind: kind, ID: id}))
}

func (o *once) posting(k ledger.Key) {
	o.rows = append(o.rows, addOnce.row(&onceRow{Kind: onceKind(k.Kind), Scope: k.Scope, ID: k.ID}))
}

// write asks to write them, sorted: two batches with the same ones wait for each other in
// one order.
func (o *once) write(b *Batch) {
	b.WriteSorted("note what is there once", addOnce.query, o.rows)
}
