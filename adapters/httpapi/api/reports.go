package api

import "github.com/casino-service/casino/domain/figure"

// Overview is the state of the business.
type Overview struct {
	Players     int64           `json:"players"`
	Rounds      int64           `json:"rounds"`
	Tokens      []TokenOverview `json:"tokens"`
	Agents      int64           `json:"agents"`
	Games       int64           `json:"providerGames"`
	Withdrawals OpenWithdrawals `json:"withdrawals"`
}

// OpenWithdrawals are the withdrawals that aren't done, by status.
type OpenWithdrawals struct {
	Pending  int64 `json:"pending"`
	Approved int64 `json:"approved"`
	Sending  int64 `json:"sending"`
	Failed   int64 `json:"failed"`
}

// TokenOverview is the business in one token.
type TokenOverview struct {
	Token       string `json:"token"`
	Wagered     Number `json:"wagered" units:"base"`
	Paid        Number `json:"paid" units:"base"`
	GGR         Number `json:"ggr" units:"base"`
	Liabilities Number `json:"liabilities" units:"base"`
	Held        Number `json:"held" units:"base"`
	Treasury    *int64 `json:"treasury" units:"base"` // nil when it isn't known
	Solvent     *bool  `json:"solvent"`
	// Difference is by how much the chain holds more than the ledger explains, nil
	// when it isn't known.
	Difference *Number `json:"difference" units:"base"`
}

// DaysFilter narrows a report; zero Days mean the service's default.
type DaysFilter struct {
	Days  int    `query:"days"`
	Token string `query:"token"`
}

// DailyGGR is the gross gaming revenue of a day and token.
type DailyGGR struct {
	Date    string `json:"date"`
	Token   string `json:"token"`
	Rounds  int64  `json:"rounds"`
	Wagered Number `json:"wagered" units:"base"`
	Paid    Number `json:"paid" units:"base"`
	GGR     Number `json:"ggr" units:"base"`
}

// DailyGGRResponse is the last days, oldest first.
type DailyGGRResponse struct {
	Days    int        `json:"days"`
	Metrics []DailyGGR `json:"metrics"`
}

// GameReturn is the return of a game in a token, as decimals.
type GameReturn struct {
	Provider       string         `json:"provider"`
	GameType       string         `json:"gameType"`
	Token          string         `json:"token"`
	Rounds         int64          `json:"rounds"`
	Wagered        Number         `json:"wagered" units:"base"`
	Paid           Number         `json:"paid" units:"base"`
	RTP            string         `json:"rtp"`
	TheoreticalRTP *string        `json:"theoreticalRtp"` // nil where the game's rules aren't known here
	Margin         *string        `json:"margin"`         // nil where Status is Unknown
	Status         figure.Verdict `json:"status"`
}

// GameReturnsResponse is the returns of the last days.
type GameReturnsResponse struct {
	Days  int          `json:"days"`
	Games []GameReturn `json:"games"`
}
