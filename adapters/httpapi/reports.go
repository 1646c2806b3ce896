package httpapi

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/withdrawal"
)

func (a *API) overview(r *request) (answer, error) {
	found, err := a.casino.Admin.Overview(r.ctx, r.caller)
	if err != nil {
		return answer{}, err
	}
	open := found.Withdrawals
	return ok(api.Overview{
		Players: found.Players, Rounds: found.Rounds, Agents: found.Agents, ProviderGames: found.ProviderGames, Tokens: each(found.Tokens, tokenOverviewOf),
		Withdrawals: api.OpenWithdrawals{
			Pending: open[withdrawal.Pending], Approved: open[withdrawal.Approved], Sending: open[withdrawal.Sending], Failed: open[withdrawal.Failed],
		},
	}), nil
}

func tokenOverviewOf(t admin.TokenOverview) api.TokenOverview {
	row := api.TokenOverview{
		Token: string(t.Token), Wagered: total(t.Wagered), Paid: total(t.Paid), GGR: total(t.GGR),
		Liabilities: total(t.Liabilities), Held: total(t.Held),
	}
	if t.Treasury != nil {
		held, solvent, difference := int64(t.Treasury.Holding), t.Treasury.Solvent(), total(t.Treasury.Difference())
		row.Treasury, row.Solvent, row.Difference = &held, &solvent, &difference
	}
	return row
}

// daysDefault is the length of a report that doesn't say its own.
const daysDefault = 30

// days reads how many days a report is about.
func days(q *parse.Query) int { return int(q.Integer("days", daysDefault, admin.ReportDaysMax)) }

func dailyOf(d admin.DailyGGR) api.DailyGGR {
	return api.DailyGGR{
		Date: d.Day, Token: string(d.Token), Rounds: d.Rounds, Wagered: total(d.Wagered), Paid: total(d.Paid), GGR: total(d.GGR()),
	}
}

func (a *API) ggrDaily(r *request) (answer, error) {
	days, mint := days(r.query), r.query.Token()
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	rows, err := a.casino.Admin.GGRDaily(r.ctx, r.caller, days, mint)
	if err != nil {
		return answer{}, err
	}
	metrics := each(rows, dailyOf)
	if !parse.Prefers(r.http.Header, "text/csv") {
		return ok(api.DailyGGRResponse{Days: days, Metrics: metrics}), nil
	}
	return sheetOf(a, "ggr-daily", dailyColumns, func(_ context.Context, put func(api.DailyGGR) error) error {
		for _, row := range metrics {
			if err := put(row); err != nil {
				return err
			}
		}
		return nil
	}), nil
}

var dailyColumns = []sheet.Column[api.DailyGGR]{
	sheet.Text("date", func(d api.DailyGGR) string { return d.Date }),
	sheet.Text("token", func(d api.DailyGGR) string { return d.Token }),
	sheet.Integer("rounds", func(d api.DailyGGR) int64 { return d.Rounds }),
	sheet.Number("wagered", func(d api.DailyGGR) api.Number { return d.Wagered }),
	sheet.Number("paid", func(d api.DailyGGR) api.Number { return d.Paid }),
	sheet.Number("ggr", func(d api.DailyGGR) api.Number { return d.GGR }),
}

func (a *API) returns(r *request) (answer, error) {
	days, mint := days(r.query), r.query.Token()
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	rows, err := a.casino.Admin.Returns(r.ctx, r.caller, days, mint)
	return ok(api.GameReturnsResponse{Days: days, Games: each(rows, returnOf)}), err
}

func returnOf(g admin.GameReturn) api.GameReturn {
	body := api.GameReturn{
		Provider: g.Source, GameType: g.Game, Token: string(g.Token), Rounds: g.Rounds, Wagered: total(g.Wagered), Paid: total(g.Paid),
		RTP: millionths(g.Actual), Status: g.Verdict,
	}
	if g.Known {
		theoretical := millionths(g.Theoretical)
		body.TheoreticalRTP = &theoretical
	}
	if g.Verdict != figure.Unknown {
		margin := millionths(g.Margin)
		body.Margin = &margin
	}
	return body
}

// millionths is a number of parts per million as a decimal with six places.
func millionths(n int64) string { return fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000) }

func shareOfRevenue(s admin.ShareRow) api.Share {
	return api.Share{
		Date: s.Day, AgentCode: s.Agent, Token: string(s.Token), Rounds: s.Rounds, Wagered: total(s.Wagered), Paid: total(s.Paid),
		GGR: total(s.GGR()), Percent: api.Number(s.Percent.String()), Share: api.Number(s.Share.String()),
	}
}

func (a *API) revenueShare(r *request) (answer, error) {
	days, code := days(r.query), r.query.Text("agentCode")
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	rows, err := a.casino.Admin.RevenueShare(r.ctx, r.caller, days, code)
	return ok(api.SharesResponse{Days: days, Shares: each(rows, shareOfRevenue)}), err
}
