package token

import (
	"slices"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

// Extension is a Token-2022 extension of a mint by its number on chain.
type Extension uint16

// The extensions that are accepted: a fee on transfers, because deposits count what
// arrives, and a name. All others are refused, unknown ones included: a
// hook can refuse payouts, a permanent delegate or a pause can take or hold the
// treasury's money, a closed mint can come back as another, confidential amounts
// can't be seen, default-frozen accounts can't be paid.
const (
	TransferFeeConfig Extension = 1
	MetadataPointer   Extension = 18
	Metadata          Extension = 19
)

var acceptedExtensions = []Extension{TransferFeeConfig, MetadataPointer, Metadata}

// Mint is a token's mint as the chain shows it. The zero value means that there is
// none.
type Mint struct {
	Program    Program
	Decimals   uint8
	Extensions []Extension
	// AccountMinimum is of native SOL: the lamports that an account has to hold to exist.
	AccountMinimum money.Amount
}

// CheckMint returns nil when the mint on chain is the one of the terms and
// nothing about it can undo or hide a deposit, else a fault of kind
// TokenNotAccepted that says what is wrong with it.
func (t Terms) CheckMint(m Mint) error {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.TokenNotAccepted, "token "+string(t.Mint)+": "+format, args...)
	}
	switch {
	case m.Program == "":
		return refuse("there is no such mint")
	case m.Program != t.Program:
		return refuse("the mint belongs to %s, not to %s", m.Program, t.Program)
	case m.Decimals != t.Decimals:
		return refuse("the mint has %d decimals, not %d", m.Decimals, t.Decimals)
	}
	for _, extension := range m.Extensions {
		if t.Program != Token2022 || !slices.Contains(acceptedExtensions, extension) {
			return refuse("the mint has extension %d, which is not accepted", extension)
		}
	}
	return nil
}
