package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/wallet"
)

type roleCommand struct {
	Grant  grantCommand       `cmd:"" help:"Grant a wallet a role. Example: casino role grant <wallet> finance"`
	Revoke revokeCommand      `cmd:"" help:"Revoke a wallet's role. Example: casino role revoke <wallet>"`
	Accept acceptRolesCommand `cmd:"" help:"Take the roles as they are now, where an older list of them was put back. Look at casino role list first. Example: casino role accept"`
	List   listCommand        `cmd:"" help:"List who has which role. Example: casino role list"`
}

type grantCommand struct {
	storeFlags
	settings.Seeds
	settings.State
	Wallet    string `arg:"" help:"The wallet."`
	Role      string `arg:"" help:"superadmin, admin, finance, ops, support, readonly or operator."`
	AgentCode string `help:"The agent that an operator is bound to."`
	Founding  bool   `help:"Before the first withdrawal was asked for: the role counts as old, and as granted by nobody."`
}

// Run grants the role. No role is needed: whoever runs it holds the database.
func (c grantCommand) Run(ctx context.Context, s streams) error {
	address, err := wallet.Parse(c.Wallet)
	if err != nil {
		return usageError{err}
	}
	return c.withOffline(ctx, func(o *offline) error {
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
		_, err = fmt.Fprintf(s.out, "%s is now %s\n", address, c.Role)
		return err
	})
}

type revokeCommand struct {
	storeFlags
	settings.Seeds
	settings.State
	Wallet string `arg:"" help:"The wallet."`
}

// Run revokes the role; the last superadmin's can't be revoked.
func (c revokeCommand) Run(ctx context.Context, s streams) error {
	address, err := wallet.Parse(c.Wallet)
	if err != nil {
		return usageError{err}
	}
	return c.withOffline(ctx, func(o *offline) error {
		commands, err := c.roleCommands(ctx, o, c.Seeds, c.State)
		if err != nil {
			return err
		}
		if err := commands.Revoke(ctx, address); err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.out, "%s has no role any more\n", address)
		return err
	})
}

type acceptRolesCommand struct {
	storeFlags
	settings.Seeds
	settings.State
}

// Run takes the list of roles as the present one. The service refuses one that is older
// than it kept, and goes on with it then.
func (c acceptRolesCommand) Run(ctx context.Context, s streams) error {
	return c.withOffline(ctx, func(o *offline) error {
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
		_, err = fmt.Fprint(s.out, said)
		return err
	})
}

type listCommand struct{ storeFlags }

// Run lists the roles.
func (c listCommand) Run(ctx context.Context, s streams) error {
	return c.withOffline(ctx, func(o *offline) error {
		all, err := o.store.Roles(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "WALLET\tROLE\tAGENT\tSINCE\tFOUNDING")
		for _, a := range all {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%t\n", a.Wallet, a.Role, a.AgentCode, a.GrantedAt.UTC().Format("2006-01-02 15:04:05Z"), a.Founding)
		}
		return table.Flush()
	})
}
