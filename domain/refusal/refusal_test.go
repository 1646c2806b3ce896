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
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/refusal"
)

var order = refusal.Order{Digest: strings.Repeat("cd", 32), Game: "dice", Wager: 100_000, Token: money.SOL}

// TestTheDigestIsThatOfThePublishedText writes the text by hand, and changes each of its parts.
func TestTheDigestIsThatOfThePublishedText(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("casino order 1\nroute: /play\nkey: my key 1\nbody: {\"wager\":1}\n"))
	want := hex.EncodeToString(sum[:])
	if got := refusal.Digest("/play", "my key 1", `{"wager":1}`); got != want {
		t.Error(got)
	}
	for _, other := range [][3]string{{"/rounds", "my key 1", `{"wager":1}`}, {"/play", "", `{"wager":1}`}, {"/play", "my key 1", `{"wager":2}`}} {
		if refusal.Digest(other[0], other[1], other[2]) == want {
			t.Errorf("%v has the same digest", other)
		}
	}
}

func refused() *refusal.Refused {
	return &refusal.Refused{
		Refusal: fault.New(fault.WagerOutOfRange, "too much").With("reason", "room"), Ledger: "l1", Epoch: 2, At: time.UnixMicro(1_795_262_400_123_456),
		Decided: refusal.Decided{
			Commitment: strings.Repeat("ab", 32), Nonce: 7, Balance: 5, OpenRounds: 1,
			Figures: bet.Figures{MinWager: 1, MaxWager: 2, MaxPayout: 3, Room: 4, CouldPay: money.Max},
		},
	}
}

func TestAStatementSaysWhatWasDecidedOn(t *testing.T) {
	t.Parallel()
	r := refused()
	made := r.Statement("alice", order, "WAGER_OUT_OF_RANGE")
	text, err := made.Text()
	want := "casino statement 1\npurpose: refusal\nledger: l1\nepoch: 2\ntime: 1795262400123\nslot: unknown\nwallet: alice\norder: " + order.Digest +
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
		Wallet: "alice", Order: order, Code: "WAGER_OUT_OF_RANGE", Reason: "room", Decided: r.Decided,
	}) {
		t.Errorf("%v, %+v", err, stated)
	}
	if !errors.Is(r, r.Refusal) || r.Error() != "too much" || !fault.Is(r, fault.WagerOutOfRange) {
		t.Errorf("it is no longer the refusal: %v", r)
	}
	for want, refusal := range map[string]error{
		"loss.day": fault.New(fault.LimitExceeded, "enough").With("limit", "loss.day"), "exhausted": fault.New(fault.InvalidState, "?").With("status", "exhausted"),
		"none": fault.New(fault.GameDisabled, "off"),
	} {
		of := refused()
		of.Refusal = refusal
		made := of.Statement("alice", order, "CODE")
		if value, _ := made.Fact("reason"); value != want {
			t.Errorf("%q, want %q", value, want)
		}
	}
}

func TestWhatStatesNoRefusalIsNotRead(t *testing.T) {
	t.Parallel()
	whole := refused().Statement("alice", order, "WAGER_OUT_OF_RANGE")
	for i, f := range whole.Facts {
		less := whole
		less.Facts = append(append([]checkpoint.Fact(nil), whole.Facts[:i]...), whole.Facts[i+1:]...)
		if _, err := refusal.FromStatement(less); !fault.Is(err, fault.Invalid) {
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
