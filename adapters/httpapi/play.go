package httpapi

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/ports"
)

type roundBody struct {
	ID               string         `json:"id"`
	Provider         string         `json:"provider"`
	GameType         string         `json:"gameType"`
	Rules            *string        `json:"rules"`
	Token            string         `json:"token"`
	Wager            int64          `json:"wager"`
	Payout           int64          `json:"payout"`
	Multiplier       jsontext.Value `json:"multiplier"`
	Config           jsontext.Value `json:"config"`
	Outcome          jsontext.Value `json:"outcome"`
	ServerSeedHash   *string        `json:"serverSeedHash"`
	ServerSeed       *string        `json:"serverSeed"`
	ClientSeed       *string        `json:"clientSeed"`
	ClientSeedSource *string        `json:"clientSeedSource"`
	Nonce            *int64         `json:"nonce"`
	CreatedAt        int64          `json:"createdAt"`
}

// roundOf shows a round; serverSeed is empty until the pair is retired. A
// provider's round has no rules, config, outcome and seeds of ours.
func roundOf(r bet.Round, serverSeed string) roundBody {
	body := roundBody{
		ID: r.ID, Provider: r.Source, GameType: r.GameType, Rules: orNull(r.Rules), Token: string(r.Token),
		Wager: int64(r.Wager), Payout: int64(r.Payout), Multiplier: ratioJSON(r.Multiplier),
		Config: valueJSON(r.Config), Outcome: valueJSON(r.Outcome), CreatedAt: millis(r.At),
	}
	if r.Source == "" {
		source := r.ClientSource.String()
		body.Provider, body.ServerSeedHash, body.ServerSeed = figure.Own, &r.Commitment, orNull(serverSeed)
		body.ClientSeed, body.ClientSeedSource, body.Nonce = &r.ClientSeed, &source, &r.Nonce
	}
	return body
}

func (a *API) play(r *request) (answer, error) {
	f := r.body("gameType", "wager", "token", "config")
	order := app.PlayRequest{GameType: f.text("gameType"), Wager: f.amount("wager"), Token: f.token(), Config: f.config()}
	order.Idempotency = r.idempotency(f)
	if f.err != nil {
		return answer{}, f.err
	}
	played, err := a.casino.Play(r.context(), r.caller, order)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, replayed: played.Replayed, body: struct {
		Round   roundBody `json:"round"`
		Balance int64     `json:"balance"`
	}{roundOf(played.Round, ""), int64(played.Balance)}}, nil
}

func (a *API) history(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	filter := ports.RoundFilter{GameType: f.text("gameType"), Token: f.token(), From: f.time("from"), To: f.time("to")}
	if f.err != nil {
		return answer{}, f.err
	}
	found, err := a.casino.History(r.context(), r.caller, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Rounds   []roundBody `json:"rounds"`
		listInfo `json:",inline"`
	}{each(found.Rounds, roundWithSeed), listOf(wanted, found.PageInfo)}), nil
}

func (a *API) round(r *request) (answer, error) {
	found, err := a.casino.Round(r.context(), r.caller, r.params["id"])
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Round roundBody `json:"round"`
	}{roundWithSeed(found)}), nil
}

func roundWithSeed(r app.RoundWithSeed) roundBody { return roundOf(r.Round, r.ServerSeed) }
