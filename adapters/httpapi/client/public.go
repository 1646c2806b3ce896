package client

import (
	"context"
	"encoding/json"
	"net/http"
)

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
}

// Health returns the service's state.
func (c *Client) Health(ctx context.Context) (Health, error) {
	return do[Health](ctx, c, call{method: http.MethodGet, path: "/health"})
}

// WalletAddress returns the treasury, where deposits are sent.
func (c *Client) WalletAddress(ctx context.Context) (string, error) {
	answer, err := do[struct {
		Address string `json:"address"`
	}](ctx, c, call{method: http.MethodGet, path: "/wallet-address"})
	return answer.Address, err
}

// Branding is the casino's public face.
type Branding struct {
	Title       string `json:"title"`
	LogoURL     string `json:"logoUrl"`
	AccentColor string `json:"accentColor"`
}

// Whitelabel returns the branding.
func (c *Client) Whitelabel(ctx context.Context) (Branding, error) {
	return do[Branding](ctx, c, call{method: http.MethodGet, path: "/public/whitelabel"})
}

// RecentBet is a bet as everybody sees it.
type RecentBet struct {
	ID         string      `json:"id"`
	GameType   string      `json:"gameType"`
	Wallet     string      `json:"wallet"` // masked
	Token      string      `json:"token"`
	Wager      int64       `json:"wager"`
	Payout     int64       `json:"payout"`
	Multiplier json.Number `json:"multiplier"`
	CreatedAt  int64       `json:"createdAt"`
}

// RecentBets returns the last 20 bets of all players.
func (c *Client) RecentBets(ctx context.Context) ([]RecentBet, error) {
	answer, err := do[struct {
		Bets []RecentBet `json:"bets"`
	}](ctx, c, call{method: http.MethodGet, path: "/recent-bets"})
	return answer.Bets, err
}

// Game is one of the house's games.
type Game struct {
	GameType     string          `json:"gameType"`
	Rules        string          `json:"rules"`
	Title        string          `json:"title"`
	ConfigSchema json.RawMessage `json:"configSchema"` // JSON Schema
	Defaults     json.RawMessage `json:"defaults"`
	RTP          struct {
		Default, Min, Max Return
	} `json:"rtp"`
	Table  json.RawMessage `json:"table"` // null for games without one
	Limits []WagerLimits   `json:"limits"`
}

// Return is a return to player: exact, and in percent.
type Return struct {
	Ratio   string      `json:"ratio"`
	Percent json.Number `json:"percent"`
}

// WagerLimits bound a round in one token.
type WagerLimits struct {
	Token     string `json:"token"`
	MinWager  int64  `json:"minWager"`
	MaxWager  int64  `json:"maxWager"`
	MaxPayout int64  `json:"maxPayout"`
}

// Games returns the house's games.
func (c *Client) Games(ctx context.Context) ([]Game, error) {
	answer, err := do[struct {
		Games []Game `json:"games"`
	}](ctx, c, call{method: http.MethodGet, path: "/public/games"})
	return answer.Games, err
}

// TokenTerms are the limits of one token.
type TokenTerms struct {
	Token         string `json:"token"`
	Symbol        string `json:"symbol"`
	Decimals      int    `json:"decimals"`
	Program       string `json:"program"`
	MinDeposit    int64  `json:"minDeposit"`
	MinWager      int64  `json:"minWager"`
	MaxWager      int64  `json:"maxWager"`
	MaxPayout     int64  `json:"maxPayout"`
	MinWithdrawal int64  `json:"minWithdrawal"`
	MaxWithdrawal int64  `json:"maxWithdrawal"`
	NewAccountFee int64  `json:"newAccountFee"`
	Closing       bool   `json:"closing"`
}

// Tokens returns the tokens the casino knows.
func (c *Client) Tokens(ctx context.Context) ([]TokenTerms, error) {
	answer, err := do[struct {
		Tokens []TokenTerms `json:"tokens"`
	}](ctx, c, call{method: http.MethodGet, path: "/public/tokens"})
	return answer.Tokens, err
}

// VerifyRequest is a round to be recomputed. Rules and Config may be left out.
type VerifyRequest struct {
	GameType   string `json:"gameType"`
	Rules      string `json:"rules,omitempty"`
	Config     any    `json:"config,omitempty"`
	ServerSeed string `json:"serverSeed"`
	ClientSeed string `json:"clientSeed"`
	Nonce      int64  `json:"nonce"`
}

// Verified is what the seeds decide.
type Verified struct {
	Outcome        json.RawMessage `json:"outcome"`
	Multiplier     json.Number     `json:"multiplier"`
	ServerSeedHash string          `json:"serverSeedHash"`
}

// Verify recomputes a round.
func (c *Client) Verify(ctx context.Context, r VerifyRequest) (Verified, error) {
	return do[Verified](ctx, c, call{method: http.MethodPost, path: "/public/verify", body: r})
}

// Checkpoint is the newest block of a lane of the ledger's hash chain.
type Checkpoint struct {
	Lane int    `json:"lane"`
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	Head string `json:"head"` // lane:seq:hash, for casino audit --head
}

// Checkpoints returns the heads of the hash chains.
func (c *Client) Checkpoints(ctx context.Context) ([]Checkpoint, error) {
	answer, err := do[struct {
		Checkpoints []Checkpoint `json:"checkpoints"`
	}](ctx, c, call{method: http.MethodGet, path: "/public/checkpoints"})
	return answer.Checkpoints, err
}

// OpenAPI returns the service's contract as JSON.
func (c *Client) OpenAPI(ctx context.Context) (json.RawMessage, error) {
	return do[json.RawMessage](ctx, c, call{method: http.MethodGet, path: "/openapi.json"})
}
