package conformance

import (
	"testing"

	"github.com/casino-service/casino/domain/witness"
)

// Origins is the suite of ports.Origins.
func Origins(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, originsCases)
}

var originsCases = []story{
	{"at first no origin is remembered", Rows, func(b *bench) {
		if _, remembered, err := b.Origin(background); err != nil || remembered != (witness.Origin{}) {
			b.Errorf("%v, %v", remembered, err)
		}
	}},
	{"the origin of the server stays while it is the same server", Rows, func(b *bench) {
		before, _, err := b.Origin(background)
		b.signIn(alice, 10)
		after, _, again := b.Origin(background)
		if err != nil || again != nil || before != after {
			b.Errorf("%v, then %v: %v, %v", before, after, err, again)
		}
	}},
	{"the one that is remembered last replaces the one before", Rows, func(b *bench) {
		for _, origin := range []witness.Origin{{System: "7301", Timeline: 1}, {System: "7302", Timeline: 1 << 31}} {
			b.ok(b.RememberOrigin(background, origin))
			b.reopen()
			if _, remembered, err := b.Origin(background); err != nil || remembered != origin {
				b.Errorf("%v, %v", remembered, err)
			}
		}
	}},
}
