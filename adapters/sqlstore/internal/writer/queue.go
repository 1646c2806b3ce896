package writer

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// request is an item in the writer's queue or in a batch.
type request struct {
	item player.Item
	// context is the caller's; it only shows whether the caller still waits.
	context context.Context
	// done receives the one result; it is buffered.
	done chan *result
	// left says that it left the queue: in a batch, or dropped.
	left bool
	// waits says that its batch must wait for its wallet's lock.
	waits bool
}

// result is the outcome of an item.
type result struct {
	receipt player.Receipt
	err     error
	// round is the place of the item's round in the batch's content, events to eventsEnd
	// are those of its events.
	round, events, eventsEnd int
}

// queue holds the waiting items, in one line per wallet, and is fair: each wallet in turn gives
// one item, so that a long line doesn't delay other wallets. Each source of items has its own
// places, in the queue and in each line: a flood by players leaves room for admins. Several
// writers may take from it. A line with items in a writer's batch stands still until that is
// written, so that a wallet's items keep their order and never wait for each other's lock.
type queue struct {
	mu    sync.Mutex
	lines map[wallet.Address]*line
	// turn lists the wallets with lines that have items and don't stand still, the next one first.
	turn []wallet.Address
	// waiting counts the requests in lines, places those of each source, writing those in
	// batches.
	waiting, writing int
	places           [player.Sources]int
	stopped          bool
	// alone counts down the batches still written one after another, because a wallet was locked
	// elsewhere, or because other instances write too.
	alone int
	// blocks is how many blocks this instance has written. seen is its value at the last look,
	// newest the newest block number of all instances then. sizes is the recent mean number of
	// items per block, times sizesOf. beside counts down the batches that still gather because
	// other instances write too.
	blocks, seen, newest, sizes int64
	beside                      int
	// rest is how long, after a gathering batch, no batch begins with fewer items than last, the
	// size of the previous one; resting says that this time is running.
	rest    time.Duration
	last    int
	resting bool
	// signal has an element whenever a batch may begin.
	signal chan struct{}
}

// line is one wallet's items, admins' first, then oldest first. inFlight includes those in
// batches, places too, by source; writing counts only those in batches.
type line struct {
	requests          []*request
	inFlight, writing int
	places            [player.Sources]int
	inTurn            bool
	// misses counts consecutive batches that did not get the wallet's lock.
	misses int
}

// A wallet that is locked elsewhere is skipped by missesMax batches; the next one waits for it.
// After givenUpAt misses its items are refused.
const (
	missesMax = 3
	givenUpAt = 2 * (missesMax + 1)
)

// AloneFor is how many batches an instance writes one at a time after one that missed a wallet,
// or after it found other instances writing.
const AloneFor = 64

// fixedCost is the fixed cost of a batch, in items: an instance with larger batches needn't
// gather. One that gathers continues up to gathered, because gathering makes its batches larger.
// sizesOf is over about how many batches their mean size is taken.
const fixedCost, gathered, sizesOf = 18, 3 * fixedCost, 8

func newQueue() *queue {
	return &queue{lines: map[wallet.Address]*line{}, signal: make(chan struct{}, 1)}
}

// addRequest adds the request to its wallet's line, at the end or, from an admin, before other
// sources' items, or returns why not.
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

// countWaiting adds by (1 or -1) to the counts of waiting requests.
func (q *queue) countWaiting(r *request, by int) {
	q.waiting += by
	q.places[r.item.Source] += by
}

// enterLine gives a line its turn if it has items and doesn't stand still.
func (q *queue) enterLine(name wallet.Address, l *line) {
	if len(l.requests) > 0 && l.writing == 0 && !l.inTurn {
		l.inTurn = true
		q.turn = append(q.turn, name)
	}
}

// isReady reports whether a batch may begin: at once if no batch runs, beside another if as many
// items wait as that one has. Smaller batches would share the same items at a higher total cost.
// Beside other instances there is no second batch: their batches keep the database busy.
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

// wakeWriter wakes a writer: a batch may begin, or the queue is done.
func (q *queue) wakeWriter() {
	if !q.isReady() && !q.isOver() {
		return
	}
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// takeBatch removes up to most requests, wallets in turn, unless it is better to wait. A request
// whose caller has gone is answered and left out.
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

// dropRequest removes the request from the queue and reports false if it is already in a batch.
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

// finishBatch removes answered requests from the counts.
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

// endBatchOf removes requests from a line's and the queue's count of writing.
func (q *queue) endBatchOf(name wallet.Address, l *line, requests int) {
	l.writing -= requests
	q.writing -= requests
	q.enterLine(name, l)
}

// putBack puts missed requests, in the order they were taken, at the front of their wallets'
// lines. It returns those of wallets that were missed too often.
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

// forgetRequest removes a request from the counts, and its wallet's line with the last one.
func (q *queue) forgetRequest(r *request) {
	l := q.lines[r.item.Wallet]
	l.places[r.item.Source]--
	if l.inFlight--; l.inFlight == 0 {
		delete(q.lines, r.item.Wallet)
	}
}

// setPace sets how long items wait for more after a batch. It is not called where steps are
// called one by one.
func (q *queue) setPace(rest time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.rest = rest
}

// gatherMore delays the next batch, beside other instances, until it has as many items as the
// last one or the time is over: each batch has a fixed cost, which the one database pays. A lone
// client is never delayed, and neither are items that come later than that. A missed wallet is no
// reason: one player at two instances would slow down all others.
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

// noteSealed counts a block of this instance with this many items; 0 is no block.
func (q *queue) noteSealed(items int) {
	if items == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.blocks++
	q.sizes += int64(items) - q.sizes/sizesOf
}

// noteNewest takes the newest block number of all instances. If, of enough blocks since the last
// look, at least a third are others' and its own are small, it writes one batch at a time and
// lets items gather; an instance with large batches isn't slowed by one that writes small ones.
// Numbers of lane 0, of failed batches and of blocks lost in a server crash count as others' too.
func (q *queue) noteNewest(newest int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all, ours := newest-q.newest, q.blocks-q.seen
	known := q.newest > 0 && all >= 0 // a restored database may count from a lower number
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

// stopQueue refuses new items; waiting ones stay.
func (q *queue) stopQueue() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.wakeWriter()
}

// isDone reports whether the queue was stopped and is empty.
func (q *queue) isDone() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.isOver()
}

func (q *queue) isOver() bool { return q.stopped && q.waiting == 0 }

// queueLength returns how many items wait.
func (q *queue) queueLength() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}
