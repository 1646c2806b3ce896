package httpapi

import (
	"context"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/control"
)

// gameTypeMax is the longest name of a game, in characters.
const gameTypeMax = 100

func pausesOf(pauses []control.PlayPause) answer {
	return ok(api.PlayResponse{Pauses: each(pauses, func(p control.PlayPause) api.PlayPause {
		return api.PlayPause{
			GameType: orNull(p.GameType), AgentCode: orNull(p.AgentCode), By: orNull(string(p.By)), Reason: p.Reason, PausedAt: millis(p.At),
		}
	})})
}

func (a *API) playPauses(r *request) (answer, error) {
	pauses, err := a.casino.Play.PlayPauses(r.ctx, r.caller)
	return pausesOf(pauses), err
}

func (a *API) pausePlay(r *request) (answer, error) { return turnPlay(r, a.casino.Play.PausePlay) }

func (a *API) resumePlay(r *request) (answer, error) { return turnPlay(r, a.casino.Play.ResumePlay) }

func turnPlay(r *request, turn func(context.Context, app.Caller, play.PlayPauseRequest) ([]control.PlayPause, error)) (answer, error) {
	f := r.body()
	var asked play.PlayPauseRequest
	if f.Has("gameType") {
		asked.GameType = f.Limited("gameType", gameTypeMax)
	}
	if f.Has("agentCode") {
		asked.AgentCode = f.Limited("agentCode", agentCodeMax)
	}
	asked.Reason = f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	pauses, err := turn(r.ctx, r.caller, asked)
	return pausesOf(pauses), err
}
