package api

import (
	"encoding/json"

	"github.com/casino-service/casino/domain/token"
)

// Index says where things are.
type Index struct {
	Version string `json:"version"`
	Links   Links  `json:"links"`
}

// Links are the paths that a client begins with.
type Links struct {
	Docs     string `json:"docs"`
	OpenAPI  string `json:"openapi"`
	Health   string `json:"health"`
	Games    string `json:"games"`
	Tokens   string `json:"tokens"`
	Treasury string `json:"treasury"`
	Login    string `json:"login"`
}

// Health is the service's state. A service that is down has one too.
type Health struct {
	Status  string           `json:"status"` // ok, degraded or down
	Version string           `json:"version"`
	Checks  map[string]Check `json:"checks"`
}

// Check is the newest probe of one dependency.
type Check struct {
	Status    string `json:"status"` // ok, degraded, down or disabled
	LatencyMs int64  `json:"latencyMs"`
	// Detail says what is wrong where a person needs to know; left out otherwise.
	Detail string `json:"detail,omitzero"`
}

// AddressResponse is the treasury's address, where deposits are sent.
type AddressResponse struct {
	Address string `json:"address"`
}

// Branding is the casino's public face.
type Branding struct {
	Title       string `json:"title"`
	LogoURL     string `json:"logoUrl"`
	AccentColor string `json:"accentColor"`
}

// BrandingRequest changes the branding; nil fields stay.
type BrandingRequest struct {
	Title       *string `json:"title,omitempty"`
	LogoURL     *string `json:"logoUrl,omitempty"`
	AccentColor *string `json:"accentColor,omitempty"`
}

// RecentBet is a bet as everybody sees it.
type RecentBet struct {
	ID         string `json:"id"`
	Provider   string `json:"provider"`
	GameType   string `json:"gameType"`
	Player     string `json:"player"` // a pseudonym of the month
	Token      string `json:"token"`
	Wager      int64  `json:"wager" units:"base"`
	Payout     int64  `json:"payout" units:"base"`
	Multiplier Number `json:"multiplier"`
	CreatedAt  int64  `json:"createdAt"`
}

// RecentBetsResponse is the last bets of all players.
type RecentBetsResponse struct {
	Bets []RecentBet `json:"bets"`
}

// Game is one of the house's games.
type Game struct {
	GameType     string          `json:"gameType"`
	Rules        string          `json:"rules"`
	Title        string          `json:"title"`
	Explanation  *string         `json:"explanation"`  // null for games without one
	ConfigSchema json.RawMessage `json:"configSchema"` // JSON Schema; null for games that are only played step by step, as Defaults
	Defaults     json.RawMessage `json:"defaults"`
	Steps        *GameSteps      `json:"steps"` // null for games that are decided in one call alone
	RTP          Returns         `json:"rtp"`
	Table        json.RawMessage `json:"table"` // null for games without one
	Limits       []WagerLimits   `json:"limits"`
}

// GameSteps is a game as it is played step by step, with what its defaults return. Least
// is that of the worst way to play, null where it depends on how well a round is played.
type GameSteps struct {
	ConfigSchema  json.RawMessage `json:"configSchema"`
	Defaults      json.RawMessage `json:"defaults"`
	Best          Return          `json:"best"`
	Least         *Return         `json:"least"`
	MaxStake      Number          `json:"maxStake"`
	MaxMultiplier Number          `json:"maxMultiplier"`
}

// Returns are a game's returns to player: of its defaults, and the least and the
// greatest of any config.
type Returns struct {
	Default Return `json:"default"`
	Min     Return `json:"min"`
	Max     Return `json:"max"`
}

// Return is a return to player: exact, and the same in percent for people.
type Return struct {
	Ratio   string `json:"ratio"`
	Percent Number `json:"percent"`
}

// WagerLimits bound a round in one token.
type WagerLimits struct {
	Token     string `json:"token"`
	MinWager  int64  `json:"minWager" units:"base"`
	MaxWager  int64  `json:"maxWager" units:"base"`
	MaxPayout int64  `json:"maxPayout" units:"base"`
}

// ReturnRequest asks for the figures of a config; left out, of the defaults.
type ReturnRequest struct {
	Config any `json:"config,omitempty"`
	// Steps asks for a round that is played step by step.
	Steps bool `json:"steps,omitzero"`
}

// ConfigReturn is what a config pays in the long run, exactly.
type ConfigReturn struct {
	GameType            string          `json:"gameType"`
	Rules               string          `json:"rules"`
	Config              json.RawMessage `json:"config"`   // as it takes effect
	RTP                 Return          `json:"rtp"`      // by steps of the best way to play
	Least               *Return         `json:"least"`    // by steps of the worst, where all are alike; else null
	Variance            *Variance       `json:"variance"` // null by steps
	MaxStake            Number          `json:"maxStake"` // in first wagers
	MaxMultiplier       Number          `json:"maxMultiplier"`
	MaxMultiplierChance *Return         `json:"maxMultiplierChance"` // null where it isn't stated
}

// Variance is that of a multiplier, in wagers squared: exact, and a decimal for people.
type Variance struct {
	Ratio   string `json:"ratio"`
	Decimal Number `json:"decimal"`
}

// GamesResponse is the house's games.
type GamesResponse struct {
	Games []Game `json:"games"`
}

// TokenTerms are the limits of one token.
type TokenTerms struct {
	Token         string        `json:"token"`
	Symbol        string        `json:"symbol"`
	Decimals      uint8         `json:"decimals"`
	Program       token.Program `json:"program"`
	MinDeposit    int64         `json:"minDeposit" units:"base"`
	MinWager      int64         `json:"minWager" units:"base"`
	MaxWager      int64         `json:"maxWager" units:"base"`
	MaxPayout     int64         `json:"maxPayout" units:"base"`
	MinWithdrawal int64         `json:"minWithdrawal" units:"base"`
	MaxWithdrawal int64         `json:"maxWithdrawal" units:"base"`
	NewAccountFee int64         `json:"newAccountFee" units:"base"`
	Closing       bool          `json:"closing"`
}

// TokensResponse is the tokens that the casino knows.
type TokensResponse struct {
	Tokens []TokenTerms `json:"tokens"`
}

// VerifyRequest is a round to be recomputed. Rules, Config and Expected may be left out,
// and Actions of a round that was decided in one call.
type VerifyRequest struct {
	GameType   string         `json:"gameType"`
	Rules      string         `json:"rules,omitempty"`
	Config     any            `json:"config,omitempty"`
	ServerSeed string         `json:"serverSeed"`
	ClientSeed string         `json:"clientSeed"`
	Nonce      int64          `json:"nonce"`
	Actions    any            `json:"actions,omitempty"`
	Expected   *ExpectedRound `json:"expected,omitempty"`
}

// ExpectedRound is what somebody was shown of a round: what is left out isn't compared.
// The payout needs the wager.
type ExpectedRound struct {
	ServerSeedHash string `json:"serverSeedHash,omitempty"`
	Outcome        any    `json:"outcome,omitempty"`
	Multiplier     any    `json:"multiplier,omitempty"`
	Wager          *int64 `json:"wager,omitempty" units:"base"`
	Payout         *int64 `json:"payout,omitempty" units:"base"`
}

// Verified is what the seeds decide. Matches and Differences are there when something was
// expected; Differences names what isn't as it was expected.
type Verified struct {
	Outcome        json.RawMessage `json:"outcome"`
	Multiplier     Number          `json:"multiplier"`
	ServerSeedHash string          `json:"serverSeedHash"`
	Matches        *bool           `json:"matches,omitzero"`
	Differences    *[]string       `json:"differences,omitzero"`
}

// Checkpoint is the newest block of a lane of the ledger's hash chain.
type Checkpoint struct {
	Lane int    `json:"lane"`
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	Head string `json:"head"` // lane:seq:hash, for casino audit --head
}

// SignedCheckpoint states the same heads under a signature.
type SignedCheckpoint struct {
	Ledger string `json:"ledger"`
	Epoch  int64  `json:"epoch"`
	Time   int64  `json:"time"`
	// Slot is the newest finalized slot that the service knew; null for none.
	Slot *uint64 `json:"slot"`
	// Statement is the text that was signed, which states all of it.
	Statement string `json:"statement"`
	Kid       string `json:"kid"`       // of the key that signed it
	Signature string `json:"signature"` // Ed25519 over the text's bytes, base64
}

// StatementKey is the public half of a key that signs, or signed, statements.
type StatementKey struct {
	Kid       string `json:"kid"`
	PublicKey string `json:"publicKey"` // SubjectPublicKeyInfo, base64
}

// CheckpointsResponse is the heads of the hash chain's lanes.
type CheckpointsResponse struct {
	Checkpoints []Checkpoint      `json:"checkpoints"`
	Signed      *SignedCheckpoint `json:"signed"` // null where nothing signs
	Keys        []StatementKey    `json:"keys"`   // newest first
}
