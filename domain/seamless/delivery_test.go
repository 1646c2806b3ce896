package seamless_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// transitions repeats the table of transitions: every other event is refused.
const transitions = `
debit asking accepted: paid
debit asking refused: declined
debit asking not sent: declined
debit asking no response: unknown
debit unknown accepted: reversing
debit unknown refused: declined
debit unknown not sent: unknown
debit unknown no response: unknown
debit unknown resend: unknown
debit unknown close: closed
debit reversing accepted: reversed
debit reversing refused: rejected
debit reversing not sent: reversing
debit reversing no response: reversing
debit reversing resend: reversing
debit reversing close: closed
debit rejected resend: reversing
debit rejected close: closed
credit delivering accepted: delivered
credit delivering refused: rejected
credit delivering not sent: delivering
credit delivering no response: delivering
credit delivering resend: delivering
credit delivering close: closed
credit rejected resend: delivering
credit rejected close: closed
`

func TestStatusAfterEachEvent(t *testing.T) {
	t.Parallel()
	debits := []seamless.DeliveryStatus{seamless.Asking, seamless.Paid, seamless.Declined, seamless.Unknown, seamless.Reversing, seamless.Reversed,
		seamless.Rejected, seamless.Closed}
	credits := []seamless.DeliveryStatus{seamless.Delivering, seamless.Delivered, seamless.Rejected, seamless.Closed}
	now := time.Unix(5, 0)
	for leg, statuses := range map[seamless.Kind][]seamless.DeliveryStatus{seamless.Debit: debits, seamless.Credit: credits} {
		for _, status := range statuses {
			open := false
			for _, event := range []seamless.DeliveryEvent{seamless.SiteAccepted, seamless.SiteRefused, seamless.NoResponse, seamless.NotSent, seamless.Resend, seamless.Close} {
				next, err := seamless.Delivery{Leg: leg, Status: status, Amount: 7}.After(event, now)
				line := fmt.Sprintf("\n%s %s %s: ", leg, status, event)
				_, rest, possible := strings.Cut(transitions, line)
				want, _, _ := strings.Cut(rest, "\n")
				switch {
				case possible && (err != nil || string(next.Status) != want || !next.UpdatedAt.Equal(now) || !status.Precedes(next.Status)):
					t.Errorf("%s: %s, %v, want %s", line, next.Status, err, want)
				case !possible && (!fault.Is(err, fault.InvalidState) || next.Status != status):
					t.Errorf("%s: %s, %v, want a refusal", line, next.Status, err)
				}
				open = open || possible
			}
			if open != status.Open() {
				t.Errorf("%s is open: %v", status, status.Open())
			}
		}
	}
}

// TestResponsesToWhatWasSent delivers responses to each message when the delivery has
// another status by then.
func TestResponsesToWhatWasSent(t *testing.T) {
	t.Parallel()
	for _, sent := range seamless.DeliveryStatuses() {
		for _, now := range seamless.DeliveryStatuses() {
			want := sent == now || sent == seamless.Asking && now == seamless.Unknown
			if err := (seamless.Delivery{Status: now}).Awaits(sent); (err == nil) != want || err != nil && !fault.Is(err, fault.InvalidState) {
				t.Errorf("sent while %s, responded while %s: %v", sent, now, err)
			}
		}
	}
}

func TestOnlyAskingReserves(t *testing.T) {
	t.Parallel()
	for _, status := range seamless.DeliveryStatuses() {
		want := map[bool]int64{true: 7}[status == seamless.Asking]
		if got := (seamless.Delivery{Status: status, Amount: 7}).Reserved(); int64(got) != want {
			t.Errorf("%s reserves %d", status, got)
		}
		if parsed, ok := seamless.ParseDeliveryStatus(string(status)); !ok || parsed != status {
			t.Errorf("%s isn't parsed", status)
		}
	}
}

func TestCodesOfSites(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		reason  seamless.Reason
		decides bool
	}{
		"INSUFFICIENT_USER_FUNDS": {seamless.InsufficientFunds, true}, "PLAYER_FROZEN": {seamless.PlayerFrozen, true},
		"INVALID_USER": {"INVALID_USER", true}, "we don't like you": {seamless.AgentSeamless, true}, "AGENT_SEAMLESS": {seamless.AgentSeamless, true},
		"": {}, "INVALID_AGENT": {}, "INTERNAL_ERROR": {}, "API_CHECKING": {},
	} {
		if reason, decides := seamless.RefusalOf(code); reason != want.reason || decides != want.decides {
			t.Errorf("%q is %q, %v", code, reason, decides)
		}
	}
}

// A forwarded transaction moves the agent's account, never the player's.
func ExampleTransaction_Account() {
	t := seamless.Transaction{Wallet: "alice", Agent: "acme"}
	here := t.Account()
	t.Site = "https://acme.example/"
	fmt.Println(here, t.Account(), t.Account() == ledger.AgentOf("acme"))
	// Output: player:alice agent:acme true
}

func TestAnHourCountsWhatWasMoved(t *testing.T) {
	t.Parallel()
	whole := callback(seamless.DebitCredit, seamless.Taken)
	for name, c := range map[string]struct {
		t        seamless.Transaction
		won, bet money.Amount
		counts   bool
	}{
		"a whole round":        {whole, 700, 500, true},
		"a win that waits":     {callback(seamless.DebitCredit, seamless.Review), 0, 500, false},
		"a refused one":        {callback(seamless.DebitCredit, seamless.Refused), 0, 0, false},
		"what an admin let go": {callback(seamless.Settlement, seamless.Taken), 0, 0, false},
	} {
		hour := seamless.Hour{Number: 5, Won: money.TotalOf(1), Bet: money.TotalOf(2)}
		want := seamless.Hour{Number: 5, Won: money.TotalOf(1 + c.won), Bet: money.TotalOf(2 + c.bet)}
		if got := hour.With(c.t); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if got := c.t.Counts(); got != c.counts {
			t.Errorf("%s counts: %v", name, got)
		}
	}
	if got := whole.HourRef(); got != (seamless.HourRef{Connection: "goldapi", Token: money.SOL}) {
		t.Errorf("it counts in %+v", got)
	}
}

func TestAnHourNeverRestarts(t *testing.T) {
	t.Parallel()
	hour := seamless.Hour{Number: 5, Won: money.TotalOf(1), Bet: money.TotalOf(2)}
	for number, want := range map[int64]seamless.Hour{4: hour, 5: hour, 6: {Number: 6}} {
		if got := hour.In(number); got != want {
			t.Errorf("in %d: %+v, want %+v", number, got, want)
		}
	}
	for at, want := range map[time.Time]int64{
		time.Unix(0, 0): 0, time.Unix(3599, 999): 0, time.Unix(3600, 0): 1,
	} {
		if got := seamless.HourOf(at); got != want {
			t.Errorf("%v is in hour %d, want %d", at, got, want)
		}
	}
}

func TestACapIsOfWinsLessBets(t *testing.T) {
	t.Parallel()
	hour := seamless.Hour{Won: money.TotalOf(900), Bet: money.TotalOf(300)}
	for win, want := range map[money.Amount]bool{0: true, 400: true, 401: false, money.Max: false} {
		if got := hour.Admits(win, 1000); got != want {
			t.Errorf("%d more: %v", win, got)
		}
	}
	if !(seamless.Hour{Bet: money.TotalOf(money.Max)}).Admits(money.Max, 0) {
		t.Error("a win of what was bet is above a cap of 0")
	}
	over := seamless.Hour{Won: money.TotalOf(money.Max).AddAmount(money.Max)}
	if over.Admits(1, money.Max) {
		t.Error("sums beyond an amount are within a cap")
	}
}

func TestHoursAreOrderedByConnectionAndToken(t *testing.T) {
	t.Parallel()
	a, b, c := seamless.HourRef{Connection: "a", Token: "z"}, seamless.HourRef{Connection: "b", Token: "x"}, seamless.HourRef{Connection: "b", Token: "y"}
	if a.Compare(b) >= 0 || b.Compare(c) >= 0 || c.Compare(a) <= 0 || b.Compare(b) != 0 {
		t.Error("they are not in order")
	}
}
