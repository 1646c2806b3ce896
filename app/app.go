// Package app holds the use cases of the casino, over its ports.
//
// New is where an embedder begins: give it a store, a chain and a clock, and every use
// case is a method of the Casino it returns. Before the first bet, in this order:
// Casino.BeginWatch, Casino.BookCapital (the house pays from what is booked; until then
// every bet is refused), RoleCommands.Found (who approves withdrawals), and Casino.SignIn
// for each player, which makes the player's first seed pair.
//
// A use case checks what can be checked
// without a store, hands one pure decision to the Writer, and answers with what was
// committed. Use cases hold no transaction, know no wire format, and start no goroutine:
// a worker is a Step method that the caller runs in a loop of its own, resting when Step
// reports that there was no work. Casino.Workers lists them, and package adapters/workers
// runs them.
//
// Inbound adapters (HTTP, commands) import it; the domain and the ports never do.
package app

import (
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Chain is every port that reads or writes the blockchain.
type Chain interface {
	ports.DepositReader
	ports.DepositHistory
	ports.DepositTransactions
	ports.Mints
	ports.Payer
	ports.ChainProbe
	ports.HouseAddresses
}

// Deps is what a Casino is made of. Everything is required but Provider, Authenticator,
// RoleVersions, Restrictions, TreasuryHistory, ChainHead, Statements, Claims,
// DepositTransactions, Hosts, Limiter, WebhookSite, EventEncoder and Logger.
type Deps struct {
	Store    Store
	Chain    Chain
	Clock    ports.Clock
	Entropy  ports.Entropy
	Sessions ports.SessionTokens
	Games    *game.Registry
	Tokens   token.Book
	Policy   rbac.Policy
	Branding branding.Branding
	// Provider is the connection to third-party games; nil for none.
	Provider *ProviderConnection
	// Authenticator seals what payouts are decided by, and checks it before anything is
	// signed. Without one nothing is sealed and nothing checked: whoever can write the
	// database can then have himself paid.
	Authenticator ports.Authenticator
	// RoleVersions knows the latest version of the list of roles from outside the
	// database; nil for what this process met. It is used with an Authenticator.
	RoleVersions RoleVersions
	// Restrictions are the places outside the database that keep what is forbidden; none
	// for a service without a recovery.
	Restrictions []NamedRestrictions
	// TreasuryHistory is what the treasury signed, as the chain shows it. Without it payouts
	// are signed by the books alone, and a database that was put back to an earlier moment
	// pays again what was paid since.
	TreasuryHistory ports.TreasuryHistory
	// ChainHead says how far the chain is: public checkpoints name its slot, and its time is
	// compared with the service's own. nil for neither.
	ChainHead ports.ChainHead
	// Statements signs public checkpoints; nil leaves them unsigned.
	Statements ports.StatementSigner
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
	Settings     Settings
	Logger       *slog.Logger
}

// Settings are the choices of whoever runs the casino. The zero value of each field
// means the default named beside it.
type Settings struct {
	LoginMaxAge   time.Duration // 2 minutes: how old a login's timestamp may be
	LoginMaxAhead time.Duration // 1 minute: how far ahead of our clock it may be
	// WithdrawOwnOnly pays only to the wallet that signed in.
	WithdrawOwnOnly bool
	// SignedApprovals lets an approval of a withdrawal count only with its admin's own
	// signature, see withdrawal.ApprovalMessage.
	SignedApprovals bool
	// NoWithdrawCancel lets no player cancel a withdrawal that can still be paid, as some
	// regulators ask.
	NoWithdrawCancel bool
	// ExclusionMin is the least length of an exclusion; 0 for none.
	ExclusionMin time.Duration
	// Pace is the least time between a player's rounds; the zero Pace asks for none.
	Pace protection.Pace
	// FeeFloor is how much SOL the treasury should have for fees, in lamports; less
	// raises an alarm. 0 means FeeFloorDefault.
	FeeFloor money.Amount
	// Language is a BCP 47 tag: that of providers' games when a launch names none.
	// Empty means LanguageDefault.
	Language string
	// Instance names this process among those of the deployment, after a restart the same, so
	// that it goes on with its leases of payouts. Empty for a name that ends with the process.
	Instance string
	// Version is shown by GET /health.
	Version string
	// LocalSites lets agents have their sites on this machine, for development. What sends
	// to them must allow it too.
	LocalSites bool
	// ClockBound is how far the clocks of the service, its database and the chain may be
	// apart before GET /health is degraded and an alarm is raised. 0 means
	// ClockBoundDefault.
	ClockBound time.Duration
}

// LanguageDefault is used where Settings.Language is empty.
const LanguageDefault = "pt"

// Casino is the whole service without its inbound adapters. It is safe for concurrent
// use.
type Casino struct {
	// What inbound adapters use beside the use cases. None is changed after New.
	Clock    ports.Clock
	Entropy  ports.Entropy
	Sessions ports.SessionTokens
	Games    *game.Registry
	Tokens   token.Book
	Policy   rbac.Policy
	Branding branding.Branding
	Provider *ProviderConnection
	Settings Settings
	Logger   *slog.Logger

	// Money moves through use cases only.
	seals     seal.Authenticator
	store     Store
	chain     Chain
	signed    ports.TreasuryHistory
	claims    ports.DepositReader
	deposits  ports.DepositTransactions
	limiter   ports.Limiter
	hosts     ports.Hosts
	bankroll  *bankrollCache
	catalogue ownGames
	pictures  pictureOrigins
	health    *Health
	alarms    *alarms
	treasury  *Treasury
	mints     *mintWatch
	monitor   *RTPMonitor
	progress  *progress
	// statements signs checkpoint, which is the newest one; slot is the newest finalized one
	// that was seen, 0 before the first.
	statements ports.StatementSigner
	checkpoint checkpointCache
	slot       atomic.Uint64
	// pseudonyms are the players' names in public.
	pseudonyms pseudonyms
	broadcast  *broadcast
	// effects are what approval requests do once they are approved, by kind.
	effects map[approval.Kind]EffectOf
	// webhookSite sends events, as encoder writes them; webhookNews wakes who sends them.
	webhookSite ports.WebhookSite
	encoder     ports.EventEncoder
	webhookNews news
	// laterEpoch says that the ledger was seen beyond its first epoch.
	laterEpoch atomic.Bool
}

// New returns the service, or one error that names everything missing.
func New(deps Deps) (*Casino, error) {
	if err := deps.missing(); err != nil {
		return nil, err
	}
	if err := checkShares(deps.Tokens); err != nil {
		return nil, err
	}
	if deps.Settings.Language == "" {
		deps.Settings.Language = LanguageDefault
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
		deps.Settings.FeeFloor = FeeFloorDefault
	}
	if deps.Settings.ClockBound == 0 {
		deps.Settings.ClockBound = ClockBoundDefault
	}
	if deps.Authenticator == nil {
		deps.Authenticator = seal.None{}
	}
	deps.sealRoles()
	if deps.Logger == nil {
		deps.Logger = slog.New(slog.DiscardHandler)
	}
	RestrictionKeeper{deps.Restrictions, deps.Store.Controls, deps.Logger}.store(&deps.Store)
	casino := &Casino{
		Clock: deps.Clock, Entropy: deps.Entropy, Sessions: deps.Sessions, Games: deps.Games, Tokens: deps.Tokens,
		Policy: deps.Policy, Branding: deps.Branding, Provider: deps.Provider, Settings: deps.Settings, Logger: deps.Logger,
		seals: deps.Authenticator, store: deps.Store, chain: deps.Chain, signed: deps.TreasuryHistory,
		claims: deps.Claims, deposits: deps.DepositTransactions, statements: deps.Statements,
		limiter: deps.Limiter, hosts: deps.Hosts,
		bankroll: newBankrollCache(deps.Store.Figures, deps.Clock),
		health:   newHealth(deps.Clock, deps.Settings.Version),
		alarms:   newAlarms(deps.Logger, deps.Clock, deps.Entropy, deps.Store.Alarms),
		mints:    &mintWatch{found: map[money.Token]error{}, minimum: map[money.Token]money.Amount{}},
		progress: newProgress(),

		pseudonyms:  newPseudonyms(deps.Authenticator, deps.Entropy),
		webhookSite: deps.WebhookSite, encoder: deps.EventEncoder, webhookNews: make(news, 1),
	}
	if casino.claims == nil {
		casino.claims = deps.Chain
	}
	if casino.deposits == nil {
		casino.deposits = deps.Chain
	}
	casino.broadcast = newBroadcast(casino.store.Events, deps.Clock, casino.publicEvent)
	casino.store.Writer = wakingWriter{casino.store.Writer, []news{casino.broadcast.woken, casino.webhookNews}}
	casino.effects = casino.approvalEffects()
	casino.treasury = newTreasury(casino)
	casino.monitor = &RTPMonitor{casino: casino}
	casino.health.began = func() { casino.progress.began(HealthWorker) }
	casino.health.Show(WorkersCheck, casino.workersCheck)
	casino.compareClocks(deps.ChainHead)
	return casino, nil
}

// approvalEffects returns what each kind of approval request does once it is approved.
func (c *Casino) approvalEffects() map[approval.Kind]EffectOf {
	effects := map[approval.Kind]EffectOf{
		approval.AgentFunds:          c.fundEffect,
		approval.DepositResolution:   c.creditOf,
		approval.ProviderWin:         c.winEffect,
		approval.PayoutsResume:       c.resumeEffect,
		approval.UnclaimedAssignment: c.assignEffect,
	}
	for _, kind := range approval.Kinds() {
		if _, adjusts := player.AdjustmentOf(kind); adjusts && effects[kind] == nil {
			effects[kind] = c.adjustEffect
		}
	}
	return effects
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
func (c *Casino) Health() *Health { return c.health }

// VerifyRound recomputes a round from its inputs with the code that draws rounds. It
// returns the result and the commitment that the server seed must have had, in
// hexadecimal, and reads no store.
func (c *Casino) VerifyRound(inputs game.RoundInputs) (game.Result, string, error) {
	return c.Games.Verify(inputs)
}

// GameReturn is what a config of a game pays in the long run. It reads no store.
func (c *Casino) GameReturn(gameType string, config game.Value) (game.Return, error) {
	return c.Games.Return(gameType, config)
}

// GameReturnBySteps is the same of a round that is played step by step.
func (c *Casino) GameReturnBySteps(gameType string, config game.Value) (game.ReturnBySteps, error) {
	return c.Games.ReturnBySteps(gameType, config)
}

// now is the present to the microsecond, which is what every store keeps.
func (c *Casino) now() time.Time { return now(c.Clock) }

func now(clock ports.Clock) time.Time { return clock.Now().UTC().Truncate(time.Microsecond) }

// Idempotency is a client's own key for a write, with a fingerprint of the request it
// was sent with. The zero value means the client gave none.
type Idempotency struct {
	Key string
	// Fingerprint identifies the request: a digest of method, route, path values and
	// canonical body, made by whoever knows the wire form.
	Fingerprint string
}

// keys returns the unique key of the caller's item: the client's idempotency key, or
// without one the id that the item was given.
func (i Idempotency) keys(caller wallet.Address, kind player.KeyKind, id string) []player.UniqueKey {
	if i.Key != "" {
		return []player.UniqueKey{{
			Kind: player.IdempotencyKey, Scope: string(caller), ID: i.Key, Fingerprint: i.Fingerprint,
		}}
	}
	return []player.UniqueKey{{Kind: kind, ID: id}}
}

// Caller is who makes a request, after the session was verified.
type Caller struct {
	Wallet wallet.Address
	// RequestID ties audit records to log lines.
	RequestID string
	// SessionAt is when the caller's session was issued, to the millisecond.
	SessionAt time.Time
	// Unconfirmed, when not nil, is a session that was not yet checked for a sign-out.
	// The use case checks it in its commit, which saves a read. Only Play supports it.
	Unconfirmed *ports.Session
}

func parseAmount(name string, units int64) (money.Amount, error) {
	if units < 1 {
		return 0, fault.Field(name, "must be an integer from 1 to 9223372036854775807")
	}
	return money.Amount(units), nil
}
