package httpapi

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
)

// total is a sum as a JSON integer of any length.
func total(t money.Total) jsontext.Value { return jsontext.Value(t.String()) }

type overviewBody struct {
	Players     int64           `json:"players"`
	Rounds      int64           `json:"rounds"`
	Tokens      []tokenOverview `json:"tokens"`
	Agents      int64           `json:"agents"`
	Games       int64           `json:"providerGames"`
	Withdrawals struct {
		Pending  int64 `json:"pending"`
		Approved int64 `json:"approved"`
		Sending  int64 `json:"sending"`
		Failed   int64 `json:"failed"`
	} `json:"withdrawals"`
}

type tokenOverview struct {
	Token       string         `json:"token"`
	Wagered     jsontext.Value `json:"wagered"`
	Paid        jsontext.Value `json:"paid"`
	GGR         jsontext.Value `json:"ggr"`
	Liabilities jsontext.Value `json:"liabilities"`
	Held        jsontext.Value `json:"held"`
	Treasury    *int64         `json:"treasury"`
	Solvent     *bool          `json:"solvent"`
	Difference  jsontext.Value `json:"difference"`
}

func (a *API) overview(r *request) (answer, error) {
	found, err := a.casino.Overview(r.context(), r.caller)
	if err != nil {
		return answer{}, err
	}
	body := overviewBody{Players: found.Players, Rounds: found.Rounds, Agents: found.Agents, Games: found.ProviderGames, Tokens: each(found.Tokens, tokenOverviewOf)}
	body.Withdrawals.Pending = found.Withdrawals[withdrawal.Pending]
	body.Withdrawals.Approved = found.Withdrawals[withdrawal.Approved]
	body.Withdrawals.Sending = found.Withdrawals[withdrawal.Sending]
	body.Withdrawals.Failed = found.Withdrawals[withdrawal.Failed]
	return ok(body), nil
}

func tokenOverviewOf(t app.TokenOverview) tokenOverview {
	row := tokenOverview{
		Token: string(t.Token), Wagered: total(t.Wagered), Paid: total(t.Paid), GGR: total(t.GGR),
		Liabilities: total(t.Liabilities), Held: total(t.Held), Difference: jsontext.Value("null"),
	}
	if t.Treasury != nil {
		held, solvent := int64(t.Treasury.Holding), t.Treasury.Solvent()
		row.Treasury, row.Solvent, row.Difference = &held, &solvent, total(t.Treasury.Difference())
	}
	return row
}

// daysDefault is the length of a report that doesn't say its own.
const daysDefault = 30

type dailyBody struct {
	Date    string         `json:"date"`
	Token   string         `json:"token"`
	Rounds  int64          `json:"rounds"`
	Wagered jsontext.Value `json:"wagered"`
	Paid    jsontext.Value `json:"paid"`
	GGR     jsontext.Value `json:"ggr"`
}

func (a *API) ggrDaily(r *request) (answer, error) {
	f := r.filters()
	days, mint := int(f.integer("days", daysDefault, app.DaysMax)), f.token()
	if f.err != nil {
		return answer{}, f.err
	}
	rows, err := a.casino.GGRDaily(r.context(), r.caller, days, mint)
	if err != nil {
		return answer{}, err
	}
	if r.csvWanted() {
		return answer{page: sheet{api: a, name: "ggr-daily", columns: []string{"date", "token", "rounds", "wagered", "paid", "ggr"},
			rows: func(_ context.Context, put func(...string) error) error {
				for _, d := range rows {
					if err := put(d.Day, cell(string(d.Token)), number(d.Rounds), d.Wagered.String(), d.Paid.String(), d.GGR().String()); err != nil {
						return err
					}
				}
				return nil
			}}}, nil
	}
	return ok(struct {
		Days    int         `json:"days"`
		Metrics []dailyBody `json:"metrics"`
	}{days, each(rows, func(d app.DailyGGR) dailyBody {
		return dailyBody{
			Date: d.Day, Token: string(d.Token), Rounds: d.Rounds, Wagered: total(d.Wagered), Paid: total(d.Paid), GGR: total(d.GGR()),
		}
	})}), nil
}

type returnBody struct {
	Provider    string         `json:"provider"`
	GameType    string         `json:"gameType"`
	Token       string         `json:"token"`
	Rounds      int64          `json:"rounds"`
	Wagered     jsontext.Value `json:"wagered"`
	Paid        jsontext.Value `json:"paid"`
	RTP         string         `json:"rtp"`
	Theoretical string         `json:"theoreticalRtp"`
	Margin      *string        `json:"margin"`
	Status      figure.Verdict `json:"status"`
}

func (a *API) returns(r *request) (answer, error) {
	f := r.filters()
	days, mint := int(f.integer("days", daysDefault, app.DaysMax)), f.token()
	if f.err != nil {
		return answer{}, f.err
	}
	rows, err := a.casino.Returns(r.context(), r.caller, days, mint)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Days  int          `json:"days"`
		Games []returnBody `json:"games"`
	}{days, each(rows, returnOf)}), nil
}

func returnOf(g app.GameReturn) returnBody {
	body := returnBody{
		Provider: g.Source, GameType: g.Game, Token: string(g.Token), Rounds: g.Rounds, Wagered: total(g.Wagered), Paid: total(g.Paid),
		RTP: millionths(g.Actual), Theoretical: millionths(g.Theoretical), Status: g.Verdict,
	}
	if g.Verdict != figure.Unknown {
		margin := millionths(g.Margin)
		body.Margin = &margin
	}
	return body
}

// millionths is a number of parts per million as a decimal with six places.
func millionths(n int64) string { return fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000) }
