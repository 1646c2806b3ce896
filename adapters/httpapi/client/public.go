package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"
)

// Health is the service's own report.
type Health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// Health asks how the service is. A service whose database is down answers an
// error of status 503.
func (c *Client) Health(ctx context.Context) (Health, error) {
	var health Health
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/health"}, &health)
	return health, err
}

// TreasuryAddress returns the wallet that deposits are sent to.
func (c *Client) TreasuryAddress(ctx context.Context) (string, error) {
	var answer struct {
		Address string `json:"address"`
	}
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/wallet-address"}, &answer)
	return answer.Address, err
}

// Token is an accepted token.
type Token struct {
	Mint     string `json:"mint"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
}

// Tokens lists the accepted tokens.
func (c *Client) Tokens(ctx context.Context) ([]Token, error) {
	var answer struct {
		Tokens []Token `json:"tokens"`
	}
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/public/tokens"}, &answer)
	return answer.Tokens, err
}

// Game is a game on offer.
type Game struct {
	GameType string `json:"gameType"`
	Rules    string `json:"rules"`
}

// Games lists the games on offer.
func (c *Client) Games(ctx context.Context) ([]Game, error) {
	var answer struct {
		Games []Game `json:"games"`
	}
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/public/games"}, &answer)
	return answer.Games, err
}

// Claim names a round to be recomputed.
type Claim struct {
	GameType   string         `json:"gameType"`
	Rules      string         `json:"rules"`
	Config     jsontext.Value `json:"config"`
	ServerSeed string         `json:"serverSeed"`
	ClientSeed string         `json:"clientSeed"`
	Nonce      int64          `json:"nonce"`
}

// Verified is what the rules make of a claim.
type Verified struct {
	Outcome        jsontext.Value `json:"outcome"`
	Multiplier     jsontext.Value `json:"multiplier"`
	ServerSeedHash string         `json:"serverSeedHash"`
}

// Verify recomputes a round at the service, which needs no state for it.
func (c *Client) Verify(ctx context.Context, claim Claim) (Verified, error) {
	var verified Verified
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/public/verify", body: claim}, &verified)
	return verified, err
}

// Approve says yes to a withdrawal; the caller needs withdraw:approve.
func (c *Client) Approve(ctx context.Context, id, note string) (Withdrawal, error) {
	return c.decide(ctx, "approve", map[string]any{"id": id, "note": note})
}

// Reject says no to a withdrawal; the caller needs withdraw:reject.
func (c *Client) Reject(ctx context.Context, id, reason string) (Withdrawal, error) {
	return c.decide(ctx, "reject", map[string]any{"id": id, "reason": reason})
}

func (c *Client) decide(ctx context.Context, word string, body map[string]any) (Withdrawal, error) {
	var answer struct {
		Withdrawal Withdrawal `json:"withdrawal"`
	}
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/admin/withdraw/" + word, body: body}, &answer)
	return answer.Withdrawal, err
}

// Adjust credits (positive) or debits (negative) a player's balance; the caller
// needs balances:write. It returns the balance after it.
func (c *Client) Adjust(ctx context.Context, wallet, token string, amount int64, reason, key string) (int64, error) {
	var answer struct {
		Balance int64 `json:"balance"`
	}
	_, err := c.do(ctx, call{
		method: http.MethodPatch, path: "/admin/balances/" + url.PathEscape(wallet), idempotencyKey: key,
		body: map[string]any{"token": token, "amount": amount, "reason": reason},
	}, &answer)
	return answer.Balance, err
}
