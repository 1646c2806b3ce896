package httpapi

import (
	"net/http"
	"net/netip"

	"github.com/casino-service/casino/domain/fault"
)

// providerCallback passes a callback on unless its address is not allowed.
func (a *API) providerCallback(r *request) (answer, error) {
	if a.callbacks.Handler == nil {
		return answer{}, fault.New(fault.NotFound, "no game provider is connected")
	}
	client := observationOf(r.ctx).client
	if len(a.callbacks.Networks) > 0 && !proxies(a.callbacks.Networks).trust(client.Addr) {
		a.callbacks.Foreign(r.ctx)
		if err := a.take(r, publicWindow, ofAddress, client.key()); err != nil {
			return answer{}, err
		}
		return answer{}, fault.New(fault.Forbidden, "callbacks from this address are not allowed")
	}
	return answer{page: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := r.Clone(r.Context())
		seen.RemoteAddr = netip.AddrPortFrom(client.Addr, 0).String()
		a.callbacks.Handler.ServeHTTP(w, seen)
	})}, nil
}
