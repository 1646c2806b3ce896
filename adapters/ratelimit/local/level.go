package local

import (
	"container/heap"
	"time"

	"github.com/casino-service/casino/domain/limit"
)

// level is logs of one width.
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
	// clients are the parts of the log of each client of a network, nil for a client.
	clients map[string]limit.Log
	idleAt  time.Time // when the last moment leaves the window
	place   int       // in byIdle
}

// knowsClient reports whether the client was admitted in the network.
func (e *entry) knowsClient(client string) bool { return len(e.clients[client]) > 0 }

// hasRoom reports whether another log can be begun.
func (v *level) hasRoom() bool { return len(v.logs) < v.keysMax }

// forgetExpired drops every log whose window has passed.
func (v *level) forgetExpired(now time.Time) {
	for len(v.byIdle) > 0 && !v.byIdle[0].idleAt.After(now) {
		idle := heap.Pop(&v.byIdle).(*entry)
		delete(v.logs, idle.key)
	}
}

// untilRoom returns how long it takes until a log is forgotten.
func (v *level) untilRoom(now time.Time) time.Duration {
	if len(v.byIdle) == 0 { // keysMax is zero
		return v.window
	}
	return v.byIdle[0].idleAt.Sub(now)
}

// takePlace decides about a request in a place: its client has the rule alone, and where it is
// a network, all its clients have the other one together.
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

// admitClient notes a client's log in the network's entry. Clients whose last request has left
// the window go when they are more than the log can hold, so that each goes once.
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

// giveBack removes a request from the log of a client and from that of its network,
// unless it has left its window already.
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
