package main

import (
	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type configCommand struct {
	Dev   configDevCommand   `cmd:"" default:"withargs" help:"What casino dev would run with. Example: casino config dev"`
	Serve configServeCommand `cmd:"" help:"What casino serve would run with, and every fault in it. Example: casino config serve"`
}

type configDevCommand struct{ dev.Flags }

// Run prints the present settings as environment variables. None of them is a secret;
// secrets are files in the data folder.
func (c configDevCommand) Run(parsed *kong.Context, s cli.Streams) error {
	return printFault(parsed, s, c.Check())
}

type configServeCommand struct{ settings.Serve }

// Run prints the present settings with hidden secrets, and then every fault that serve
// would find before it connects to anything.
func (c configServeCommand) Run(parsed *kong.Context, s cli.Streams) error {
	_, err := c.Plan()
	return printFault(parsed, s, err)
}

func printFault(parsed *kong.Context, s cli.Streams, faults error) error {
	if err := settings.Print(s.Out, parsed.Flags()); err != nil {
		return err
	}
	if faults != nil {
		return cli.Usage(faults)
	}
	return nil
}
