package player_test

import (
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
)

// TestAPlayerWhoNeverSignedInIsToldSo: nothing is drawn before the first sign-in, and
// the refusal says to sign in; after a recovery the refusal is that the session is too
// old.
func TestAPlayerWhoNeverSignedInIsToldSo(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		pair fairness.Pair
		want string
	}{
		"never signed in":   {fairness.Pair{}, "never signed in"},
		"before a recovery": {fairness.Pair{ID: "pair", Epoch: 1}, "older than the recovery"},
	} {
		view := player.View{Pair: row.pair, Control: &control.State{Epoch: 2}}
		_, played := player.Play(view, bet.Order{}, fairness.Spare{}, "", "")
		_, opened := player.OpenRound(view, player.OpenRequest{})
		_, rotated := player.Rotate(view, player.RotationRequest{})
		for _, err := range []error{played, opened, rotated} {
			if !fault.Is(err, fault.InvalidToken) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
