package api

// DemoWalletsResponse lists the wallets that sign for whoever asks, in development.
type DemoWalletsResponse struct {
	Wallets []DemoWallet `json:"wallets"`
}

// DemoWallet is one of them. Role is nil for players.
type DemoWallet struct {
	Name   string  `json:"name"`
	Wallet string  `json:"wallet"`
	Role   *string `json:"role"`
}

// DemoSignRequest asks a demo wallet to sign a text.
type DemoSignRequest struct {
	Message string `json:"message"`
}

// DemoSigned is the Ed25519 signature of a text, in base64.
type DemoSigned struct {
	Signature []byte `json:"signature"`
}

// DemoSendRequest asks a demo wallet to sign a transaction, in base64, and send it.
type DemoSendRequest struct {
	Transaction []byte `json:"transaction"`
}

// DemoSent names the transaction that was sent.
type DemoSent struct {
	Signature string `json:"signature"` // base58
}
