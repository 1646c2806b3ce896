package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/casino-service/casino/test/fakes"
)

// TestNothingPublicNamesAPlayer: a wallet's deposits are public on the chain, so four
// characters of its address are enough to identify it.
func TestNothingPublicNamesAPlayer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	wallet := string(fakes.Wallet("alice"))
	h.funded("alice", sol, 50_000)
	h.post("alice", "/play", object{"gameType": "dice", "wager": minimum, "token": sol}).ok(http.StatusOK)
	for _, path := range []string{"/recent-bets", "/public/checkpoints", "/public/solvency", "/public/games", "/public/provider-games", "/public/tokens", "/public/whitelabel", "/health"} {
		if text := string(h.get("", path).ok(http.StatusOK).text); strings.Contains(text, wallet) {
			t.Errorf("%s names the player: %s", path, text)
		}
	}
	bets := h.get("", "/recent-bets").ok(http.StatusOK)
	if list, _ := bets.at("bets").([]any); len(list) != 1 {
		t.Fatalf("the feed: %s", bets.text)
	}
	for at := range len(wallet) - 3 {
		if strings.Contains(strings.ReplaceAll(string(bets.text), sol, ""), wallet[at:at+4]) {
			t.Errorf("the feed shows %q of the wallet: %s", wallet[at:at+4], bets.text)
		}
	}
	h.role("root", "superadmin", "")
	if rounds := h.get("root", "/admin/games").ok(http.StatusOK); !strings.Contains(string(rounds.text), wallet) {
		t.Errorf("admins don't see whose round it is: %s", rounds.text)
	}
}
