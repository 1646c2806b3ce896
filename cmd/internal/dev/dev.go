// Package dev implements `casino dev`: the whole casino on one machine, in one folder, on a
// simulated chain. Commands that work beside it find its folder and addresses here.
package dev

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/fx"

	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/token"
)

// DataFlags name the data folder.
type DataFlags struct {
	DataDir string `default:"./data" type:"path" placeholder:"DIR" help:"The folder with the database, the simulated chain, keys and wallets."`
}

// Flags are the settings of `casino dev`, each also an environment variable.
type Flags struct {
	DataFlags    `embed:""`
	settings.Log `embed:""`
	settings.API `embed:"" set:"manual=true" set:"pages=true" set:"solvency=24h" set:"crash=solana" set:"betting=8s" set:"delay=8" set:"length=10000"` //nolint:staticcheck // kong takes one for each variable

	HTTPAddr     string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where the API listens; loopback only."`
	LocalnetAddr string `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where the simulated chain listens; loopback only."`
	ProviderAddr string `default:"127.0.0.1:8877" placeholder:"HOST:PORT" help:"Where the demo game provider listens; loopback only."`
	TokensFile   string `type:"path" placeholder:"FILE" help:"A tokens file to use instead of the one made in the data folder."`
}

// Check returns all faults of the settings. The addresses must be loopback, because the
// keys of the demo wallets are plain files.
func (f Flags) Check() error {
	var faults []error
	for _, open := range []struct{ name, address string }{
		{"CASINO_HTTP_ADDR", f.HTTPAddr}, {"CASINO_LOCALNET_ADDR", f.LocalnetAddr},
		{"CASINO_PROVIDER_ADDR", f.ProviderAddr},
	} {
		if err := settings.Loopback(open.address); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", open.name, err))
		}
	}
	return errors.Join(errors.Join(faults...), f.API.Check())
}

// Terms returns the terms of the tokens file that is named; none without one.
func (f Flags) Terms() []token.Terms {
	if f.TokensFile == "" {
		return nil
	}
	terms, _ := settings.ReadTokensFile(f.TokensFile, false)
	return terms
}

// Command is `casino dev`.
type Command struct {
	Flags
	JSON bool `name:"json" help:"Print one JSON line when ready instead of the page for people."`
}

// Run serves the whole casino on this machine until the context ends.
func (c Command) Run(ctx context.Context, s cli.Streams) error {
	if err := c.Check(); err != nil {
		return cli.Usage(err)
	}
	return service.Run(ctx, cli.NewLogger(c.Log, s), devProfile(c.Flags),
		fx.Invoke(func(life fx.Lifecycle, ready announcement) {
			life.Append(fx.StartStopHook(
				func() error { return errors.Join(ready.Dir.noteRunning(ready.readyLine()), ready.printTo(s, c.JSON)) },
				func() error { return ready.Dir.noteStopped() },
			))
		}),
	)
}
