package httpapi

import (
	"math/big"
	"sync"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/token"
)

func (a *API) listGames(*request) (answer, error) {
	body, err := a.games()
	return ok(body), err
}

// gamesOnce computes the response at the first call: games and tokens never change
// while the service runs, and exact returns take a search to find.
func (a *API) gamesOnce() func() (api.GamesResponse, error) {
	return sync.OnceValues(func() (api.GamesResponse, error) {
		var body api.GamesResponse
		limits := wagerLimitsOf(a.casino.Tokens.All())
		for _, g := range a.casino.Games.Games() {
			described, err := describe(g)
			if err != nil {
				return body, err
			}
			described.Limits = limits
			body.Games = append(body.Games, described)
		}
		return body, nil
	})
}

func describe(g game.Game) (api.Game, error) {
	body := api.Game{
		GameType: g.Type(), Rules: g.Rules(), Title: g.Title(),
		ConfigSchema: valueJSON(game.Value{}), Defaults: valueJSON(game.Value{}), Table: valueJSON(game.Value{}),
	}
	if game.AtOnce(g) {
		defaults, err := game.Normalize(g.Fields(), game.Object())
		if err != nil {
			return api.Game{}, err
		}
		body.ConfigSchema, body.Defaults = valueJSON(game.Schema(g.Fields())), valueJSON(defaults)
	}
	if stepped, ok := g.(game.Stepped); ok {
		steps, err := game.Begin(stepped, game.Object(), 0)
		if err != nil {
			return api.Game{}, err
		}
		body.Steps = &api.GameSteps{
			ConfigSchema: valueJSON(game.Schema(stepped.StepFields())), Defaults: valueJSON(steps.Config()),
			Best: shareOf(steps.Return().Best), Least: leastOf(steps.Return()),
			MaxStake: ratio(steps.MaxStake()), MaxMultiplier: ratio(steps.MaxMultiplier()),
		}
	}
	if explained, ok := g.(game.Explained); ok {
		text := explained.Explanation()
		body.Explanation = &text
	}
	if tabled, ok := g.(game.Tabled); ok {
		body.Table = valueJSON(tabled.Table())
	}
	rtp := g.RTP()
	body.RTP = api.Returns{Default: shareOf(rtp.Default), Min: shareOf(rtp.Min), Max: shareOf(rtp.Max)}
	return body, nil
}

func shareOf(r *big.Rat) api.Return {
	percent := new(big.Rat).Mul(r, big.NewRat(100, 1))
	return api.Return{Ratio: r.String(), Percent: api.Number(percent.FloatString(6))}
}

func wagerLimitsOf(all []token.Terms) []api.WagerLimits {
	limits := []api.WagerLimits{}
	for _, t := range all {
		if !t.Closing {
			limits = append(limits, api.WagerLimits{
				Token: string(t.Mint), MinWager: int64(t.MinWager), MaxWager: int64(t.MaxWager), MaxPayout: int64(t.MaxPayout),
			})
		}
	}
	return limits
}

func (a *API) listTokens(*request) (answer, error) {
	return ok(api.TokensResponse{Tokens: each(a.casino.Tokens.All(), tokenOf)}), nil
}

func tokenOf(t token.Terms) api.TokenTerms {
	return api.TokenTerms{
		Token: string(t.Mint), Symbol: t.Symbol, Decimals: t.Decimals, Program: t.Program,
		MinDeposit: int64(t.MinDeposit), MinWager: int64(t.MinWager), MaxWager: int64(t.MaxWager), MaxPayout: int64(t.MaxPayout),
		MinWithdrawal: int64(t.MinWithdrawal), MaxWithdrawal: int64(t.MaxWithdrawal), NewAccountFee: int64(t.NewAccountFee), Closing: t.Closing,
	}
}
