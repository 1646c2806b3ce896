package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Seeds is the suite of ports.Seeds.
func Seeds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, seedsCases)
}

var seedsCases = []story{
	{"the active pair comes with both commitments and no seed", Rows, func(b *bench) {
		item := b.login(alice, b.now().UnixMilli())
		made := b.commit(item).Change.Pair
		b.commit(b.credit(alice, "tx", money.SOL, 100))
		pair := must(b.ActivePair(background, alice))(b)
		if pair.Seed.Reveal() != "" || pair.Next.Seed.Reveal() != "" {
			b.Error("the pair is open")
		}
		want := *made
		want.Seed, want.Next.Seed = fairness.ServerSeed{}, fairness.ServerSeed{}
		b.same("the first pair", pair, want)
		b.commit(b.play(alice, 1))
		want.Nonce++
		b.same("after a round", must(b.ActivePair(background, alice))(b), want)
		rotated := b.commit(b.rotate(alice, " of the player: 100% ")).Change.Pair
		pair = must(b.ActivePair(background, alice))(b)
		if pair.ClientSeed != " of the player: 100% " || pair.ClientSource != fairness.FromPlayer ||
			pair.ID != want.Next.ID || pair.Commitment != want.Next.Commitment || pair.Next.Commitment != rotated.Next.Commitment {
			b.Errorf("after a rotation: %+v", pair)
		}
		server := b.commit(b.rotate(alice, "")).Change.Pair
		if pair = must(b.ActivePair(background, alice))(b); pair.ClientSource != fairness.FromServer || pair.ClientSeed != server.ClientSeed {
			b.Errorf("after a rotation without a seed: %+v", pair)
		}
	}},
	{"a wallet without a pair is not found", Logic, func(b *bench) {
		b.signIn(alice, 0)
		b.fails(fault.NotFound, errorOf(b.ActivePair(background, bob)))
		list := must(b.RevealedPairs(background, bob, whole))(b)
		if len(list.Pairs) != 0 || list.Total != 0 {
			b.Errorf("%+v", list)
		}
	}},
	{"retired pairs are listed newest first", Rows, func(b *bench) {
		b.signIn(alice, 1000)
		b.signIn(bob, 0)
		want := map[string]fairness.Revealed{}
		var ids []string
		for i := range 8 {
			b.commit(b.rotate(bob, "bob's"))
			for range i % 3 {
				b.commit(b.play(alice, 1))
			}
			retired := *b.commit(b.rotate(alice, fmt.Sprint("seed ", i))).Change.Retired
			want[retired.ID] = retired
			ids = append(ids, retired.ID)
		}
		b.lists("retired pairs", newest(ids), func(page ports.Page) ([]string, ports.PageInfo, error) {
			listed, err := b.RevealedPairs(background, alice, page)
			ids := []string{}
			for _, pair := range listed.Pairs {
				b.same("a retired pair", pair, want[pair.ID])
				ids = append(ids, pair.ID)
			}
			return ids, listed.PageInfo, err
		})
	}},
	{"a retired pair is returned by its id and an active one is not found", Rows, func(b *bench) {
		b.signIn(alice, 100)
		first := must(b.ActivePair(background, alice))(b)
		b.commit(b.play(alice, 1))
		for _, id := range []string{first.ID, first.Next.ID, "nobody's", ""} {
			b.fails(fault.NotFound, errorOf(b.RevealedPair(background, id)), "pair ", id)
		}
		retired := *b.commit(b.rotate(alice, "mine")).Change.Retired
		b.same("the retired pair", must(b.RevealedPair(background, first.ID))(b), retired)
		b.fails(fault.NotFound, errorOf(b.RevealedPair(background, first.Next.ID)), "the pair that follows is shown")
	}},
	{"no read shows a seed that still decides rounds", Rows, func(b *bench) {
		// Looks for every seed that was drawn and not yet revealed in all that the ports return, and in what
		// the store wrote where others may read it.
		b.signIn(alice, 1000)
		b.signIn(bob, 1000)
		revealed := map[string]bool{}
		for range 3 {
			b.commit(b.play(alice, 1))
			b.commit(b.keyed(b.play(bob, 1), b.id(), "print"))
			revealed[b.commit(b.keyed(b.rotate(alice, "mine"), b.id(), "print")).Change.Retired.ServerSeed] = true
		}
		for _, w := range []wallet.Address{alice, bob} {
			if pair := must(b.ActivePair(background, w))(b); pair.Seed.Reveal() != "" || pair.Next.Seed.Reveal() != "" {
				b.Errorf("the pair of %s is open", w)
			}
		}
		shown := b.snapshot()
		b.ok(b.Blocks(background, func(block ports.Block) error {
			shown += fmt.Sprintf("%+v %#v\n", block, block)
			return nil
		}))
		var written []byte
		if b.AtRest != nil {
			written = b.AtRest(b.T)
		}
		entropy := fakes.NewEntropy(1) // the draws of the story, once more
		for range 64 {
			raw := entropy.Seed()
			text := fairness.NewServerSeed(raw).Reveal()
			if revealed[text] {
				if !strings.Contains(shown, text) {
					b.Errorf("the revealed seed %s is shown nowhere", text)
				}
				continue
			}
			if strings.Contains(shown, text) || strings.Contains(shown, string(raw[:])) {
				b.Errorf("a seed that still decides rounds is shown")
			}
			if strings.Contains(string(written), text) || strings.Contains(string(written), string(raw[:])) {
				b.Errorf("a seed that still decides rounds is written in the open")
			}
		}
	}},
}
