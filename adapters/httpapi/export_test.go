package httpapi

import (
	"fmt"
	"github.com/casino-service/casino/app"
	"net/http"
	"net/netip"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/fault"
)

// Line is one line of the route table, for comparison with the published contract.
type Line struct {
	Method, Path string
	SignedIn     bool
	Limited      bool // by its own window
	// Limit describes the default limit of one address or wallet.
	Limit      string
	Permission string
	// Names are the parameters of a GET, or the members of another method's body.
	Names []string
}

// Routes returns the route table, including routes for development only.
func Routes() []Line {
	a := &API{}
	all := append(a.coreRoutes(), a.demoRoutes()...)
	for _, e := range a.extensions() {
		all = append(all, e.routes...)
	}
	return linesOf(all)
}

// MissingRoutes returns the names of the routes of a casino's missing extensions.
func MissingRoutes(casino *app.Casino) (names []string) {
	for _, e := range (&API{}).extensions() {
		if !e.present(casino) {
			for _, line := range linesOf(e.routes) {
				names = append(names, line.Method+" "+line.Path)
			}
		}
	}
	return names
}

// DemoRoutes returns the routes for development only.
func DemoRoutes() []Line { return linesOf((&API{}).demoRoutes()) }

func linesOf(routes []route) []Line {
	var lines []Line
	for _, r := range routes {
		lines = append(lines, Line{r.Method, r.Path, r.access.signedIn, r.window != noWindow, limitOf(r), string(r.access.permission), r.parameterNames()})
	}
	return lines
}

func limitOf(r route) string {
	of := "an address"
	if r.access.signedIn {
		of = "a wallet"
	}
	switch rule := (Limits{}).ruleTable()[r.window]; {
	case r.window != noWindow:
		every := map[time.Duration]string{time.Minute: "a minute", time.Hour: "an hour"}[rule.Window]
		return fmt.Sprintf("`%s`: %d %s of %s", r.window, rule.Max, every, of)
	case r.access.signedIn && !r.access.ends:
		return fmt.Sprintf("%d at once of %s", atOnceMax, of)
	}
	return "none"
}

// StatusAndCode returns the row of the error table.
func StatusAndCode(kind fault.Kind) (status int, code, title string) {
	row := refusals[kind]
	return row.status, row.code, row.title
}

// EdgeCodes returns the status of each code without a kind of fault.
func EdgeCodes() map[string]int {
	codes := map[string]int{}
	for _, row := range edgeRefusals {
		codes[row.code] = row.status
	}
	return codes
}

// ClientKey returns the key under which a request behind the trusted networks is counted.
func ClientKey(trusted []netip.Prefix, r *http.Request) string {
	return proxies(trusted).clientOf(r).limitKey()
}

// OpenAPIYAML is the embedded contract.
func OpenAPIYAML() []byte { return openapiYAML }

// Break makes the health endpoint panic, as a defect would.
func (a *API) Break(value any) {
	a.handler = a.observe(a.router([]route{{operation.Health, anyone, noWindow,
		func(*request) (answer, error) { panic(value) }}}))
}

// ReceiptOf is how a receipt is shown.
var ReceiptOf = receiptOf

// CrashTexts returns a function that encodes news for a listener, and returns how often it was
// really done.
func CrashTexts() func(news *sharedcrash.News, asText bool) (text string, made int) {
	var texts crashTexts
	made := 0
	return func(news *sharedcrash.News, asText bool) (string, int) {
		text, _ := texts.encode(news, asText, func(n *sharedcrash.News) api.CrashNews {
			made++
			return api.CrashNews{Now: n.Now.UnixMilli(), Bets: mapEach(n.Bets, crashBetOf)}
		})
		return string(text), made
	}
}
