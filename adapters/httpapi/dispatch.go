package httpapi

import (
	"context"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// route is an operation of the contract with its access, its limit and its handler.
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

// parameterNames returns the names of a GET's parameters, or of the members of another
// method's body.
func (r route) parameterNames() []string {
	if r.Method == http.MethodGet {
		return shape.Query(r.Query)
	}
	return shape.Body(r.Body)
}

// access says who may call a route.
type access struct {
	signedIn   bool
	permission rbac.Permission // empty if none is needed
	// late is set if the use case itself checks whether the session was ended.
	late bool
	// ends is set if the route ends sessions. Such routes are served even if the wallet has
	// too many concurrent requests.
	ends bool
	// received is set if the moment counts at which the whole request was read.
	received bool
}

var (
	anyone, players, bettors = access{}, access{signedIn: true}, access{signedIn: true, late: true}
	leavers                  = access{signedIn: true, ends: true}
	cashers                  = access{signedIn: true, late: true, received: true}
)

func admins(p rbac.Permission) access { return access{signedIn: true, permission: p} }

// window names a limit, counted per client address, or per wallet if the route requires a
// session.
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

// requestTime is the time after which a request's context is cancelled. It is below the
// server's write time-out, so that the answer can still be sent.
const requestTime = 20 * time.Second

// router matches paths with mux and methods itself: mux answers a wrong method without
// Allow and doesn't serve HEAD for GET.
func (a *API) router(routes []route) http.Handler {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	resources := map[string]*resource{}
	for _, r := range routes {
		found, ok := resources[r.Path]
		if !ok {
			found = &resource{api: a, methods: map[string]namedRoute{}}
			resources[r.Path] = found
			pattern := strings.NewReplacer("{index}", "{index:"+logIndexPattern+"}", "}", ":"+parse.SegmentPattern+"}").Replace(r.Path)
			router.Handle(a.base+pattern, found)
			if r.Path == "/" { // people also type the base path without the slash
				router.Handle("/", found)
				if a.base != "" {
					router.Handle(a.base, found)
				}
			}
		}
		found.methods[r.Method] = namedRoute{r, r.parameterNames()}
	}
	router.NotFoundHandler = http.HandlerFunc(a.notFound)
	return router
}

// logIndexPattern is a regular expression for the index of a tile of the log, which has
// slashes.
const logIndexPattern = "[0-9xp./]+"

func (a *API) notFound(w http.ResponseWriter, r *http.Request) {
	a.writeRefusal(w, r, fault.New(fault.NotFound, "this path does not exist"))
}

// resource holds all methods of one path.
type resource struct {
	api     *API
	methods map[string]namedRoute
}

// ServeHTTP calls the method's route; HEAD uses GET's.
func (s *resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	found, ok := s.methods[method]
	if !ok {
		w.Header().Set("Allow", s.allowHeader())
		s.api.writeRefusal(w, r, methodNotAllowed.withMessage("this path accepts only %s", s.allowHeader()))
		return
	}
	s.api.serveRoute(w, r, found)
}

func (s *resource) allowHeader() string {
	var methods []string
	for method := range s.methods {
		methods = append(methods, method)
		if method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

// serveRoute serves one request of a route. It checks in the contract's order: rate limit,
// authentication, permission, query, and then the route's own checks.
func (a *API) serveRoute(w http.ResponseWriter, r *http.Request, to namedRoute) {
	ctx, cancel := context.WithTimeout(r.Context(), requestTime)
	defer cancel()
	seen := observationOf(ctx)
	seen.route = to.Path
	if to.access.received { // before the request waits for anything
		defer a.receive(seen, r)()
	}
	req := &request{ctx: ctx, http: r, writer: w, method: to.Method, path: to.Path, names: to.names, params: mux.Vars(r),
		caller: app.Caller{RequestID: seen.requestID, Remote: seen.client.Addr}, permission: to.access.permission}
	result, err := a.answerRoute(req, to.route, seen)
	seen.wallet = string(req.caller.Wallet)
	if err != nil {
		a.writeRefusal(w, r, err)
		return
	}
	a.writeAnswer(w, r, result)
}

func (a *API) answerRoute(r *request, to route, seen *observation) (answer, error) {
	if !to.access.signedIn {
		if err := a.takeLimit(r, to.window, ofAddress, seen.client.limitKey()); err != nil {
			return answer{}, err
		}
		if to.window == publicWindow {
			r.ctx = ports.ForPlayers(r.ctx)
		}
		return r.runRoute(to)
	}
	session, err := a.readSession(r)
	if err != nil {
		return answer{}, err
	}
	if !to.access.ends { // so the owner can end a stolen session, however many requests the thief sends
		confirm := func() error { return a.casino.ConfirmSession(r.ctx, session) }
		if err := a.crowd.enterRequest(string(session.Wallet), confirm); err != nil {
			return answer{}, err
		}
		defer a.crowd.leaveRequest(string(session.Wallet))
	}
	if err := a.admitSession(r, to.access, session); err != nil {
		return answer{}, err
	}
	if err := a.takeLimit(r, to.window, ofWallet, string(r.caller.Wallet)); err != nil {
		return answer{}, err
	}
	result, err := r.runRoute(to)
	if err == nil || r.caller.Unconfirmed == nil {
		return result, err
	}
	// An ended session takes precedence over any other error.
	if ended := a.casino.ConfirmSession(r.ctx, *r.caller.Unconfirmed); fault.Is(ended, fault.InvalidToken) {
		return answer{}, ended
	}
	return answer{}, err
}

// readSession reads the bearer token. It doesn't check whether the session was ended.
func (a *API) readSession(r *request) (ports.Session, error) {
	bearer, err := bearerOf(r.http.Header)
	if err != nil {
		return ports.Session{}, err
	}
	return a.casino.Sessions.Verify(bearer)
}

// admitSession checks the session and the permission. Permissions are read now, and again
// under lock for decisions. Requests of non-admins use the players' share of the database
// connections.
func (a *API) admitSession(r *request, to access, session ports.Session) error {
	wallet, admins := string(session.Wallet), r.ctx
	if to.permission == "" || !a.crowd.isAdmin(wallet) {
		r.ctx = ports.ForPlayers(r.ctx)
	}
	if to.late {
		r.caller.Unconfirmed = &session
	} else if err := a.casino.ConfirmSession(r.ctx, session); err != nil {
		return err
	}
	r.session, r.caller.Wallet, r.caller.SessionAt = session, session.Wallet, session.IssuedAt
	if to.permission == "" {
		return nil
	}
	var err error
	r.caller, err = a.casino.Admit(r.ctx, r.caller, to.permission)
	switch {
	case err == nil:
		a.crowd.noteAdmin(wallet, true)
		r.ctx = admins
	case fault.Is(err, fault.Forbidden):
		a.crowd.noteAdmin(wallet, false)
	}
	return err
}

// runRoute reads the query, rejects a body on routes without one, and calls the handler.
func (r *request) runRoute(to route) (result answer, err error) {
	var names []string
	if to.Method == http.MethodGet {
		names = r.names
	}
	if r.query, err = parse.ReadQuery(r.http.URL.RawQuery, names); err != nil {
		return answer{}, err
	}
	if to.Nothing {
		if f := parse.Body(r.writer, r.http, true, nil); f.Err != nil {
			return answer{}, f.Err
		}
	}
	return r.callHandler(to)
}

// callHandler calls the route's handler. Handlers write nothing themselves, so a panic
// becomes an error like any other.
func (r *request) callHandler(to route) (result answer, err error) {
	defer func() {
		if value := recover(); value != nil {
			result, err = answer{}, &panicError{value: value, stack: debug.Stack()}
		}
	}()
	return to.handle(r)
}
