package archive

import (
	"strconv"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
)

// TestPairsOfAWalkAreRemembered checks that recent pairs are cached unchanged, and that the cache
// stays bounded for any number of pairs.
func TestPairsOfAWalkAreRemembered(t *testing.T) {
	t.Parallel()
	var held DrawnFrom
	if _, known := held.pair("0"); known {
		t.Error("a pair is known before it was read")
	}
	for i := range 5 * pairsHeld {
		id := strconv.Itoa(i)
		held.add(id, fairness.Revealed{ID: id, ClientSeed: "of " + id})
		for _, lately := range []string{id, strconv.Itoa(i - i%100), "0"} { // the last one is read again and again
			if p, known := held.pair(lately); !known || p.ClientSeed != "of "+lately {
				t.Fatalf("after %d pairs, %s: %+v, %v", i, lately, p, known)
			}
		}
		if len(held.newer)+len(held.older) > 2*pairsHeld {
			t.Fatalf("%d pairs are held", len(held.newer)+len(held.older))
		}
	}
	if _, known := held.pair("1"); known {
		t.Error("a pair is held for ever")
	}
}
