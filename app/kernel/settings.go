package kernel

import (
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
	// SolvencyKeep has it stated each hour what is owed to players, and is how long is kept
	// what proves it to each of them; 0 states nothing.
	SolvencyKeep time.Duration
	// ClockBound is how far the clocks of the service, its database and the chain may be
	// apart before GET /health is degraded and an alarm is raised. 0 means
	// ClockBoundDefault.
	ClockBound time.Duration
}

// LanguageDefault is used where Settings.Language is empty.
const LanguageDefault = "pt"

// Now is the present to the microsecond, which is what every store keeps.
func (c *Kernel) Now() time.Time { return Now(c.Clock) }

// Now is the present to the microsecond, which is what every store keeps.
func Now(clock ports.Clock) time.Time { return clock.Now().UTC().Truncate(time.Microsecond) }

// Idempotency is a client's own key for a write, with a fingerprint of the request it
// was sent with. The zero value means the client gave none.
type Idempotency struct {
	Key string
	// Fingerprint identifies the request: a digest of method, route, path values and
	// canonical body, made by whoever knows the wire form.
	Fingerprint string
}

// Keys returns the unique key of the caller's item: the client's idempotency key, or
// without one the id that the item was given.
func (i Idempotency) Keys(caller wallet.Address, kind player.KeyKind, id string) []player.UniqueKey {
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

	role *rbac.Assignment // see Admit
}

// ParseAmount returns a positive amount in base units, or Invalid with the field.
func ParseAmount(name string, units int64) (money.Amount, error) {
	if units < 1 {
		return 0, fault.Field(name, "must be an integer from 1 to 9223372036854775807")
	}
	return money.Amount(units), nil
}

// ClockBoundDefault is how far clocks may be apart where Settings.ClockBound is zero. A
// login message may be two minutes old and a minute ahead, caps count by the database's
// hours, and days of reports begin by the service's clock.
const ClockBoundDefault = 10 * time.Second

// FeeFloorDefault is how much SOL, in lamports, a treasury should have for fees
// unless Settings say otherwise.
const FeeFloorDefault money.Amount = 50_000_000

// ProviderConnection is the connection to a provider of third-party games.
type ProviderConnection struct {
	// Code names the provider here. It is part of every key of its transactions and
	// never changes.
	Code  string
	Games ports.GameProvider
	// Token and Scale are the money of new launches: one unit of the provider's money is
	// 10^Scale base units of the token.
	Token money.Token
	Scale seamless.Scale
	Caps  player.ProviderCaps
	// Sites reaches the sites of agents that keep their players' balances themselves;
	// without it their players are refused with AgentSeamless.
	Sites ports.AgentSite
	// EnableNew enables games that a sync meets for the first time; without it an admin
	// enables them.
	EnableNew bool
}

// ProviderCall is a provider's transaction as it was received, its texts unchecked.
type ProviderCall struct {
	UserCode string
	TxnID    string
	Kind     string
	GameType string
	Provider string
	Game     string
	Bet, Win seamless.Decimal
}

// ProviderResponse answers a provider: whether the transaction is accepted, the player's
// balance in the provider's money, and why it isn't accepted.
type ProviderResponse struct {
	Accepted bool
	Balance  seamless.Decimal
	Reason   seamless.Reason
}
