package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

// versionsInFolder are the versions of the list of roles that casino serve keeps in its
// state folder.
type versionsInFolder struct {
	admin.RoleVersionsOfProcess
	folder, ledger string
	seals          ports.Authenticator
	now            func() time.Time
}

// keptVersions reads what is kept of the list of roles, so that a command changes no list
// that somebody put back. Without a folder nothing is known.
func keptVersions(ctx context.Context, state settings.State, o *offline, seals ports.Authenticator) (admin.RoleVersions, error) {
	folder := service.HeadsFolder(state.StateDir)
	if _, err := os.Stat(folder); state.StateDir == "" || errors.Is(err, fs.ErrNotExist) {
		return &admin.RoleVersionsOfProcess{}, nil
	}
	control, err := o.store.State(ctx)
	if err != nil {
		return nil, err
	}
	v := &versionsInFolder{folder: folder, ledger: control.Ledger, seals: seals, now: o.machine.Now}
	return v, v.with(func(w *file.Witness) error {
		kept, err := w.Kept(ctx)
		for _, k := range kept.Records {
			if k.Ledger == v.ledger {
				v.RoleVersionsOfProcess.Keep(k.RolesVersion)
			}
		}
		return err
	})
}

func (v *versionsInFolder) with(do func(*file.Witness) error) error {
	opened, err := file.Open(v.folder, v.seals)
	if err != nil {
		return fmt.Errorf("CASINO_STATE_DIR: %w", err)
	}
	return errors.Join(do(opened), opened.Close())
}

// Keep keeps a version that was committed. A folder that can't be written stops nothing:
// the service keeps the version when it reads the list.
func (v *versionsInFolder) Keep(version int64) {
	if version <= v.Latest() {
		return
	}
	v.RoleVersionsOfProcess.Keep(version)
	_ = v.with(func(w *file.Witness) error {
		return w.Keep(witness.Record{Ledger: v.ledger, RolesVersion: version, At: v.now().UTC()})
	})
}

// keeper keeps what a command forbids in the state folder of casino serve, where that and
// the keys that seal it are given. A data folder has both.
func (f storeFlags) keeper(o *offline, keys settings.Seeds, state settings.State) (recovery.RestrictionKeeper, error) {
	ring, given, err := keys.Ring()
	switch {
	case !f.Given():
		state.StateDir = dataDir(f.DataDir).state()
		ring, err = devSeals(dataDir(f.DataDir), o.machine)
	case err == nil && !given:
		return recovery.RestrictionKeeper{}, nil
	}
	if err != nil {
		return recovery.RestrictionKeeper{}, usageError{err}
	}
	return keeperIn(state, o, sealer.NewAuthenticator(ring))
}

func keeperIn(state settings.State, o *offline, seals ports.Authenticator) (recovery.RestrictionKeeper, error) {
	if _, err := os.Stat(state.StateDir); state.StateDir == "" || errors.Is(err, fs.ErrNotExist) {
		return recovery.RestrictionKeeper{}, nil
	}
	place, err := service.FileRestrictions(state.StateDir, seals)
	return recovery.RestrictionKeeper{Places: []recovery.NamedRestrictions{place}, Controls: o.store}, err
}
