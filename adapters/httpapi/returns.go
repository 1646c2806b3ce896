package httpapi

import (
	"math/big"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/game"
)

// gameReturn computes the exact figures of one config; it looks nothing up, and what
// it costs is bounded whatever the config (game.Registry.Return says by what).
func (a *API) gameReturn(r *request) (answer, error) {
	f := r.optionalBody()
	config, steps := f.Config(), f.Has("steps") && f.Bool("steps")
	if f.Err != nil {
		return answer{}, f.Err
	}
	if steps || a.onlySteps(r.params["gameType"]) {
		return a.returnBySteps(r.params["gameType"], config)
	}
	figures, err := a.casino.GameReturn(r.params["gameType"], config)
	if err != nil {
		return answer{}, err
	}
	body := api.ConfigReturn{
		GameType: figures.GameType, Rules: figures.Rules, Config: valueJSON(figures.Config), RTP: shareOf(figures.Mean),
		Variance: &api.Variance{Ratio: figures.Variance.String(), Decimal: sixDigits(figures.Variance)},
		MaxStake: "1", MaxMultiplier: ratio(figures.MaxMultiplier),
	}
	if chance := figures.GreatestChance; chance != nil {
		percent := new(big.Rat).Mul(chance, big.NewRat(100, 1))
		body.MaxMultiplierChance = &api.Return{Ratio: chance.String(), Percent: sixDigits(percent)}
	}
	return ok(body), nil
}

// onlySteps reports whether a game can't be decided in one call.
func (a *API) onlySteps(gameType string) bool {
	g, err := a.casino.Games.Game(gameType)
	return err == nil && !game.AtOnce(g)
}

// returnBySteps answers the figures of a config of a round that is played step by step.
func (a *API) returnBySteps(gameType string, config game.Value) (answer, error) {
	figures, err := a.casino.GameReturnBySteps(gameType, config)
	if err != nil {
		return answer{}, err
	}
	return ok(api.ConfigReturn{
		GameType: figures.GameType, Rules: figures.Rules, Config: valueJSON(figures.Config),
		RTP: shareOf(figures.Best), Least: leastOf(figures.StepReturn),
		MaxStake: ratio(figures.MaxStake), MaxMultiplier: ratio(figures.MaxMultiplier),
	}), nil
}

// leastOf is the return of the worst way to play, where every way returns about the same.
func leastOf(r game.StepReturn) *api.Return {
	if r.Least == nil {
		return nil
	}
	least := shareOf(r.Least)
	return &least
}

// sixDigits rounds a number to at least six digits, however small it is, and to six
// decimals at least.
func sixDigits(r *big.Rat) api.Number {
	decimals := 6 + max(0, len(r.Denom().String())-len(r.Num().String()))
	return api.Number(r.FloatString(decimals))
}
