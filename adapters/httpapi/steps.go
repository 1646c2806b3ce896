package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
)

// stepRoutes returns the routes of rounds that are played step by step.
func (a *API) stepRoutes() []route {
	return []route{
		{operation.OpenRound, bettors, noWindow, a.openRound},
		{operation.OpenRounds, players, noWindow, a.openRounds},
		{operation.Step, bettors, noWindow, a.step},
		{operation.EndRound, admins(rbac.AdminWrite), noWindow, a.endRound},
	}
}

func openRoundOf(o bet.Open) api.OpenRound {
	return api.OpenRound{
		ID: o.ID, Status: api.StatusOpen, Provider: figure.Own, GameType: o.GameType, Rules: o.Rules, Token: string(o.Token),
		Wager: int64(o.Wager), Stake: int64(o.Stake), MaxMultiplier: ratioNumber(o.MaxMultiplier), Config: valueJSON(o.Config),
		Asked: valueJSON(o.Asked), MaxPayout: int64(o.MaxPayout),
		Step: o.Step(), Actions: valueJSON(o.Actions), Shown: valueJSON(o.Shown), Choices: valueJSON(o.Choices),
		ServerSeedHash: o.Commitment, ClientSeed: o.ClientSeed, ClientSeedSource: o.ClientSource.String(), Nonce: o.Nonce,
		CreatedAt: unixMillis(o.OpenedAt), UpdatedAt: unixMillis(o.TouchedAt),
	}
}

func (a *API) steppedAnswer(r *request, status int, result rounds.StepResult, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	body := api.Stepped{Balance: int64(result.Balance), Receipt: a.issueReceipt(r, result.Committed)}
	if result.Open != nil {
		open := openRoundOf(*result.Open)
		body.Open = &open
	} else {
		ended := roundOf(*result.Round, "")
		body.Ended = &ended
	}
	return answer{status: status, replayed: result.Replayed, body: body}, nil
}

func (a *API) openRound(r *request) (answer, error) {
	order, err := r.betOf()
	if err != nil {
		return answer{}, err
	}
	result, err := a.casino.Rounds.OpenRound(r.ctx, r.caller, order.PlayRequest)
	return a.steppedAnswer(r, http.StatusCreated, result, a.withReceipt(r, order, err))
}

func (a *API) step(r *request) (answer, error) {
	f := r.readBody()
	request := rounds.StepRequest{RoundID: r.params["id"], Step: f.Integer("step", 0, game.StepsMax-1)}
	f.Need("action")
	request.Action = f.Value("action")
	if f.Err != nil {
		return answer{}, f.Err
	}
	canonical, err := f.Canonical()
	if err != nil {
		return answer{}, err
	}
	request.Fingerprint = digestOf([]string{string(canonical)})
	result, err := a.casino.Rounds.Step(r.ctx, r.caller, request)
	return a.steppedAnswer(r, http.StatusOK, result, err)
}

// openRounds lists the caller's open rounds, for a client that reconnects.
func (a *API) openRounds(r *request) (answer, error) {
	open, err := a.casino.Play.OpenRounds(r.ctx, r.caller)
	return ok(api.OpenRoundsResponse{Rounds: mapEach(open, openRoundOf)}), err
}

// endRound ends a round. It doesn't return the server seed, because its pair may not be
// retired.
func (a *API) endRound(r *request) (answer, error) {
	f := r.readBody()
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	ended, err := a.casino.Rounds.EndRound(r.ctx, r.caller, r.params["id"], reason)
	if err != nil {
		return answer{}, err
	}
	return ok(api.EndRoundResponse{Round: adminRoundOf(accounts.RoundWithSeed{Round: ended})}), nil
}
