package service

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/adapters/jwttoken"
	"github.com/casino-service/casino/adapters/outbound"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// sessionTime is the length of a session.
const sessionTime = 30 * time.Minute

// storage is the store with its writer.
type storage struct {
	*sqlstore.Store
	ports.Writer
}

// casinoModule provides the use cases, bootstrapped before anything calls them.
var casinoModule = fx.Module("casino",
	fx.Provide(newStorage),
	fx.Provide(newSessions, newWebhooks, newCasino, func(c *app.Casino) *admin.RTPMonitor { return c.Admin.RTPMonitor() }),
	fx.Invoke(func(life fx.Lifecycle, casino *app.Casino, store *sqlstore.Store, found Bootstrap, asked StopRequested,
		seals ports.Authenticator, restoration *recovery.Restoration) {
		life.Append(fx.StartHook(func() error {
			roles := admin.SealedRoles{Lists: store, Seals: seals, Versions: restoration.RoleVersions()}
			if err := found(asked, casino, founders{roles, store}); err != nil {
				return err
			}
			return casino.Deposits.BeginWatch(asked)
		}))
	}),
)

func newStorage(store *sqlstore.Store, writer *sqlstore.Writers, metrics *telemetry.Telemetry, machine *system.System) (app.Store, error) {
	counted, err := metrics.Writer(writer, machine)
	return app.StoreOf(storage{store, counted}), err
}

// newSessions issues the tokens of this deployment, which is identified by its treasury.
func newSessions(ring jwttoken.Keyring, chain Chain, machine *system.System) ports.SessionTokens {
	return jwttoken.New(ring, "casino", string(chain.Treasury.Address()), sessionTime, machine, machine.SessionIDs())
}

// newWebhooks sends to agents' endpoints. In development they may be on this machine.
func newWebhooks(api settings.API, metrics *telemetry.Telemetry, machine *system.System) (ports.WebhookSite, error) {
	site := outbound.NewWebhooks()
	if api.Local {
		site = outbound.NewLocalWebhooks()
	}
	return metrics.Webhooks(site, machine)
}

// casinoParts are the dependencies of the use cases.
type casinoParts struct {
	fx.In

	Version  Version
	API      settings.API
	Listener APIListener
	Store    app.Store
	Database *sqlstore.Store
	Writers  *sqlstore.Writers
	Nodes    nodes
	Deposits deposits
	Chain    Chain
	Anchors  anchors
	Sessions ports.SessionTokens
	Seals    ports.Authenticator
	Stated   ports.StatementSigner
	Receipts ports.ReceiptSigner
	Cosign   []ports.LogWitness `optional:"true"`
	Known    token.Book
	Limiter  RequestLimiter
	Restored *recovery.Restoration
	Hooks    ports.WebhookSite
	Kept     Witnesses
	Provider Provider
	Screened Screening
	Machine  *system.System
	Log      *slog.Logger
}

// instanceName names the process by the id in its state folder, its host and its listening
// address. The name survives a restart, so that the instance continues its own leases at
// once. Hosts of the same name have different state folders, and instances that share a
// state folder, such as containers with one volume, have different host names.
func instanceName(stateDir, host string, entropy ports.Entropy, listener net.Listener) (string, error) {
	machine, err := machineID(stateDir, entropy)
	return machine + " " + host + " " + listener.Addr().String(), err
}

// crashBeacons returns what decides rounds of the shared crash, nil if it is off.
func crashBeacons(api settings.API, chain nodes) ports.Beacons {
	if !api.Crash.On() {
		return nil
	}
	return chain
}

func newCasino(p casinoParts) (*app.Casino, error) {
	games, err := game.NewRegistry(game.House()...)
	if err != nil {
		return nil, err
	}
	pace, err := p.API.Pace()
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("read the host's name: %w", err)
	}
	instance, err := instanceName(p.Kept.StateDir, host, p.Machine, p.Listener)
	if err != nil {
		return nil, nameSetting("CASINO_STATE_DIR", err)
	}
	casino, err := app.New(app.Deps{
		Store: p.Store, Chain: p.Nodes, Claims: p.Deposits, DepositTransactions: p.Deposits, Limiter: p.Limiter, Hosts: outbound.NewHosts(net.DefaultResolver), TreasuryHistory: p.Nodes, Clock: p.Machine, Entropy: p.Machine, Sessions: p.Sessions,
		Games: games, Tokens: p.Known, Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
		Provider: p.Provider.Connection, Authenticator: p.Seals, RoleVersions: p.Restored.RoleVersions(),
		Restrictions: p.Kept.Restrictions, ChainHead: p.Nodes, Statements: p.Stated, Receipts: p.Receipts, LogHeads: p.Restored, LogWitnesses: p.Cosign,
		AnchorChain: p.Anchors.AnchorChain, AnchorPeriod: p.Chain.AnchorPeriod,
		Beacons: crashBeacons(p.API, p.Nodes), Crash: p.API.Crash.Rules(),
		Screeners:   p.Screened.Screeners,
		WebhookSite: p.Hooks, EventEncoder: httpapi.EventEncoder{},
		Settings: app.Settings{
			Instance:        instance,
			WithdrawOwnOnly: p.API.WithdrawDestination == "own", SignedApprovals: p.API.SignedApprovals,
			NoWithdrawCancel: p.API.NoWithdrawCancel, ExclusionMin: p.API.ExclusionMin, Pace: pace,
			Language: p.API.DefaultLanguage, Version: string(p.Version), LocalSites: p.API.Local,
			SolvencyKeep: p.API.SolvencyKeep,
		},
		Logger: p.Log,
	})
	if err != nil {
		return nil, err
	}
	for _, terms := range p.Known.All() {
		for _, warning := range terms.Warnings() {
			p.Log.Warn(warning, "token", string(terms.Mint))
		}
	}
	casino.Health().Watch(kernel.DatabaseCheck, databaseProbe(p.Database, p.Writers))
	casino.Health().Watch(kernel.ChainCheck, p.Nodes.Healthy)
	casino.Health().Watch(kernel.LimiterCheck, p.Limiter.Probe)
	casino.Health().Show(kernel.LedgerCheck, p.Restored.Check)
	if p.Provider.Probe != nil {
		casino.Health().Watch(kernel.ProviderCheck, p.Provider.Probe)
	}
	return casino, nil
}
