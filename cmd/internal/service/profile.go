package service

import (
	"context"
	"net"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Core is what every profile has. Beside it a profile supplies:
//
//   - Version, *slog.Logger and settings.API
//   - APIListener, and OpsListener where OpsModule is taken in
//   - OpenStore and ports.Identity
//   - Terms
//   - Chain
//   - jwttoken.Keyring
//   - RequestLimiter
//   - Founding
var Core = fx.Options(
	machineModule, storeModule, chainModule, casinoModule, workersModule, apiModule,
)

// Version is what GET /health and `casino version` tell.
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

// RequestLimiter counts requests, and tells how well what it counts in is.
type RequestLimiter struct {
	ports.Limiter
	Probe app.Probe
}

// Founding is what a profile does with a casino before it serves, at every start.
type Founding func(context.Context, *app.Casino, ports.Roles) error
