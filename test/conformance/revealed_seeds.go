package conformance

import (
	"maps"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/wallet"
)

// RevealedSeeds is the suite of ports.RevealedSeeds.
func RevealedSeeds(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, revealedSeedsCases)
}

var revealedSeedsCases = []story{
	{"the seeds of retired pairs of several wallets come by their ids", Rows, func(b *bench) {
		b.signIn(alice, 100)
		b.signIn(bob, 100)
		want := map[string]string{}
		for range 3 {
			b.commit(b.play(alice, 1))
			for _, w := range []wallet.Address{alice, bob} {
				retired := b.commit(b.rotate(w, "mine")).Change.Retired
				want[retired.ID] = retired.ServerSeed
			}
		}
		b.same("all", must(b.RevealedSeeds(background, slices.Collect(maps.Keys(want))))(b), want)
		for id, seed := range want {
			b.same("one", must(b.RevealedSeeds(background, []string{id}))(b), map[string]string{id: seed})
		}
	}},
	{"pairs that still decide rounds and ids that no pair has are left out", Rows, func(b *bench) {
		b.signIn(alice, 100)
		retired := b.commit(b.rotate(alice, "mine")).Change.Retired
		active := must(b.ActivePair(background, alice))(b)
		b.same("retired alone", must(b.RevealedSeeds(background, []string{active.ID, active.Next.ID, retired.ID, "nobody's", ""}))(b),
			map[string]string{retired.ID: retired.ServerSeed})
	}},
	{"an id may be named twice, and none gives an empty answer", Logic, func(b *bench) {
		b.signIn(alice, 100)
		retired := b.commit(b.rotate(alice, "mine")).Change.Retired
		b.same("twice", must(b.RevealedSeeds(background, []string{retired.ID, retired.ID}))(b), map[string]string{retired.ID: retired.ServerSeed})
		b.same("of none", len(must(b.RevealedSeeds(background, nil))(b)), 0)
	}},
	{"a seed is there as soon as its pair was retired", Rows, func(b *bench) {
		b.signIn(alice, 100)
		for range 20 {
			active := must(b.ActivePair(background, alice))(b)
			b.same("of the active pair", len(must(b.RevealedSeeds(background, []string{active.ID}))(b)), 0)
			retired := b.commit(b.rotate(alice, "mine")).Change.Retired
			b.same("at once", must(b.RevealedSeeds(background, []string{active.ID}))(b), map[string]string{active.ID: retired.ServerSeed})
		}
	}},
}
