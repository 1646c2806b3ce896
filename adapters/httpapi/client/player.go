package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// List says which page of a list is wanted. Zero fields are left to the service:
// the first page of 20. Cursor goes without Page.
type List struct {
	Page   int64
	Limit  int
	Cursor string
}

func (l List) query() url.Values {
	query := url.Values{}
	if l.Page != 0 {
		query.Set("page", strconv.FormatInt(l.Page, 10))
	}
	if l.Limit != 0 {
		query.Set("limit", strconv.Itoa(l.Limit))
	}
	put(query, "cursor", l.Cursor)
	return query
}

func put(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

func putTime(query url.Values, name string, at time.Time) {
	if !at.IsZero() {
		query.Set(name, strconv.FormatInt(at.UnixMilli(), 10))
	}
}

// PageInfo stands beside the things a page lists. Total is exact up to 1,000; of a
// list with more it is 1,000, TotalCapped is set, and pages that begin beyond those
// are asked for by NextCursor.
type PageInfo struct {
	Page        *int64  `json:"page"` // nil for pages by cursor
	Limit       int     `json:"limit"`
	Total       int     `json:"total"`
	TotalCapped bool    `json:"totalCapped"`
	NextCursor  *string `json:"nextCursor"` // nil at the end
}

// Balance is what a player has of one token.
type Balance struct {
	Token   string `json:"token"`
	Balance int64  `json:"balance"`
}

// Balances returns the caller's balances, sorted by token.
func (c *Client) Balances(ctx context.Context) ([]Balance, error) {
	answer, err := do[struct {
		Balances []Balance `json:"balances"`
	}](ctx, c, call{method: http.MethodGet, path: "/balance"})
	return answer.Balances, err
}

// Transaction is a deposit, a withdrawal or an adjustment.
type Transaction struct {
	ID          string  `json:"id"`
	Wallet      string  `json:"wallet"` // in admins' lists alone
	Type        string  `json:"type"`
	Direction   string  `json:"direction"`
	Status      string  `json:"status"`
	Token       string  `json:"token"`
	Amount      *int64  `json:"amount"` // nil while a deposit's isn't known
	Destination *string `json:"destination"`
	Signature   *string `json:"signature"`
	Reason      *string `json:"reason"`
	CreatedAt   int64   `json:"createdAt"`
	UpdatedAt   int64   `json:"updatedAt"`
}

// Deposited is a registered deposit. Balance is nil until it is credited.
type Deposited struct {
	Transaction Transaction `json:"transaction"`
	Balance     *int64      `json:"balance"`
}

// Deposit registers an on-chain deposit by its transaction's signature.
func (c *Client) Deposit(ctx context.Context, signature, token string) (Deposited, error) {
	body := map[string]string{"signature": signature, "token": token}
	return do[Deposited](ctx, c, call{method: http.MethodPost, path: "/deposit", body: body})
}

// WithdrawRequest asks for a withdrawal.
type WithdrawRequest struct {
	Amount         int64  `json:"amount"`
	Token          string `json:"token"`
	Destination    string `json:"destination"`
	IdempotencyKey string `json:"-"`
}

// Withdrawal is a player's request to be paid on chain.
type Withdrawal struct {
	ID                 string  `json:"id"`
	Wallet             string  `json:"wallet"`
	Token              string  `json:"token"`
	Amount             int64   `json:"amount"`
	Fee                int64   `json:"fee"`
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

// Withdrawn is a withdrawal and the balance after the step. Replayed says that
// it is the first answer to the idempotency key again.
type Withdrawn struct {
	Withdrawal Withdrawal `json:"withdrawal"`
	Balance    int64      `json:"balance"` // 0 in answers to admins
	Replayed   bool       `json:"-"`
}

// Withdraw asks for a withdrawal.
func (c *Client) Withdraw(ctx context.Context, r WithdrawRequest) (Withdrawn, error) {
	answer, told, err := doWith[Withdrawn](ctx, c, call{method: http.MethodPost, path: "/withdraw", body: r, key: r.IdempotencyKey})
	answer.Replayed = told.replayed()
	return answer, err
}

// CancelWithdrawal takes a pending withdrawal back.
func (c *Client) CancelWithdrawal(ctx context.Context, id string) (Withdrawn, error) {
	return do[Withdrawn](ctx, c, call{method: http.MethodPost, path: "/withdraw/" + url.PathEscape(id) + "/cancel"})
}

// Transactions is a page of an account.
type Transactions struct {
	Transactions []Transaction `json:"transactions"`
	PageInfo
}

// Transactions lists the caller's deposits, withdrawals and adjustments.
func (c *Client) Transactions(ctx context.Context, page List) (Transactions, error) {
	return do[Transactions](ctx, c, call{method: http.MethodGet, path: "/account/transactions", query: page.query()})
}

// PlayRequest is a bet. Config is encoded as JSON; nil means the defaults.
type PlayRequest struct {
	GameType       string `json:"gameType"`
	Wager          int64  `json:"wager"`
	Token          string `json:"token"`
	Config         any    `json:"config,omitempty"`
	IdempotencyKey string `json:"-"`
}

// Round is a settled round. Of a provider's round Rules, Config, Outcome and all
// of the seeds are null, and read as their zero values.
type Round struct {
	ID               string          `json:"id"`
	Provider         string          `json:"provider"` // "casino" of the house's own games
	GameType         string          `json:"gameType"`
	Rules            string          `json:"rules"`
	Token            string          `json:"token"`
	Wager            int64           `json:"wager"`
	Payout           int64           `json:"payout"`
	Multiplier       json.Number     `json:"multiplier"`
	Config           json.RawMessage `json:"config"`
	Outcome          json.RawMessage `json:"outcome"`
	ServerSeedHash   string          `json:"serverSeedHash"`
	ServerSeed       *string         `json:"serverSeed"` // nil until the pair is rotated
	ClientSeed       string          `json:"clientSeed"`
	ClientSeedSource string          `json:"clientSeedSource"`
	Nonce            int64           `json:"nonce"`
	CreatedAt        int64           `json:"createdAt"`
}

// Played is a round and the balance after it. Replayed says that it is the first
// answer to the idempotency key again.
type Played struct {
	Round    Round `json:"round"`
	Balance  int64 `json:"balance"`
	Replayed bool  `json:"-"`
}

// Play plays one round.
func (c *Client) Play(ctx context.Context, r PlayRequest) (Played, error) {
	answer, told, err := doWith[Played](ctx, c, call{method: http.MethodPost, path: "/play", body: r, key: r.IdempotencyKey})
	answer.Replayed = told.replayed()
	return answer, err
}

// RoundFilter narrows a list of rounds; zero fields don't.
type RoundFilter struct {
	List
	GameType, Token string
	From, To        time.Time
}

// Rounds is a page of rounds.
type Rounds struct {
	Rounds []Round `json:"rounds"`
	PageInfo
}

// History lists the caller's rounds.
func (c *Client) History(ctx context.Context, f RoundFilter) (Rounds, error) {
	query := f.query()
	put(query, "gameType", f.GameType)
	put(query, "token", f.Token)
	putTime(query, "from", f.From)
	putTime(query, "to", f.To)
	return do[Rounds](ctx, c, call{method: http.MethodGet, path: "/history", query: query})
}

// Round returns one of the caller's rounds.
func (c *Client) Round(ctx context.Context, id string) (Round, error) {
	answer, err := do[struct {
		Round Round `json:"round"`
	}](ctx, c, call{method: http.MethodGet, path: "/history/" + url.PathEscape(id)})
	return answer.Round, err
}

// Seed is the caller's active seed pair.
type Seed struct {
	ServerSeedHash     string `json:"serverSeedHash"`
	ClientSeed         string `json:"clientSeed"`
	ClientSeedSource   string `json:"clientSeedSource"`
	Nonce              int64  `json:"nonce"`
	NextServerSeedHash string `json:"nextServerSeedHash"`
}

// Seed returns the active pair.
func (c *Client) Seed(ctx context.Context) (Seed, error) {
	return do[Seed](ctx, c, call{method: http.MethodGet, path: "/seed"})
}

// RotateRequest asks for a new pair; empty fields are left out.
type RotateRequest struct {
	ClientSeed             string `json:"clientSeed,omitempty"`
	ExpectedServerSeedHash string `json:"expectedServerSeedHash,omitempty"`
	IdempotencyKey         string `json:"-"`
}

// RevealedSeed is a retired pair. ID and ClientSeedSource come with lists alone.
type RevealedSeed struct {
	ID               string `json:"id"`
	ServerSeed       string `json:"serverSeed"`
	ServerSeedHash   string `json:"serverSeedHash"`
	ClientSeed       string `json:"clientSeed"`
	ClientSeedSource string `json:"clientSeedSource"`
	Rounds           int64  `json:"rounds"`
}

// Rotated is what a rotation revealed and the pair that follows.
type Rotated struct {
	Revealed RevealedSeed `json:"revealed"`
	Seed     Seed         `json:"seed"`
	Replayed bool         `json:"-"`
}

// RotateSeed reveals the active server seed and starts the next pair.
func (c *Client) RotateSeed(ctx context.Context, r RotateRequest) (Rotated, error) {
	answer, told, err := doWith[Rotated](ctx, c, call{method: http.MethodPost, path: "/seed/rotate", body: r, key: r.IdempotencyKey})
	answer.Replayed = told.replayed()
	return answer, err
}

// RevealedSeeds is a page of retired pairs.
type RevealedSeeds struct {
	Seeds []RevealedSeed `json:"seeds"`
	PageInfo
}

// SeedHistory lists the caller's retired pairs.
func (c *Client) SeedHistory(ctx context.Context, page List) (RevealedSeeds, error) {
	return do[RevealedSeeds](ctx, c, call{method: http.MethodGet, path: "/seed/history", query: page.query()})
}

// Launch asks for a provider's game and returns where the player is sent to. An
// empty language means the service's default.
func (c *Client) Launch(ctx context.Context, gameCode, userCode, language string) (string, error) {
	answer, err := do[struct {
		URL string `json:"url"`
	}](ctx, c, call{method: http.MethodPost, path: "/legacy/launch", body: struct {
		GameCode string `json:"gameCode"`
		UserCode string `json:"userCode"`
		Language string `json:"language,omitempty"`
	}{gameCode, userCode, language}})
	return answer.URL, err
}
