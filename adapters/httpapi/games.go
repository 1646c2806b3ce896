package httpapi

import (
	"math/big"
	"net/http"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/token"
)

type gameBody struct {
	GameType     string         `json:"gameType"`
	Rules        string         `json:"rules"`
	Title        string         `json:"title"`
	ConfigSchema jsontext.Value `json:"configSchema"`
	Defaults     jsontext.Value `json:"defaults"`
	RTP          returns        `json:"rtp"`
	Table        jsontext.Value `json:"table"`
	Limits       []wagerLimits  `json:"limits"`
}

type returns struct {
	Default share `json:"default"`
	Min     share `json:"min"`
	Max     share `json:"max"`
}

// share is an exact return to player, and the same in percent for people.
type share struct {
	Ratio   string         `json:"ratio"`
	Percent jsontext.Value `json:"percent"`
}

type wagerLimits struct {
	Token     string `json:"token"`
	MinWager  int64  `json:"minWager"`
	MaxWager  int64  `json:"maxWager"`
	MaxPayout int64  `json:"maxPayout"`
}

func (a *API) listGames(*request) (answer, error) {
	text, err := a.games()
	return answer{status: http.StatusOK, raw: text}, err
}

// gamesOnce works the answer out at the first call: games and tokens never
// change while the service runs, and exact returns take a search to find.
func (a *API) gamesOnce() func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		var body struct {
			Games []gameBody `json:"games"`
		}
		limits := wagerLimitsOf(a.casino.Tokens.All())
		for _, g := range a.casino.Games.Games() {
			described, err := describe(g)
			if err != nil {
				return nil, err
			}
			described.Limits = limits
			body.Games = append(body.Games, described)
		}
		return json.Marshal(body)
	})
}

func describe(g game.Game) (gameBody, error) {
	defaults, err := game.Normalize(g.Fields(), game.Object())
	if err != nil {
		return gameBody{}, err
	}
	body := gameBody{
		GameType: g.Type(), Rules: g.Rules(), Title: g.Title(),
		ConfigSchema: valueJSON(game.Schema(g.Fields())), Defaults: valueJSON(defaults), Table: valueJSON(game.Value{}),
	}
	if tabled, ok := g.(game.Tabled); ok {
		body.Table = valueJSON(tabled.Table())
	}
	rtp := g.RTP()
	body.RTP = returns{Default: shareOf(rtp.Default), Min: shareOf(rtp.Min), Max: shareOf(rtp.Max)}
	return body, nil
}

func shareOf(r *big.Rat) share {
	percent := new(big.Rat).Mul(r, big.NewRat(100, 1))
	return share{Ratio: r.String(), Percent: jsontext.Value(percent.FloatString(6))}
}

func wagerLimitsOf(all []token.Terms) []wagerLimits {
	limits := []wagerLimits{}
	for _, t := range all {
		if !t.Closing {
			limits = append(limits, wagerLimits{
				Token: string(t.Mint), MinWager: int64(t.MinWager), MaxWager: int64(t.MaxWager), MaxPayout: int64(t.MaxPayout),
			})
		}
	}
	return limits
}

type tokenBody struct {
	Token         string        `json:"token"`
	Symbol        string        `json:"symbol"`
	Decimals      uint8         `json:"decimals"`
	Program       token.Program `json:"program"`
	MinDeposit    int64         `json:"minDeposit"`
	MinWager      int64         `json:"minWager"`
	MaxWager      int64         `json:"maxWager"`
	MaxPayout     int64         `json:"maxPayout"`
	MinWithdrawal int64         `json:"minWithdrawal"`
	MaxWithdrawal int64         `json:"maxWithdrawal"`
	NewAccountFee int64         `json:"newAccountFee"`
	Closing       bool          `json:"closing"`
}

func (a *API) listTokens(*request) (answer, error) {
	return ok(struct {
		Tokens []tokenBody `json:"tokens"`
	}{each(a.casino.Tokens.All(), tokenOf)}), nil
}

func tokenOf(t token.Terms) tokenBody {
	return tokenBody{
		Token: string(t.Mint), Symbol: t.Symbol, Decimals: t.Decimals, Program: t.Program,
		MinDeposit: int64(t.MinDeposit), MinWager: int64(t.MinWager), MaxWager: int64(t.MaxWager), MaxPayout: int64(t.MaxPayout),
		MinWithdrawal: int64(t.MinWithdrawal), MaxWithdrawal: int64(t.MaxWithdrawal), NewAccountFee: int64(t.NewAccountFee), Closing: t.Closing,
	}
}
