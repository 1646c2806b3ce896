package local

import (
	"container/heap"
	"time"

	"github.com/casino-service/casino/domain/limit"
)

// level holds the logs of clients, or of networks of one width.
type level struct {
	window  time.Duration
	keysMax int
	logs    map[string]*entry
	byIdle  idleOrder
}

// entry is the log of a client or of a network; it is never empty.
type entry struct {
	key string
	log limit.Log
	// clients holds each client's part of a network's log; nil for the log of a client.
	clients map[string]limit.Log
	idleAt  time.Time // when the last request leaves the window
	place   int       // in byIdle
}

// knowsClient reports whether the client was admitted in the network.
func (e *entry) knowsClient(client string) bool { return len(e.clients[client]) > 0 }

// hasRoom reports whether the level can hold another log.
func (v *level) hasRoom() bool { return len(v.logs) < v.keysMax }

// forgetExpired drops every log without requests in the window.
func (v *level) forgetExpired(now time.Time) {
	for len(v.byIdle) > 0 && !v.byIdle[0].idleAt.After(now) {
		idle := heap.Pop(&v.byIdle).(*entry)
		delete(v.logs, idle.key)
	}
}

// untilRoom returns the time until the next log is dropped.
func (v *level) untilRoom(now time.Time) time.Duration {
	if len(v.byIdle) == 0 { // keysMax is zero
		return v.window
	}
	return v.byIdle[0].idleAt.Sub(now)
}

// takePlace decides about a request in a place. The rule alone applies to its client; if
// the place is a network, the rule together applies to all its clients.
func (v *level) takePlace(in place, together, alone limit.Rule, now time.Time) limit.Decision {
	found, known := v.logs[in.key]
	if !known {
		found = &entry{key: in.key}
	}
	log, decision := found.log.Take(together, now)
	if in.key != in.client && decision.Allowed {
		own, ofClient := found.clients[in.client].Take(alone, now)
		if !ofClient.Allowed {
			return ofClient
		}
		decision.Remaining = min(decision.Remaining, ofClient.Remaining)
		found.admitClient(in.client, own, now.Add(-v.window))
	}
	if !decision.Allowed {
		return decision
	}
	found.log, found.idleAt = log, now.Add(v.window)
	if known {
		heap.Fix(&v.byIdle, found.place)
	} else {
		v.logs[in.key] = found
		heap.Push(&v.byIdle, found)
	}
	return decision
}

// admitClient stores a client's log in the network's entry. It drops clients without
// requests in the window only when the map has outgrown the log, so that each is dropped
// once.
func (e *entry) admitClient(client string, own limit.Log, since time.Time) {
	if e.clients == nil {
		e.clients = map[string]limit.Log{}
	}
	e.clients[client] = own
	if len(e.clients) <= 2*len(e.log)+1 {
		return
	}
	for name, log := range e.clients {
		if !log[len(log)-1].After(since) {
			delete(e.clients, name)
		}
	}
}

// giveBack removes a request from the logs of its client and network, unless it has already
// left the window.
func (v *level) giveBack(from place, at time.Time) {
	known, ok := v.logs[from.key]
	if !ok {
		return
	}
	known.log = known.log.Without(at)
	if own := known.clients[from.client].Without(at); len(own) > 0 {
		known.clients[from.client] = own
	} else {
		delete(known.clients, from.client)
	}
	if len(known.log) == 0 {
		heap.Remove(&v.byIdle, known.place)
		delete(v.logs, from.key)
		return
	}
	known.idleAt = known.log[len(known.log)-1].Add(v.window)
	heap.Fix(&v.byIdle, known.place)
}
