package localnet

import "github.com/gagliardetto/solana-go"

// The bounds of the websocket.
const (
	ConnectionsMax   = connectionsMax
	SubscriptionsMax = subscriptionsMax
	MessageMax       = messageMax
)

// Identity is the account that collects fees.
func (c *Chain) Identity() solana.PublicKey { return c.genesis.Identity }
