package wire_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

func TestAnOpenRoundIsAnsweredAsItStood(t *testing.T) {
	t.Parallel()
	at := time.UnixMicro(1_700_000_000_123_456).UTC()
	open := bet.Open{
		ID: "r1", Wallet: "alice", Agent: "house", GameType: "mines", Rules: "mines/1", Token: money.SOL, Wager: 7, Stake: money.Max,
		Config: game.Object(game.Member{Name: "mines", Value: game.Dec(350, 2)}), PairID: "p", Commitment: "c", ClientSeed: "s",
		ClientSource: fairness.FromPlayer, Nonce: 3, Actions: game.List(game.Object(game.Member{Name: "type", Value: game.Text("open")})),
		Shown: game.Object(), Choices: game.List(), MaxMultiplier: money.Ratio{Num: 1 << 63, Den: 3}, Exposure: 99, OpenedAt: at, TouchedAt: at.Add(time.Second),
	}
	before := open
	before.Stake = 1
	text, err := wire.EncodeAnswer(player.Change{Steps: []bet.Open{before, open}, Balance: 5})
	if err != nil {
		t.Fatal(err)
	}
	back, round, err := wire.DecodeAnswer(text)
	if want := (player.Change{Steps: []bet.Open{open}, Balance: 5}); err != nil || round != "" || !reflect.DeepEqual(back, want) {
		t.Errorf("came back as %+v, %q, %v", back, round, err)
	}
	for _, broken := range []string{
		strings.Replace(string(text), `"player"`, `"nobody"`, 1), strings.Replace(string(text), `"Shown":{}`, `"Shown":{"a":null}`, 1),
	} {
		if _, _, err := wire.DecodeAnswer([]byte(broken)); err == nil {
			t.Errorf("%s was taken", broken)
		}
	}
}
