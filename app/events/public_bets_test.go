package events_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// publicName returns the pseudonym of the newest public bet.
func (h *house) publicName() string {
	h.T.Helper()
	bets := apptest.OK(h.Events.RecentBets(h.Ctx))(h.T)
	if len(bets) == 0 || len(bets[0].Player) != 16 || strings.Trim(bets[0].Player, "0123456789abcdef") != "" {
		h.T.Fatalf("public bets %+v", bets)
	}
	return bets[0].Player
}

func underKeys(names ...string) func(*app.Deps) {
	return func(d *app.Deps) { d.Authenticator = fakes.Authenticator{Names: names} }
}

// sealsOnly has nothing but the port's methods: it doesn't know the earlier keys' seals.
type sealsOnly struct{ app.Deps }

func (s sealsOnly) Seal(purpose string, message []byte) (string, error) {
	return s.Authenticator.Seal(purpose, message)
}

func (s sealsOnly) Verify(purpose string, message []byte, seal string) error {
	return s.Authenticator.Verify(purpose, message, seal)
}

// TestPublicBetsHavePseudonyms: the public feed doesn't reveal wallets, or the same player
// in another month; within a month names are stable.
func TestPublicBetsHavePseudonyms(t *testing.T) {
	t.Parallel()
	h := open(t, underKeys("old"))
	h.Clock.Set(time.Date(2026, time.November, 30, 23, 59, 0, 0, time.UTC))
	alice, bob := h.NewPlayer("alice", 10_000), h.NewPlayer("bob", 10_000)
	play := func(who app.Caller) string {
		h.T.Helper()
		apptest.OK(h.Play.Play(h.Ctx, who, apptest.Flip(100)))(t)
		return h.publicName()
	}
	first := play(alice)
	apptest.Equal(t, "the same player's next bet", play(alice), first)
	other := play(bob)
	if first == other {
		t.Error("two players have one name")
	}
	for how, option := range map[string]func(*app.Deps){
		"on another instance": underKeys("old"), "with a newer key": underKeys("new", "old"), "with two": underKeys("newest", "new", "old"),
	} {
		apptest.Equal(t, how, h.Remade(option).publicName(), other)
	}
	for how, option := range map[string]func(*app.Deps){
		"of another deployment": underKeys("theirs"),
		"of an embedder's seals": func(d *app.Deps) {
			d.Authenticator = fakes.Authenticator{Names: []string{"theirs"}}
			d.Authenticator = sealsOnly{*d}
		},
		"without any seals": func(d *app.Deps) { d.Authenticator = nil },
	} {
		again := h.Remade(option)
		if named := again.publicName(); named == other || named != again.publicName() {
			t.Errorf("%s bob is called %s, and then %s", how, named, again.publicName())
		}
	}
	h.Clock.Advance(time.Minute)
	december := play(bob)
	if december == other || december == first {
		t.Error("a name is kept over the end of a month")
	}
	bets := apptest.OK(h.Events.RecentBets(h.Ctx))(t)
	apptest.Equal(t, "a bet of the month before", bets[1].Player, other)
	apptest.Equal(t, "the house's own", bets[0].Provider, "casino")
}
