package writer

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// request is an item on its way through the writer.
type request struct {
	item player.Item
	// context is its caller's: it only says whether the caller still waits.
	context context.Context
	// done takes the one result; it has room for it.
	done chan *result
	// left says that it is out of the queue: in a batch, or dropped.
	left bool
	// waits says that its batch shall wait for its wallet's lock.
	waits bool
}

// result is what became of an item.
type result struct {
	receipt player.Receipt
	err     error
	// round is the place of the item's round in the batch's content, events to eventsEnd
	// are those of its events.
	round, events, eventsEnd int
}

// queue holds what waits for a batch, one line a wallet, and hands it out fairly:
// each wallet in turn gives one item, so that nobody's line waits for the length
// of another's. Each source of items has places of its own, of the queue and of each
// line: players' floods refuse no admin. Several writers may take from it: a line that one of them has
// something of stands still until that is written, so that a wallet's items keep
// their order and never wait for each other's lock.
type queue struct {
	mu    sync.Mutex
	lines map[wallet.Address]*line
	// turn are the wallets whose lines hold something and don't stand still, the
	// next one first.
	turn []wallet.Address
	// waiting counts the requests in lines, places those of each source, writing those
	// in batches.
	waiting, writing int
	places           [player.Sources]int
	stopped          bool
	// alone counts the batches that are still written one after another, because
	// somebody else had a wallet locked, or others write, too.
	alone int
	// blocks are how many this instance has written; seen and newest are those of the last
	// look and the number that the newest block of all instances had then. sizes is how many
	// items they had lately, as sizesOf times their mean. beside counts the batches that still
	// gather because others write, too.
	blocks, seen, newest, sizes int64
	beside                      int
	// rest is for how long after a batch that gathers no other one begins with fewer items
	// than last, which the one taken last had; resting says that it is now.
	rest    time.Duration
	last    int
	resting bool
	// signal has something in it whenever a batch may begin.
	signal chan struct{}
}

// line is one wallet's items, admins' first, oldest first. inFlight counts those in
// batches too, places so by their sources, writing only those in batches.
type line struct {
	requests          []*request
	inFlight, writing int
	places            [player.Sources]int
	inTurn            bool
	// misses counts the batches in a row that did not get the wallet's lock.
	misses int
}

// A wallet that somebody else has locked is passed over by missesMax batches and
// waited for by the one after them, and so again until it was missed givenUpAt
// times: then its items are answered.
const (
	missesMax = 3
	givenUpAt = 2 * (missesMax + 1)
)

// AloneFor is how many batches an instance writes one at a time after one that missed a
// wallet, or after a look that found others at work.
const AloneFor = 64

// fixedCost is how many items cost as much as what each batch costs beside them: an instance
// with larger batches needn't gather. One that gathers goes on up to gathered, for its batches
// are larger by that. sizesOf is over how many batches, about, their mean is taken.
const fixedCost, gathered, sizesOf = 18, 3 * fixedCost, 8

func newQueue() *queue {
	return &queue{lines: map[wallet.Address]*line{}, signal: make(chan struct{}, 1)}
}

// addRequest puts the request into its wallet's line, at the end or, from an admin, before what
// anybody else asked for, or returns why not.
func (q *queue) addRequest(r *request, queueMax, playerMax int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.stopped:
		return unavailableError("the writer was stopped", outcomeNone)
	case q.places[r.item.Source] >= queueMax:
		return unavailableError("too much is waiting to be written", outcomeNone)
	}
	l := q.lines[r.item.Wallet]
	if l == nil {
		l = &line{}
		q.lines[r.item.Wallet] = l
	}
	if r.item.Wallet != "" && l.places[r.item.Source] >= playerMax {
		return rateLimited()
	}
	at := len(l.requests)
	if r.item.Source == player.FromAdmin {
		if other := slices.IndexFunc(l.requests, notFromAdmin); other >= 0 {
			at = other
		}
	}
	l.requests = slices.Insert(l.requests, at, r)
	l.inFlight++
	l.places[r.item.Source]++
	q.countWaiting(r, 1)
	q.enterLine(r.item.Wallet, l)
	q.wakeWriter()
	return nil
}

func notFromAdmin(r *request) bool { return r.item.Source != player.FromAdmin }

// countWaiting counts a request in (1) or out (-1) of those that wait.
func (q *queue) countWaiting(r *request, by int) {
	q.waiting += by
	q.places[r.item.Source] += by
}

// enterLine gives a line its turn when it holds something and doesn't stand still.
func (q *queue) enterLine(name wallet.Address, l *line) {
	if len(l.requests) > 0 && l.writing == 0 && !l.inTurn {
		l.inTurn = true
		q.turn = append(q.turn, name)
	}
}

// isReady reports whether a batch may begin: at once when none is under way, beside
// another one when as much waits as that one has. Smaller batches would only share
// out the same items, at the same cost for each batch. So would a second one where other
// instances write: their batches keep the database at work.
func (q *queue) isReady() bool {
	switch {
	case len(q.turn) == 0:
		return false
	case q.stopped:
		return true
	case q.resting && q.waiting < q.last:
		return false
	}
	return q.writing == 0 || q.alone == 0 && q.waiting >= q.writing
}

// wakeWriter has a writer look: a batch may begin, or the queue is done and nothing will come.
func (q *queue) wakeWriter() {
	if !q.isReady() && !q.isOver() {
		return
	}
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// takeBatch removes up to most requests, wallets in turn, unless it is better to wait.
// One whose caller is gone is answered and left out.
func (q *queue) takeBatch(most int) []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isReady() {
		return nil
	}
	var batch []*request
	for len(batch) < most && len(q.turn) > 0 {
		name := q.turn[0]
		q.turn = q.turn[1:]
		l := q.lines[name]
		r := l.requests[0]
		l.requests = l.requests[1:]
		if l.inTurn = len(l.requests) > 0; l.inTurn {
			q.turn = append(q.turn, name)
		}
		q.countWaiting(r, -1)
		r.left, r.waits = true, l.misses%(missesMax+1) == missesMax
		if r.context.Err() != nil {
			q.forgetRequest(r)
			r.done <- &result{err: errCallerGone()}
			continue
		}
		l.writing++
		batch = append(batch, r)
	}
	q.writing += len(batch)
	q.last = len(batch)
	q.alone, q.beside = max(0, q.alone-1), max(0, q.beside-1)
	q.turn = slices.DeleteFunc(q.turn, func(name wallet.Address) bool {
		l := q.lines[name]
		l.inTurn = l.writing == 0
		return !l.inTurn
	})
	q.wakeWriter()
	return batch
}

// dropRequest takes the request out of the queue and reports false when it is in a
// batch already.
func (q *queue) dropRequest(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r.left {
		return false
	}
	r.left = true
	q.countWaiting(r, -1)
	name := r.item.Wallet
	l := q.lines[name]
	l.requests = slices.DeleteFunc(l.requests, func(other *request) bool { return other == r })
	if len(l.requests) == 0 && l.inTurn {
		l.inTurn = false
		q.turn = slices.DeleteFunc(q.turn, func(other wallet.Address) bool { return other == name })
	}
	q.forgetRequest(r)
	return true
}

// finishBatch counts answered requests out.
func (q *queue) finishBatch(batch []*request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range batch {
		l := q.lines[r.item.Wallet]
		l.misses = 0
		q.endBatchOf(r.item.Wallet, l, 1)
		q.forgetRequest(r)
	}
	q.gatherMore()
	q.wakeWriter()
}

// endBatchOf counts requests of a line out of the batch that had them.
func (q *queue) endBatchOf(name wallet.Address, l *line, requests int) {
	l.writing -= requests
	q.writing -= requests
	q.enterLine(name, l)
}

// putBack puts missed requests, in the order they were taken, before whatever else
// waits of their wallets. It returns those of wallets that were missed too often.
func (q *queue) putBack(missed []*request) (givenUp []*request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.alone = AloneFor
	lines := map[wallet.Address][]*request{}
	for _, r := range missed {
		lines[r.item.Wallet] = append(lines[r.item.Wallet], r)
	}
	for name, requests := range lines {
		l := q.lines[name]
		if l.misses++; l.misses == givenUpAt {
			givenUp = append(givenUp, requests...)
			continue
		}
		for _, r := range requests {
			r.left = false
			q.countWaiting(r, 1)
		}
		l.requests = slices.Concat(requests, l.requests)
		q.endBatchOf(name, l, len(requests))
	}
	q.gatherMore()
	q.wakeWriter()
	return givenUp
}

// forgetRequest counts a request out, and its wallet's line with the last one.
func (q *queue) forgetRequest(r *request) {
	l := q.lines[r.item.Wallet]
	l.places[r.item.Source]--
	if l.inFlight--; l.inFlight == 0 {
		delete(q.lines, r.item.Wallet)
	}
}

// setPace says how long items wait for more after a batch. It is left out where steps are asked
// for one by one.
func (q *queue) setPace(rest time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.rest = rest
}

// gatherMore has what comes after a batch wait until it is as many as that one had, beside other
// instances: each batch has its fixed cost, which one database pays for all. Who bets alone
// waits for nobody, nor does who comes later than that. A wallet that was missed is no
// reason: one player at two instances would slow all others down.
func (q *queue) gatherMore() {
	if q.beside == 0 || q.rest == 0 || q.resting {
		return
	}
	q.resting = true
	time.AfterFunc(q.rest, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.resting = false
		q.wakeWriter()
	})
}

// noteSealed counts a block of this instance, of a batch of so many items; 0 is no block.
func (q *queue) noteSealed(items int) {
	if items == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.blocks++
	q.sizes += int64(items) - q.sizes/sizesOf
}

// noteNewest takes the number of the newest block of all instances. Where, of enough blocks since
// the last look, a third or more are others', and its own are small, it writes one batch at
// a time and lets items gather: an instance with large batches isn't held up by one that
// writes small ones. Others' are also numbers of lane 0, of batches that failed and that a server lost in a crash.
func (q *queue) noteNewest(newest int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all, ours := newest-q.newest, q.blocks-q.seen
	known := q.newest > 0 && all >= 0 // a database that was put back counts anew
	if known && all < leaseBatches {
		return
	}
	large := int64(fixedCost)
	if q.beside > 0 {
		large = gathered
	}
	if known && 3*(all-ours) >= all && q.sizes <= large*sizesOf {
		q.alone, q.beside = AloneFor, AloneFor
	}
	q.seen, q.newest = q.blocks, newest
}

// stopQueue refuses everything from now on; what waits stays.
func (q *queue) stopQueue() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.wakeWriter()
}

// isDone reports whether the queue was stopped and nothing waits any more.
func (q *queue) isDone() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.isOver()
}

func (q *queue) isOver() bool { return q.stopped && q.waiting == 0 }

// queueLength is how many items wait.
func (q *queue) queueLength() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}
