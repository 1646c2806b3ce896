package solana_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/validator"
)

func TestBeaconsOfANode(t *testing.T) {
	t.Parallel()
	conformance.Beacons(t, func(t *testing.T) conformance.BeaconNetwork {
		w := newWorld(t)
		return conformance.BeaconNetwork{
			Beacons: w.Node, Pass: func(heights uint64) { w.slots(int(heights)) }, SetUnreachable: w.conforming().SetUnreachable,
		}
	})
}

// spoilIf makes a node's answer to a method the result, or all its answers again its own.
func spoilIf(door *validator.Proxy, spoiled bool, method string, result any) {
	door.Spoil(nil)
	if spoiled {
		door.Spoil(func(c validator.Call) *validator.Reply {
			if c.Method != method {
				return nil
			}
			r := call{method: c.Method, body: c.Body}.result(result)
			return &validator.Reply{Status: r.status, Body: r.body}
		})
	}
}

// forgedBlock is a block that no chain has, after the one in a slot.
func forgedBlock(parent any) map[string]any {
	return map[string]any{"blockhash": "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM", "parentSlot": parent}
}

func TestBeaconsOfACluster(t *testing.T) {
	t.Parallel()
	conformance.Beacons(t, func(t *testing.T) conformance.BeaconNetwork {
		w := newWorld(t)
		cluster, doors := w.cluster(2)
		return conformance.BeaconNetwork{
			Beacons: cluster, Pass: func(heights uint64) { w.slots(int(heights)) },
			SetUnreachable: func(cut bool) {
				for _, door := range doors {
					if door.Spoil(nil); cut {
						door.Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
					}
				}
			},
			Fork:     func(forked bool) { spoilIf(doors[0], forked, "getBlock", forgedBlock(1)) },
			Withhold: func(hidden bool) { spoilIf(doors[1], hidden, "getBlocksWithLimit", []uint64{}) },
		}
	})
}

// TestABeaconIsFirstOrNone: a node that lacks blocks, or leaves out what shows that a block is
// the first, gives no beacon.
func TestABeaconIsFirstOrNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const height = 110
	block := func(change func(map[string]any)) map[string]any {
		b := forgedBlock(height - 1)
		change(b)
		return b
	}
	for name, forged := range map[string]struct {
		method string
		result any
	}{
		"no list of slots":         {"getBlocksWithLimit", nil},
		"a slot below":             {"getBlocksWithLimit", []uint64{height - 1}},
		"a slot above all heights": {"getBlocksWithLimit", []uint64{crash.HeightMax + 1}},
		"no block":                 {"getBlock", nil},
		"no parent":                {"getBlock", block(func(b map[string]any) { delete(b, "parentSlot") })},
		"a parent at the height":   {"getBlock", block(func(b map[string]any) { b["parentSlot"] = height })},
		"no blockhash":             {"getBlock", block(func(b map[string]any) { delete(b, "blockhash") })},
		"a blockhash of 31 bytes":  {"getBlock", block(func(b map[string]any) { b["blockhash"] = strings.Repeat("1", 31) })},
	} {
		w.spoiled(func(c call) *reply {
			switch {
			case c.method == forged.method:
				return c.result(forged.result)
			case c.method == "getBlock":
				return c.result(forgedBlock(height - 1))
			case c.method == "getBlocksWithLimit":
				return c.result([]uint64{height})
			}
			return nil
		})
		if got, found, err := w.FirstBeacon(t.Context(), height); found || !fault.Is(err, fault.External) {
			t.Errorf("%s: %+v, %t, %v", name, got, found, err)
		}
	}
	for _, slot := range []any{nil, 0, uint64(crash.HeightMax + 1)} {
		w.spoiled(func(c call) *reply { return c.result(slot) })
		if got, err := w.NewestHeight(t.Context()); !fault.Is(err, fault.External) {
			t.Errorf("newest slot %v: %d, %v", slot, got, err)
		}
	}
}

// TestNoNodeAloneNamesTheNewestHeight: the greatest slot counts, unless it is far above that of
// all others.
func TestNoNodeAloneNamesTheNewestHeight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slots []any // nil: the node doesn't answer
		want  uint64
	}{
		{[]any{1000, 1000}, 1000},
		{[]any{1000, 1150}, 1150},
		{[]any{1150, 1000, 7}, 1150},
		{[]any{1000, 1151}, 0},
		{[]any{1000, 1001, 9_000_000_000}, 0},
		{[]any{1000, nil}, 0},
		{[]any{100, nil}, 0},
		{[]any{1000, nil, 1002}, 1002},
	} {
		w := newWorld(t)
		cluster, doors := w.cluster(len(c.slots))
		for i, slot := range c.slots {
			if spoilIf(doors[i], true, "getSlot", slot); slot == nil {
				doors[i].Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
			}
		}
		got, err := cluster.NewestHeight(t.Context())
		if got != c.want || (err != nil) != (c.want == 0) || err != nil && !fault.Is(err, fault.External) {
			t.Errorf("%v: %d, %v", c.slots, got, err)
		}
	}
}

// TestABeaconNeedsTwoNodes: two nodes must show it, and none another one.
func TestABeaconNeedsTwoNodes(t *testing.T) {
	t.Parallel()
	const height, heightsToFinal = 110, 40
	const honest, behind, forging, dead = "honest", "behind", "forging", "dead"
	for nodes, want := range map[string]string{
		"honest honest":                "found",
		"honest honest behind":         "found",
		"behind dead honest honest":    "found",
		"honest behind":                "none",
		"behind behind":                "none",
		"honest behind dead":           "none",
		"honest dead":                  "error",
		"behind dead":                  "error",
		"honest forging":               "error",
		"honest honest forging":        "error",
		"forging honest behind honest": "error",
	} {
		w := newWorld(t)
		w.slots(heightsToFinal)
		kinds := strings.Fields(nodes)
		cluster, doors := w.cluster(len(kinds))
		for i, kind := range kinds {
			switch kind {
			case behind:
				spoilIf(doors[i], true, "getBlocksWithLimit", []uint64{})
			case forging:
				spoilIf(doors[i], true, "getBlock", forgedBlock(height-1))
			case dead:
				doors[i].Spoil(func(validator.Call) *validator.Reply { return &validator.Reply{Drop: true} })
			case honest:
			}
		}
		beacon, found, err := cluster.FirstBeacon(t.Context(), height)
		got := "none"
		if found {
			got = "found"
		}
		if err != nil {
			got = "error"
			if !fault.Is(err, fault.External) {
				t.Errorf("%s: %v", nodes, err)
			}
		}
		if got != want || found != (beacon != crash.Beacon{}) {
			t.Errorf("%s: %s %s, want %s: %v", nodes, got, fmt.Sprint(beacon), want, err)
		}
	}
}
