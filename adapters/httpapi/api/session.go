package api

// LoginRequest is a signed login. Signature is the padded base64 of the Ed25519
// signature of wallet.LoginKey; AgentCode binds a new player to an agent.
type LoginRequest struct {
	Wallet    string `json:"wallet"`
	Timestamp int64  `json:"timestamp"`
	Signature string `json:"signature"`
	AgentCode string `json:"agentCode,omitempty"`
}

// Session is a signed-in wallet.
type Session struct {
	Token     string `json:"token"`
	Wallet    string `json:"wallet"`
	ExpiresAt int64  `json:"expiresAt"`
}
