package api

// Seed is an active seed pair. It has no field that could hold a server seed.
type Seed struct {
	ServerSeedHash     string `json:"serverSeedHash"`
	ClientSeed         string `json:"clientSeed"`
	ClientSeedSource   string `json:"clientSeedSource"`
	Nonce              int64  `json:"nonce"`
	NextServerSeedHash string `json:"nextServerSeedHash"`
	// Closing are the pairs before it that open rounds are drawn from: GET /seed names
	// them, where there are any.
	Closing []ClosingSeed `json:"closing,omitempty"`
}

// ClosingSeed is a seed pair that ended while rounds were open that are drawn from it.
type ClosingSeed struct {
	ServerSeedHash   string   `json:"serverSeedHash"`
	ClientSeed       string   `json:"clientSeed"`
	ClientSeedSource string   `json:"clientSeedSource"`
	Rounds           []string `json:"rounds"`
}

// RotateRequest asks for a new pair; empty fields are left out.
type RotateRequest struct {
	ClientSeed             string `json:"clientSeed,omitempty"`
	ExpectedServerSeedHash string `json:"expectedServerSeedHash,omitempty"`
	IdempotencyKey         string `json:"-"`
}

// RevealedSeed is what a rotation reveals.
type RevealedSeed struct {
	ServerSeed     string `json:"serverSeed"`
	ServerSeedHash string `json:"serverSeedHash"`
	ClientSeed     string `json:"clientSeed"`
	Rounds         int64  `json:"rounds"`
}

// Rotated is what a rotation revealed and the pair that follows.
type Rotated struct {
	Revealed RevealedSeed `json:"revealed"`
	Seed     Seed         `json:"seed"`
	Replayed bool         `json:"-"`
}

// RevealedPair is a retired pair.
type RevealedPair struct {
	ID               string `json:"id"`
	ServerSeed       string `json:"serverSeed"`
	ServerSeedHash   string `json:"serverSeedHash"`
	ClientSeed       string `json:"clientSeed"`
	ClientSeedSource string `json:"clientSeedSource"`
	Rounds           int64  `json:"rounds"`
}

// RevealedPairFilter chooses a page of the caller's retired pairs.
type RevealedPairFilter struct {
	PageRequest
}

// RevealedPairPage is a page of retired pairs.
type RevealedPairPage struct {
	Seeds    []RevealedPair `json:"seeds"`
	PageInfo `json:",inline"`
}
