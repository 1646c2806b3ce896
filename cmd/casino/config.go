package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/token"
)

type configCommand struct {
	Dev   configDevCommand   `cmd:"" default:"withargs" help:"What casino dev would run with. Example: casino config dev"`
	Serve configServeCommand `cmd:"" help:"What casino serve would run with, and every fault in it. Example: casino config serve"`
}

type configDevCommand struct{ dev.Flags }

// Run prints the present settings as environment variables. None of them is a secret;
// secrets are files in the data folder.
func (c configDevCommand) Run(parsed *kong.Context, s cli.Streams) error {
	return printFault(parsed, s, c.Terms(), c.Check())
}

type configServeCommand struct{ settings.Serve }

// Run prints the present settings with hidden secrets, and then every fault that serve
// would find before it connects to anything.
func (c configServeCommand) Run(parsed *kong.Context, s cli.Streams) error {
	plan, err := c.Plan()
	return printFault(parsed, s, plan.Terms, err)
}

// printFault prints the settings in force, and returns their faults. Warnings about the tokens
// are comments below the settings.
func printFault(parsed *kong.Context, s cli.Streams, terms []token.Terms, faults error) error {
	if err := settings.Print(s.Out, parsed.Flags()); err != nil {
		return err
	}
	for _, t := range terms {
		for _, warning := range t.Warnings() {
			if _, err := fmt.Fprintf(s.Out, "# warning: %s\n", warning); err != nil {
				return err
			}
		}
	}
	if faults != nil {
		return cli.Usage(faults)
	}
	return nil
}
