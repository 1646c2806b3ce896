package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Balance is a player's balance of one token.
type Balance struct {
	Token   string `json:"token"`
	Balance int64  `json:"balance"`
}

// Balances lists the caller's balances.
func (c *Client) Balances(ctx context.Context) ([]Balance, error) {
	var answer struct {
		Balances []Balance `json:"balances"`
	}
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/balance"}, &answer)
	return answer.Balances, err
}

// Transaction is a deposit, a withdrawal or an adjustment.
type Transaction struct {
	ID          string  `json:"id"`
	Type        string  `json:"type"`
	Direction   string  `json:"direction"`
	Status      string  `json:"status"`
	Token       string  `json:"token"`
	Amount      int64   `json:"amount"`
	Destination *string `json:"destination"`
	Signature   *string `json:"signature"`
	Reason      *string `json:"reason"`
	CreatedAt   int64   `json:"createdAt"`
	UpdatedAt   int64   `json:"updatedAt"`
}

// Deposit registers an on-chain deposit. The transaction is credited, pending
// or in review; balance is nil until it is credited.
func (c *Client) Deposit(ctx context.Context, signature, token string) (Transaction, *int64, error) {
	var answer struct {
		Transaction Transaction `json:"transaction"`
		Balance     *int64      `json:"balance"`
	}
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/deposit", body: map[string]any{
		"signature": signature, "token": token,
	}}, &answer)
	return answer.Transaction, answer.Balance, err
}

// Withdrawal is a request to be paid on chain.
type Withdrawal struct {
	ID                 string  `json:"id"`
	Wallet             string  `json:"wallet"`
	Token              string  `json:"token"`
	Amount             int64   `json:"amount"`
	Destination        string  `json:"destination"`
	DestinationIsOwner bool    `json:"destinationIsOwner"`
	Status             string  `json:"status"`
	Approvals          int     `json:"approvals"`
	Signature          *string `json:"signature"`
	Reason             *string `json:"reason"`
	Note               *string `json:"note"`
	CreatedAt          int64   `json:"createdAt"`
	UpdatedAt          int64   `json:"updatedAt"`
}

type withdrawalAnswer struct {
	Withdrawal Withdrawal `json:"withdrawal"`
	Balance    int64      `json:"balance"`
}

// Withdraw asks for a payout; the amount leaves the balance at once. An empty
// key sends none.
func (c *Client) Withdraw(ctx context.Context, amount int64, token, destination, key string) (Withdrawal, int64, error) {
	var answer withdrawalAnswer
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/withdraw", idempotencyKey: key, body: map[string]any{
		"amount": amount, "token": token, "destination": destination,
	}}, &answer)
	return answer.Withdrawal, answer.Balance, err
}

// CancelWithdrawal takes a pending withdrawal back.
func (c *Client) CancelWithdrawal(ctx context.Context, id string) (Withdrawal, int64, error) {
	var answer withdrawalAnswer
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/withdraw/" + url.PathEscape(id) + "/cancel"}, &answer)
	return answer.Withdrawal, answer.Balance, err
}

// Page is where a page stands in its list.
type Page struct {
	Page        int     `json:"page"`
	Limit       int     `json:"limit"`
	Total       int     `json:"total"`
	TotalCapped bool    `json:"totalCapped"`
	NextCursor  *string `json:"nextCursor"`
}

func paging(page, limit int) url.Values {
	return url.Values{"page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(limit)}}
}

// Transactions lists the caller's deposits, withdrawals and adjustments, newest
// first; pages count from 1.
func (c *Client) Transactions(ctx context.Context, page, limit int) ([]Transaction, Page, error) {
	var answer struct {
		Transactions []Transaction `json:"transactions"`
		Page         `json:",inline"`
	}
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/account/transactions", query: paging(page, limit)}, &answer)
	return answer.Transactions, answer.Page, err
}

// Round is one settled game round. ServerSeed is nil until its pair is revealed.
type Round struct {
	ID               string         `json:"id"`
	GameType         string         `json:"gameType"`
	Rules            string         `json:"rules"`
	Token            string         `json:"token"`
	Wager            int64          `json:"wager"`
	Payout           int64          `json:"payout"`
	Multiplier       jsontext.Value `json:"multiplier"`
	Config           jsontext.Value `json:"config"`
	Outcome          jsontext.Value `json:"outcome"`
	ServerSeedHash   string         `json:"serverSeedHash"`
	ServerSeed       *string        `json:"serverSeed"`
	ClientSeed       string         `json:"clientSeed"`
	ClientSeedSource string         `json:"clientSeedSource"`
	Nonce            int64          `json:"nonce"`
	CreatedAt        int64          `json:"createdAt"`
}

// Bet is what to play. A nil Config takes the game's defaults.
type Bet struct {
	GameType string         `json:"gameType"`
	Wager    int64          `json:"wager"`
	Token    string         `json:"token"`
	Config   jsontext.Value `json:"config,omitempty"`
}

// Play settles one round. An empty key sends none.
func (c *Client) Play(ctx context.Context, bet Bet, key string) (round Round, balance int64, replayed bool, err error) {
	var answer struct {
		Round   Round `json:"round"`
		Balance int64 `json:"balance"`
	}
	replayed, err = c.do(ctx, call{method: http.MethodPost, path: "/play", body: bet, idempotencyKey: key}, &answer)
	return answer.Round, answer.Balance, replayed, err
}

// History lists the caller's rounds, newest first.
func (c *Client) History(ctx context.Context, page, limit int) ([]Round, Page, error) {
	var answer struct {
		Rounds []Round `json:"rounds"`
		Page   `json:",inline"`
	}
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/history", query: paging(page, limit)}, &answer)
	return answer.Rounds, answer.Page, err
}

// HistoryRound returns one of the caller's rounds.
func (c *Client) HistoryRound(ctx context.Context, id string) (Round, error) {
	var answer struct {
		Round Round `json:"round"`
	}
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/history/" + url.PathEscape(id)}, &answer)
	return answer.Round, err
}

// Seed is the active seed pair as its player may see it. Nonce is the next round's.
type Seed struct {
	ServerSeedHash     string `json:"serverSeedHash"`
	ClientSeed         string `json:"clientSeed"`
	ClientSeedSource   string `json:"clientSeedSource"`
	Nonce              int64  `json:"nonce"`
	NextServerSeedHash string `json:"nextServerSeedHash"`
}

// Revealed is a retired seed pair.
type Revealed struct {
	ServerSeed     string `json:"serverSeed"`
	ServerSeedHash string `json:"serverSeedHash"`
	ClientSeed     string `json:"clientSeed"`
	Rounds         int64  `json:"rounds"`
}

// Seed returns the active seed pair.
func (c *Client) Seed(ctx context.Context) (Seed, error) {
	var seed Seed
	_, err := c.do(ctx, call{method: http.MethodGet, path: "/seed"}, &seed)
	return seed, err
}

// Rotate reveals the active pair and begins the next one with the client seed;
// an empty one leaves the choice to the server.
func (c *Client) Rotate(ctx context.Context, clientSeed, key string) (Revealed, Seed, error) {
	body := map[string]any{}
	if clientSeed != "" {
		body["clientSeed"] = clientSeed
	}
	var answer struct {
		Revealed Revealed `json:"revealed"`
		Seed     Seed     `json:"seed"`
	}
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/seed/rotate", body: body, idempotencyKey: key}, &answer)
	return answer.Revealed, answer.Seed, err
}
