package main

import (
	"crypto/ed25519"
	"fmt"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
)

type keygenCommand struct {
	Treasury string `type:"path" env:"-" placeholder:"FILE" help:"Also write a new treasury keypair to this file, in the Solana CLI's form with mode 0600. An existing file is never overwritten."`
}

// keygenSettings are the settings of serve with keys of the form KID:SECRET.
var keygenSettings = []string{"CASINO_JWT_KEYS", "CASINO_SEED_KEYS", "CASINO_CHECKPOINT_KEYS", "CASINO_RECEIPT_KEYS"}

// Run prints a new key for each setting as a line of an environment file. The id of a key
// is the month of its creation.
func (c keygenCommand) Run(s cli.Streams) error {
	source := system.Default()
	address := ""
	if c.Treasury != "" {
		seed := source.Seed()
		key := ed25519.NewKeyFromSeed(seed[:])
		if err := dev.WriteKeypair(c.Treasury, key); err != nil {
			return err
		}
		address = dev.PublicKey(key).String()
	}
	for _, setting := range keygenSettings {
		if _, err := fmt.Fprintf(s.Out, "%s=%s:%x\n", setting, source.Now().UTC().Format("2006-01"), source.Seed()); err != nil {
			return err
		}
	}
	if address == "" {
		return nil
	}
	_, err := fmt.Fprintf(s.Out, "CASINO_TREASURY_KEYPAIR=%s\n# treasury address: %s\n", c.Treasury, address)
	return err
}
