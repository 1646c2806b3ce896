package goldapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
)

// TestInvalidCatalogueEntriesAreNamedAndTheOthersSynced syncs a catalogue of 50 games, five
// of them unreadable, from a provider that sends codes as numbers and states as text or
// booleans.
func TestInvalidCatalogueEntriesAreNamedAndTheOthersSynced(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	entries := []string{
		`{"game_name":"No code","status":1}`, `{"game_code":"null-name","game_name":null,"status":1}`,
		`{"game_code":{"id":3},"game_name":"Object","status":1}`, `{"game_code":"state","game_name":"State","status":"maybe"}`, `null`,
	}
	for i := range 45 {
		entries = append(entries, fmt.Sprintf(`{"game_code":%d,"game_name":"Game %d","banner":null,"status":%s}`, 100+i, i, []string{`1`, `"1"`, `true`}[i%3]))
	}
	h.site.Script("provider_list", provider.Behaviour{Body: `{"status":"1","providers":[{"code":"DEMOSPIN","type":null,"status":"1"},{"code":"CLOSED","status":1}]}`})
	h.site.Script("game_list", provider.Behaviour{Body: `{"status":true,"games":[` + strings.Join(entries, ",") + `]}`},
		provider.Behaviour{Body: `{"status":0,"msg":"INVALID_PROVIDER"}`})
	found, err := h.casino.Providers.ProviderSync().Sync(t.Context())
	if err != nil || found.Listed != 45 || found.New != 45 || len(found.Unread) != 6 {
		t.Fatalf("synced %+v, %v", found, err)
	}
	if g, err := h.store.ProviderGame(t.Context(), "cherry-rush"); err != nil || g.Vanished {
		t.Errorf("a game that an unread entry may stand for: %+v, %v", g, err)
	}
	if g, err := h.store.ProviderGame(t.Context(), "102"); err != nil || g.Vanished || g.Name != "Game 2" {
		t.Errorf("a game with a numeric code: %+v, %v", g, err)
	}
	log := h.log.String()
	for _, want := range []string{
		alarm.ProviderCatalogue.Message(), "DEMOSPIN game 1: invalid game_code", "DEMOSPIN game 2: invalid game_name",
		"DEMOSPIN game 3: invalid game_code", "DEMOSPIN game 4: invalid status", "DEMOSPIN game 5: invalid game_code", "CLOSED, all games",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q", want)
		}
	}
}

// TestACatalogueOfWhichNothingCanBeReadIsAnError keeps the provider's refusal.
func TestACatalogueOfWhichNothingCanBeReadIsAnError(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	s.Script("provider_list", provider.Behaviour{Body: `{"status":1,"providers":[{"code":"DEMOSPIN","status":1}]}`})
	s.Script("game_list", provider.Behaviour{Refuse: "BLOCKED_AGENT"})
	if games, _, err := newClient(t, s, nil).Games(t.Context()); !fault.Is(err, fault.BlockedAgent) {
		t.Errorf("games %+v, %v", games, err)
	}
}

// TestUnreadMakersAreReported names makers by their place.
func TestUnreadMakersAreReported(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	s.Script("provider_list", provider.Behaviour{Body: `{"status":1,"providers":["x",{"code":[],"status":1},{"code":"DEMOSPIN","status":null},{"code":"DEMOSPIN","status":1}]}`})
	games, unread, err := newClient(t, s, nil).Games(t.Context())
	var reasons []string
	for _, u := range unread {
		reasons = append(reasons, u.Reason)
	}
	if want := []string{"maker 1: not an object", "maker 2: invalid code", "maker 3: invalid status"}; err != nil || len(games) == 0 || !slices.Equal(reasons, want) {
		t.Errorf("%d games, %q, %v", len(games), reasons, err)
	}
}
