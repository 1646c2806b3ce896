package kernel

import (
	"errors"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
)

// CreditKeys are the unique keys of booking a transaction: it is booked once, as
// somebody's deposit or as capital.
func CreditKeys(ref deposit.Ref) []player.UniqueKey {
	return []player.UniqueKey{
		{Kind: player.CapitalKey, Scope: string(ref.Token), ID: ref.Signature},
		{Kind: player.DepositKey, Scope: string(ref.Token), ID: ref.Signature},
	}
}

// Overtaken hides the refusal that says another worker or an admin was faster: that is
// the expected end of such a race.
func Overtaken(err error) error {
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	return err
}

// ErrDepositTaken refuses a claim to a transaction that was credited to somebody else.
var ErrDepositTaken = fault.New(fault.DepositTaken, "this transaction was credited to another player")

// ErrResultLost is a defect of a store: it replayed an item without the answer that was
// kept with its unique key.
var ErrResultLost = errors.New("app: the store replayed a unique key without its answer")

// TextMax is how long a note or a reason may be, in characters.
const TextMax = 500

// CheckReason checks the reason that an admin gives: 1 to TextMax characters.
func CheckReason(reason string) error { return CheckText("reason", reason) }

// CheckText checks a text in a field: 1 to TextMax characters.
func CheckText(field, text string) error {
	if n := utf8.RuneCountInString(text); n < 1 || n > TextMax {
		return fault.Field(field, "must have 1 to %d characters", TextMax)
	}
	return nil
}
