package main

import (
	"fmt"

	"github.com/casino-service/casino/adapters/manual"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/docs"
)

type manualCommand struct {
	Folder string `arg:"" type:"path" help:"The folder to write to, which is made."`
}

// Run writes every page, for a web server other than the service.
func (c manualCommand) Run(s cli.Streams) error {
	pages, err := manual.New(manual.Config{Sources: docs.Files})
	if err != nil {
		return err
	}
	if err := pages.Write(c.Folder); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "%d files; begin at %s/index.html\n", len(pages.Names()), c.Folder)
	return err
}
