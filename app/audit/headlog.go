package audit

import (
	"context"

	"github.com/casino-service/casino/app/headlog"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/ports"
)

// loggedPage is how many entries of the log are read at once.
const loggedPage = 1000

// loggedTree is the log as far as it was read.
type loggedTree struct {
	merkle.Frontier
	last map[int]hashchain.Header
	// signed are the stored checkpoints that aren't checked yet, by size.
	signed map[int64][]ports.LogCheckpoint
}

// checkLog compares the public log with the blocks: each lane's are in it in their order,
// none twice and none missing in between, its stored hashes are theirs, and so are the roots
// of its checkpoints. A whole audit does it. The log may lack the newest blocks.
func (a *Auditor) checkLog(ctx context.Context) error {
	if len(a.since) > 0 {
		return nil
	}
	kept, err := a.store.KeptLogCheckpoints(ctx, "") // before the log, which has their entries
	if err != nil {
		return err
	}
	size, err := a.store.LogSize(ctx)
	if err != nil {
		return err
	}
	log := loggedTree{last: map[int]hashchain.Header{}, signed: map[int64][]ports.LogCheckpoint{}}
	for _, c := range kept {
		log.signed[c.Size] = append(log.signed[c.Size], c)
	}
	for log.Size() < size {
		headers, err := a.store.LoggedHeaders(ctx, log.Size(), int(min(loggedPage, size-log.Size())))
		if err != nil && (ctx.Err() != nil || fault.Is(err, fault.Unavailable)) {
			return err
		}
		if err != nil || len(headers) == 0 {
			a.addFinding("the log after %d of %d entries: there is no such block, or %v", log.Size(), size, err)
			return nil
		}
		if err := a.checkEntries(ctx, &log, headers); err != nil {
			return err
		}
	}
	a.report.Logged = int(log.Size())
	for of, checkpoints := range log.signed {
		a.addFinding("%s: a checkpoint of %d entries was signed, the log has %d", checkpoints[0].Origin, of, size)
	}
	return nil
}

// checkEntries checks the next entries of the log.
func (a *Auditor) checkEntries(ctx context.Context, log *loggedTree, headers []hashchain.Header) error {
	first := merkle.StoredIndex(0, log.Size())
	var indexes []int64
	var hashes []merkle.Hash
	for _, h := range headers {
		at, previous := place{h.Lane, h.Seq}, log.last[h.Lane]
		if h.Seq <= previous.Seq || h.Previous != hashOf(previous) {
			a.addFinding("%s is entry %d of the log, and does not follow block %d of its lane in the log", at, log.Size(), previous.Seq)
		}
		log.last[h.Lane] = h
		for _, hash := range log.Append(h.LogLeaf()) {
			indexes, hashes = append(indexes, first+int64(len(indexes))), append(hashes, hash)
		}
		for _, c := range log.signed[log.Size()] {
			if _, root, err := headlog.ParseCheckpoint(c.Origin, c.Note); err != nil || merkle.Hash(root) != log.Root() {
				a.addFinding("%s: the checkpoint of %d entries has another root than the blocks", c.Origin, c.Size)
			}
		}
		delete(log.signed, log.Size())
	}
	stored, err := a.store.LogHashes(ctx, indexes)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	for i, hash := range hashes {
		if err != nil || stored[i] != hash {
			a.addFinding("the log up to %d entries: its stored hashes are not those of the blocks", log.Size())
			break
		}
	}
	return nil
}

// hashOf returns a header's hash, and zero for none.
func hashOf(h hashchain.Header) (hash hashchain.Hash) {
	if h.Seq > 0 {
		hash = h.Hash()
	}
	return hash
}
