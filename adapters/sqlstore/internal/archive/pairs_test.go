package archive

import (
	"strconv"
	"testing"

	"github.com/casino-service/casino/domain/fairness"
)

// TestPairsOfAWalkAreRemembered: what was read lately is there, as it was read, and what
// is held stays bounded however many pairs a walk meets.
func TestPairsOfAWalkAreRemembered(t *testing.T) {
	t.Parallel()
	var held DrawnFrom
	if _, known := held.pair("0"); known {
		t.Error("a pair is known before it was read")
	}
	for i := range 5 * pairsHeld {
		id := strconv.Itoa(i)
		held.add(id, fairness.Revealed{ID: id, ClientSeed: "of " + id})
		for _, lately := range []string{id, strconv.Itoa(i - i%100), "0"} { // the last one is asked for again and again
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
