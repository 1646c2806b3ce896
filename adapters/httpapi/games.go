package httpapi

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/token"
)

// gameRoutes returns the routes of the house's games and tokens.
func (a *API) gameRoutes() []route {
	return []route{
		{operation.Games, anyone, publicWindow, a.listGames},
		{operation.GameReturn, anyone, verifyWindow, a.gameReturn},
		{operation.Tokens, anyone, publicWindow, a.listTokens},
		{operation.PublicLimits, anyone, publicWindow, a.publicLimits},
		{operation.PublicKeys, anyone, publicWindow, a.publicKeys},
	}
}

func (a *API) listGames(*request) (answer, error) {
	body, err := a.games()
	return ok(body), err
}

// gamesOnce computes the response at the first call. Games and tokens never change while
// the service runs, and exact returns need a search.
func (a *API) gamesOnce() func() (api.GamesResponse, error) {
	return sync.OnceValues(func() (api.GamesResponse, error) {
		var body api.GamesResponse
		limits := wagerLimitsOf(a.casino.Tokens.All())
		for _, g := range a.casino.Games.Games() {
			described, err := describeGame(g)
			if err != nil {
				return body, err
			}
			described.Limits = limits
			body.Games = append(body.Games, described)
		}
		return body, nil
	})
}

func describeGame(g game.Game) (api.Game, error) {
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
			MaxStake: ratioNumber(steps.MaxStake()), MaxMultiplier: ratioNumber(steps.MaxMultiplier()),
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
	return ok(api.TokensResponse{Tokens: mapEach(a.casino.Tokens.All(), tokenOf)}), nil
}

func (a *API) publicLimits(r *request) (answer, error) { return a.inForce.answer(r) }

func (a *API) limitsInForce(ctx context.Context) (any, error) {
	inForce, err := a.casino.Play.Limits(ctx)
	if err != nil {
		return nil, err
	}
	shown := api.PublicLimitsResponse{
		Tokens: mapEach(inForce.Tokens, func(t token.Terms) api.TokenLimits {
			return api.TokenLimits{
				Token: string(t.Mint), MinWager: int64(t.MinWager), MaxWager: int64(t.MaxWager), MaxPayout: int64(t.MaxPayout),
				BankrollShare: fmt.Sprintf("%d/%d", t.BankrollShare.Num, t.BankrollShare.Den), Closing: t.Closing,
			}
		}),
		Games: mapEach(inForce.Games, func(g play.GameLimits) api.GameLimits {
			return api.GameLimits{GameType: g.Type(), Rules: g.Rules(), Enabled: !g.Disabled, Paused: g.Paused, PaceMs: g.Pace.Milliseconds()}
		}),
		Rounds: api.RoundLimits{OpenMax: bet.OpenMax, ReserveMultiple: bet.ReserveMultiple, FixedPart: bet.FixedPart, AskedPart: bet.AskedPart},
		Paused: inForce.Paused,
	}
	if a.casino.Receipts == nil {
		return shown, nil
	}
	text, err := json.Marshal(shown, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	if signed, err := a.casino.Receipts.StateLimits(ctx, string(text)); err != nil {
		a.casino.Logger.WarnContext(ctx, "the limits in force could not be signed", "error", err.Error())
	} else {
		receipt := signedStatementOf(signed)
		shown.Receipt = &receipt
	}
	return shown, nil
}

func tokenOf(t token.Terms) api.TokenTerms {
	return api.TokenTerms{
		Token: string(t.Mint), Symbol: t.Symbol, Decimals: t.Decimals, Program: t.Program,
		MinDeposit: int64(t.MinDeposit), MinWager: int64(t.MinWager), MaxWager: int64(t.MaxWager), MaxPayout: int64(t.MaxPayout),
		MinWithdrawal: int64(t.MinWithdrawal), MaxWithdrawal: int64(t.MaxWithdrawal), NewAccountFee: int64(t.NewAccountFee), Closing: t.Closing,
	}
}

// gameReturn computes the exact figures of one config. It reads no data, and its cost is
// bounded for every config (see game.Registry.Return).
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
		if bySteps, refused := a.returnBySteps(r.params["gameType"], config); refused == nil {
			return bySteps, nil // a config that only stepped rounds have
		}
		return answer{}, err
	}
	body := api.ConfigReturn{
		GameType: figures.GameType, Rules: figures.Rules, Config: valueJSON(figures.Config), RTP: shareOf(figures.Mean),
		Variance: &api.Variance{Ratio: figures.Variance.String(), Decimal: sixDigits(figures.Variance)},
		MaxStake: "1", MaxMultiplier: ratioNumber(figures.MaxMultiplier),
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

// returnBySteps answers with the figures of a config for step-by-step play.
func (a *API) returnBySteps(gameType string, config game.Value) (answer, error) {
	figures, err := a.casino.GameReturnBySteps(gameType, config)
	if err != nil {
		return answer{}, err
	}
	return ok(api.ConfigReturn{
		GameType: figures.GameType, Rules: figures.Rules, Config: valueJSON(figures.Config),
		RTP: shareOf(figures.Best), Least: leastOf(figures.StepReturn),
		MaxStake: ratioNumber(figures.MaxStake), MaxMultiplier: ratioNumber(figures.MaxMultiplier),
	}), nil
}

// leastOf returns the return of the worst strategy, if all strategies return about the
// same.
func leastOf(r game.StepReturn) *api.Return {
	if r.Least == nil {
		return nil
	}
	least := shareOf(r.Least)
	return &least
}

// sixDigits rounds a number to at least six significant digits and at least six decimals.
func sixDigits(r *big.Rat) api.Number {
	decimals := 6 + max(0, len(r.Denom().String())-len(r.Num().String()))
	return api.Number(r.FloatString(decimals))
}
