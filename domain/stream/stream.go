// Package stream is what was committed as events, for whoever listens: front ends, risk
// engines, operators. Events are derived from the rows that blocks cover and never written
// beside them, so that none is lost, doubled or announced before its commit.
//
// Order: a wallet's events come in the order in which they happened to it, whichever lanes
// they were committed in. Each block has a Number that it takes in its commit, when the
// wallets of its rows are locked: of two blocks with rows of one wallet the later one has
// the greater number, and whoever sees it sees the earlier one too. So the blocks that
// are seen at one moment, by number, have each wallet's events in their order (Cut).
// Between wallets no order is promised: a block may become visible after one of a greater
// number, which has nothing of the same wallets.
package stream

import (
	"slices"
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// Event is something that was committed.
type Event struct {
	// ID is unique within the ledger and stays what it is, however often the event is
	// read.
	ID   string
	Type Type
	// Subject names what it is about: a round, a withdrawal, a wallet, an agent.
	Subject string
	// Wallet is the player whom it concerns, empty where it concerns none.
	Wallet wallet.Address
	// Agent is the agent that it concerns, as far as its rows say it: of a deposit or a
	// withdrawal the player's own has to be asked for.
	Agent string
	At    time.Time
	// Order sorts the events of a wallet as they happened.
	Order Order
	Data  Data
	// Lane and Seq name its block.
	Lane int
	Seq  int64
	// Cursor is the place after the event.
	Cursor Cursor
}

// Order is the place of an event: the number of its block, its row in the block, and its
// place among the events of the row.
type Order struct {
	Number   int64
	Position int
	Part     int
}

// String writes it so that texts sort as orders do.
func (o Order) String() string {
	text := padded(make([]byte, 0, numberDigits+positionDigits+4), o.Number, numberDigits)
	text = padded(append(text, '.'), int64(o.Position), positionDigits)
	return string(strconv.AppendInt(append(text, '.'), int64(o.Part), 10))
}

// How many digits the numbers of an order have.
const numberDigits, positionDigits = 19, 7

// padded appends a number with zeros before it. Each event of each listener has one written,
// for which fmt takes several times as long.
func padded(to []byte, n int64, digits int) []byte {
	written := strconv.FormatInt(n, 10)
	for range digits - len(written) {
		to = append(to, '0')
	}
	return append(to, written...)
}

// Block is a block with its place among those of all lanes.
type Block struct {
	hashchain.Head
	// Number grows from block to block of a wallet; no two blocks of an epoch have the same.
	Number int64
	At     time.Time
	Epoch  int64
	// Rows are sorted by position. Where only those of a wallet were asked for the others
	// are missing.
	Rows []Row
}

// Row is one of the rows that a block covers, transfers left out: facts say what they made
// of a player's balance. One of the pointers is set.
type Row struct {
	// Position is the row's in its block, whatever it is a row of: no two rows have the
	// same, and those of a wallet are sorted as they happened.
	Position int
	Round    *bet.Round
	Seamless *seamless.Transaction
	Audit    *audit.Record
	Thing    *event.Event
}

// Wallet is whose the row is, empty for nobody's.
func (r *Row) Wallet() wallet.Address {
	switch {
	case r.Round != nil:
		return r.Round.Wallet
	case r.Seamless != nil:
		return r.Seamless.Wallet
	case r.Thing != nil:
		return r.Thing.Wallet
	}
	return ""
}

// Filter says what a listener hears; the zero one leaves nothing out.
type Filter struct {
	// Wallet leaves out what concerns other players or none.
	Wallet wallet.Address
	// Types leaves out other types; empty leaves out none.
	Types []Type
}

// Keeps reports whether the filter leaves an event in. A ledger.restored is in always.
func (f Filter) Keeps(e *Event) bool {
	if e.Type == LedgerRestored {
		return true
	}
	return (f.Wallet == "" || e.Wallet == f.Wallet) && (len(f.Types) == 0 || slices.Contains(f.Types, e.Type))
}
