package chaos_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

// gate is a screener over HTTP that a test kills. It admits everything, leaves some questions
// unanswered, and notes what it has admitted.
type gate struct {
	testing.TB
	address string
	server  *http.Server
	ended   chan struct{}

	mu       sync.Mutex
	asked    int
	admitted map[string]bool // by point and id
}

func openGate(t testing.TB) *gate {
	t.Helper()
	g := &gate{TB: t, address: "127.0.0.1:0", admitted: map[string]bool{}}
	g.open()
	t.Cleanup(g.kill)
	return g
}

// open listens at the gate's address.
func (g *gate) open() {
	g.Helper()
	var listener net.Listener
	eventually(g, "the screener listens", func() (ok bool) {
		made, err := net.Listen("tcp", g.address)
		listener = made
		return err == nil
	})
	g.address = listener.Addr().String()
	server, ended := &http.Server{Handler: g}, make(chan struct{})
	g.server, g.ended = server, ended
	go func() {
		defer close(ended)
		_ = server.Serve(listener)
	}()
}

// kill ends the screener with its open connections.
func (g *gate) kill() {
	_ = g.server.Close()
	<-g.ended
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Point, ID string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	g.asked++
	silent := g.asked%11 == 0
	if !silent {
		g.admitted[q.Point+" "+q.ID] = true
	}
	g.mu.Unlock()
	if silent {
		<-r.Context().Done()
		return
	}
	_, _ = fmt.Fprint(w, `{"verdict":"allow"}`)
}

// TestScreenerKilledUnderLoad kills a screener, and sometimes the service, while players deposit
// and withdraw. Nothing that it didn't admit is paid or credited, and all deposits are credited
// in the end.
func TestScreenerKilledUnderLoad(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and kills the real binary") // allowed: make test runs it
	}
	g := openGate(t)
	d := deploy(t, services.NewCluster(t).URL(), services.Redis(t))
	d.environment = append(d.environment, "CASINO_SCREENER_URL=http://"+g.address+"/", "CASINO_SCREENER_TIMEOUT=500ms",
		"CASINO_SCREENER_SECRET=whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "CASINO_SCREENER_POINTS=deposit,payout")
	serving := d.start()
	guests := invite(t, 4, serving)
	stop := make(chan struct{})
	playing := guests.play(1, func(int) bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	})
	cashing := guests.cash(4, stop)
	kills, serveKills := number(t, "CASINO_TEST_SCREENER_KILLS", 3), number(t, "CASINO_TEST_SCREENED_SERVE_KILLS", 1)
	for n := range kills {
		guests.progress(100)
		g.kill()
		guests.progress(100)
		if n*serveKills/kills != (n+1)*serveKills/kills {
			serving.kill()
			serving.again()
		}
		g.open()
	}
	guests.progress(100)
	close(stop)
	playing.Wait()
	cashing.Wait()
	guests.settle()
	guests.landed()
	moved := map[string]int{}
	cursor := ""
	for more := true; more; more = cursor != "" {
		guests.insistAs(guests.admin, 0, "the transactions", func(ctx context.Context, s *client.Client) error {
			page, err := s.AdminTransactions(ctx, api.AdminTransactionsParams{Limit: 100, Cursor: cursor})
			if err != nil {
				return err
			}
			for _, one := range page.Transactions {
				screened := map[string]string{"withdrawal completed": "payout " + one.ID, "deposit credited": "deposit " + signatureOf(one)}
				if key := screened[one.Type+" "+one.Status]; key != "" && !g.admitted[key] {
					t.Errorf("%s of %d is %s, and the screener has not admitted it", one.Type, *one.Amount, one.Status)
				}
				moved[one.Type+" "+one.Status]++
			}
			if cursor = ""; page.NextCursor != nil {
				cursor = *page.NextCursor
			}
			return nil
		})
	}
	if moved["withdrawal completed"] == 0 || moved["deposit credited"] != int(guests.deposits.Load()) {
		t.Errorf("%v, and players know of %d deposits", moved, guests.deposits.Load())
	}
	serving.noLeaks()
	serving.stop()
	d.audited()
	t.Logf("%d kills of the screener, %d of the service; %d questions; %v", kills, serveKills, g.asked, moved)
}

func signatureOf(one api.AdminTransaction) string {
	if one.Signature == nil {
		return ""
	}
	return *one.Signature
}
