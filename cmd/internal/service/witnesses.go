package service

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/adapters/witness/redis"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/ports"
)

// flushRest is the maximum time before kept records are written to the disk or to Redis.
const flushRest = 50 * time.Millisecond

// Witness keeps heads outside the database and the process.
type Witness struct {
	recovery.NamedWitness
	// Flush makes kept records durable.
	Flush func(context.Context) (worked bool, err error)
}

// Witnesses are the witnesses of a deployment.
type Witnesses struct {
	All []Witness
	// AnyLedger is recovery.RestorationOptions.AnyLedger.
	AnyLedger bool
	// Restrictions are the places that keep restrictions.
	Restrictions []recovery.NamedRestrictions
	// StateDir is the existing state folder.
	StateDir string
}

// HeadsFolder returns the folder of the heads in a state folder.
func HeadsFolder(stateDir string) string { return filepath.Join(stateDir, "heads") }

// RestrictionsFolder returns the folder of the restrictions in a state folder.
func RestrictionsFolder(stateDir string) string { return filepath.Join(stateDir, "restrictions") }

// FileRestrictions keeps restrictions in a state folder.
func FileRestrictions(stateDir string, seals ports.Authenticator) (recovery.NamedRestrictions, error) {
	opened, err := file.OpenRestrictions(RestrictionsFolder(stateDir), seals)
	return recovery.NamedRestrictions{Name: "file", Restrictions: opened}, err
}

// FileWitness keeps heads in a state folder until the service stops.
func FileWitness(life fx.Lifecycle, held *Held, stateDir string, seals ports.Authenticator) (Witness, error) {
	opened, err := file.Open(HeadsFolder(stateDir), seals)
	if err != nil {
		return Witness{}, err
	}
	held.Hold(life, withoutContext(opened.Close))
	return Witness{recovery.NamedWitness{Name: "file", Witness: opened}, opened.Step}, nil
}

// productionWitnesses returns the state folder and, if there are several instances, Redis.
func productionWitnesses(life fx.Lifecycle, held *Held, plan settings.Plan, shared sharedRedis, seals ports.Authenticator) (Witnesses, error) {
	inFolder, err := FileWitness(life, held, plan.StateDir, seals)
	if err != nil {
		return Witnesses{}, nameSetting("CASINO_STATE_DIR", err)
	}
	beside, err := FileRestrictions(plan.StateDir, seals)
	if err != nil {
		return Witnesses{}, nameSetting("CASINO_STATE_DIR", err)
	}
	all := Witnesses{All: []Witness{inFolder}, Restrictions: []recovery.NamedRestrictions{beside}, StateDir: plan.StateDir}
	if shared.client != nil {
		inRedis := redis.New(shared.client, seals)
		held.Hold(life, func(ctx context.Context) error {
			_, _ = inRedis.Step(ctx) // an unreachable witness must not delay a stop
			return nil
		})
		all.All = append(all.All, Witness{recovery.NamedWitness{Name: "redis", Witness: inRedis}, inRedis.Step})
		all.Restrictions = append(all.Restrictions, recovery.NamedRestrictions{Name: "redis", Restrictions: redis.NewRestrictions(shared.client, seals)})
	}
	return all, nil
}

// machineID returns the id of the machine in a state folder, and draws it at the first
// start.
func machineID(stateDir string, entropy ports.Entropy) (string, error) {
	path := filepath.Join(stateDir, "machine")
	kept, err := os.ReadFile(path) // #nosec G304 -- the operator's own folder
	if id := strings.TrimSpace(string(kept)); id != "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return id, err
	}
	id := entropy.ID()
	written := path + "." + id // so that the file is complete or missing
	err = os.WriteFile(written, []byte(id+"\n"), 0o600)
	return id, errors.Join(err, os.Rename(written, path))
}

func newRestoration(witnesses Witnesses, store *sqlstore.Store, machine *system.System, metrics *telemetry.Telemetry,
	log *slog.Logger) (*recovery.Restoration, error) {
	options := recovery.RestorationOptions{
		Instance: machine.ID(), Memory: memory.New(), AnyLedger: witnesses.AnyLedger,
		Controls: store, Blocks: store, Checkpoints: store, Origins: store, Log: store, Clock: machine, Entropy: machine, Logger: log,
	}
	for _, w := range witnesses.All {
		options.Witnesses = append(options.Witnesses, w.NamedWitness)
	}
	restoration := recovery.NewRestoration(options)
	store.ReportHeads(restoration.Sealed)
	return restoration, metrics.Restoration(restoration.Status)
}

// compareDatabase compares the database with the witnesses before anything is served or
// written.
func compareDatabase(asked StopRequested, restoration *recovery.Restoration) error {
	err := restoration.Start(asked)
	if err != nil && asked.Err() == nil {
		return errors.Join(errors.New("the database could not be compared with the heads that are kept outside it"), err)
	}
	return err
}
