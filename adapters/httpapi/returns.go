package httpapi

import (
	"math/big"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// gameReturn computes the exact figures of one config; it looks nothing up, and what
// it costs is bounded whatever the config (game.Registry.Return says by what).
func (a *API) gameReturn(r *request) (answer, error) {
	f := r.optionalBody()
	config := f.Config()
	if f.Err != nil {
		return answer{}, f.Err
	}
	figures, err := a.casino.GameReturn(r.params["gameType"], config)
	if err != nil {
		return answer{}, err
	}
	body := api.ConfigReturn{
		GameType: figures.GameType, Rules: figures.Rules, Config: valueJSON(figures.Config), RTP: shareOf(figures.Mean),
		Variance:      api.Variance{Ratio: figures.Variance.String(), Decimal: sixDigits(figures.Variance)},
		MaxMultiplier: ratio(figures.MaxMultiplier),
	}
	if chance := figures.GreatestChance; chance != nil {
		percent := new(big.Rat).Mul(chance, big.NewRat(100, 1))
		body.MaxMultiplierChance = &api.Return{Ratio: chance.String(), Percent: sixDigits(percent)}
	}
	return ok(body), nil
}

// sixDigits rounds a number to at least six digits, however small it is, and to six
// decimals at least.
func sixDigits(r *big.Rat) api.Number {
	decimals := 6 + max(0, len(r.Denom().String())-len(r.Num().String()))
	return api.Number(r.FloatString(decimals))
}
