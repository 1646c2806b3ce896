package refusal_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/refusal"
)

var order = refusal.Order{
	Game: "dice", Token: money.SOL, Wager: 100_000, Key: "my key 1",
	Config: game.Object(game.Member{Name: "target", Value: game.Dec(5000, 2)}, game.Member{Name: "direction", Value: game.Text("over")}),
}

// TestTheDigestIsThatOfThePublishedText writes the text by hand.
func TestTheDigestIsThatOfThePublishedText(t *testing.T) {
	t.Parallel()
	want := "casino order 1\nroute: /play\ngame: dice\ntoken: So11111111111111111111111111111111111111112\nwager: 100000\n" +
		"key: my key 1\nconfig: {\"direction\":\"over\",\"target\":50.00}\n"
	if got := order.Text(); got != want {
		t.Errorf("%s", got)
	}
	sum := sha256.Sum256([]byte(want))
	if order.Digest() != hex.EncodeToString(sum[:]) {
		t.Error(order.Digest())
	}
}

// TestEveryMemberOfAnOrderCounts changes one at a time.
func TestEveryMemberOfAnOrderCounts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{order.Digest(): true}
	for name, change := range map[string]func(*refusal.Order){
		"route": func(o *refusal.Order) { o.Steps = true }, "game": func(o *refusal.Order) { o.Game = "limbo" },
		"token": func(o *refusal.Order) { o.Token = "usd" }, "wager": func(o *refusal.Order) { o.Wager++ },
		"key": func(o *refusal.Order) { o.Key = "" }, "config": func(o *refusal.Order) { o.Config = game.Value{} },
		"nested": func(o *refusal.Order) {
			o.Config = game.Object(game.Member{Name: `a"\`, Value: game.List(game.Bool(true), game.Int(-7), game.Text("\n"), game.Value{})})
		},
	} {
		changed := order
		change(&changed)
		if seen[changed.Digest()] {
			t.Errorf("%s doesn't count", name)
		}
		seen[changed.Digest()] = true
	}
	none := order
	none.Config = game.Value{}
	if !strings.HasSuffix(none.Text(), "\nconfig: {}\n") {
		t.Errorf("%s", none.Text())
	}
	none.Config = game.Object(game.Member{Name: `a"\`, Value: game.List(game.Bool(true), game.Int(-7), game.Text("\n\x01ü"), game.Value{})})
	if !strings.HasSuffix(none.Text(), "\nconfig: {\"a\\\"\\\\\":[true,-7,\"\\n\\u0001ü\",null]}\n") {
		t.Errorf("%s", none.Text())
	}
}

func refused() *refusal.Refused {
	return &refusal.Refused{
		Refusal: fault.New(fault.WagerOutOfRange, "too much").With("reason", "room"), Ledger: "l1", Epoch: 2, At: time.UnixMicro(1_795_262_400_123_456),
		Commitment: strings.Repeat("ab", 32), Nonce: 7, Balance: 5, OpenRounds: 1,
		Figures: bet.Figures{MinWager: 1, MaxWager: 2, MaxPayout: 3, Room: 4, CouldPay: money.Max},
	}
}

func TestAStatementSaysWhatWasDecidedOn(t *testing.T) {
	t.Parallel()
	r := refused()
	made := r.Statement("alice", order, "WAGER_OUT_OF_RANGE")
	text, err := made.Text()
	want := "casino statement 1\npurpose: refusal\nledger: l1\nepoch: 2\ntime: 1795262400123\nslot: unknown\nwallet: alice\norder: " + order.Digest() +
		"\ngame: dice\nwager: 100000\ntoken: So11111111111111111111111111111111111111112\nserver-seed-hash: " + r.Commitment +
		"\nnonce: 7\ncode: WAGER_OUT_OF_RANGE\nreason: room\nmin-wager: 1\nmax-wager: 2\nmax-payout: 3\nroom: 4\ncould-pay: 9223372036854775807\n" +
		"balance: 5\nopen-rounds: 1\n"
	if err != nil || text != want {
		t.Fatalf("%v\n%s", err, text)
	}
	read, err := checkpoint.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	stated, err := refusal.FromStatement(read)
	if err != nil || stated != (refusal.Stated{
		Wallet: "alice", Order: order.Digest(), Game: "dice", Token: money.SOL, Wager: 100_000, Commitment: r.Commitment, Nonce: 7,
		Code: "WAGER_OUT_OF_RANGE", Reason: "room", Figures: r.Figures, Balance: 5, OpenRounds: 1,
	}) {
		t.Errorf("%v, %+v", err, stated)
	}
	if !errors.Is(r, r.Refusal) || r.Error() != "too much" || !fault.Is(r, fault.WagerOutOfRange) {
		t.Errorf("it is no longer the refusal: %v", r)
	}
	for name, detail := range map[string]string{"limit": "loss.day", "status": "exhausted"} {
		of := refused()
		of.Refusal = fault.New(fault.LimitExceeded, "enough").With(name, detail)
		made := of.Statement("alice", order, "LIMIT_EXCEEDED")
		if value, _ := made.Fact("reason"); value != detail {
			t.Errorf("%s: %q", name, value)
		}
	}
}

func TestWhatStatesNoRefusalIsNotRead(t *testing.T) {
	t.Parallel()
	whole := refused().Statement("alice", order, "WAGER_OUT_OF_RANGE")
	other := whole
	other.Purpose = checkpoint.Public
	if _, err := refusal.FromStatement(other); !fault.Is(err, fault.Invalid) {
		t.Errorf("another purpose: %v", err)
	}
	for i, f := range whole.Facts {
		less := whole
		less.Facts = append(append([]checkpoint.Fact(nil), whole.Facts[:i]...), whole.Facts[i+1:]...)
		if _, err := refusal.FromStatement(less); (err == nil) != (f.Name == "reason") {
			t.Errorf("without %s: %v", f.Name, err)
		}
	}
	for _, text := range []string{"-1", "01", "x", ""} {
		bad := whole
		bad.Facts = append([]checkpoint.Fact{{Name: "nonce", Value: text}}, whole.Facts...)
		if _, err := refusal.FromStatement(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("nonce %q: %v", text, err)
		}
	}
}

func TestFiguresAdmitWhatTheyCover(t *testing.T) {
	t.Parallel()
	fits := bet.Figures{MinWager: 10, MaxWager: 20, MaxPayout: 100, Room: 50, CouldPay: 50}
	for name, row := range map[string]struct {
		change func(*bet.Figures)
		wager  money.Amount
		want   bool
	}{
		"within": {func(*bet.Figures) {}, 10, true}, "too little": {func(*bet.Figures) {}, 9, false}, "too much": {func(*bet.Figures) {}, 21, false},
		"above the payout": {func(f *bet.Figures) { f.MaxPayout = 49 }, 10, false}, "above the room": {func(f *bet.Figures) { f.Room = 49 }, 10, false},
		"no room": {func(f *bet.Figures) { f.Room, f.CouldPay = 0, 0 }, 10, false},
	} {
		f := fits
		row.change(&f)
		if f.Allow(row.wager) != row.want {
			t.Errorf("%s", name)
		}
	}
}
