package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/domain/rbac"
)

// route is one line of the table in routes.go: an operation of the contract, who may call
// it, the window that limits it, and its handler.
type route struct {
	operation.Operation
	access access
	window window
	handle func(*request) (answer, error)
}

// namedRoute is a route with its names.
type namedRoute struct {
	route
	names []string
}

// names returns the names of the parameters of a GET, and of the body's members of any
// other method.
func (r route) names() []string {
	if r.Method == http.MethodGet {
		return shape.Query(r.Query)
	}
	return shape.Body(r.Body)
}

// access says who may call a route.
type access struct {
	signedIn   bool
	permission rbac.Permission // empty: none is needed
	// late says that the use case itself checks whether the session was ended.
	late bool
	// ends says that the route ends sessions: it is served however many requests of the
	// wallet are.
	ends bool
}

var (
	anyone, players, bettors = access{}, access{signedIn: true}, access{signedIn: true, late: true}
	leavers                  = access{signedIn: true, ends: true}
)

func admins(p rbac.Permission) access { return access{signedIn: true, permission: p} }

// window names a limit: per client address where anyone may call, per wallet where one is
// signed in.
type window string

const (
	noWindow     window = ""
	loginWindow  window = "login"
	publicWindow window = "public"
	verifyWindow window = "verify"

	withdrawWindow window = "withdraw"
	rotateWindow   window = "rotate"
	accountWindow  window = "account"
	limitsWindow   window = "limits"
	launchWindow   window = "launch"
)
