package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/fault"
)

func (a *API) play(r *request) (answer, error) {
	f := r.body()
	order := play.PlayRequest{GameType: f.Text("gameType"), Wager: f.Amount("wager"), Token: f.Token(), Config: f.Config()}
	order.Idempotency = r.idempotency(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	played, err := a.casino.Play.Play(r.ctx, r.caller, order)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, replayed: played.Replayed, body: api.Played{
		Round: roundOf(played.Round, ""), Balance: int64(played.Balance),
	}}, nil
}

// launch responds with the address at which the caller plays a provider's game.
func (a *API) launch(r *request) (answer, error) {
	f := r.body()
	order := providers.LaunchRequest{GameCode: f.Text("gameCode"), UserCode: f.Text("userCode")}
	if language := f.OptionalText("language"); language != nil {
		if order.Language = *language; *language == "" {
			f.Refuse("language", "must be a language tag such as pt or pt-BR")
		}
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	address := observationOf(r.ctx).client.key()
	if a.launching.take(address, a.launchesAtOnce) == a.launchesAtOnce {
		return answer{}, fault.New(fault.RateLimited, "too many launches at once: at most %d from one address", a.launchesAtOnce).
			With("retryAfterMs", 1000)
	}
	defer a.launching.leave(address)
	url, err := a.casino.Providers.Launch(r.ctx, r.caller, order)
	return ok(api.LaunchResponse{URL: url}), err
}
