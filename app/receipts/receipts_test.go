package receipts_test

import (
	"context"
	"errors"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/receipt"
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/mocks"
	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }

// Every use case of a player gives a receipt that opens, now and when it is asked for later.
func TestReceiptsOfUseCases(t *testing.T) {
	t.Parallel()
	h := apptest.OpenWithLadder(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	mine := "mine"
	alice := h.NewPlayer("alice", 10_000)
	bet := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	rotated := apptest.OK(h.Play.Rotate(h.Ctx, alice, play.RotateRequest{ClientSeed: &mine}))(t)
	opened := apptest.OK(h.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(100)))(t)
	withdrawn := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 2_000)))(t)
	for name, made := range map[string]kernel.Committed{
		"a bet": bet.Committed, "a rotation": rotated.Committed, "an open round": opened.Committed, "a withdrawal": withdrawn.Committed,
	} {
		now := apptest.OK(h.Receipts.Issue(h.Ctx, made))(t)
		later := apptest.OK(h.Receipts.Prove(h.Ctx, made.Wallet, made.ID))(t)
		for when, receipt := range map[string]interface {
			Open(...checkpoint.Key) (string, error)
		}{"now": now, "later": later} {
			if ledger, err := receipt.Open(h.Receipts.Keys()...); err != nil || ledger != "the ledger" {
				t.Errorf("%s, %s: %q, %v", name, when, ledger, err)
			}
		}
		if now.Text != later.Text || now.Index != later.Index {
			t.Errorf("%s is in two places", name)
		}
		apptest.Refused(t, apptest.ErrorOf(h.Receipts.Prove(h.Ctx, fakes.Wallet("bob"), made.ID)), fault.NotFound)
	}
}

// A repeated opening has its receipt while it is the newest state of the round.
func TestARepeatedStepHasTheReceiptOfItsState(t *testing.T) {
	t.Parallel()
	h := apptest.OpenWithLadder(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	alice := h.NewPlayer("alice", 10_000)
	opening := apptest.Keyed(apptest.Climb(100, apptest.Doubling), "key", "print")
	open := h.OpenRound(alice, opening)
	apptest.OK(h.Receipts.Issue(h.Ctx, apptest.OK(h.Rounds.OpenRound(h.Ctx, alice, opening))(t).Committed))(t)
	if stepped := h.StepRound(alice, open, fakes.Double); stepped.Open == nil {
		t.Fatalf("the round has ended: %+v", stepped)
	}
	repeated := apptest.OK(h.Rounds.OpenRound(h.Ctx, alice, opening))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Receipts.Issue(h.Ctx, repeated.Committed)), fault.InvalidState)
}

// The requests of a block share one signature.
func TestABlockIsSignedOnce(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	signer := mocks.NewMockReceiptSigner(gomock.NewController(t))
	remade := h.Remade(func(d *app.Deps) { d.Receipts = signer })
	alice := h.NewPlayer("alice", 10_000)
	first := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t).Committed
	second := apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t).Committed
	signer.EXPECT().SignText(gomock.Any()).DoAndReturn(fakes.StatementSigner{}.SignText).Times(2)
	for range 3 {
		for _, of := range []kernel.Committed{first, second} {
			apptest.OK(remade.Receipts.Issue(h.Ctx, of))(t)
		}
	}
}

// inclusions proves that a chosen block has what is asked for.
type inclusions struct{ block hashchain.Header }

func (i *inclusions) Inclusion(context.Context, wallet.Address, string) (hashchain.Inclusion, error) {
	return hashchain.Inclusion{Header: i.block}, nil
}

// Blocks that differ in one field of the header never share a signature.
func TestEachBlockHasItsOwnSignature(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	var proofs inclusions
	casino := h.Remade(func(d *app.Deps) { d.Store.Inclusions = &proofs })
	first := hashchain.Header{Lane: 1, Seq: 7, Epoch: 1, At: h.Clock.Now(), Size: 3}
	fields := reflect.TypeFor[hashchain.Header]()
	blocks := map[string]hashchain.Header{"first": first}
	for i := range fields.NumField() {
		changed := first
		switch field := reflect.ValueOf(&changed).Elem().Field(i); field.Kind() {
		case reflect.Int, reflect.Int64:
			field.SetInt(field.Int() + 1)
		case reflect.Array:
			field.Index(0).SetUint(1)
		default:
			field.Set(reflect.ValueOf(first.At.Add(time.Microsecond)))
		}
		blocks[fields.Field(i).Name] = changed
	}
	for range 2 { // made, and found again
		for name, block := range blocks {
			proofs.block = block
			issued := apptest.OK(casino.Receipts.Prove(h.Ctx, fakes.Wallet("alice"), "1"))(t)
			if want := receipt.Text("the ledger", block); issued.Text != want {
				t.Errorf("%s: signed %q, want %q", name, issued.Text, want)
			}
		}
	}
}

// What admits bets is signed for the ledger at the present time.
func TestLimitsAreSigned(t *testing.T) {
	t.Parallel()
	h := apptest.Open(t)
	if _, err := h.Receipts.StateLimits(h.Ctx, "{}"); err == nil {
		t.Error("signed for no ledger")
	}
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	signed := apptest.OK(h.Receipts.StateLimits(h.Ctx, `{"tokens":[]}`))(t)
	made := apptest.OK(signed.Open(refusal.Limits, h.Receipts.Keys()...))(t)
	if text, _ := made.Fact(refusal.LimitsFact); made.Ledger != "the ledger" || !made.At.Equal(h.Clock.Now().Truncate(time.Millisecond)) || text != `{"tokens":[]}` {
		t.Errorf("%+v", made)
	}
	if _, err := h.Receipts.StateLimits(h.Ctx, "{}\nlimits: {}"); err == nil {
		t.Error("signed a second line")
	}
}

// A refusal carries what it was decided on out of the use case, with the pair of the player.
func TestRefusalsCarryWhatTheyWereDecidedOn(t *testing.T) {
	t.Parallel()
	h := apptest.OpenWithLadder(t)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}); err != nil {
		t.Fatal(err)
	}
	alice := h.NewPlayer("alice", 10_000)
	pair, _, err := h.Play.Seeds(h.Ctx, alice)
	if err != nil {
		t.Fatal(err)
	}
	closing, climb := apptest.Dice(100), apptest.Climb(100)
	closing.Token = string(apptest.ClosingTerms.Mint)
	climb.Token = closing.Token
	for name, row := range map[string]struct {
		err  error
		kind fault.Kind
	}{
		"too much":                   {apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(10_001))), fault.InsufficientFunds},
		"too much in steps":          {apptest.ErrorOf(h.Rounds.OpenRound(h.Ctx, alice, apptest.Climb(10_001))), fault.InsufficientFunds},
		"a closing token":            {apptest.ErrorOf(h.Play.Play(h.Ctx, alice, closing)), fault.TokenNotAccepted},
		"a closing token, in steps ": {apptest.ErrorOf(h.Rounds.OpenRound(h.Ctx, alice, climb)), fault.TokenNotAccepted},
	} {
		var refused *refusal.Refused
		if !fault.Is(row.err, row.kind) || !errors.As(row.err, &refused) {
			t.Errorf("%s: %v", name, row.err)
			continue
		}
		order := refusal.Order{Digest: "d", Game: "dice", Wager: 1, Token: money.SOL}
		signed := apptest.OK(h.Receipts.Refuse(refused.Statement(alice.Wallet, order, "CODE")))(t)
		made := apptest.OK(signed.Open(refusal.Purpose, h.Receipts.Keys()...))(t)
		stated := apptest.OK(refusal.FromStatement(made))(t)
		if made.Ledger != "the ledger" || !made.At.Equal(h.Clock.Now().Truncate(time.Millisecond)) || stated.Commitment != pair.Commitment || stated.Nonce != pair.Nonce ||
			stated.Code != "CODE" || stated.Order != order || stated.Wallet != alice.Wallet {
			t.Errorf("%s: %+v, %+v", name, made, stated)
		}
	}
}
