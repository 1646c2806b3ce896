package kernel

import (
	"net/netip"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
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

// Settings are the operator's choices. The zero value of each field means the default named
// beside it.
type Settings struct {
	LoginMaxAge   time.Duration // default 2 minutes: the maximum age of a login's timestamp
	LoginMaxAhead time.Duration // default 1 minute: how far it may be ahead of the service's clock
	// WithdrawOwnOnly allows payouts only to the wallet that signed in.
	WithdrawOwnOnly bool
	// SignedApprovals makes approvals of withdrawals count only with the admin wallet's
	// signature, see withdrawal.ApprovalMessage.
	SignedApprovals bool
	// NoWithdrawCancel stops players from cancelling withdrawals that can still be paid, as
	// some regulators require.
	NoWithdrawCancel bool
	// ExclusionMin is the minimum length of an exclusion; 0 sets none.
	ExclusionMin time.Duration
	// Pace is the minimum time between a player's rounds; the zero Pace sets none.
	Pace protection.Pace
	// FeeFloor is the SOL that the treasury should have for fees, in lamports; less raises an
	// alarm. 0 means FeeFloorDefault.
	FeeFloor money.Amount
	// Language is the language of providers' games if a launch names none, as a BCP 47 tag.
	// Empty means LanguageDefault.
	Language string
	// Instance names this process among those of the deployment. A name that stays the same
	// after a restart lets it continue its leases of payouts. Empty uses a new name each
	// time.
	Instance string
	// Version is shown by GET /health.
	Version string
	// LocalSites allows agents' sites on this machine, for development. The adapter that
	// sends to them must allow it too.
	LocalSites bool
	// SolvencyKeep is how long the hourly snapshots of what is owed to players are kept; 0 makes
	// none.
	SolvencyKeep time.Duration
	// ClockBound is the difference between the clocks of the service, its database and the
	// chain from which GET /health is degraded and an alarm is raised. 0 means
	// ClockBoundDefault.
	ClockBound time.Duration
}

// LanguageDefault is the default of Settings.Language.
const LanguageDefault = "pt"

// Now returns the present time in microseconds, the precision of all stores.
func (c *Kernel) Now() time.Time { return Now(c.Clock) }

// Now returns the present time in microseconds, the precision of all stores.
func Now(clock ports.Clock) time.Time { return clock.Now().UTC().Truncate(time.Microsecond) }

// Idempotency is a client's own key for a write, with a fingerprint of the request. The
// zero value means that the client gave none.
type Idempotency struct {
	Key string
	// Fingerprint identifies the request. The inbound adapter makes it: a digest of method,
	// route, path values and canonical body.
	Fingerprint string
}

// Keys returns the unique key of the caller's item: the client's idempotency key, or the
// item's id if there is none.
func (i Idempotency) Keys(caller wallet.Address, kind player.KeyKind, id string) []player.UniqueKey {
	if i.Key != "" {
		return []player.UniqueKey{{
			Kind: player.IdempotencyKey, Scope: string(caller), ID: i.Key, Fingerprint: i.Fingerprint,
		}}
	}
	return []player.UniqueKey{{Kind: kind, ID: id}}
}

// Caller is the wallet that makes a request, after its session was verified.
type Caller struct {
	Wallet wallet.Address
	// RequestID links audit records with log lines.
	RequestID string
	// SessionAt is when the caller's session was issued, to the millisecond.
	SessionAt time.Time
	// Unconfirmed, if not nil, is a session that was not yet checked for a sign-out. The use
	// case checks it in its commit, which saves a read. Only package play supports it.
	Unconfirmed *ports.Session

	// Remote is the address that the request came from, the zero Addr if there was none.
	Remote netip.Addr

	role *rbac.Assignment // see Admit
}

// ParseAmount returns a positive amount in base units, or an Invalid fault of the field.
func ParseAmount(name string, units int64) (money.Amount, error) {
	if units < 1 {
		return 0, fault.Field(name, "must be an integer from 1 to 9223372036854775807")
	}
	return money.Amount(units), nil
}

// ClockBoundDefault is the default of Settings.ClockBound. Clocks matter for these: a login
// message may be two minutes old and a minute ahead, caps count by the database's hours,
// and days of reports begin by the service's clock.
const ClockBoundDefault = 10 * time.Second

// FeeFloorDefault is the default of Settings.FeeFloor, in lamports.
const FeeFloorDefault money.Amount = 50_000_000

// ProviderConnection is the connection to a provider of third-party games.
type ProviderConnection struct {
	// Code names the provider in the ledger. It is part of every key of its transactions and
	// never changes.
	Code  string
	Games ports.GameProvider
	// LaunchOnly reports that the protocol has neither our funds nor a log to compare.
	LaunchOnly bool
	// Token and Scale define the money of new launches: one unit of the provider's money is
	// 10^Scale base units of the token.
	Token money.Token
	Scale seamless.Scale
	Caps  player.ProviderCaps
	// Sites calls the sites of agents that keep their players' balances; if it is nil, their
	// players are refused with AgentSeamless.
	Sites ports.AgentSite
	// EnableNew enables new games of a sync at once; otherwise an admin enables them.
	EnableNew bool
}

// ProviderCall is a provider's transaction as received; its texts are unchecked.
type ProviderCall struct {
	UserCode string
	TxnID    string
	Kind     string
	GameType string
	Provider string
	Game     string
	Bet, Win seamless.Decimal
	// WholeIDs reports that the protocol's ids name whole transactions: a bet, a win and a
	// rollback never share one. Only such a protocol has rollbacks. Its callbacks name no
	// maker and no type of game, which the catalogue adds.
	WholeIDs bool
	// Reference is the id of the bet that a win settles, or of the transaction that a
	// rollback undoes.
	Reference string
}

// ProviderResponse answers a provider's transaction: whether it was accepted, the player's
// balance in the provider's money, and the reason of a refusal.
type ProviderResponse struct {
	Accepted bool
	Balance  seamless.Decimal
	Reason   seamless.Reason
}
