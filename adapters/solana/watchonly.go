package solana

import (
	"context"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
)

// WatchOnly is a treasury whose key is elsewhere: deposits are found and payouts in
// flight are followed, and nothing is signed.
func WatchOnly(address wallet.Address) Signer { return watchOnly(address) }

type watchOnly wallet.Address

// Address returns the watched address.
func (w watchOnly) Address() wallet.Address { return wallet.Address(w) }

// Sign signs nothing: the fault is of kind Unavailable.
func (w watchOnly) Sign(context.Context, []byte) ([]byte, error) {
	return nil, fault.New(fault.Unavailable, "this service only watches the treasury: it does not have its key")
}
