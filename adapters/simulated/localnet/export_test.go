package localnet

// The bounds of the websocket.
const (
	ConnectionsMax   = connectionsMax
	SubscriptionsMax = subscriptionsMax
	MessageMax       = messageMax
)
