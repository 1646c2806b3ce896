package stream

import (
	"strconv"

	"github.com/casino-service/casino/domain/bet"
)

// Type is a kind of event.
type Type string

// The types.
const (
	LedgerRestored Type = "ledger.restored"
	RoundSettled   Type = "round.settled"
)

// Data is what an event says, by its type.
type Data interface{ data() }

// Settled is a round that ended.
type Settled struct{ bet.Round }

func (Settled) data() {}

// Events are what a block's rows say, in their order.
func Events(b *Block) (made []Event) {
	for _, row := range b.Rows {
		if row.Round != nil {
			made = append(made, Event{
				ID:   strconv.Itoa(b.Lane) + "." + strconv.FormatInt(b.Seq, 10) + "." + strconv.Itoa(row.Position),
				Type: RoundSettled, Subject: row.Round.ID, Wallet: row.Round.Wallet, At: row.Round.At,
				Order: Order{Number: b.Number, Position: row.Position}, Data: Settled{*row.Round},
			})
		}
	}
	return made
}
