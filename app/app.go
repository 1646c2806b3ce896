// Package app holds the use cases of the casino, over its ports.
//
// New is the entry point for embedders: give it a store, a chain and a clock. The Casino
// that it returns has a field for each feature, and each use case is a method of its
// feature. Before the first bet, call in this order: Deposits.BeginWatch;
// Treasury.BookCapital, because the house pays from booked capital and every bet is refused
// without it; RoleCommands.Found of package admin, which adds the admins who approve
// withdrawals; and Accounts.SignIn for each player, which makes the player's first seed
// pair.
//
// A use case checks everything that needs no store, passes one pure decision to the Writer,
// and answers with what was committed. Use cases hold no transaction, know no wire format,
// and start no goroutine: a worker is a Step method that the caller repeats, pausing when
// Step reports that there was no work. Casino.Workers lists the workers, and package
// adapters/workers runs them.
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
	"github.com/casino-service/casino/app/corrections"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/events"
	"github.com/casino-service/casino/app/headlog"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/app/receipts"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/app/reports"
	"github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/app/sharedcrash"
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

// Deps holds the dependencies of a Casino. All fields are required except Provider,
// Authenticator, RoleVersions, Restrictions, TreasuryHistory, ChainHead, Statements,
// Receipts, Beacons, Claims, DepositTransactions, Screeners, Hosts, Limiter, WebhookSite, EventEncoder,
// Extensions and Logger.
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
	// Authenticator seals the rows that payouts depend on, and checks the seals before
	// anything is signed. Without one, rows are neither sealed nor checked: anyone who can
	// write the database can pay themselves.
	Authenticator ports.Authenticator
	// RoleVersions knows the latest version of the list of roles from outside the database.
	// It is used with an Authenticator; nil remembers the versions seen by this process.
	RoleVersions admin.RoleVersions
	// Restrictions are the places outside the database that keep restrictions; empty if the
	// service has no recovery.
	Restrictions []recovery.NamedRestrictions
	// TreasuryHistory reads the transactions that the treasury signed from the chain. Without
	// it payouts rely on the ledger alone, and a database that was restored to an earlier
	// moment pays again what was paid since.
	TreasuryHistory ports.TreasuryHistory
	// ChainHead returns the chain's newest slot and its time. Public checkpoints name the
	// slot; the time is compared with the service's clock. nil turns off both.
	ChainHead ports.ChainHead
	// Statements signs public checkpoints; nil leaves them unsigned.
	Statements ports.StatementSigner
	// Receipts signs receipts and the log of headers; nil for a service without them.
	Receipts ports.ReceiptSigner
	// LogHeads keeps the newest checkpoints of the log outside the database; nil keeps them in
	// the database alone.
	LogHeads headlog.Outside
	// LogWitnesses cosign the checkpoints of the log.
	LogWitnesses []ports.LogWitness
	// AnchorChain writes anchors of the log on chain, one in each AnchorPeriod; nil writes none.
	AnchorChain  headlog.AnchorChain
	AnchorPeriod time.Duration
	// Beacons decides the rounds of the shared crash, which Crash sets up; nil turns it off.
	// adapters/solana reads blockhashes of Solana; with a Cluster, two nodes must agree.
	Beacons ports.Beacons
	Crash   sharedcrash.Rules
	// Claims reads the transactions that players claim as their deposits; nil uses Chain.
	// With separate connections and a separate quota, many claims can't delay the workers,
	// which use Chain. If it answers with a fault of kind RateLimited, the claim is pending
	// until a worker reads the transaction.
	Claims ports.DepositReader
	// DepositTransactions builds the transactions that players sign to deposit, with its own
	// quota like Claims; nil uses Chain.
	DepositTransactions ports.DepositTransactions
	// Screeners decide who is admitted; without any everyone is. Each is asked at its own points,
	// and nothing is admitted while one fails.
	Screeners []ports.Screener
	// Hosts resolves the host of a logo before the logo is accepted; nil skips this check.
	Hosts ports.Hosts
	// Limiter limits how often a player causes reads of the chain; nil sets no limit.
	Limiter ports.Limiter
	// WebhookSite sends events to agents' endpoints, and EventEncoder encodes them. Webhooks
	// need both.
	WebhookSite  ports.WebhookSite
	EventEncoder ports.EventEncoder
	// Extensions are the optional features; nil selects all that Extensions returns.
	Extensions []Extension
	Settings   kernel.Settings
	Logger     *slog.Logger
}

// Casino is the whole service without its inbound adapters. It is safe for concurrent
// use.
type Casino struct {
	// Parts that inbound adapters use too. They don't change after New.
	kernel.Parts

	// The use cases, by feature.
	Accounts    *accounts.Service
	Play        *play.Service
	Deposits    *deposits.Service
	Payouts     *payouts.Service
	Treasury    *treasury.Service
	Approvals   *approvals.Service
	Corrections *corrections.Service
	Reports     *reports.Service
	Providers   *providers.Service
	Admin       *admin.Service
	Events      *events.Service
	Operations  *operations.Service

	// Extensions, nil where they were left out.
	Alarms   *alarms.Service
	Rounds   *rounds.Service
	Sites    *sites.Service
	Webhooks *webhooks.Service
	Audit    *audit.Service
	Receipts *receipts.Service
	HeadLog  *headlog.Service
	Solvency *solvency.Service
	Anchors  *headlog.Anchors
	Crash    *sharedcrash.Service

	// Use cases alone move money.
	core    *kernel.Kernel
	workers []worker
}

// Names of the kernel that embedders need.
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
		return nil, fmt.Errorf("app: Deps.Settings.Language %q is not a language tag such as pt or pt-BR", deps.Settings.Language)
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
	core.Screening = kernel.NewScreening(core, deps.Screeners)
	c := &Casino{Parts: parts, core: core}
	c.Events = events.New(core)
	c.Play = play.New(core)
	c.Accounts = accounts.New(core, c.Play)
	c.Approvals = approvals.New(core)
	c.Deposits = deposits.New(core, c.Approvals, deps.Claims, deps.DepositTransactions)
	c.Payouts = payouts.New(core, c.Approvals, c.Deposits, deps.TreasuryHistory)
	c.Treasury = treasury.New(core, c.Deposits)
	c.Corrections = corrections.New(core, c.Approvals)
	c.Reports = reports.New(core)
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

// Admit returns the caller with its present role if that role has the permission. Use cases
// called with the result don't read the role again before they decide.
func (c *Casino) Admit(ctx context.Context, caller Caller, permission rbac.Permission) (Caller, error) {
	return c.core.Admit(ctx, caller, permission)
}

// Reauthorize returns an error if the caller's role has changed since Admit.
func (c *Casino) Reauthorize(ctx context.Context, caller Caller, permission rbac.Permission) error {
	begun, err := c.core.Authorize(ctx, caller, permission)
	if err != nil {
		return err
	}
	return c.core.Reauthorize(ctx, caller, permission, begun)
}

// ConfirmSession returns an error if the session was signed out.
func (c *Casino) ConfirmSession(ctx context.Context, s ports.Session) error {
	return c.core.ConfirmSession(ctx, s)
}

// checkShares returns an error that names each open token that could take no bet.
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
// returns the result and the server seed's commitment in hexadecimal, and reads no store.
func (c *Casino) VerifyRound(inputs game.RoundInputs) (game.Result, string, error) {
	return c.core.Games.Verify(inputs)
}

// GameReturn returns the long-run return of a game's config. It reads no store.
func (c *Casino) GameReturn(gameType string, config game.Value) (game.Return, error) {
	return c.core.Games.Return(gameType, config)
}

// GameReturnBySteps returns the long-run return of a config that is played in steps.
func (c *Casino) GameReturnBySteps(gameType string, config game.Value) (game.ReturnBySteps, error) {
	return c.core.Games.ReturnBySteps(gameType, config)
}
