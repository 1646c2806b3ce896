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

// Core is the part of every profile. A profile also supplies:
//
//   - Version, telemetry.Traces, *slog.Logger and settings.API
//   - APIListener, and OpsListener where operations are served
//   - OpenStore and ports.Identity
//   - Terms
//   - Chain
//   - Provider, zero if there is none
//   - Screening, zero if nothing is screened
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

// APIListener is the open port of the API, OpsListener that of operations. Ports are opened
// first, so that port 0 works and a taken port ends the start at once.
type (
	APIListener struct{ net.Listener }
	OpsListener struct{ net.Listener }
)

// OpenStore opens the database and returns an error if its schema isn't up to date.
type OpenStore func(context.Context, *system.System) (*sqlstore.Store, error)

// Terms are the tokens that the configuration opens.
type Terms []token.Terms

// RequestLimiter counts requests, and reports whether the shared limiter works.
type RequestLimiter struct {
	ports.Limiter
	Probe kernel.Probe
	// Alone reports whether only this instance counts requests although a shared limiter is
	// configured.
	Alone func() bool
}

// LocalLimiter returns a limiter of this process.
func LocalLimiter(limiter ports.Limiter) RequestLimiter {
	return RequestLimiter{
		Limiter: limiter, Probe: func(context.Context) error { return nil }, Alone: func() bool { return false },
	}
}

// Bootstrap prepares a casino before it serves, at every start.
type Bootstrap func(context.Context, *app.Casino, Founders) error

// Founders has the ports that a Bootstrap uses to add the first admins.
type Founders interface {
	ports.Roles
	ports.Withdrawals
}

// founders seal roles when they are granted.
type founders struct {
	admin.SealedRoles
	ports.Withdrawals
}
