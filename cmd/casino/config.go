package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/cmd/internal/settings"
)

// dataFlags name the folder in which everything is kept.
type dataFlags struct {
	DataDir string `default:"./data" type:"path" placeholder:"DIR" help:"The folder with the database, the simulated chain, keys and wallets."`
}

// devFlags are the settings of `casino dev`, each also an environment variable.
type devFlags struct {
	dataFlags    `embed:""`
	settings.Log `embed:""`
	settings.API `embed:"" set:"manual=true" set:"pages=true"` //nolint:staticcheck // kong takes one for each variable

	HTTPAddr     string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where the API listens; loopback only."`
	LocalnetAddr string `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where the simulated chain listens; loopback only."`
	ProviderAddr string `default:"127.0.0.1:8877" placeholder:"HOST:PORT" help:"Where the demo game provider listens; loopback only."`
	TokensFile   string `type:"path" placeholder:"FILE" help:"A tokens file to use instead of the one made in the data folder."`
}

// check returns every fault of the settings at once. The addresses must be loopback
// only: the demo wallets' keys are plain files.
func (f devFlags) check() error {
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

// newLogger writes to the command's error stream.
func newLogger(l settings.Log, s streams) *slog.Logger {
	file, isFile := s.err.(*os.File)
	terminal := isFile && isTerminal(file)
	return telemetry.NewLogger(s.err, telemetry.LogConfig{
		Level: l.Level(), JSON: l.JSON(terminal), Colour: terminal, RequestID: httpapi.RequestID,
	})
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

type configCommand struct {
	Dev   configDevCommand   `cmd:"" default:"withargs" help:"What casino dev would run with. Example: casino config dev"`
	Serve configServeCommand `cmd:"" help:"What casino serve would run with, and every fault in it. Example: casino config serve"`
}

type configDevCommand struct{ devFlags }

// Run prints the settings in force as environment variables. None of them is a secret:
// secrets are files in the data folder.
func (c configDevCommand) Run(parsed *kong.Context, s streams) error {
	return printed(parsed, s, c.check())
}

type configServeCommand struct{ settings.Serve }

// Run prints the settings in force, secrets hidden, and then every fault that serve
// would find before it connects to anything.
func (c configServeCommand) Run(parsed *kong.Context, s streams) error {
	_, err := c.Plan()
	return printed(parsed, s, err)
}

func printed(parsed *kong.Context, s streams, faults error) error {
	if err := settings.Print(s.out, parsed.Flags()); err != nil {
		return err
	}
	if faults != nil {
		return usageError{faults}
	}
	return nil
}
