package receipts_test

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// A refusal is signed with what it was decided on, and states the pair of the player.
func TestRefusalsAreSigned(t *testing.T) {
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
	closing := apptest.Dice(100)
	closing.Token = string(apptest.ClosingTerms.Mint)
	for name, row := range map[string]struct {
		bet  play.PlayRequest
		kind fault.Kind
	}{"too much": {apptest.Dice(10_001), fault.InsufficientFunds}, "a closing token": {closing, fault.TokenNotAccepted}} {
		_, err := h.Play.Play(h.Ctx, alice, row.bet)
		var refused *refusal.Refused
		if !fault.Is(err, row.kind) || !errors.As(err, &refused) {
			t.Fatalf("%s: %v", name, err)
		}
		order := refusal.Order{Game: row.bet.GameType, Token: money.Token(row.bet.Token), Wager: money.Amount(row.bet.Wager), Config: row.bet.Config}
		signed := apptest.OK(h.Receipts.Refuse(alice.Wallet, order, refused, "CODE"))(t)
		made := apptest.OK(signed.Open(refusal.Purpose, h.Receipts.Keys()...))(t)
		stated := apptest.OK(refusal.FromStatement(made))(t)
		if made.Ledger != "the ledger" || stated.Commitment != pair.Commitment || stated.Nonce != pair.Nonce || stated.Code != "CODE" ||
			stated.Order != order.Digest() || stated.Wallet != alice.Wallet {
			t.Errorf("%s: %+v, %+v", name, made, stated)
		}
	}
}
