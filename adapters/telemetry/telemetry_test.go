package telemetry_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/operations"
	"github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

func open(t *testing.T) *telemetry.Telemetry {
	t.Helper()
	made, err := telemetry.New(t.Context(), telemetry.Config{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := made.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return made
}

// metrics is what GET /metrics answers.
func metrics(t *testing.T, of *telemetry.Telemetry) string {
	t.Helper()
	answer := httptest.NewRecorder()
	of.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("/metrics: %d", answer.Code)
	}
	return answer.Body.String()
}

func wants(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, want := range lines {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestTracesOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		variables map[string]string
		want      telemetry.Traces
		fault     string
	}{
		"nothing":             {nil, telemetry.NoTraces, ""},
		"an endpoint":         {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, telemetry.TracesSampled, ""},
		"one for traces":      {map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, telemetry.TracesSampled, ""},
		"the exporter":        {map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, telemetry.TracesSampled, ""},
		"no exporter":         {map[string]string{"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, telemetry.NoTraces, ""},
		"all of it off":       {map[string]string{"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, telemetry.NoTraces, ""},
		"another exporter":    {map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, telemetry.NoTraces, "OTEL_TRACES_EXPORTER"},
		"another protocol":    {map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, telemetry.NoTraces, "OTEL_EXPORTER_OTLP_PROTOCOL"},
		"one more of traces'": {map[string]string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"}, telemetry.NoTraces, "TRACES_PROTOCOL"},
		"a sampler":           {map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_TRACES_SAMPLER": "always_on"}, telemetry.TracesByVariable, ""},
	} {
		got, err := telemetry.TracesWanted(func(variable string) string { return c.variables[variable] })
		if got != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// The counted writer keeps the contract of the writer behind it.
func TestWriterKeepsTheContract(t *testing.T) {
	t.Parallel()
	conformance.Writer(t, func(t *testing.T) conformance.Store {
		store := memory.New()
		counted, err := open(t).Writer(store, fakes.NewClock(fakes.Start))
		if err != nil {
			t.Fatal(err)
		}
		return conformance.Store{Ports: countedStore{store, counted}, Stop: store.Stop}
	})
}

type countedStore struct {
	*memory.Store
	counted ports.Writer
}

func (s countedStore) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	return s.counted.Commit(ctx, item)
}

// scripted answers each commit with the next of its answers.
type scripted struct {
	clock   *fakes.Clock
	answers []scriptedAnswer
}

type scriptedAnswer struct {
	receipt player.Receipt
	err     error
}

func (s *scripted) Commit(context.Context, player.Item) (player.Receipt, error) {
	s.clock.Advance(3 * time.Millisecond)
	next := s.answers[0]
	s.answers = s.answers[1:]
	return next.receipt, next.err
}

func roundOf(wager, payout money.Amount) *bet.Round {
	return &bet.Round{GameType: "dice", Token: money.SOL, Wager: wager, Payout: payout}
}

func TestWriterCountsOutcomesAndMoney(t *testing.T) {
	t.Parallel()
	made, clock := open(t), fakes.NewClock(fakes.Start)
	round := player.Receipt{Change: player.Change{Round: roundOf(5_000, 9_900)}}
	again := round
	again.Replayed = true
	void := player.Receipt{Change: player.Change{Round: roundOf(5_000, 5_000)}}
	void.Change.Round.Void = true
	writer, err := made.Writer(&scripted{clock, []scriptedAnswer{
		{round, nil}, {again, nil}, {void, nil},
		{player.Receipt{}, fault.New(fault.InsufficientFunds, "no")}, {player.Receipt{}, fault.New(fault.Unavailable, "full")},
		{player.Receipt{}, errors.New("broken")},
		{player.Receipt{Change: player.Change{Withdrawal: &withdrawal.Withdrawal{Status: withdrawal.Sending}}}, nil},
	}}, clock)
	if err != nil {
		t.Fatal(err)
	}
	for range 7 {
		_, _ = writer.Commit(t.Context(), player.Item{}) // the answers are the script's
	}
	text := metrics(t, made)
	wants(t, text,
		`casino_rounds_total{game="dice"} 1`, `casino_rounds_void_total 1`,
		`casino_wagered_total{token="`+string(money.SOL)+`"} 5000`, `casino_paid_total{token="`+string(money.SOL)+`"} 9900`,
		`casino_withdrawals_total{status="sending"} 1`,
		`casino_writer_duration_seconds_count{outcome="committed"} 3`, `casino_writer_duration_seconds_count{outcome="replayed"} 1`,
		`casino_writer_duration_seconds_count{outcome="refused"} 1`, `casino_writer_duration_seconds_count{outcome="unavailable"} 1`,
		`casino_writer_duration_seconds_count{outcome="failed"} 1`, `casino_writer_duration_seconds_bucket{outcome="failed",le="0.005"} 1`,
		`casino_writer_duration_seconds_bucket{outcome="failed",le="0.0025"} 0`,
	)
}

func TestBatchesQueueAndLimiter(t *testing.T) {
	t.Parallel()
	made, clock := open(t), fakes.NewClock(fakes.Start)
	batches, err := made.Batches(clock)
	if err != nil {
		t.Fatal(err)
	}
	for _, failed := range []error{nil, errors.New("database")} {
		done := batches.Batch(20)
		clock.Advance(7 * time.Millisecond)
		done(failed)
	}
	waiting, alone := 17, false
	if err := errors.Join(made.Queue(func() int { return waiting }), made.Limiter(func() bool { return alone })); err != nil {
		t.Fatal(err)
	}
	wants(t, metrics(t, made), `casino_writer_batch_items_sum 40`, `casino_writer_batch_items_bucket{le="16"} 0`,
		`casino_writer_batch_duration_seconds_bucket{le="0.01"} 2`, `casino_writer_batch_errors_total 1`,
		`casino_writer_queue 17`, `casino_limiter_fallback 0`)
	waiting, alone = 0, true
	wants(t, metrics(t, made), `casino_writer_queue 0`, `casino_limiter_fallback 1`)
}

func TestCallsAreCountedByMethod(t *testing.T) {
	t.Parallel()
	made, clock := open(t), fakes.NewClock(fakes.Start)
	calls, err := made.Calls(clock)
	if err != nil {
		t.Fatal(err)
	}
	commands, err := made.Redis(clock)
	if err != nil {
		t.Fatal(err)
	}
	for _, failed := range []error{nil, errors.New("HTTP status 429")} {
		_, done := calls.Called(t.Context(), "getSlot")
		_, answered := commands.Called(t.Context(), "HGETALL")
		clock.Advance(40 * time.Millisecond)
		done(failed)
		answered(failed)
	}
	wants(t, metrics(t, made), `casino_rpc_duration_seconds_count{method="getSlot"} 2`, `casino_rpc_errors_total{method="getSlot"} 1`,
		`casino_redis_duration_seconds_count{command="HGETALL"} 2`, `casino_redis_errors_total{command="HGETALL"} 1`,
		`casino_redis_errors_total{command="EVALSHA"} 0`)
}

func TestTheRedisPoolIsShown(t *testing.T) {
	t.Parallel()
	made := open(t)
	if err := made.RedisPool(func() *redis.PoolStats {
		return &redis.PoolStats{TotalConns: 10, IdleConns: 4, PendingRequests: 3, Timeouts: 2}
	}); err != nil {
		t.Fatal(err)
	}
	wants(t, metrics(t, made), `casino_redis_connections_open 10`, `casino_redis_connections_idle 4`, `casino_redis_connections_waiting 3`,
		`casino_redis_connection_timeouts_total 2`)
}

// Text from outsiders never becomes a label: neither Host nor an invented path, method or
// code.
func TestRequestsTakeFewLabels(t *testing.T) {
	t.Parallel()
	made := open(t)
	observed, err := made.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	handler := observed.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		observed.Seen(r.Context(), telemetry.Exchange{Method: "GET", Code: "NOT_FOUND", Stray: true})
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "nothing")
	}))
	for _, stranger := range []string{"http://stranger-1/invented-path", "http://stranger-2/invented-too"} {
		request := httptest.NewRequest("INVENTED", stranger, nil)
		request.Header.Set("User-Agent", "invented-agent")
		handler.ServeHTTP(httptest.NewRecorder(), request)
	}
	text := metrics(t, made)
	for _, word := range []string{"stranger", "invented", "INVENTED"} {
		if strings.Contains(text, word) {
			t.Errorf("the metrics hold %q:\n%s", word, text)
		}
	}
	wants(t, text, `casino_http_refusals_total{code="NOT_FOUND"} 2`, `casino_http_stray_forwards_total 2`)
	if !strings.Contains(text, `http_route="none"`) {
		t.Errorf("a request without a route is not counted:\n%s", text)
	}
}

func TestWatchExportsWhatItReads(t *testing.T) {
	t.Parallel()
	made, clock := open(t), fakes.NewClock(fakes.Start)
	var lost error
	watch, err := made.Watch(telemetry.Watched{
		OperationsStatus: func(context.Context) (operations.OperationsStatus, error) {
			if lost != nil {
				return operations.OperationsStatus{}, lost
			}
			return operations.OperationsStatus{
				Withdrawals: []operations.OpenWithdrawals{{Status: withdrawal.Sending, Count: 2, Oldest: 90 * time.Second}},
				Deliveries:  []operations.OpenDeliveries{{Status: seamless.Unknown, Count: 3, Oldest: 700 * time.Second}},
				Wins:        []operations.OpenWins{{Reason: seamless.OverConnectionCap, Count: 4}},
				Tokens: []operations.TokenStatus{{
					Token: money.SOL, Symbol: "SOL", Liabilities: money.TotalOf(700), Bankroll: money.TotalOfInt(-5),
					Imbalance: money.TotalOf(money.Max).AddAmount(money.Max),
					Treasury:  &treasury.TreasuryState{Holding: 600, Booked: money.TotalOf(600), Players: money.TotalOf(700)},
				}, {Token: fakes.Mint("other"), Symbol: "OTHER"}},
				Heads: []hashchain.Head{{Lane: 3, Seq: 9, Hash: hashchain.Hash{0, 0, 0, 0, 1, 2}}},
			}, nil
		},
		ChainHead: func(context.Context) (uint64, time.Time, error) { return 5, clock.Now().Add(-13 * time.Second), lost },
		Health: func() kernel.Report {
			return kernel.Report{Checks: map[string]kernel.Check{"database": {Status: kernel.OK}, "chain": {Status: kernel.Down}, "provider": {Status: kernel.Disabled}}}
		},
		Returns: func() []admin.GameReturn {
			return []admin.GameReturn{{Source: figure.Own, Game: "dice", Token: money.SOL,
				Return: figure.Return{Actual: 1_060_000, Theoretical: 990_000, Margin: 40_000, Verdict: figure.Outside}}}
		},
		Clock: clock,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := metrics(t, made)
	sol := `{symbol="SOL",token="` + string(money.SOL) + `"}`
	dice := `{game="dice",source="` + figure.Own + `",token="` + string(money.SOL) + `"}`
	other := `{symbol="OTHER",token="` + string(fakes.Mint("other")) + `"}`
	wants(t, text,
		`casino_withdrawals_open{status="sending"} 2`, `casino_withdrawals_oldest_seconds{status="sending"} 90`,
		`casino_routes_open{status="unknown"} 3`, `casino_routes_oldest_seconds{status="unknown"} 700`,
		`casino_wins_waiting{reason="CONNECTION_WIN_CAP"} 4`, `casino_liabilities`+sol+` 700`, `casino_bankroll`+sol+` -5`, `casino_ledger_imbalance`+sol+` 9.223372036854776e+18`,
		`casino_treasury`+sol+` 600`, `casino_treasury_surplus`+sol+` -100`, `casino_treasury_difference`+sol+` 0`,
		`casino_treasury_reconciled`+sol+` 1`, `casino_treasury_known`+sol+` 1`, `casino_treasury_known`+other+` 0`,
		`casino_ledger_head{lane="3"} 9`, `casino_ledger_head_tag{lane="3"} 258`, `casino_chain_slot 5`, `casino_chain_lag_seconds 13`,
		`casino_rtp_actual`+dice+` 1.06e+06`, `casino_rtp_theoretical`+dice+` 990000`, `casino_rtp_margin`+dice+` 40000`, `casino_rtp_outside 1`,
		`casino_dependency_up{dependency="database"} 1`, `casino_dependency_up{dependency="chain"} 0`,
	)
	if strings.Contains(text, "provider") {
		t.Error("what isn't configured is shown as if it were")
	}
	lost = errors.New("away")
	clock.Advance(time.Minute)
	if _, err := watch.Step(t.Context()); err == nil {
		t.Error("a look that saw nothing is no error")
	}
	wants(t, metrics(t, made), `casino_watch_errors_total 1`, `casino_watch_age_seconds 60`, `casino_withdrawals_open{status="sending"} 2`)
}
