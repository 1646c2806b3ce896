// Package kernel holds what the use cases of all features share: the ports and settings they
// work with, who may do what, how they commit, and their faults. It knows no feature.
package kernel

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"time"
	"unicode/utf8"

	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Parts are what inbound adapters, too, use of a casino.
type Parts struct {
	Clock    ports.Clock
	Entropy  ports.Entropy
	Sessions ports.SessionTokens
	Games    *game.Registry
	Tokens   token.Book
	Policy   rbac.Policy
	Branding branding.Branding
	// Provider is the connection to third-party games; nil for none.
	Provider *ProviderConnection
	Settings Settings
	Logger   *slog.Logger
}

// Kernel is what every feature works with. Package app fills it; nothing is changed after
// that.
type Kernel struct {
	Parts
	Store Store
	Chain Chain
	// Seals seals what payouts are decided by.
	Seals seal.Authenticator
	// Limiter counts how often a player has the chain asked; nil counts nothing.
	Limiter ports.Limiter
	// Hosts looks up the hosts of URLs that admins set; nil looks up none.
	Hosts    ports.Hosts
	Alarms   Alarms
	Health   *Health
	Progress *Progress
}

// PublicHostOf refuses a URL in a field whose host leads elsewhere than to the public
// internet. An empty one has none.
func (c *Kernel) PublicHostOf(ctx context.Context, field, text string) error {
	if c.Hosts == nil || text == "" {
		return nil
	}
	at, err := url.Parse(text)
	if err != nil {
		return fault.Field(field, "must be a URL")
	}
	switch err := c.Hosts.PublicHost(ctx, at.Hostname()); {
	case fault.Is(err, fault.Invalid), fault.Is(err, fault.NotFound):
		return fault.Field(field, "%v", err)
	case c.Settings.LocalSites && fault.Is(err, fault.Unavailable): // a machine without a network
		return nil
	default:
		return err
	}
}

// BalancesAt lists a wallet's balances, sorted by token: those at the end of a millisecond,
// or for the zero time the present ones. A moment in the future is a fault of kind Invalid.
func (c *Kernel) BalancesAt(ctx context.Context, w wallet.Address, at time.Time) ([]ports.TokenBalance, error) {
	switch {
	case at.IsZero():
		return c.Store.Players.Balances(ctx, w)
	case at.After(c.Now()):
		return nil, ErrFuture
	}
	return c.Store.PastBalances.BalancesAt(ctx, w, at.Add(time.Millisecond-time.Microsecond))
}

// ErrFuture refuses to say what was at a moment that is to come.
var ErrFuture = fault.Field("at", "must not be in the future")

// CreditKeys are the unique keys of booking a transaction: it is booked once, as
// somebody's deposit or as capital.
func CreditKeys(ref deposit.Ref) []player.UniqueKey {
	return []player.UniqueKey{
		{Kind: player.CapitalKey, Scope: string(ref.Token), ID: ref.Signature},
		{Kind: player.DepositKey, Scope: string(ref.Token), ID: ref.Signature},
	}
}

// Overtaken hides the refusal that says another worker or an admin was faster: that is
// the expected end of such a race.
func Overtaken(err error) error {
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	return err
}

// ErrDepositTaken refuses a claim to a transaction that was credited to somebody else.
var ErrDepositTaken = fault.New(fault.DepositTaken, "this transaction was credited to another player")

// ErrResultLost is a defect of a store: it replayed an item without the answer that was
// kept with its unique key.
var ErrResultLost = errors.New("app: the store replayed a unique key without its answer")

// TextMax is how long a note or a reason may be, in characters.
const TextMax = 500

// CheckReason checks the reason that an admin gives: 1 to TextMax characters.
func CheckReason(reason string) error { return CheckText("reason", reason) }

// CheckText checks a text in a field: 1 to TextMax characters.
func CheckText(field, text string) error {
	if n := utf8.RuneCountInString(text); n < 1 || n > TextMax {
		return fault.Field(field, "must have 1 to %d characters", TextMax)
	}
	return nil
}
