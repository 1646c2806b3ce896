// Package kernel holds what all features share: their ports and settings, authorization,
// health, and common errors. It imports no feature.
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

// Parts are the parts of a Casino that inbound adapters use too.
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

// Kernel holds what every feature works with. Package app fills it; afterwards it doesn't
// change.
type Kernel struct {
	Parts
	Store Store
	Chain Chain
	// Seals seals the rows that payouts depend on.
	Seals seal.Authenticator
	// Limiter limits how often a player causes reads of the chain; nil sets no limit.
	Limiter ports.Limiter
	// Hosts resolves the hosts of URLs that admins set; nil skips this check.
	Hosts  ports.Hosts
	Alarms Alarms
	// Screening decides who is admitted.
	Screening *Screening
	Health    *Health
	Progress  *Progress
}

// PublicHostOf returns a fault about the field if the URL in text leads to a host that
// isn't on the public internet. An empty text is accepted.
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

// BalancesAt lists a wallet's balances at the end of a millisecond, sorted by token; the zero
// time stands for now. A time in the future is a fault of kind Invalid.
func (c *Kernel) BalancesAt(ctx context.Context, w wallet.Address, at time.Time) ([]ports.TokenBalance, error) {
	switch {
	case at.IsZero():
		return c.Store.Players.Balances(ctx, w)
	case at.After(c.Now()):
		return nil, ErrFuture
	}
	return c.Store.PastBalances.BalancesAt(ctx, w, at.Add(time.Millisecond-time.Microsecond))
}

// ErrFuture refuses a time in the future.
var ErrFuture = fault.Field("at", "must not be in the future")

// CreditKeys returns the unique keys under which a transaction is booked. They ensure that
// it is booked once, either as a deposit or as capital.
func CreditKeys(ref deposit.Ref) []player.UniqueKey {
	return []player.UniqueKey{
		{Kind: player.CapitalKey, Scope: string(ref.Token), ID: ref.Signature},
		{Kind: player.DepositKey, Scope: string(ref.Token), ID: ref.Signature},
	}
}

// Overtaken drops InvalidState faults. They mean that another worker or an admin was
// faster, which is expected in such a race.
func Overtaken(err error) error {
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	return err
}

// ErrDepositTaken is the fault for a claim to a transaction that another player has.
var ErrDepositTaken = fault.New(fault.DepositTaken, "this transaction was credited to another player")

// ErrResultLost reports a defect of a store: it replayed an item without the kept answer of
// the item's unique key.
var ErrResultLost = errors.New("app: the store replayed a unique key without its answer")

// TextMax is the maximum length of a note or a reason in characters.
const TextMax = 500

// CheckReason checks an admin's reason: 1 to TextMax characters.
func CheckReason(reason string) error { return CheckText("reason", reason) }

// CheckText checks the text of a field: 1 to TextMax characters.
func CheckText(field, text string) error {
	if n := utf8.RuneCountInString(text); n < 1 || n > TextMax {
		return fault.Field(field, "must have 1 to %d characters", TextMax)
	}
	return nil
}
