package withdrawal

import (
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// Destination is where a withdrawal is to be paid, with what is known about
// the address without asking the chain.
type Destination struct {
	Address string
	// Reserved says the address is one of ours (treasury, its token accounts)
	// or an accepted mint: never to be paid to.
	Reserved bool
	// OwnOnly says that players may withdraw only to their own wallet.
	OwnOnly bool
}

func (d Destination) check(owner wallet.Address) error {
	refuse := func(why string) error {
		return fault.New(fault.InvalidDestination, "destination: %s", why).With("field", "destination")
	}
	if _, err := wallet.Parse(d.Address); err != nil {
		return refuse("is not a wallet that a key can sign for")
	}
	if d.Reserved {
		return refuse("is an address of the house or a mint")
	}
	if d.OwnOnly && d.Address != string(owner) {
		return refuse("must be the wallet you signed in with")
	}
	return nil
}
