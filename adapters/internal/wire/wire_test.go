package wire_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/withdrawal"
)

func anyValue(depth int) *rapid.Generator[game.Value] {
	return rapid.Custom(func(t *rapid.T) game.Value {
		kinds := 5
		if depth == 0 {
			kinds = 3
		}
		switch rapid.IntRange(1, kinds).Draw(t, "kind") {
		case 1:
			return game.Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			return game.Dec(rapid.Int64().Draw(t, "coefficient"), uint8(rapid.IntRange(0, 18).Draw(t, "scale")))
		case 3:
			return game.Text(rapid.String().Draw(t, "text"))
		case 4:
			return game.List(rapid.SliceOfN(anyValue(depth-1), 0, 4).Draw(t, "items")...)
		}
		names := rapid.SliceOfNDistinct(rapid.String(), 0, 4, rapid.ID).Draw(t, "names")
		members := make([]game.Member, len(names))
		for i, name := range names {
			members[i] = game.Member{Name: name, Value: anyValue(depth-1).Draw(t, "member")}
		}
		return game.Object(members...)
	})
}

func TestValuesComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "value")
		text := wire.EncodeValue(v)
		if !json.Valid(text) {
			t.Fatalf("%s is no JSON", text)
		}
		back, err := wire.DecodeValue(text)
		if err != nil || !back.Equal(v) {
			t.Fatalf("%v went out as %s and came back as %v, %v", v, text, back, err)
		}
	})
}

func TestDecimalsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"target":50.00,"direction":"over"}`, `[0,-1,9223372036854775807,0.10]`, `null`, `"é\n"`} {
		v, err := wire.DecodeValue([]byte(text))
		if got := string(wire.EncodeValue(v)); err != nil || got != text {
			t.Errorf("%s came back as %s, %v", text, got, err)
		}
	}
	v, err := wire.DecodeValue([]byte(`{"target":1e3}`))
	if _, _, exact := v.Get("target").Decimal(); err != nil || exact {
		t.Errorf("a number with an exponent: %v, %v; want one that every field refuses", v, err)
	}
}

func TestWhatIsNotStrictlyOneValueIsRefused(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", wire.ValueDepthMax+1) + strings.Repeat("]", wire.ValueDepthMax+1)
	for _, text := range []string{
		``, ` `, `{`, `[1,]`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{} {}`, `{}x`, `[null]`, `{"a":null}`, `nullnull`,
		`NaN`, `Infinity`, `01`, `1.`, `.5`, `+1`, `0x1`, `'a'`, `{a:1}`, "\"\xff\"", `"\ud800"`, "\"\x01\"", `// c` + "\n1",
		deep, `"` + strings.Repeat("a", wire.ValueBytesMax) + `"`,
	} {
		if v, err := wire.DecodeValue([]byte(text)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%.40q was taken as %.40v, %v", text, v, err)
		}
	}
	if _, err := wire.DecodeValue([]byte(deep[1 : len(deep)-1])); err != nil {
		t.Errorf("the deepest allowed: %v", err)
	}
}

func TestRatiosAreNumbers(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]money.Ratio{
		"1.98": {Num: 198, Den: 100}, "0": {Num: 0, Den: 1}, "0.33333333333333333": {Num: 2, Den: 6}, "2.34666666666666666": {Num: 176, Den: 75},
		"2.34666": {Num: 234_666, Den: 100_000}, "1000000": {Num: 1_000_000, Den: 1},
	} {
		if got := string(wire.AppendRatio(nil, r)); got != want {
			t.Errorf("%v is written %s, want %s", r, got, want)
		}
	}
}

func TestAnswersComeBackWithoutSeeds(t *testing.T) {
	t.Parallel()
	at := time.UnixMicro(1_700_000_000_123_456).UTC()
	pair := fairness.NewPair(fairness.Spare{ID: "p1", Seed: fairness.NewServerSeed([32]byte{1})},
		fairness.Spare{ID: "p2", Seed: fairness.NewServerSeed([32]byte{2})}, "client", at)
	revealed, _ := pair.Rotate(fairness.Choose("mine", false, ""), fairness.Spare{}, at)
	change := player.Change{
		Pair: &pair, Retired: &revealed, Balance: money.Max,
		Withdrawal: &withdrawal.Withdrawal{
			ID: "w", Wallet: "alice", Token: money.SOL, Amount: 7, Destination: "d", Status: withdrawal.Failed,
			Approvals: []withdrawal.Approval{{By: "bob", At: at, Note: "n", Attempt: 1, Needed: 2, Signature: "c2ln", Timestamp: 7, Treasury: "t", Seal: "k:b"}}, Seal: "k:w", Attempt: 2, Signature: "s", Reason: "r",
			Note: "n", CreatedAt: at, UpdatedAt: at.Add(time.Microsecond),
		},
		Deposit: &deposit.Claim{
			ID: "d", Wallet: "alice", Ref: deposit.Ref{Signature: "s", Token: money.SOL}, Status: deposit.Review,
			Amount: 3, Reason: "several_senders", CreatedAt: at, UpdatedAt: at,
		},
		Adjustment: &player.Adjustment{ID: "a", Wallet: "alice", Token: money.SOL, Amount: -5, Reason: "why", By: "bob", At: at},
		Approval: &approval.Approval{
			ID: "q", Agent: "acme", By: "bob", Status: approval.Approved, CreatedAt: at, ExpiresAt: at.Add(time.Hour),
			DecidedBy: "carol", DecidedAt: at.Add(time.Minute), Request: approval.Request{
				Kind: approval.Adjustment, Wallet: "alice", Token: money.SOL, Amount: 5, Reference: "s", Reason: "why",
			},
		},
	}
	text, err := wire.EncodeAnswer(change)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{pair.Next.Seed.Reveal(), "[sealed]"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the answer holds %q: %s", secret, text)
		}
	}
	back, roundID, err := wire.DecodeAnswer(text)
	if err != nil || roundID != "" {
		t.Fatalf("decode: round %q, %v", roundID, err)
	}
	want := change
	bare := pair.In(0)
	bare.Seed, bare.Next.Seed = fairness.ServerSeed{}, fairness.ServerSeed{}
	want.Pair = &bare
	if !reflect.DeepEqual(back, want) {
		t.Errorf("came back as %+v\nwant %+v", back, want)
	}
}

func TestARoundsAnswerIsItsIDAndTheBalance(t *testing.T) {
	t.Parallel()
	text, err := wire.EncodeAnswer(player.Change{Round: &bet.Round{ID: "r1"}, Pair: &fairness.Pair{ID: "p"}, Balance: 7})
	if want := `{"round":"r1","balance":7}`; err != nil || string(text) != want {
		t.Fatalf("%s, %v; want %s", text, err, want)
	}
	back, roundID, err := wire.DecodeAnswer(text)
	if err != nil || roundID != "r1" || back.Balance != 7 || back.Pair != nil {
		t.Errorf("came back as %+v of round %q, %v", back, roundID, err)
	}
}

func FuzzDecodeValue(f *testing.F) {
	f.Add([]byte(`{"target":50.00,"picks":[1,2],"on":true}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := wire.DecodeValue(text)
		if err != nil {
			return
		}
		if again, err := wire.DecodeValue(wire.EncodeValue(v)); err != nil || !again.Equal(v) {
			t.Fatalf("%q was read as %v, then as %v, %v", text, v, again, err)
		}
	})
}

func TestFieldsOfEventsComeBackInTheirOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var fields []event.Field
		for _, name := range rapid.SliceOfNDistinct(rapid.String(), 0, 5, rapid.ID[string]).Draw(t, "names") {
			fields = append(fields, event.Field{Name: name, Value: rapid.String().Draw(t, "value")})
		}
		got, err := wire.DecodeFields(wire.EncodeFields(fields))
		if err != nil || !slices.Equal(got, fields) {
			t.Fatalf("%q, %v", got, err)
		}
	})
	for _, text := range []string{"", "[]", "{", `{"a"}`, `{"a":1}`, `{"a":"1"`, `{"a":"1","a":"2"}`, `{"a":"1"} {}`, `{"a":{}}`, `{"a":null}`} {
		if got, err := wire.DecodeFields([]byte(text)); err == nil {
			t.Errorf("%s: %q", text, got)
		}
	}
}
