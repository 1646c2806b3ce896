package local

import (
	"net/netip"
	"time"

	"github.com/casino-service/casino/domain/limit"
)

// width is a network size for counting the new clients of a full table.
type width struct {
	ipv4, ipv6 int // prefix lengths
	// times is how many times the rule all new clients of one network may use together.
	times int
}

// widths are those of customers' lines, sites and carriers, narrowest first: a site is
// assigned a /56 or a /48, a carrier a /32 or a multiple of it.
var widths = [...]width{{24, 56, 4}, {20, 48, 16}, {16, 32, 64}}

// table counts the clients of one scope under one rule.
type table struct {
	rule limit.Rule
	// levels[0] holds the clients' own logs; the others hold those of networks of each
	// width.
	levels [1 + len(widths)]level
}

func newTable(rule limit.Rule, keysMax int) *table {
	t := &table{rule: rule}
	for i := range t.levels {
		t.levels[i] = level{window: rule.Window, keysMax: keysMax, logs: map[string]*entry{}}
	}
	return t
}

// forgetExpired drops expired logs from all levels.
func (t *table) forgetExpired(now time.Time) {
	for i := range t.levels {
		t.levels[i].forgetExpired(now)
	}
}

// place says where a client's request is counted: in the log of a key, which is the client
// or its network.
type place struct {
	level       *level
	key, client string
}

// takePlace decides about a client's request, and returns where it counts.
func (t *table) takePlace(client string, now time.Time) (place, limit.Decision) {
	own := place{&t.levels[0], client, client}
	if _, known := own.level.logs[client]; known {
		return own, own.level.takePlace(own, t.rule, t.rule, now)
	}
	networks := t.networksOf(client)
	for i, network := range networks {
		in := place{&t.levels[1+i], network, client}
		if found, known := in.level.logs[network]; known && found.knowsClient(client) {
			return in, in.level.takePlace(in, t.networkRule(i), t.rule, now)
		}
	}
	if own.level.hasRoom() {
		return own, own.level.takePlace(own, t.rule, t.rule, now)
	}
	for i, network := range networks {
		in := place{&t.levels[1+i], network, client}
		if _, known := in.level.logs[network]; known || in.level.hasRoom() {
			return in, in.level.takePlace(in, t.networkRule(i), t.rule, now)
		}
	}
	return own, limit.Decision{RetryAfter: own.level.untilRoom(now)}
}

// networkRule returns the rule for all new clients of a network together.
func (t *table) networkRule(i int) limit.Rule {
	return limit.Rule{Max: t.rule.Max * widths[i].times, Window: t.rule.Window}
}

// networksOf returns a client's networks, one for each width. It returns none if the client
// is not an address, or while nothing is counted in networks.
func (t *table) networksOf(client string) []string {
	counted := !t.levels[0].hasRoom()
	for i := range t.levels[1:] {
		counted = counted || len(t.levels[1+i].logs) > 0
	}
	address, ok := addressOf(client)
	if !counted || !ok {
		return nil
	}
	networks := make([]string, len(widths))
	for i, w := range widths {
		bits := w.ipv4
		if address.Is6() {
			bits = w.ipv6
		}
		network, err := address.Prefix(bits)
		if err != nil {
			return nil
		}
		networks[i] = network.String()
	}
	return networks
}

// addressOf reads a client that is an address or a network.
func addressOf(client string) (netip.Addr, bool) {
	if address, err := netip.ParseAddr(client); err == nil {
		return address, true
	}
	network, err := netip.ParsePrefix(client)
	return network.Addr(), err == nil
}
