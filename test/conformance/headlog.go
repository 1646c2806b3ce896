package conformance

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// HeadLog is the suite of ports.HeadLog.
func HeadLog(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, headLogCases)
}

// LogCheckpoints is the suite of ports.LogCheckpoints.
func LogCheckpoints(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, logCheckpointCases)
}

// Anchors is the suite of ports.Anchors.
func Anchors(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, anchorCases)
}

// logAll appends all blocks to the log, at most n at a time.
func (b *bench) logAll(n int) {
	b.Helper()
	for must(b.AppendHeads(background, n))(b) {
		continue
	}
}

// logged returns the log's headers. The log must have each block once, those of a lane in
// their order, and the hashes of its tree.
func (b *bench) logged() []hashchain.Header {
	b.Helper()
	blocks := map[hashchain.Header]bool{}
	for _, block := range b.chained() {
		blocks[headerOf(block)] = true
	}
	size := must(b.LogSize(background))(b)
	headers := must(b.LoggedHeaders(background, 0, int(size)+10))(b)
	b.same("the size of the log", int(size), len(blocks))
	b.same("the entries of the log", len(headers), len(blocks))
	var log merkle.Frontier
	last := map[int]int64{}
	for i, h := range headers {
		b.errorIf(!blocks[h], "entry %d is no block, or a block again: %+v", i, h)
		b.errorIf(h.Seq <= last[h.Lane], "entry %d is out of order: %d:%d", i, h.Lane, h.Seq)
		delete(blocks, h)
		last[h.Lane] = h.Seq
		at := merkle.StoredIndex(0, int64(i))
		for level, want := range log.Append(h.LogLeaf()) {
			b.same("a hash of the log", must(b.LogHashes(background, []int64{at + int64(level)}))(b), []merkle.Hash{want})
		}
		index, found, err := b.LogIndex(background, h.Lane, h.Seq)
		b.errorIf(err != nil || !found || index != int64(i), "block %d:%d is entry %d, %t, %v, want %d", h.Lane, h.Seq, index, found, err, i)
	}
	return headers
}

var headLogCases = []story{
	{"every block is appended once, those of a lane in their order, also after a restart", Rows, func(b *bench) {
		b.logAll(10)
		b.signIn(alice, 10_000)
		b.commit(b.play(alice, 100))
		b.grant(admin, "support")
		b.logAll(1)
		before := b.logged()
		b.logAll(10)
		b.same("a log with nothing new", b.logged(), before)
		b.commit(b.play(alice, 100))
		b.grant(admin, "finance")
		b.reopen()
		b.logAll(2)
		after := b.logged()
		b.same("what was logged before", after[:len(before)], before)
		b.same("a part of the log", must(b.LoggedHeaders(background, 1, 2))(b), after[1:3])
		b.same("what follows the log", len(must(b.LoggedHeaders(background, int64(len(after)), 2))(b)), 0)
	}},
	{"what the log lacks is not found", Rows, func(b *bench) {
		b.signIn(alice, 10_000)
		b.logAll(10)
		size := must(b.LogSize(background))(b)
		hashes, err := b.LogHashes(background, []int64{0, merkle.StoredIndex(0, size)})
		b.errorIf(err == nil, "%v", hashes)
		_, found, err := b.LogIndex(background, 7, 1<<40)
		b.errorIf(found || err != nil, "a block that isn't there: %t, %v", found, err)
	}},
	{"those who append beside each other append each block once", Races, func(b *bench) {
		b.signIn(alice, 10_000)
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				for range 10 {
					if err := guarded(func() error { _, err := b.AppendHeads(background, 2); return err }); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for range 10 {
			b.commit(b.play(alice, 10))
		}
		all.Wait()
		b.logAll(100)
		b.logged()
	}},
	{"the blocks of a later epoch follow, and nothing is appended before it begins", Rows, func(b *bench) {
		b.signIn(alice, 1_000)
		b.grant(admin, "support")
		b.logAll(10)
		before := b.logged()
		b.controls(b.went())
		_, err := b.AppendHeads(background, 10)
		b.errorIf(err == nil, "a log of a restored database grows")
		must(b.BeginEpoch(background, nil, b.beginning(b.now(), true)))(b)
		b.returns()
		b.commit(b.play(alice, 10))
		b.logAll(10)
		after := b.logged()
		b.same("what was logged before", after[:len(before)], before)
		b.same("the epoch of the newest entry", after[len(after)-1].Epoch, int64(2))
	}},
}

var logCheckpointCases = []story{
	{"of an origin and a witness the largest checkpoint stays", Rows, func(b *bench) {
		none := must(b.KeptLogCheckpoints(background, "a"))(b)
		b.same("before the first", len(none), 0)
		keep := func(origin, witness string, size int64, note string) ports.LogCheckpoint {
			c := ports.LogCheckpoint{Origin: origin, Witness: witness, Size: size, At: b.now(), Note: note}
			b.ok(b.KeepLogCheckpoint(background, c))
			return c
		}
		keep("a", "w", 3, "three, cosigned")
		keep("a", "", 5, "five")
		keep("a", "", 4, "four again")
		own, other := keep("a", "", 5, "five, signed again"), keep("b", "", 1, "one")
		keep("a", "w", 2, "two, cosigned")
		cosigned := keep("a", "w", 4, "four, cosigned")
		b.same("the checkpoints", must(b.KeptLogCheckpoints(background, "a"))(b), []ports.LogCheckpoint{own, cosigned})
		own = keep("a", "", 6, "six")
		b.reopen()
		b.same("the checkpoints afterwards", must(b.KeptLogCheckpoints(background, "a"))(b), []ports.LogCheckpoint{own, cosigned})
		b.same("all", must(b.KeptLogCheckpoints(background, ""))(b), []ports.LogCheckpoint{own, cosigned, other})
	}},
}

// anchor records an anchor of a signature and reports whether it was recorded.
func (b *bench) anchor(signature, origin string, size int64) (made ports.Anchor, recorded bool) {
	b.Helper()
	made = ports.Anchor{Signature: signature, Origin: origin, Size: size, LastValidHeight: 900 + size, At: b.now()}
	return made, must(b.RecordAnchor(background, made))(b)
}

// anchors compares the newest anchors, nil for one that must not exist.
func (b *bench) anchors(what string, landed, sent *ports.Anchor) {
	b.Helper()
	isLanded, isSent, err := b.NewestAnchors(background)
	b.ok(err)
	b.same(what+": landed", isLanded, landed)
	b.same(what+": sent", isSent, sent)
}

var anchorCases = []story{
	{"one anchor is in flight at a time, and the newest that landed stays", Rows, func(b *bench) {
		b.anchors("before the first", nil, nil)
		first, recorded := b.anchor("first", "a", 5)
		b.errorIf(!recorded, "the first anchor isn't recorded")
		_, recorded = b.anchor("second", "a", 6)
		b.errorIf(recorded, "an anchor is recorded while another is in flight")
		b.reopen()
		b.anchors("recorded", nil, &first)
		b.ok(b.EndAnchor(background, "second", true))
		b.anchors("another one ended", nil, &first)
		b.ok(b.EndAnchor(background, "first", true))
		b.ok(b.EndAnchor(background, "first", false))
		b.anchors("landed", &first, nil)
		second, recorded := b.anchor("second", "a", 7)
		b.errorIf(!recorded, "the next anchor isn't recorded")
		b.anchors("the next one recorded", &first, &second)
		b.ok(b.EndAnchor(background, "second", false))
		b.anchors("the next one dead", &first, nil)
		third, _ := b.anchor("third", "a", 8)
		b.ok(b.EndAnchor(background, "third", true))
		b.anchors("the newest", &third, nil)
	}},
	{"an entry is in the oldest landed anchor of its origin that is large enough", Rows, func(b *bench) {
		for _, made := range []struct {
			signature, origin string
			size              int64
			landed            bool
		}{{"1", "a", 5, true}, {"2", "a", 8, false}, {"3", "a", 9, true}, {"4", "b", 20, true}, {"5", "a", 12, true}} {
			b.anchor(made.signature, made.origin, made.size)
			b.ok(b.EndAnchor(background, made.signature, made.landed))
		}
		b.anchor("6", "a", 30)
		for _, want := range []struct {
			origin    string
			entry     int64
			signature string
		}{{"a", 0, "1"}, {"a", 4, "1"}, {"a", 5, "3"}, {"a", 8, "3"}, {"a", 11, "5"}, {"a", 12, ""}, {"b", 3, "4"}, {"c", 0, ""}} {
			a, found, err := b.AnchorOf(background, want.origin, want.entry)
			b.errorIf(err != nil || found != (want.signature != "") || a.Signature != want.signature, "%+v: %+v, %t, %v", want, a, found, err)
		}
	}},
	{"of those who record beside each other one succeeds", Races, func(b *bench) {
		var recorded atomic.Int64
		atOnce(8, func(i int) {
			done, err := b.RecordAnchor(background, ports.Anchor{Signature: strconv.Itoa(i), Origin: "a", Size: 1, LastValidHeight: 1, At: b.now()})
			if err != nil {
				b.Error(err)
			} else if done {
				recorded.Add(1)
			}
		})
		b.same("recorded anchors", recorded.Load(), int64(1))
	}},
}
