package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// slowLaunches is a provider that delays launches until it is opened.
type slowLaunches struct {
	ports.GameProvider
	begun  chan struct{}
	opened chan struct{}
}

func (l slowLaunches) Launch(ctx context.Context, _ ports.LaunchRequest) (string, error) {
	select {
	case l.begun <- struct{}{}:
		<-l.opened
		return "https://games.example/fruits", nil
	case <-ctx.Done(): // not expected by the test
		return "", ctx.Err()
	}
}

// One address with many wallets must not take the places of all launches.
func TestOneAddressHasSoManyLaunchesAtOnce(t *testing.T) {
	t.Parallel()
	slow := slowLaunches{begun: make(chan struct{}), opened: make(chan struct{})}
	h := openHouse(t, setup{config: manyLogins, deps: func(d *app.Deps) {
		d.Provider = &app.ProviderConnection{Code: "gold", Games: slow, Token: money.SOL, Scale: recordedScale}
	}})
	_, err := h.store.RegisterGames(t.Context(), []catalog.Game{{
		Code: "fruits", Provider: "MAKER", Name: "Fruits", Type: "slot", Enabled: true, UpdatedAt: h.clock.Now(),
	}})
	h.must(err)
	launch := func(name, from string) reply {
		return h.ask(question{method: http.MethodPost, path: "/legacy/launch", as: name, from: from,
			body: object{"gameCode": "fruits", "userCode": address(name)}})
	}
	const atOnce = 4
	var launches sync.WaitGroup
	begin := func(name, from string) {
		h.token(name)
		launches.Go(func() { launch(name, from).ok(http.StatusOK) })
		<-slow.begun
	}
	for i := range atOnce {
		begin(fmt.Sprint("player", i), fmt.Sprintf("[2001:db8:1:2::%d]:1000", i+1))
	}
	h.token("another")
	launch("another", "[2001:db8:1:2:ffff::1]:1000").is(http.StatusTooManyRequests, "RATE_LIMITED")
	begin("elsewhere", "[2001:db8:1:3::1]:1000")
	close(slow.opened)
	launches.Wait()
	begin("another", "[2001:db8:1:2:ffff::1]:1000")
	launches.Wait()
}
