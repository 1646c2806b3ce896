package app

import (
	"errors"
	"fmt"

	"github.com/casino-service/casino/ports"
)

// Store is every port that stores something, in groups by purpose. One adapter usually
// serves them all (see StoreOf). They may be of several, as long as they show the same
// state.
//
// CorePorts and PaymentPorts are required and gain no field. Every other field may be
// nil: what needs it returns ErrNotProvided, and the rest of the service works. A port
// that comes later is an optional field, so that a store written against an earlier set
// of ports still compiles and works.
type Store struct {
	CorePorts
	PaymentPorts
	WatchPorts
	TreasuryPorts
	ProviderPorts
	BackOfficePorts
	ControlPorts
	AccountPorts
	WebhookPorts
}

// CorePorts are what sign-in, play and administration need. All are required.
type CorePorts struct {
	Writer       ports.Writer
	Players      ports.Players
	Seeds        ports.Seeds
	Rounds       ports.Rounds
	Transactions ports.Transactions
	Figures      ports.Figures
	Roles        ports.Roles
	Agents       ports.Agents
}

// PaymentPorts are what deposits and withdrawals need. All are required.
type PaymentPorts struct {
	Deposits       ports.Deposits
	Withdrawals    ports.Withdrawals
	PayoutQueue    ports.PayoutQueue
	PayoutControls ports.PayoutControls
	Approvals      ports.Approvals
}

// WatchPorts are what the deposit watcher needs, which finds deposits that nobody
// registered. All are optional.
type WatchPorts struct {
	DepositCursors   ports.DepositCursors
	ParkedDeposits   ports.ParkedDeposits
	UnbookedDeposits ports.UnbookedDeposits
	// Unclaimed lists what came from wallets that never signed in, for who assigns it.
	Unclaimed ports.Unclaimed
}

// TreasuryPorts are what the chain is asked with before money leaves. All are optional,
// and need each other and Deps.TreasuryHistory: without them payouts are signed by the
// books alone, and a database that was put back to an earlier moment pays again what was
// paid since.
type TreasuryPorts struct {
	TreasuryIndex  ports.TreasuryIndex
	TreasuryReview ports.TreasuryReview
	TreasurySweeps ports.TreasurySweeps
}

// ProviderPorts are what games of third parties need. All are optional without
// Deps.Provider; with it Catalog, Launches, SeamlessTransactions and Deliveries are
// required.
type ProviderPorts struct {
	Catalog              ports.Catalog
	Launches             ports.Launches
	SeamlessTransactions ports.SeamlessTransactions
	Reconciliations      ports.Reconciliations
	Deliveries           ports.Deliveries
	AgentFunds           ports.AgentFunds
}

// BackOfficePorts are what reports and pages of the back office need. All are optional.
// Without Brandings, Deps.Branding is in force.
type BackOfficePorts struct {
	Reports     ports.Reports
	AuditLog    ports.AuditLog
	Brandings   ports.Brandings
	Checkpoints ports.Checkpoints
	// RoleLists makes the roles one sealed list, with Deps.Authenticator.
	RoleLists ports.RoleLists
}

// AccountPorts are what players see of their accounts beyond CorePorts. All are optional.
type AccountPorts struct {
	PlaySessions ports.PlaySessions
	// RevealedSeeds saves a question for each seed pair of a page of rounds. Without it
	// Seeds is asked for one after the other.
	RevealedSeeds ports.RevealedSeeds
	// Events are what was committed, for whoever listens. Without it nothing can be heard.
	Events ports.Events
	// OpenRounds are rounds that are played step by step. Without it none is opened.
	OpenRounds ports.OpenRounds
}

// ControlPorts are what restricts the service as a whole. All are optional. Without
// Controls nothing is ever restricted.
type ControlPorts struct {
	Controls ports.Controls
	// WalletProofs proves what a wallet has before it is paid, with Deps.Authenticator.
	// Without it payouts believe the balances that are stored.
	WalletProofs ports.WalletProofs
	// StoreClock is compared with the service's own clock and the chain's. Without it the
	// store's clock is not looked at.
	StoreClock ports.StoreClock
	// Alarms keeps alarms. Without it they are logged alone.
	Alarms ports.Alarms
}

// WebhookPorts are what sending events to agents' endpoints needs, with AccountPorts.Events,
// Deps.WebhookSite and Deps.EventEncoder. All are optional, and need each other.
type WebhookPorts struct {
	Webhooks     ports.Webhooks
	WebhookQueue ports.WebhookQueue
	DeadLetters  ports.DeadLetters
}

// RequiredPorts is one value that serves every required port of a Store. It gains
// no method.
type RequiredPorts interface {
	ports.Writer
	ports.Players
	ports.Seeds
	ports.Rounds
	ports.Transactions
	ports.Figures
	ports.Roles
	ports.Agents
	ports.Deposits
	ports.Withdrawals
	ports.PayoutQueue
	ports.PayoutControls
	ports.Approvals
}

// StoreOf fills a Store from one value: the required ports, and each optional port that
// the value serves too. A type that wraps a store by embedding RequiredPorts serves only
// those: embed the concrete store type, or fill the Store field by field.
func StoreOf(s RequiredPorts) Store {
	store := Store{
		CorePorts: CorePorts{
			Writer: s, Players: s, Seeds: s, Rounds: s, Transactions: s, Figures: s, Roles: s, Agents: s,
		},
		PaymentPorts: PaymentPorts{Deposits: s, Withdrawals: s, PayoutQueue: s, PayoutControls: s, Approvals: s},
	}
	store.DepositCursors, _ = s.(ports.DepositCursors)
	store.ParkedDeposits, _ = s.(ports.ParkedDeposits)
	store.UnbookedDeposits, _ = s.(ports.UnbookedDeposits)
	store.TreasuryIndex, _ = s.(ports.TreasuryIndex)
	store.TreasuryReview, _ = s.(ports.TreasuryReview)
	store.TreasurySweeps, _ = s.(ports.TreasurySweeps)
	store.Catalog, _ = s.(ports.Catalog)
	store.Launches, _ = s.(ports.Launches)
	store.SeamlessTransactions, _ = s.(ports.SeamlessTransactions)
	store.Reconciliations, _ = s.(ports.Reconciliations)
	store.Deliveries, _ = s.(ports.Deliveries)
	store.AgentFunds, _ = s.(ports.AgentFunds)
	store.Reports, _ = s.(ports.Reports)
	store.AuditLog, _ = s.(ports.AuditLog)
	store.Brandings, _ = s.(ports.Brandings)
	store.Checkpoints, _ = s.(ports.Checkpoints)
	store.Controls, _ = s.(ports.Controls)
	store.RoleLists, _ = s.(ports.RoleLists)
	store.WalletProofs, _ = s.(ports.WalletProofs)
	store.PlaySessions, _ = s.(ports.PlaySessions)
	store.Unclaimed, _ = s.(ports.Unclaimed)
	store.RevealedSeeds, _ = s.(ports.RevealedSeeds)
	store.StoreClock, _ = s.(ports.StoreClock)
	store.OpenRounds, _ = s.(ports.OpenRounds)
	store.Events, _ = s.(ports.Events)
	store.Webhooks, _ = s.(ports.Webhooks)
	store.WebhookQueue, _ = s.(ports.WebhookQueue)
	store.DeadLetters, _ = s.(ports.DeadLetters)
	store.Alarms, _ = s.(ports.Alarms)
	return store
}

// part is a field that must be filled.
type part struct {
	name  string
	given bool
}

// missing returns an error for each part that is missing.
func missing(parts []part) error {
	var all []error
	for _, p := range parts {
		if !p.given {
			all = append(all, fmt.Errorf("app: Deps.%s is missing", p.name))
		}
	}
	return errors.Join(all...)
}

// required are the parts of the store that a Casino can't do without.
func (s Store) required(provider bool) []part {
	parts := []part{
		{"Store.Writer", s.Writer != nil}, {"Store.Players", s.Players != nil}, {"Store.Seeds", s.Seeds != nil},
		{"Store.Rounds", s.Rounds != nil}, {"Store.Transactions", s.Transactions != nil},
		{"Store.Figures", s.Figures != nil}, {"Store.Roles", s.Roles != nil}, {"Store.Agents", s.Agents != nil},
		{"Store.Deposits", s.Deposits != nil}, {"Store.Withdrawals", s.Withdrawals != nil},
		{"Store.PayoutQueue", s.PayoutQueue != nil}, {"Store.PayoutControls", s.PayoutControls != nil},
		{"Store.Approvals", s.Approvals != nil},
	}
	if provider {
		parts = append(parts, part{"Store.Catalog", s.Catalog != nil}, part{"Store.Launches", s.Launches != nil},
			part{"Store.SeamlessTransactions", s.SeamlessTransactions != nil}, part{"Store.Deliveries", s.Deliveries != nil})
	}
	return parts
}
