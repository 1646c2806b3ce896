package sqlstore_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// TestAWalkOfSeveralSpansKnowsEachRoundsPair: rounds of pairs that an earlier span read are
// what their blocks covered, with the seeds of their own pairs.
func TestAWalkOfSeveralSpansKnowsEachRoundsPair(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		for _, who := range []wallet.Address{alice, bob} {
			w.commit(w.login(who))
			w.commit(w.credit(who, "first of "+string(who), money.SOL, 1_000_000))
		}
		for i := range 120 { // a span is of 100 blocks at first
			if i == 10 {
				w.commit(w.rotate(alice, "mine"))
			}
			w.commit(w.play([]wallet.Address{alice, bob}[i%2], 10))
		}
		last, rounds, revealed := map[int]hashchain.Head{}, 0, 0
		if err := w.store.Blocks(t.Context(), func(b ports.Block) error {
			if last[b.Lane] == (hashchain.Head{}) {
				last[b.Lane] = hashchain.Head{Lane: b.Lane}
			}
			if again := hashchain.Again(last[b.Lane], b.Seq, b.Content); again.Hash != b.Hash {
				t.Errorf("block %d:%d is read as something else", b.Lane, b.Seq)
			}
			last[b.Lane] = b.Head
			for _, r := range b.Rounds {
				want, err := w.store.RevealedPair(t.Context(), r.PairID)
				if err != nil && !fault.Is(err, fault.NotFound) {
					return err
				}
				if b.Revealed[r.PairID] != want.ServerSeed {
					t.Errorf("round %s has the seed %q for %q", r.ID, b.Revealed[r.PairID], want.ServerSeed)
				}
				if rounds++; want.ServerSeed != "" {
					revealed++
				}
			}
			return nil
		}); err != nil || rounds != 120 || revealed != 5 {
			t.Errorf("%d rounds, %d of revealed pairs, %v", rounds, revealed, err)
		}
	})
}

// TestRoundsStandBetweenPostingsAsTheyWereBooked: a batch of wins, losses and money of other
// kinds has each transfer in its place, and is read back in its order.
func TestRoundsStandBetweenPostingsAsTheyWereBooked(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		w.begin(1_000_000, w.login(alice), w.login(bob))
		var items []player.Item
		for range 4 { // of a wallet 16 at once at most
			items = append(items, w.play(alice, 10), w.play(alice, 10), w.adjust(bob, 50), w.play(bob, 10), w.withdraw(alice, 700), w.play(alice, 10))
		}
		receipts, errs := w.together(items...)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		won, booked, of := 0, map[wallet.Address][]ledger.Key{}, map[ledger.Key]wallet.Address{}
		for i, r := range receipts {
			if r.Change.Round != nil && r.Change.Round.Payout > 0 {
				won++
			}
			for _, p := range r.Change.Postings {
				who := items[i].Wallet
				booked[who], of[p.Key] = append(booked[who], p.Key), who
			}
		}
		if won == 0 || won == 16 {
			t.Fatalf("%d of 16 rounds are won", won)
		}
		w.sound()
		if err := w.store.Blocks(t.Context(), func(b ports.Block) error {
			if len(b.Rounds) == 0 {
				return nil
			}
			read := map[wallet.Address][]ledger.Key{} // wallets take turns in a batch
			for _, p := range b.Postings {
				read[of[p.Key]] = append(read[of[p.Key]], p.Key)
			}
			if !reflect.DeepEqual(read, booked) {
				t.Errorf("postings are read as %v, they were %v", read, booked)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}
