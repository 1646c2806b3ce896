package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"text/tabwriter"
	"time"

	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
)

type RoleCommand struct {
	Grant  grantCommand       `cmd:"" help:"Grant a wallet a role. Example: casino role grant <wallet> finance"`
	Revoke revokeCommand      `cmd:"" help:"Revoke a wallet's role. Example: casino role revoke <wallet>"`
	Accept acceptRolesCommand `cmd:"" help:"Accept the present list of roles after an older one was restored. Check casino role list first. Example: casino role accept"`
	List   listCommand        `cmd:"" help:"List the wallets with their roles. Example: casino role list"`
}

type grantCommand struct {
	storeFlags
	settings.Seeds
	settings.State
	Wallet    string `arg:"" help:"The wallet."`
	Role      string `arg:"" help:"superadmin, admin, finance, ops, support, readonly or operator."`
	AgentCode string `help:"The agent that an operator is bound to."`
	Founding  bool   `help:"Before the first withdrawal request only: the role counts as old, and has no granting admin."`
}

// Run grants the role. It needs no role, only access to the database.
func (c grantCommand) Run(ctx context.Context, s cli.Streams) error {
	address, err := wallet.Parse(c.Wallet)
	if err != nil {
		return cli.Usage(err)
	}
	return c.withSealing(ctx, c.Seeds, func(o *offline) error {
		commands, err := c.roleCommands(ctx, o, c.Seeds, c.State)
		if err != nil {
			return err
		}
		grant := commands.Grant
		if c.Founding {
			grant = commands.Found
		}
		if err := grant(ctx, address, c.Role, c.AgentCode); err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.Out, "%s is now %s\n", address, c.Role)
		return err
	})
}

type revokeCommand struct {
	storeFlags
	settings.Seeds
	settings.State
	Wallet string `arg:"" help:"The wallet."`
}

// Run revokes the role. The last superadmin's role can't be revoked.
func (c revokeCommand) Run(ctx context.Context, s cli.Streams) error {
	address, err := wallet.Parse(c.Wallet)
	if err != nil {
		return cli.Usage(err)
	}
	return c.withSealing(ctx, c.Seeds, func(o *offline) error {
		commands, err := c.roleCommands(ctx, o, c.Seeds, c.State)
		if err != nil {
			return err
		}
		if err := commands.Revoke(ctx, address); err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.Out, "%s has no role any more\n", address)
		return err
	})
}

type acceptRolesCommand struct {
	storeFlags
	settings.Seeds
	settings.State
}

// Run accepts the list of roles as the present one. The service refuses a list older than
// the version that it kept, and continues after this command.
func (c acceptRolesCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.withSealing(ctx, c.Seeds, func(o *offline) error {
		commands, err := c.roleCommands(ctx, o, c.Seeds, c.State)
		if err != nil {
			return err
		}
		accepted, err := commands.Accept(ctx)
		if err != nil {
			return err
		}
		said := "nothing was changed: no later list of roles is known\n"
		if accepted {
			said = "the roles are as casino role list shows them\n"
		}
		_, err = fmt.Fprint(s.Out, said)
		return err
	})
}

type listCommand struct{ storeFlags }

// Run lists the roles.
func (c listCommand) Run(ctx context.Context, s cli.Streams) error {
	return c.withOffline(ctx, func(o *offline) error {
		all, err := o.store.Roles(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "WALLET\tROLE\tAGENT\tSINCE\tFOUNDING")
		for _, a := range all {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%t\n", a.Wallet, a.Role, a.AgentCode, a.GrantedAt.UTC().Format("2006-01-02 15:04:05Z"), a.Founding)
		}
		return table.Flush()
	})
}

// versionsInFolder are the versions of the list of roles in casino serve's state folder.
type versionsInFolder struct {
	admin.RoleVersionsOfProcess
	folder, ledger string
	seals          ports.Authenticator
	now            func() time.Time
}

// keptVersions reads the kept versions of the list of roles, so that a command changes no
// restored list. Without a folder none are known.
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
	return v, v.withWitness(func(w *file.Witness) error {
		kept, err := w.Kept(ctx)
		for _, k := range kept.Records {
			if k.Ledger == v.ledger {
				v.RoleVersionsOfProcess.Keep(k.RolesVersion)
			}
		}
		return err
	})
}

func (v *versionsInFolder) withWitness(do func(*file.Witness) error) error {
	opened, err := file.Open(v.folder, v.seals)
	if err != nil {
		return fmt.Errorf("CASINO_STATE_DIR: %w", err)
	}
	return errors.Join(do(opened), opened.Close())
}

// Keep stores a committed version. If the folder can't be written, it continues: the
// service stores the version when it reads the list.
func (v *versionsInFolder) Keep(version int64) {
	if version <= v.Latest() {
		return
	}
	v.RoleVersionsOfProcess.Keep(version)
	_ = v.withWitness(func(w *file.Witness) error {
		return w.Keep(witness.Record{Ledger: v.ledger, RolesVersion: version, At: v.now().UTC()})
	})
}

// restrictionKeeper keeps a command's restrictions in casino serve's state folder, if it is
// given. A data folder has one.
func (f storeFlags) restrictionKeeper(o *offline, keys settings.Seeds, state settings.State) (recovery.RestrictionKeeper, error) {
	if !f.Given() {
		state.StateDir = dev.Folder(f.DataDir).State()
	}
	seals, err := f.readSeals(o, keys)
	if err != nil {
		return recovery.RestrictionKeeper{}, err
	}
	return keeperIn(state, o, seals)
}

func keeperIn(state settings.State, o *offline, seals ports.Authenticator) (recovery.RestrictionKeeper, error) {
	if _, err := os.Stat(state.StateDir); state.StateDir == "" || errors.Is(err, fs.ErrNotExist) {
		return recovery.RestrictionKeeper{}, nil
	}
	place, err := service.FileRestrictions(state.StateDir, seals)
	return recovery.RestrictionKeeper{Places: []recovery.NamedRestrictions{place}, Controls: o.store}, err
}
