package seamless_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/seamless"
)

// transitions is the status of a delivery after each event, written a second time:
// everything that isn't here is refused.
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

// TestResponsesToWhatWasSent has responses to each message arrive when the delivery is
// in another status by then.
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
