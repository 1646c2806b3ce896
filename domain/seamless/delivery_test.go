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

// ways is what becomes of a leg after each word, written a second time: everything
// that isn't here is refused.
const ways = `
debit asking yes paid
debit asking no declined
debit asking unsent declined
debit asking silent unknown
debit unknown yes reversing
debit unknown no declined
debit unknown unsent unknown
debit unknown silent unknown
debit unknown resend unknown
debit unknown close closed
debit reversing yes reversed
debit reversing no rejected
debit reversing unsent reversing
debit reversing silent reversing
debit reversing resend reversing
debit reversing close closed
debit rejected resend reversing
debit rejected close closed
credit delivering yes delivered
credit delivering no rejected
credit delivering unsent delivering
credit delivering silent delivering
credit delivering resend delivering
credit delivering close closed
credit rejected resend delivering
credit rejected close closed
`

func TestWhatFollowsWhichWord(t *testing.T) {
	t.Parallel()
	debits := []seamless.DeliveryStatus{seamless.Asking, seamless.Paid, seamless.Declined, seamless.Unknown, seamless.Reversing, seamless.Reversed,
		seamless.Rejected, seamless.Closed}
	credits := []seamless.DeliveryStatus{seamless.Delivering, seamless.Delivered, seamless.Rejected, seamless.Closed}
	now := time.Unix(5, 0)
	for leg, statuses := range map[seamless.Kind][]seamless.DeliveryStatus{seamless.Debit: debits, seamless.Credit: credits} {
		for _, status := range statuses {
			goesOn := false
			for _, word := range []seamless.DeliveryEvent{seamless.SiteAccepted, seamless.SiteRefused, seamless.NoResponse, seamless.NotSent, seamless.Resend, seamless.Close} {
				next, err := seamless.Delivery{Leg: leg, Status: status, Amount: 7}.After(word, now)
				line := fmt.Sprintf("\n%s %s %s ", leg, status, word)
				_, rest, possible := strings.Cut(ways, line)
				want, _, _ := strings.Cut(rest, "\n")
				switch {
				case possible && (err != nil || string(next.Status) != want || !next.UpdatedAt.Equal(now) || !status.Precedes(next.Status)):
					t.Errorf("%s: %s, %v, want %s", line, next.Status, err, want)
				case !possible && (!fault.Is(err, fault.InvalidState) || next.Status != status):
					t.Errorf("%s: %s, %v, want a refusal", line, next.Status, err)
				}
				goesOn = goesOn || possible
			}
			if goesOn != status.Open() {
				t.Errorf("%s is open: %v", status, status.Open())
			}
		}
	}
}

// TestWordsAreOnWhatWasSent lets words on each message come when the route is
// elsewhere by then.
func TestWordsAreOnWhatWasSent(t *testing.T) {
	t.Parallel()
	for _, sent := range seamless.DeliveryStatuses() {
		for _, now := range seamless.DeliveryStatuses() {
			want := sent == now || sent == seamless.Asking && now == seamless.Unknown
			if err := (seamless.Delivery{Status: now}).Awaits(sent); (err == nil) != want || err != nil && !fault.Is(err, fault.InvalidState) {
				t.Errorf("sent while %s, heard while %s: %v", sent, now, err)
			}
		}
	}
}

func TestOnlyWhatIsAskedForIsReserved(t *testing.T) {
	t.Parallel()
	for _, status := range seamless.DeliveryStatuses() {
		want := map[bool]int64{true: 7}[status == seamless.Asking]
		if got := (seamless.Delivery{Status: status, Amount: 7}).Reserved(); int64(got) != want {
			t.Errorf("%s reserves %d", status, got)
		}
		if parsed, ok := seamless.ParseDeliveryStatus(string(status)); !ok || parsed != status {
			t.Errorf("%s isn't read again", status)
		}
	}
}

func TestWordsOfSites(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]struct {
		reason seamless.Reason
		says   bool
	}{
		"INSUFFICIENT_USER_FUNDS": {seamless.InsufficientFunds, true}, "PLAYER_FROZEN": {seamless.PlayerFrozen, true},
		"INVALID_USER": {"INVALID_USER", true}, "we don't like you": {seamless.AgentSeamless, true}, "AGENT_SEAMLESS": {seamless.AgentSeamless, true},
		"": {}, "INVALID_AGENT": {}, "INTERNAL_ERROR": {}, "API_CHECKING": {},
	} {
		if reason, says := seamless.RefusalOf(word); reason != want.reason || says != want.says {
			t.Errorf("%q is %q, %v", word, reason, says)
		}
	}
}

// A forwarded transaction moves the operator's account, never the player's.
func ExampleTransaction_Account() {
	t := seamless.Transaction{Wallet: "alice", Agent: "acme"}
	here := t.Account()
	t.Site = "https://acme.example/"
	fmt.Println(here, t.Account(), t.Account() == ledger.AgentOf("acme"))
	// Output: player:alice agent:acme true
}
