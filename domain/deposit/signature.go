package deposit

import (
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/internal/base58"
)

// CheckSignature returns a fault naming the field "signature" unless the text
// has the form of a transaction's signature: the canonical base58 of 64 bytes.
func CheckSignature(text string) error {
	if _, ok := base58.Decode(text, 64); !ok {
		return fault.Field("signature", "must be a transaction signature: the base58 of 64 bytes")
	}
	return nil
}

var described = map[Reason]string{
	NoReason:          "it is not what it was claimed to be",
	NotFound:          "no such transaction was seen on chain",
	TransactionFailed: "the transaction failed on chain",
	NoCredit:          "the treasury received nothing of this token in it",
	NotSender:         "your wallet did not both sign and pay it",
	BelowMinimum:      "it is below the smallest deposit of this token",
	WrongToken:        "it moved another token than the one named",
	OwnerChanged:      "the account was handed over instead of being paid into",
	TreasurySigned:    "the treasury itself signed it",
	SeveralSenders:    "more than one owner paid it; it will be reviewed",
	WrappedSOL:        "it paid the treasury in wrapped SOL; it will be reviewed",
	NoSender:          "no single wallet both signed it and paid it; it will be reviewed",
	Capital:           "it is the operator's own money",
	BeforeWatch:       "it was paid before deposits of this token were taken here",
	Declined:          "it was reviewed, and is not a deposit of yours",
	Unreadable:        "it could not be read on chain; it will be checked again",
	AmountTooLarge:    "the amount is larger than a balance can hold; it will be reviewed",
}

// Describe returns the reason as a sentence for the player.
func (r Reason) Describe() string { return described[r] }
