package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/domain/rbac"
)

// route is one line of the table in routes.go.
type route struct {
	method string
	path   string
	access access
	window window
	// shape is what a GET takes as its query and any other method as its body, a
	// struct of the package api; nil for nothing.
	shape  any
	handle func(*request) (answer, error)
}

// namedRoute is a route with the names of its shape.
type namedRoute struct {
	route
	names []string
}

func (r route) named() namedRoute {
	if r.method == http.MethodGet {
		return namedRoute{r, shape.Query(r.shape)}
	}
	return namedRoute{r, shape.Body(r.shape)}
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
