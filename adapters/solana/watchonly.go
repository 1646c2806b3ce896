package solana

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// WatchOnly returns a Signer for a treasury with its key elsewhere: deposits are found and
// payouts in flight are followed, but nothing is signed.
func WatchOnly(address wallet.Address) Signer { return watchOnly(address) }

type watchOnly wallet.Address

// Address returns the watched address.
func (w watchOnly) Address() wallet.Address { return wallet.Address(w) }

// Sign returns a fault of kind Unavailable.
func (w watchOnly) Sign(context.Context, []byte) ([]byte, error) {
	return nil, fault.New(fault.Unavailable, "this service only watches the treasury: it does not have its key")
}
