package main

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/money"
)

// TestPlayIsPausedFromTheCommandLine pauses a game beside a running service: the first bet
// after the command is refused, until play is resumed.
func TestPlayIsPausedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, session := w.funded()
	alice := client.New(s.api, nil).WithToken(session.Token)
	plays := func(game string, want string) {
		t.Helper()
		_, err := alice.Play(t.Context(), api.PlayRequest{GameType: game, Wager: 1_000_000, Token: string(money.SOL)})
		if code := client.CodeOf(err); code != want || want == "" && err != nil {
			t.Errorf("a bet in %s: %q, want %q (%v)", game, code, want, err)
		}
	}
	if out := w.do("play", "list"); out != "no play is paused\n" {
		t.Errorf("at first: %q", out)
	}
	plays("dice", "")
	if out := w.do("play", "pause", "--game", "dice", "more wins than it should have"); !strings.Contains(out, "dice") ||
		!strings.Contains(out, "the command line") || !strings.Contains(out, "more wins than it should have") {
		t.Errorf("play pause: %q", out)
	}
	plays("dice", "API_CHECKING")
	plays("coinflip", "")
	if out := w.do("play", "pause", "everything is odd"); strings.Count(out, "\n") != 3 {
		t.Errorf("a second pause: %q", out)
	}
	plays("coinflip", "API_CHECKING")
	if out := w.do("play", "resume", "all but dice was verified"); strings.Contains(out, "everything is odd") || !strings.Contains(out, "dice") {
		t.Errorf("play resume: %q", out)
	}
	plays("dice", "API_CHECKING")
	plays("coinflip", "")
	if out := w.do("play", "resume", "--game", "dice", "verified"); out != "no play is paused\n" {
		t.Errorf("the last resume: %q", out)
	}
	plays("dice", "")
	for _, wrong := range [][]string{
		{"play", "pause", "--game", "chess", "why"}, {"play", "pause", "--agent", "nobody", "why"}, {"play", "pause", ""},
	} {
		if out, errOut, code := runCasino(t, append(wrong, w.flags("database-url", "seed-keys")...)...); code != exitFailed || out != "" {
			t.Errorf("%q: exit %d, %s%s", wrong, code, out, errOut)
		}
	}
	if out := w.do("play", "list"); out != "no play is paused\n" {
		t.Errorf("at last: %q", out)
	}
	s.stop()
	if out := w.do("audit"); !strings.Contains(out, "everything holds") {
		t.Errorf("audit: %s", out)
	}
}
