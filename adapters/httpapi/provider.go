package httpapi

import (
	"net/http"
	"net/netip"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
)

// launch answers where the caller plays a provider's game.
func (a *API) launch(r *request) (answer, error) {
	f := r.body("gameCode", "userCode", "language")
	wish := app.LaunchRequest{GameCode: f.text("gameCode"), UserCode: f.text("userCode")}
	if language := f.optionalText("language"); language != nil {
		if wish.Language = *language; *language == "" {
			f.refuse("language", "must be a language tag such as pt or pt-BR")
		}
	}
	if f.err != nil {
		return answer{}, f.err
	}
	url, err := a.casino.Launch(r.context(), r.caller, wish)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		URL string `json:"url"`
	}{url}), nil
}

// Callbacks are what a game provider calls. The handler speaks the provider's
// own protocol and checks the provider's secret itself.
type Callbacks struct {
	// Handler answers; nil means that there is no provider. The RemoteAddr of its
	// requests is the client's, also behind trusted proxies.
	Handler http.Handler
	// Networks are those that callbacks may come from; none means any.
	Networks []netip.Prefix
}

// providerCallback hands a callback on, unless it comes from elsewhere.
func (a *API) providerCallback(r *request) (answer, error) {
	if a.callbacks.Handler == nil {
		return answer{}, fault.New(fault.NotFound, "no game provider is connected")
	}
	client := sightOf(r.context()).client
	if len(a.callbacks.Networks) > 0 && !proxies(a.callbacks.Networks).trust(client.Addr) {
		return answer{}, fault.New(fault.Forbidden, "callbacks are not taken from this address")
	}
	return answer{page: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := r.Clone(r.Context())
		seen.RemoteAddr = netip.AddrPortFrom(client.Addr, 0).String()
		a.callbacks.Handler.ServeHTTP(w, seen)
	})}, nil
}
