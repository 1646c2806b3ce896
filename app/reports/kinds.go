package reports

import (
	"slices"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/report"
)

// Columns of several kinds.
var (
	onDay    = report.Column{Name: "day", Type: report.Period, Meaning: "UTC day"}
	at       = report.Column{Name: "at", Type: report.Moment, Meaning: "when it was recorded"}
	token    = report.Column{Name: "token", Type: report.Text, Meaning: "mint of the token"}
	decimals = report.Column{Name: "decimals", Type: report.Count, Meaning: "decimals of the token: its unit has 10^decimals base units; empty if the token isn't configured"}
	ofAgent  = report.Column{Name: "agent", Type: report.Text, Meaning: "code of the players' agent at the time"}
	ofPlayer = report.Column{Name: "player", Type: report.Text, Meaning: "the player's wallet"}
	rounds   = report.Column{Name: "rounds", Type: report.Count, Meaning: "rounds that ended, and bets of providers' games"}
	wagered  = report.Column{Name: "wagered", Type: report.Amount, Meaning: "stakes, voided ones too"}
	paid     = report.Column{Name: "paid", Type: report.Amount, Meaning: "winnings and returned stakes"}
)

// overDays are the parameters of a report over a span of days.
func overDays(more ...string) []string { return append([]string{"from", "to"}, more...) }

// kinds lists the reports. The API, the console, the CSV and docs/reports.md follow from it.
var kinds = []Kind{
	{
		Name: "revenue", Summary: "Revenue by period, token and agent. Periods without activity have a row of zeros.", Permission: rbac.AdminRead,
		Parameters: overDays("by", "token", "agentCode"), Required: overDays(), counted: true, query: (*Service).revenue,
		Columns: slices.Concat([]report.Column{
			{Name: "period", Type: report.Period, Meaning: "day, month or year, cut at the ends of the report"},
			token, decimals, ofAgent, rounds, wagered, paid,
			{Name: "ggr", Type: report.Amount, Meaning: "gross gaming revenue: wagered less paid"},
		}, adjustmentColumns(), []report.Column{
			{Name: "ngr", Type: report.Amount, Meaning: "net gaming revenue: GGR less adjustments and their corrections"},
			{Name: "active_players", Type: report.Count, Meaning: "players with at least one round in the period"},
			{Name: "deposits", Type: report.Amount, Meaning: "deposits credited"},
			{Name: "first_depositors", Type: report.Count, Meaning: "players whose first deposit in any token was credited"},
			{Name: "first_deposits", Type: report.Amount, Meaning: "their first deposits, also part of deposits"},
			{Name: "withdrawals", Type: report.Amount, Meaning: "withdrawals completed"},
		}),
	},
	{
		Name: "liabilities", Summary: "What was owed to players: now, or by the newest hourly statement up to a time.", Permission: rbac.AdminRead,
		Parameters: []string{"at", "token", "agentCode"}, query: (*Service).liabilities,
		Columns: []report.Column{
			{Name: "at", Type: report.Moment, Meaning: "time of the figures"}, token, decimals,
			{Name: "balances", Type: report.Amount, Meaning: "balances, stakes of open rounds and unclaimed deposits"},
			{Name: "held", Type: report.Amount, Meaning: "held by open withdrawals"},
			{Name: "owed", Type: report.Amount, Meaning: "all that is owed"},
		},
	},
	{
		Name: "withdrawals", Summary: "Open withdrawals, the oldest first.", Permission: rbac.AdminRead,
		Parameters: []string{"token", "agentCode", "wallet"}, query: (*Service).withdrawals,
		Columns: []report.Column{
			{Name: "age", Type: report.Text, Meaning: "band of its age: " + bandNames()},
			{Name: "hours", Type: report.Count, Meaning: "full hours since the request"},
			{Name: "at", Type: report.Moment, Meaning: "time of the request"},
			{Name: "id", Type: report.Text, Meaning: "id of the withdrawal"}, ofPlayer, token, decimals,
			{Name: "amount", Type: report.Amount, Meaning: "amount requested"},
			{Name: "status", Type: report.Text, Meaning: "state of the withdrawal"},
		},
	},
	{
		Name: "large-wins", Summary: "Rounds that paid more than the token's threshold for large wins at the time.", Permission: rbac.AuditRead,
		Parameters: overDays("token", "agentCode", "wallet"), Required: overDays(), query: (*Service).largeWins,
		Columns: []report.Column{at, {Name: "round", Type: report.Text, Meaning: "id of the round"}, ofPlayer, token, decimals, paid},
	},
	{
		Name: "large-results", Summary: "Players who won or lost at least an amount on a day.", Permission: rbac.AdminRead,
		Parameters: overDays("token", "agentCode", "wallet", "atLeast"), Required: overDays("token", "atLeast"), counted: true, query: (*Service).playerDays,
		Columns: playerDayColumns(),
	},
	{
		Name: "player-days", Summary: "What players played, by day.", Permission: rbac.AdminRead,
		Parameters: overDays("token", "agentCode", "wallet"), Required: overDays(), counted: true, query: (*Service).playerDays,
		Columns: playerDayColumns(),
	},
	{
		Name: "sessions", Summary: "Players' sign-ins, and when they signed out everywhere.", Permission: rbac.AuditRead,
		Parameters: overDays("agentCode", "wallet"), Required: overDays(), query: (*Service).sessions,
		Columns: []report.Column{at, ofPlayer, {Name: "action", Type: report.Text, Meaning: "`session.opened` or `sessions.ended`"}},
	},
	{
		Name: "restrictions", Summary: "Limits, exclusions, breaks and freezes, by whom and why.", Permission: rbac.AuditRead,
		Parameters: overDays("agentCode", "wallet"), Required: overDays(), query: (*Service).restrictions,
		Columns: []report.Column{
			at, ofPlayer, {Name: "action", Type: report.Text, Meaning: "action of the audit log"},
			{Name: "by", Type: report.Text, Meaning: "the player, an admin, or empty for the service"},
			{Name: "before", Type: report.Text, Meaning: "what held before"},
			{Name: "after", Type: report.Text, Meaning: "what holds, with the reason"},
		},
	},
	{
		Name: "screening", Summary: "Decisions of screening, and overrulings.", Permission: rbac.AuditRead,
		Parameters: overDays("agentCode", "wallet"), Required: overDays(), query: (*Service).screening,
		Columns: []report.Column{
			at, {Name: "subject", Type: report.Text, Meaning: "what was screened: purpose, wallet and subject"},
			{Name: "action", Type: report.Text, Meaning: "`admission.decided` or `admission.overruled`"},
			{Name: "by", Type: report.Text, Meaning: "the wallet that asked, or the admin who overruled"},
			{Name: "decision", Type: report.Text, Meaning: "the decision with its evidence, or the first person and the reason"},
		},
	},
}

func playerDayColumns() []report.Column {
	return []report.Column{
		onDay, ofPlayer, token, decimals, ofAgent, rounds, wagered, paid,
		{Name: "result", Type: report.Amount, Meaning: "the player's: paid less wagered"},
	}
}

// adjustmentColumns returns a column for each kind of adjustment.
func adjustmentColumns() (all []report.Column) {
	for _, kind := range player.AdjustmentKinds() {
		all = append(all, report.Column{Name: kind.String() + "s", Type: report.Amount, Meaning: "transactions of the type `" + kind.String() + "`, credits less debits"})
	}
	return all
}
