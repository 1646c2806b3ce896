package rows

import (
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
)

// places are the positions of a batch's rows in its block. One counter gives them, in the
// order in which items were staged, so that they sort a wallet's rows whichever tables these
// are in.
type places struct {
	// taken is how many positions were given.
	taken int
	// postings are those of the first transfers of postings, a round's row among them.
	postings, audit, seamless, events positions
}

// positions are those of some rows of a block.
type positions []int

// next gives the next positions.
func (p *positions) next(of *places, n int) {
	for range n {
		*p = append(*p, of.taken)
		of.taken++
	}
}

// posting gives a posting as many as it has transfers.
func (p *places) posting(made ledger.Posting) {
	p.postings = append(p.postings, p.taken)
	p.taken += len(made.Transfers)
}

// WriteRecord asks to write all that a short write's block covers: its audit record, and
// what became of things.
func WriteRecord(a *db.Asks, block hashchain.Head, record audit.Record, made []event.Event) {
	var at places
	at.audit.next(&at, 1)
	at.events.next(&at, len(made))
	writeAudit(a, block, []audit.Record{record}, at.audit)
	writeEvents(a, block, made, at.events)
}
