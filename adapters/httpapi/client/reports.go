package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Overview is where the business stands. Totals are JSON integers of any length.
type Overview struct {
	Players     int64            `json:"players"`
	Rounds      int64            `json:"rounds"`
	Tokens      []TokenOverview  `json:"tokens"`
	Withdrawals map[string]int64 `json:"withdrawals"` // by status
	Agents      int64            `json:"agents"`
	Games       int64            `json:"providerGames"`
}

// TokenOverview is the business in one token.
type TokenOverview struct {
	Token       string      `json:"token"`
	Wagered     json.Number `json:"wagered"`
	Paid        json.Number `json:"paid"`
	GGR         json.Number `json:"ggr"`
	Liabilities json.Number `json:"liabilities"`
	Held        json.Number `json:"held"`
	Treasury    *int64      `json:"treasury"` // nil when the chain doesn't tell
	Solvent     *bool       `json:"solvent"`
	// Difference is by how much the chain holds more than the ledger explains, nil
	// when it is unknown.
	Difference *json.Number `json:"difference"`
}

// Overview returns where the business stands.
func (c *Client) Overview(ctx context.Context) (Overview, error) {
	return do[Overview](ctx, c, call{method: http.MethodGet, path: "/admin/overview"})
}

// DailyGGR is the gross gaming revenue of a day and token.
type DailyGGR struct {
	Date    string      `json:"date"`
	Token   string      `json:"token"`
	Rounds  int64       `json:"rounds"`
	Wagered json.Number `json:"wagered"`
	Paid    json.Number `json:"paid"`
	GGR     json.Number `json:"ggr"`
}

// GGRDaily returns the last days, oldest first; 0 days and no token mean the
// service's defaults.
func (c *Client) GGRDaily(ctx context.Context, days int, token string) ([]DailyGGR, error) {
	answer, err := do[struct {
		Metrics []DailyGGR `json:"metrics"`
	}](ctx, c, call{method: http.MethodGet, path: "/admin/metrics/ggr-daily", query: daysQuery(days, token)})
	return answer.Metrics, err
}

// GameReturn is the return of a game in a token, as decimals.
type GameReturn struct {
	Provider       string      `json:"provider"`
	GameType       string      `json:"gameType"`
	Token          string      `json:"token"`
	Rounds         int64       `json:"rounds"`
	Wagered        json.Number `json:"wagered"`
	Paid           json.Number `json:"paid"`
	RTP            string      `json:"rtp"`
	TheoreticalRTP string      `json:"theoreticalRtp"`
	Margin         *string     `json:"margin"` // nil when it can't be told
	Status         string      `json:"status"`
}

// Returns returns actual against theoretical returns of the last days.
func (c *Client) Returns(ctx context.Context, days int, token string) ([]GameReturn, error) {
	answer, err := do[struct {
		Games []GameReturn `json:"games"`
	}](ctx, c, call{method: http.MethodGet, path: "/admin/metrics/rtp", query: daysQuery(days, token)})
	return answer.Games, err
}

func daysQuery(days int, token string) url.Values {
	query := url.Values{}
	if days != 0 {
		query.Set("days", strconv.Itoa(days))
	}
	put(query, "token", token)
	return query
}

// AdminRound is a round with whose it is.
type AdminRound struct {
	Round
	Wallet    string `json:"wallet"`
	AgentCode string `json:"agentCode"`
}

// AdminRounds is a page of rounds.
type AdminRounds struct {
	Rounds []AdminRound `json:"rounds"`
	PageInfo
}

// AdminRoundFilter narrows a list of rounds; zero fields don't.
type AdminRoundFilter struct {
	List
	Wallet, GameType, Token, AgentCode string
	From, To                           time.Time
}

// AdminGames lists the rounds of all players.
func (c *Client) AdminGames(ctx context.Context, f AdminRoundFilter) (AdminRounds, error) {
	query := f.query()
	put(query, "wallet", f.Wallet)
	put(query, "gameType", f.GameType)
	put(query, "token", f.Token)
	put(query, "agentCode", f.AgentCode)
	putTime(query, "from", f.From)
	putTime(query, "to", f.To)
	return do[AdminRounds](ctx, c, call{method: http.MethodGet, path: "/admin/games", query: query})
}

// AuditRecord is who changed what.
type AuditRecord struct {
	ID        string  `json:"id"`
	Action    string  `json:"action"`
	By        *string `json:"by"` // nil when the service did
	Target    string  `json:"target"`
	Before    *string `json:"before"`
	After     *string `json:"after"`
	CreatedAt int64   `json:"createdAt"` // Unix milliseconds
	RequestID *string `json:"requestId"`
}

// AuditRecords is a page of records.
type AuditRecords struct {
	Records []AuditRecord `json:"records"`
	PageInfo
}

// AuditFilter narrows a list of records; zero fields don't.
type AuditFilter struct {
	List
	By, Target, Action string
	From, To           time.Time
}

// AuditLog lists the record of who changed what.
func (c *Client) AuditLog(ctx context.Context, f AuditFilter) (AuditRecords, error) {
	query := f.query()
	put(query, "by", f.By)
	put(query, "target", f.Target)
	put(query, "action", f.Action)
	putTime(query, "from", f.From)
	putTime(query, "to", f.To)
	return do[AuditRecords](ctx, c, call{method: http.MethodGet, path: "/admin/audit", query: query})
}
