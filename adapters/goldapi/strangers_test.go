package goldapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/ratelimit/local"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/test/fakes"
)

// purse answers every balance.
type purse struct{}

func (purse) ProviderBalance(context.Context, string) (seamless.Decimal, error) { return "7", nil }

func (purse) ProviderTransact(context.Context, kernel.ProviderCall) (kernel.ProviderResponse, error) {
	return kernel.ProviderResponse{Accepted: true, Balance: "7"}, nil
}

// TestGuessesAreCounted: malformed calls and wrong credentials are counted per address, and
// an address with too many is blocked without comparing. The provider's own address is
// never blocked; its malformed calls are reported but not counted.
func TestGuessesAreCounted(t *testing.T) {
	t.Parallel()
	refusals := map[goldapi.Refusal]int{}
	handler, err := goldapi.NewHandler(goldapi.HandlerConfig{
		Wallet: purse{}, AgentCode: agentCode, AgentSecret: agentSecret,
		Limiter: local.New(fakes.NewClock(fakes.Start)), Wrong: limit.Rule{Max: 4, Window: time.Minute},
		Refused: func(_ context.Context, why goldapi.Refusal) { refusals[why]++ },
	})
	must(t, err)
	post := func(from, body string) int {
		r := httptest.NewRequest(http.MethodPost, "/gold_api", strings.NewReader(body))
		r.RemoteAddr = from + ":0"
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		if wait := answer.Header().Get("Retry-After"); (answer.Code == http.StatusTooManyRequests) != (wait != "") {
			t.Errorf("%d with Retry-After %q", answer.Code, wait)
		}
		if strings.Contains(answer.Body.String(), `"status":1`) {
			return 1
		}
		return answer.Code
	}
	right := fmt.Sprintf(`{"method":"user_balance","agent_code":%q,"agent_secret":%q,"user_code":"x"}`, agentCode, agentSecret)
	crooked := fmt.Sprintf(`{"method":"transaction","agent_code":%q,"agent_secret":%q,"game_type":"slot","slot":{"txn_id":[7]}}`, agentCode, agentSecret)
	wrong := strings.Replace(right, agentSecret, "guess", 1)
	for _, step := range []struct {
		from, body string
		want       int
	}{
		{"192.0.2.1", wrong, 200}, {"192.0.2.1", "no json", 200}, {"192.0.2.1", strings.Repeat("x", 65<<10), 413},
		{"192.0.2.1", strings.Replace(right, agentCode, "other", 1), 200},
		{"192.0.2.1", wrong, 429}, {"192.0.2.1", "no json", 429}, {"192.0.2.1", right, 429},
		{"192.0.2.2", right, 1}, {"192.0.2.2", wrong, 200}, {"192.0.2.2", wrong, 200}, {"192.0.2.2", "[]", 200},
		{"192.0.2.2", "[]", 200}, {"192.0.2.2", wrong, 429}, {"192.0.2.2", wrong, 429}, {"192.0.2.2", right, 1},
		{"192.0.2.3", wrong, 200},
		{"192.0.2.4", crooked, 200}, {"192.0.2.4", wrong, 200}, {"192.0.2.4", wrong, 200}, {"192.0.2.4", wrong, 200},
		{"192.0.2.4", wrong, 200}, {"192.0.2.4", crooked, 200}, {"192.0.2.4", wrong, 429}, {"192.0.2.4", right, 1},
		{"192.0.2.5", strings.Replace(crooked, agentSecret, "guess", 1), 200},
	} {
		if got := post(step.from, step.body); got != step.want {
			t.Errorf("%.30s from %s: %d, want %d", step.body, step.from, got, step.want)
		}
	}
	for why, want := range map[goldapi.Refusal]int{
		goldapi.Malformed: 6, goldapi.TooLarge: 1, goldapi.WrongCredentials: 9, goldapi.TooMany: 6,
	} {
		if refusals[why] != want {
			t.Errorf("%d are counted as %s, want %d", refusals[why], why, want)
		}
	}
}

// TestABodyThatComesTooSlowlyIsNoAnswer interrupts a callback's body: an empty 200 would
// tell the provider that its win was booked.
func TestABodyThatComesTooSlowlyIsNoAnswer(t *testing.T) {
	t.Parallel()
	handler, err := goldapi.NewHandler(goldapi.HandlerConfig{
		Wallet: purse{}, AgentCode: agentCode, AgentSecret: agentSecret,
		Limiter: local.New(fakes.NewClock(fakes.Start)), Wrong: limit.Rule{Max: 4, Window: time.Minute},
	})
	must(t, err)
	cut := io.MultiReader(strings.NewReader(`{"method":`), iotest.ErrReader(os.ErrDeadlineExceeded))
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/gold_api", cut))
	if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Connection") != "close" {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}
