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

// PlaySessionResponse is what was played in the caller's session.
type PlaySessionResponse struct {
	StartedAt int64         `json:"startedAt"`
	Tokens    []PlayedToken `json:"tokens"`
}

// PlayedToken is what was done with a balance since a session began. Rounds are those that
// took a stake, Net is won less wagered, NetDeposits deposited less withdrawn.
type PlayedToken struct {
	Token       string `json:"token"`
	Rounds      int64  `json:"rounds"`
	Wagered     Number `json:"wagered" units:"base"`
	Won         Number `json:"won" units:"base"`
	Net         Number `json:"net" units:"base"`
	NetDeposits Number `json:"netDeposits" units:"base"`
}
