package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/cmd/internal/bench"
	"github.com/casino-service/casino/domain/catalog"
)

// benchCallbacks say whose callbacks are sent. A casino dev needs none of them.
type benchCallbacks struct {
	CallbackAgent      string `placeholder:"CODE" help:"For callbacks to a service that isn't a casino dev: our agent code at the provider."`
	CallbackSecretFile string `type:"path" placeholder:"FILE" help:"A file with the secret that the provider's callbacks carry."`
	CallbackGame       string `placeholder:"PROVIDER/GAME" help:"A game of the provider that is on."`
}

func (c benchCallbacks) named() bool { return c.CallbackAgent != "" }

func (c benchCallbacks) check(mix bench.Mix) error {
	given := 0
	for _, text := range []string{c.CallbackAgent, c.CallbackSecretFile, c.CallbackGame} {
		if text != "" {
			given++
		}
	}
	if given > 0 && (given < 3 || !strings.Contains(c.CallbackGame, "/") || !mix.Has(bench.Callback)) {
		return errors.New("--callback-agent, --callback-secret-file and --callback-game PROVIDER/GAME: callbacks need all three, and a share in --mix")
	}
	return nil
}

// callbackType is how callbacks call a game of any sort of ours.
const callbackType = "slot"

// callbacks says whose callbacks are sent, and launches the game for every player, without
// which no callback is accepted. The casino dev of the folder lets its superadmin give
// each player what is bet there, because its provider plays the demo token.
func (b *benchmark) callbacks(ctx context.Context, players []*bench.Player, line statusLine) (bench.CallbackGame, error) {
	game := bench.CallbackGame{AgentCode: b.CallbackAgent, Type: callbackType}
	prepare := func(context.Context, *bench.Player) error { return nil }
	secretFile := b.CallbackSecretFile
	switch {
	case b.named():
		game.Provider, game.Game, _ = strings.Cut(b.CallbackGame, "/")
	case !b.ours:
		return game, usageError{errors.New("--mix: callback needs --callback-agent, --callback-secret-file and --callback-game at a service that isn't a casino dev")}
	default:
		game.AgentCode, secretFile = demoAgent, dataDir(b.DataDir).file("provider-secret.key")
		var err error
		if prepare, err = b.demoGame(ctx, &game); err != nil {
			return game, err
		}
	}
	secret, err := os.ReadFile(secretFile)
	if err != nil {
		return game, usageError{err}
	}
	game.AgentSecret = strings.TrimSpace(string(secret))
	count := counter{line: line, of: len(players)}
	err = each(ctx, len(players), func(ctx context.Context, i int) error {
		p := players[i]
		if p.Wallet == "" {
			return usageError{errors.New("--sessions-file: these tokens don't say whose they are, as callbacks must")}
		}
		if err := prepare(ctx, p); err != nil {
			return fmt.Errorf("giving a player the demo token: %w", err)
		}
		if _, err := b.casino.WithToken(p.Token).Launch(ctx, api.LaunchRequest{GameCode: game.Game, UserCode: p.Wallet}); err != nil {
			return fmt.Errorf("launching %s: %w", game.Game, err)
		}
		return nil
	}, count.step("in the provider's game"))
	line.clear()
	return game, err
}

// callbackStake is what each player gets of the demo token, a hundred thousand bets.
const callbackStake = 1_000_000

// demoGame finds a game of the demo provider, and returns what gives a player money for it.
func (b *benchmark) demoGame(ctx context.Context, game *bench.CallbackGame) (func(context.Context, *bench.Player) error, error) {
	pair, err := solana.ReadKeypair(dataDir(b.DataDir).wallet("superadmin"))
	if err != nil {
		return nil, err
	}
	admin, _, err := signIn(ctx, b.base, pair, b.clock, "")
	if err != nil {
		return nil, err
	}
	found, err := admin.ProviderGames(ctx, api.ProviderGamesParams{})
	if err != nil {
		return nil, err
	}
	for _, g := range found.Games {
		if g.Enabled && !g.Vanished && g.Provider != catalog.Own {
			game.Provider, game.Game = g.Provider, g.GameCode
			break
		}
	}
	if game.Game == "" {
		return nil, errors.New("the demo provider has no game that is on")
	}
	tokens, err := b.casino.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	played, err := (&demo{tokens: tokens}).token(demoSymbol)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *bench.Player) error {
		given, err := admin.AdjustBalance(ctx, p.Wallet, api.AdjustRequest{Token: played.Token, Amount: callbackStake, Reason: "casino bench"})
		if err == nil && given.Approval != nil {
			err = errors.New("it waits for a second admin's approval")
		}
		return err
	}, nil
}

// subjectOf is the wallet that a session's token names, "" where it doesn't say.
func subjectOf(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var claims struct {
		Subject string `json:"sub"`
	}
	if err := json.Unmarshal(text, &claims); err != nil {
		return ""
	}
	return claims.Subject
}
