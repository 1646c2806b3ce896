package withdrawal

import (
	"time"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// Attempt is one signed transaction of a withdrawal. It is stored before the
// transaction is sent, so that after a crash the same bytes are sent again.
type Attempt struct {
	WithdrawalID string
	Number       int // from 1, without a gap
	Signature    string
	Transaction  []byte // the signed bytes, as they are sent
	Blockhash    string
	// LastValidHeight is the last block height at which the transaction can land.
	LastValidHeight uint64
	// Slot is the slot at which the blockhash was taken: a node that no longer
	// keeps blocks from there on can't prove that the transaction never landed.
	Slot      uint64
	CreatedAt time.Time
	// Seal proves that the service itself signed it, see Sealed.
	Seal string
}

// Cost is what a landed payout transaction took from the treasury beside the
// amount, in lamports.
type Cost struct {
	Fee  money.Amount // network fee, priority fee included
	Rent money.Amount // deposits for accounts it created
}

// Transfers books the cost: fees → chain, in SOL. None when it cost nothing.
func (c Cost) Transfers() []ledger.Transfer {
	total, ok := c.Fee.Add(c.Rent)
	if !ok || total == 0 {
		return nil
	}
	return []ledger.Transfer{{
		Debit: ledger.System(ledger.Fees), Credit: ledger.System(ledger.Chain), Token: money.SOL, Amount: total,
	}}
}

// AttemptStatus is the state of an attempt on chain.
type AttemptStatus uint8

// The statuses of an attempt. Only Dead allows another signature.
const (
	// Unknown: not landed, not provably dead; send the same bytes again.
	Unknown AttemptStatus = iota
	// Landed: in a block that is not finalized yet; wait.
	Landed
	// Finalized without an error.
	Finalized
	// Errored: finalized with an error; it cost its fee and moved nothing.
	Errored
	// Dead: it did not land and never can.
	Dead
)

// Outcome is the status of an attempt with what it cost and why it failed.
type Outcome struct {
	Status AttemptStatus
	Cost   Cost   // of Finalized and Errored
	Reason string // of Errored, text for an admin
	// Slot is of Dead: a finalized slot after which nothing can include the attempt. What
	// lists everything up to it has the attempt, if it landed after all.
	Slot uint64
}
