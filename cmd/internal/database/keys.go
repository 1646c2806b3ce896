package database

import (
	"context"
	"errors"
	"fmt"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/ports"
)

type KeysCommand struct {
	Reseal keysResealCommand `cmd:"" help:"Verify every seal and put one of the newest key in its place, beside the service or without it. Example: casino keys reseal"`
}

type keysResealCommand struct {
	storeFlags
	settings.Seeds
}

// Run verifies every seal and replaces it with one under the newest key. Invalid seals are
// named and stay unchanged. After an interruption it can be run again.
func (c keysResealCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.withKeys(ctx, c.Seeds, func(o *offline) error {
		seals, err := c.readSeals(o, c.Seeds)
		if err != nil {
			return err
		}
		done, err := audit.Reseal(ctx, o.store, seals)
		for _, failed := range done.Failed {
			if _, err := fmt.Fprintln(s.Out, "FOUND", failed); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(s.Out, "%d seals verified, %d replaced with the newest key\n", done.Rows-done.FailedCount, done.Resealed); err != nil {
			return err
		}
		if done.FailedCount > 0 {
			return fmt.Errorf("%d seals are invalid, or of a key that is not in the list: they were left unchanged", done.FailedCount)
		}
		return nil
	})
}

// readSeals returns seals under the given keys, or those of the data folder.
func (f storeFlags) readSeals(o *offline, keys settings.Seeds) (ports.Authenticator, error) {
	ring, given, err := keys.Ring()
	switch {
	case !f.Given():
		ring, err = dev.Seals(dev.Folder(f.DataDir), o.machine)
	case err == nil && !given:
		err = cli.Usage(errors.New("CASINO_SEED_KEYS is missing: give the command the keys of casino serve, or their file in CASINO_SEED_KEYS_FILE"))
	}
	return sealer.NewAuthenticator(ring), err
}
