// Package app holds the use cases of the casino, over its ports.
//
// New is where an embedder begins: give it a store, a chain and a clock. The Casino that it
// returns has a field for each feature, and each use case is a method of its feature. Before
// the first bet, in this order: Deposits.BeginWatch, Treasury.BookCapital (the house pays from
// what is booked; until then every bet is refused), RoleCommands.Found of package admin (who
// approves withdrawals), and Accounts.SignIn for each player, which makes the player's first
// seed pair.
//
// A use case checks what can be checked without a store, hands one pure decision to the
// Writer, and answers with what was committed. Use cases hold no transaction, know no wire
// format, and start no goroutine: a worker is a Step method that the caller runs in a loop of
// its own, resting when Step reports that there was no work. Casino.Workers lists them, and
// package adapters/workers runs them.
//
// Inbound adapters (HTTP, commands) import it; the domain and the ports never do.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/alarms"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/receipts"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/app/solvency"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/app/webhooks"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Deps is what a Casino is made of. Everything is required but Provider, Authenticator,
// RoleVersions, Restrictions, TreasuryHistory, ChainHead, Statements, Receipts, Claims,
// DepositTransactions, Hosts, Limiter, WebhookSite, EventEncoder, Extensions and Logger.
type Deps struct {
	Store    kernel.Store
	Chain    kernel.Chain
	Clock    ports.Clock
	Entropy  ports.Entropy
	Sessions ports.SessionTokens
	Games    *game.Registry
	Tokens   token.Book
	Policy   rbac.Policy
	Branding branding.Branding
	// Provider is the connection to third-party games; nil for none.
	Provider *kernel.ProviderConnection
	// Authenticator seals what payouts are decided by, and checks it before anything is
	// signed. Without one nothing is sealed and nothing checked: whoever can write the
	// database can then have himself paid.
	Authenticator ports.Authenticator
	// RoleVersions knows the latest version of the list of roles from outside the
	// database; nil for what this process met. It is used with an Authenticator.
	RoleVersions admin.RoleVersions
	// Restrictions are the places outside the database that keep what is forbidden; none
	// for a service without a recovery.
	Restrictions []recovery.NamedRestrictions
	// TreasuryHistory is what the treasury signed, as the chain shows it. Without it payouts
	// are signed by the books alone, and a database that was put back to an earlier moment
	// pays again what was paid since.
	TreasuryHistory ports.TreasuryHistory
	// ChainHead says how far the chain is: public checkpoints name its slot, and its time is
	// compared with the service's own. nil for neither.
	ChainHead ports.ChainHead
	// Statements signs public checkpoints; nil leaves them unsigned.
	Statements ports.StatementSigner
	// Receipts signs receipts; nil for a service without them.
	Receipts ports.ReceiptSigner
	// Claims is asked about the transactions that players claim as their deposits; nil for
	// Chain. One with connections and a quota of its own keeps players who claim anything
	// from holding up the workers, who ask Chain. Where it answers with a fault of kind
	// RateLimited, a claim is pending until a worker looked it up.
	Claims ports.DepositReader
	// DepositTransactions builds the transactions that players sign to deposit, with a quota
	// of its own as Claims; nil for Chain.
	DepositTransactions ports.DepositTransactions
	// Hosts looks up the host of a logo before it is taken; nil looks up none.
	Hosts ports.Hosts
	// Limiter counts how often a player has the chain asked; nil counts nothing.
	Limiter ports.Limiter
	// WebhookSite sends events to agents' endpoints, EventEncoder writes them; without one of
	// them there are no webhooks.
	WebhookSite  ports.WebhookSite
	EventEncoder ports.EventEncoder
	// Extensions are what the casino has beside its core; nil for all of Extensions.
	Extensions []Extension
	Settings   kernel.Settings
	Logger     *slog.Logger
}

// Casino is the whole service without its inbound adapters. It is safe for concurrent
// use.
type Casino struct {
	// What inbound adapters use beside the use cases. None is changed after New.
	kernel.Parts

	// The use cases, by feature.
	Accounts   *accounts.Service
	Play       *play.Service
	Deposits   *deposits.Service
	Payouts    *payouts.Service
	Treasury   *treasury.Service
	Approvals  *approvals.Service
	Providers  *providers.Service
	Admin      *admin.Service
	Events     *events.Service
	Operations *operations.Service

	// Extensions, nil where they were left out.
	Alarms   *alarms.Service
	Rounds   *rounds.Service
	Sites    *sites.Service
	Webhooks *webhooks.Service
	Audit    *audit.Service
	Receipts *receipts.Service
	Solvency *solvency.Service

	// Money moves through use cases only.
	core    *kernel.Kernel
	workers []worker
}

// What embedders name of the kernel.
type (
	Settings           = kernel.Settings
	Caller             = kernel.Caller
	Idempotency        = kernel.Idempotency
	Chain              = kernel.Chain
	ProviderConnection = kernel.ProviderConnection
	Worker             = kernel.Worker
	Store              = kernel.Store
	Ports              = kernel.Ports
)

// New returns the service, or one error that names everything missing.
func New(deps Deps) (*Casino, error) {
	if err := deps.missing(); err != nil {
		return nil, err
	}
	if err := checkShares(deps.Tokens); err != nil {
		return nil, err
	}
	if deps.Settings.Language == "" {
		deps.Settings.Language = kernel.LanguageDefault
	}
	if !seamless.ValidLanguage(deps.Settings.Language) {
		return nil, fmt.Errorf("app: Deps.Settings.Language %q is no language tag such as pt or pt-BR", deps.Settings.Language)
	}
	if deps.Settings.LoginMaxAge == 0 {
		deps.Settings.LoginMaxAge = 2 * time.Minute
	}
	if deps.Settings.LoginMaxAhead == 0 {
		deps.Settings.LoginMaxAhead = time.Minute
	}
	if deps.Settings.FeeFloor == 0 {
		deps.Settings.FeeFloor = kernel.FeeFloorDefault
	}
	if deps.Settings.ClockBound == 0 {
		deps.Settings.ClockBound = kernel.ClockBoundDefault
	}
	if deps.Authenticator == nil {
		deps.Authenticator = seal.None{}
	}
	deps.sealRoles()
	if deps.Logger == nil {
		deps.Logger = slog.New(slog.DiscardHandler)
	}
	if deps.Claims == nil {
		deps.Claims = deps.Chain
	}
	if deps.DepositTransactions == nil {
		deps.DepositTransactions = deps.Chain
	}
	parts := kernel.Parts{
		Clock: deps.Clock, Entropy: deps.Entropy, Sessions: deps.Sessions, Games: deps.Games, Tokens: deps.Tokens,
		Policy: deps.Policy, Branding: deps.Branding, Provider: deps.Provider, Settings: deps.Settings, Logger: deps.Logger,
	}
	core := &kernel.Kernel{
		Parts: parts, Store: deps.Store, Chain: deps.Chain, Seals: deps.Authenticator, Limiter: deps.Limiter, Hosts: deps.Hosts,
		Alarms:   kernel.NewLoggedAlarms(deps.Logger, deps.Clock),
		Health:   kernel.NewHealth(deps.Clock, deps.Settings.Version),
		Progress: kernel.NewProgress(),
	}
	c := &Casino{Parts: parts, core: core}
	c.Events = events.New(core)
	c.Play = play.New(core)
	c.Accounts = accounts.New(core, c.Play)
	c.Approvals = approvals.New(core)
	c.Deposits = deposits.New(core, c.Approvals, deps.Claims, deps.DepositTransactions)
	c.Payouts = payouts.New(core, c.Approvals, c.Deposits, deps.TreasuryHistory)
	c.Treasury = treasury.New(core, c.Deposits)
	c.Providers = providers.New(core, c.Approvals)
	c.Admin = admin.New(core, c.Approvals, c.Accounts, c.Treasury)
	c.Operations = operations.New(core, c.Payouts, c.Treasury, deps.ChainHead)
	c.addCoreWorkers()
	if deps.Extensions == nil {
		deps.Extensions = Extensions()
	}
	for _, extend := range deps.Extensions {
		extend(c, deps)
	}
	if err := c.Approvals.Complete(); err != nil {
		return nil, err
	}
	core.Health.Began = func() { core.Progress.Began(kernel.HealthWorker) }
	core.Health.Show(kernel.WorkersCheck, func() kernel.Check { return core.Progress.Check(c.workerNames(), core.Tokens) })
	return c, nil
}

// Admit returns the caller with the role it has now, where that has the permission: use cases
// that are called with it don't read the role again before they decide.
func (c *Casino) Admit(ctx context.Context, caller Caller, permission rbac.Permission) (Caller, error) {
	return c.core.Admit(ctx, caller, permission)
}

// Reauthorize refuses a caller whose role is no longer the one that it was admitted with.
func (c *Casino) Reauthorize(ctx context.Context, caller Caller, permission rbac.Permission) error {
	begun, err := c.core.Authorize(ctx, caller, permission)
	if err != nil {
		return err
	}
	return c.core.Reauthorize(ctx, caller, permission, begun)
}

// ConfirmSession refuses a session that was signed out.
func (c *Casino) ConfirmSession(ctx context.Context, s ports.Session) error {
	return c.core.ConfirmSession(ctx, s)
}

// checkShares names every open token of which no bet could be taken.
func checkShares(tokens token.Book) error {
	var faults []error
	for _, t := range tokens.All() {
		if s := t.BankrollShare; !t.Closing && (s.Num == 0 || s.Den == 0 || s.Num > s.Den) {
			faults = append(faults, fmt.Errorf("app: Deps.Tokens: %s: BankrollShare must be above 0 and at most 1, or every bet is refused (token.DefaultSOLTerms has 1/100)", t.Mint))
		}
	}
	return errors.Join(faults...)
}

// Health returns the service's probes.
func (c *Casino) Health() *kernel.Health { return c.core.Health }

// VerifyRound recomputes a round from its inputs with the code that draws rounds. It
// returns the result and the commitment that the server seed must have had, in
// hexadecimal, and reads no store.
func (c *Casino) VerifyRound(inputs game.RoundInputs) (game.Result, string, error) {
	return c.core.Games.Verify(inputs)
}

// GameReturn is what a config of a game pays in the long run. It reads no store.
func (c *Casino) GameReturn(gameType string, config game.Value) (game.Return, error) {
	return c.core.Games.Return(gameType, config)
}

// GameReturnBySteps is the same of a round that is played step by step.
func (c *Casino) GameReturnBySteps(gameType string, config game.Value) (game.ReturnBySteps, error) {
	return c.core.Games.ReturnBySteps(gameType, config)
}
