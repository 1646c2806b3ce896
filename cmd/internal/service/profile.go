package service

import (
	"context"
	"net"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Core is what every profile has. Beside it a profile supplies:
//
//   - Version, telemetry.Traces, *slog.Logger and settings.API
//   - APIListener, and OpsListener where operations are served
//   - OpenStore and ports.Identity
//   - Terms
//   - Chain
//   - Provider, of which the zero value is none
//   - jwttoken.Keyring
//   - ports.Authenticator and ports.RotatedSeals
//   - ports.StatementSigner
//   - RequestLimiter
//   - Witnesses
//   - Bootstrap
var Core = fx.Options(
	machineModule, telemetryModule, storeModule, chainModule, casinoModule, workersModule, apiModule,
)

// Version is shown by GET /health and `casino version`.
type Version string

// APIListener is the open port of the API, OpsListener that of operations.
// Ports are opened before anything else is made, so that port 0 works and a
// taken one ends the start at once.
type (
	APIListener struct{ net.Listener }
	OpsListener struct{ net.Listener }
)

// OpenStore opens the database with its schema up to date, or says why not.
type OpenStore func(context.Context, *system.System) (*sqlstore.Store, error)

// Terms are the tokens that configuration opens.
type Terms []token.Terms

// RequestLimiter counts requests, and reports whether the shared limiter works.
type RequestLimiter struct {
	ports.Limiter
	Probe kernel.Probe
	// Alone reports whether requests are counted by this instance alone although a
	// shared limiter is configured.
	Alone func() bool
}

// LocalLimiter returns a limiter of this process alone.
func LocalLimiter(limiter ports.Limiter) RequestLimiter {
	return RequestLimiter{
		Limiter: limiter, Probe: func(context.Context) error { return nil }, Alone: func() bool { return false },
	}
}

// Bootstrap prepares a casino before it serves, at every start.
type Bootstrap func(context.Context, *app.Casino, Founders) error

// Founders is what says who the first admins are.
type Founders interface {
	ports.Roles
	ports.Withdrawals
}

// founders are roles that are sealed as they are granted.
type founders struct {
	admin.SealedRoles
	ports.Withdrawals
}
