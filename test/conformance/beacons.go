package conformance

import (
	"context"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/ports"
)

// BeaconNetwork is a ports.Beacons with the network behind it, for one test.
type BeaconNetwork struct {
	ports.Beacons
	// Pass lets as many heights pass, of which Solana skips some.
	Pass func(heights uint64)
	// SetUnreachable disconnects the adapter from all servers or connects it again.
	SetUnreachable func(bool)
	// Withhold makes one of two servers hide all beacons, Fork makes it show others, or as
	// before again. Both are nil if only one server is asked.
	Withhold, Fork func(bool)
}

// heightsToFinal is more heights than any network needs until one is finalized.
const heightsToFinal = 100

// Beacons is the suite of ports.Beacons.
func Beacons(t *testing.T, open func(t *testing.T) BeaconNetwork) {
	for sentence, prove := range beaconCases {
		sub(t, sentence, func(t *testing.T) { prove(t, open(t)) })
	}
}

// newestHeight returns the newest height.
func (n BeaconNetwork) newestHeight(t *testing.T) uint64 {
	t.Helper()
	height, err := n.NewestHeight(t.Context())
	ok(t, err)
	return height
}

// rule returns the rule, completed as a chain of rounds would.
func (n BeaconNetwork) rule(t *testing.T) crash.Rule {
	t.Helper()
	rule, err := n.BeaconRule(t.Context())
	ok(t, err)
	if rule.Delay = 1; rule.Source == crash.Solana {
		rule.Window = heightsToFinal
	}
	return rule
}

// first returns the first beacon from a height, which must exist and decide a round.
func (n BeaconNetwork) first(t *testing.T, height uint64) crash.Beacon {
	t.Helper()
	beacon, found, err := n.FirstBeacon(t.Context(), height)
	fatalIf(t, err != nil || !found, "from %d: %+v, %t, %v", height, beacon, found, err)
	if salt, err := n.rule(t).Salt(height, beacon); err != nil || salt == "" {
		t.Fatalf("from %d: %+v decides no round: %v", height, beacon, err)
	}
	return beacon
}

// none checks that no beacon is shown from a height: there is none, or an error of kind External.
func (n BeaconNetwork) none(t *testing.T, height uint64) {
	t.Helper()
	beacon, found, err := n.FirstBeacon(t.Context(), height)
	errorIf(t, found || beacon != crash.Beacon{}, "from %d: %+v, %v", height, beacon, err)
	if err != nil {
		external(t, "FirstBeacon", err)
	}
}

var beaconCases = map[string]func(*testing.T, BeaconNetwork){
	"BeaconRule returns source and network, without Delay and Window": func(t *testing.T, n BeaconNetwork) {
		rule, err := n.BeaconRule(t.Context())
		ok(t, err)
		errorIf(t, rule.Delay != 0 || rule.Window != 0, "%+v", rule)
		made := crash.Commitment{Chain: "c", Epoch: 1, Terminal: strings.Repeat("ab", 32), Length: 1, Beacon: n.rule(t)}
		if _, err := made.Text(); err != nil {
			t.Errorf("%+v: %v", rule, err)
		}
		again, err := n.BeaconRule(t.Context())
		errorIf(t, err != nil || again != rule, "%+v, then %+v, %v", rule, again, err)
	},
	"NewestHeight grows as heights pass, before they are finalized": func(t *testing.T, n BeaconNetwork) {
		before := n.newestHeight(t)
		n.Pass(3)
		after := n.newestHeight(t)
		errorIf(t, after <= before || after > before+3, "%d, and %d when 3 had passed", before, after)
		if n.rule(t).Source == crash.Drand {
			return // its rounds are final at once
		}
		for height := before + 1; height <= after; height++ {
			beacon, found, err := n.FirstBeacon(t.Context(), height)
			errorIf(t, found || err != nil, "from %d, not finalized: %+v, %v", height, beacon, err)
		}
	},
	"no server knows a value above the newest height": func(t *testing.T, n BeaconNetwork) {
		newest := n.newestHeight(t)
		n.none(t, newest+1)
		n.Pass(heightsToFinal)
		beacon := n.first(t, newest+1)
		errorIf(t, beacon.Height <= newest, "%+v, the newest had been %d", beacon, newest)
		_, found, err := n.FirstBeacon(t.Context(), crash.HeightMax)
		errorIf(t, found || err != nil, "at the greatest height: %t, %v", found, err)
	},
	"FirstBeacon returns the first finalized beacon, and always the same": func(t *testing.T, n BeaconNetwork) {
		from := n.newestHeight(t) + 1
		n.Pass(heightsToFinal)
		var shown []crash.Beacon
		values := map[string]uint64{}
		for height := from; height < from+heightsToFinal/2; height++ {
			b := n.first(t, height)
			values[b.Value] = b.Height
			shown = append(shown, b)
		}
		skipped := 0
		for i, b := range shown {
			height := from + uint64(i)
			errorIf(t, values[b.Value] != b.Height, "%+v has the value of %d", b, values[b.Value])
			if b.Height == height {
				continue
			}
			skipped++
			errorIf(t, i+1 < len(shown) && shown[i+1] != b, "%+v from %d, and then %+v", b, height, shown[min(i+1, len(shown)-1)])
		}
		errorIf(t, (n.rule(t).Source == crash.Solana) != (skipped > 0), "%d heights were skipped", skipped)
		n.Pass(heightsToFinal)
		for i, b := range shown {
			errorIf(t, n.first(t, from+uint64(i)) != b, "%+v changed", b)
		}
	},
	"a network that can't be asked is a fault of kind External": func(t *testing.T, n BeaconNetwork) {
		height := n.newestHeight(t)
		n.Pass(heightsToFinal)
		n.SetUnreachable(true)
		external(t, "BeaconRule", errorOf(n.BeaconRule(t.Context())))
		external(t, "NewestHeight", errorOf(n.NewestHeight(t.Context())))
		_, _, err := n.FirstBeacon(t.Context(), height)
		external(t, "FirstBeacon", err)
		n.SetUnreachable(false)
		n.first(t, height)
	},
	"a context that ended ends the call": func(t *testing.T, n BeaconNetwork) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		errorIf(t, errorOf(n.NewestHeight(ctx)) == nil, "NewestHeight went on")
		_, found, err := n.FirstBeacon(ctx, 1)
		errorIf(t, found || err == nil, "FirstBeacon: %t, %v", found, err)
	},
	"servers that differ are an error of kind External": func(t *testing.T, n BeaconNetwork) {
		if n.Fork == nil {
			return // only one server is asked
		}
		height := n.newestHeight(t) + 1
		n.Pass(heightsToFinal)
		before := n.first(t, height)
		n.Fork(true)
		_, found, err := n.FirstBeacon(t.Context(), height)
		errorIf(t, found, "a beacon was shown")
		external(t, "FirstBeacon", err)
		n.Fork(false)
		errorIf(t, n.first(t, height) != before, "the beacon changed")
	},
	"a beacon that one server withholds is waited for, and no other one is taken": func(t *testing.T, n BeaconNetwork) {
		if n.Withhold == nil {
			return // only one server is asked
		}
		height := n.newestHeight(t) + 1
		n.Withhold(true)
		n.Pass(heightsToFinal)
		n.none(t, height)
		errorIf(t, n.newestHeight(t) <= height, "the newest height is hidden too")
		n.Withhold(false)
		n.first(t, height)
	},
}
