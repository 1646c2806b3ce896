package headlog

import (
	"context"
	"crypto/ed25519"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/receipt"
	"github.com/casino-service/casino/ports"
)

// AnchorChain is the chain of the anchors, with a key that is used for nothing else.
type AnchorChain interface {
	ports.Memos
	ports.ChainHeights
}

// AnchorInterval is the pause of the worker of anchors.
const AnchorInterval = 10 * time.Second

// anchorSubject is the subject of the alarm that anchors are overdue.
const anchorSubject = "anchor"

// Anchors has the use cases of anchors, which state checkpoints of the log on chain.
type Anchors struct {
	log   *Service
	chain AnchorChain
	every time.Duration
}

// AnchorOn returns the anchors of the log on a chain, one in each period.
func (s *Service) AnchorOn(chain AnchorChain, every time.Duration) *Anchors {
	return &Anchors{s, chain, every}
}

// Key returns the address that signs the anchors, and its public key.
func (a *Anchors) Key() (address string, key ed25519.PublicKey) { return a.chain.Key() }

// AnchorWorker writes anchors.
type AnchorWorker struct {
	*Anchors
	since time.Time         // of the first step
	sent  *ports.SignedMemo // by this worker, to be sent again
}

// AnchorWorker returns a worker that writes anchors.
func (a *Anchors) AnchorWorker() *AnchorWorker { return &AnchorWorker{Anchors: a} }

// Step writes an anchor if one is due. It records the signed transaction before it is sent,
// and signs another one only after the chain proves that the recorded one never will land.
// Of several instances one at a time can record. It raises an alarm while no anchor landed
// within two periods.
func (a *AnchorWorker) Step(ctx context.Context) (bool, error) {
	now := kernel.Now(a.log.core.Clock)
	if a.since.IsZero() {
		a.since = now
	}
	state, err := a.log.core.Store.Controls.State(ctx)
	if err != nil || state.Ledger == "" || state.Restored != nil {
		return false, err
	}
	landed, sent, err := a.log.core.Store.Anchors.NewestAnchors(ctx)
	if err != nil {
		return false, err
	}
	newest, err := a.log.newest(ctx, originOf(state))
	if err != nil {
		return false, err
	}
	current := newest.Size == 0 || landed != nil && landed.Origin == newest.Origin && landed.Size == newest.Size
	switch {
	case sent != nil:
		err = a.follow(ctx, *sent)
	case !current && (landed == nil || now.Sub(landed.At) >= a.every):
		err = a.write(ctx, newest, now)
	}
	detail := "no memo landed"
	if err != nil {
		detail = err.Error()
	}
	last := a.since
	if landed != nil && landed.At.After(last) {
		last = landed.At
	}
	if current || now.Sub(last) <= 2*a.every {
		a.log.core.Alarms.Over(ctx, alarm.PublicLog, anchorSubject)
	} else {
		a.log.core.Alarms.Raise(ctx, alarm.PublicLog, anchorSubject, "since", last, "error", detail)
	}
	return false, err
}

// write signs, records and sends an anchor, unless another instance recorded one.
func (a *AnchorWorker) write(ctx context.Context, newest tree, now time.Time) error {
	memo, err := a.chain.SignMemo(ctx, receipt.AnchorText(newest.Origin, newest.Size, merkle.Hash(newest.root)))
	if err != nil {
		return err
	}
	recorded, err := a.log.core.Store.Anchors.RecordAnchor(ctx, ports.Anchor{
		Signature: memo.Signature, Origin: newest.Origin, Size: newest.Size, LastValidHeight: int64(memo.LastValidHeight), At: now, // #nosec G115 -- a height
	})
	if err != nil || !recorded {
		return err
	}
	a.sent = &memo
	return a.chain.SendMemo(ctx, memo)
}

// follow ends a recorded anchor if the chain proves that it landed, or never will. Otherwise
// it sends the same bytes again, if this worker has them.
func (a *AnchorWorker) follow(ctx context.Context, recorded ports.Anchor) error {
	heights, err := a.chain.Heights(ctx) // before the look-up: a later height proves nothing about it
	if err != nil {
		return err
	}
	_, err = a.chain.ReadMemo(ctx, recorded.Signature)
	switch {
	case err == nil:
		a.log.core.Logger.InfoContext(ctx, "the log is anchored", "signature", recorded.Signature, "size", recorded.Size)
		return a.log.core.Store.Anchors.EndAnchor(ctx, recorded.Signature, true)
	case !fault.Is(err, fault.NotFound):
		return err
	case heights.Finalized > uint64(recorded.LastValidHeight): // #nosec G115 -- a height
		return a.log.core.Store.Anchors.EndAnchor(ctx, recorded.Signature, false)
	case a.sent != nil && a.sent.Signature == recorded.Signature:
		return a.chain.SendMemo(ctx, *a.sent)
	}
	return nil
}

// AnchoredInclusion proves that an anchored checkpoint's tree has an entry.
type AnchoredInclusion struct {
	Anchor ports.Anchor
	Index  int64
	Path   []merkle.Hash
}

// Prove proves that an anchor has a block's header. It returns nil while none has it.
func (a *Anchors) Prove(ctx context.Context, block hashchain.Header) (*AnchoredInclusion, error) {
	state, err := a.log.core.Store.Controls.State(ctx)
	if err != nil {
		return nil, err
	}
	index, found, err := a.log.core.Store.LogCheckpoints.LogIndex(ctx, block.Lane, block.Seq)
	if err != nil || !found {
		return nil, err
	}
	anchor, found, err := a.log.core.Store.Anchors.AnchorOf(ctx, originOf(state), index)
	if err != nil || !found {
		return nil, err
	}
	proof, err := tlog.ProveRecord(anchor.Size, index, a.log.hashReader(ctx))
	return &AnchoredInclusion{anchor, index, hashesOf(proof)}, err
}
