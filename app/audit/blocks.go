package audit

import (
	"context"
	"fmt"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/ports"
)

// place identifies a block.
type place struct {
	lane int
	seq  int64
}

// String returns the block's name in findings.
func (p place) String() string { return fmt.Sprintf("block %d:%d", p.lane, p.seq) }

// readBlocks reads the blocks up to the heads of the newest page.
func (a *Auditor) readBlocks(ctx context.Context) error {
	for _, head := range a.sums.Heads {
		a.progress.Of += head.Seq - a.last[head.Lane].Seq
	}
	if err := a.store.BlocksAfter(ctx, a.since, a.sums.Heads, func(b ports.Block) error { return a.checkBlock(ctx, b) }); err != nil {
		return err
	}
	return a.flushHeld()
}

func (a *Auditor) checkBlock(ctx context.Context, b ports.Block) error {
	a.report.Blocks++
	previous, link := a.last[b.Lane], hashchain.Link{Head: b.Head, Epoch: b.Epoch}
	previous.Lane = b.Lane
	at := place{b.Lane, b.Seq}
	a.checkSuccession(at, previous, link)
	if b.Number <= a.numbers[b.Lane] && (b.Number != 0 || a.numbers[b.Lane] != 0) {
		a.addFinding("%s has number %d, the one before it has %d", at, b.Number, a.numbers[b.Lane])
	}
	a.numbers[b.Lane] = b.Number
	if b.Previous != previous.Hash {
		a.addFinding("%s names another block before it", at)
	}
	again := hashchain.Again(previous.Head, b.Seq, b.Content)
	if again.Hash() != b.Hash {
		a.addFinding("%s: its content was changed (hash %s, stored %s)", at, again.Hash(), b.Hash)
	}
	if again.Root != b.Root || again.Size != b.Size {
		a.addFinding("%s: its tree is not that of its content (root %s of %d leaves, stored %s of %d)", at, again.Root, again.Size, b.Root, b.Size)
	}
	if kept, ok := a.keep[headName{b.Lane, b.Seq}]; ok {
		delete(a.keep, headName{b.Lane, b.Seq})
		if kept != b.Hash {
			a.addFinding("%s is not the one that was kept (kept %s, stored %s)", at, kept, b.Hash)
		}
	}
	a.last[b.Lane] = link
	if a.watch != nil {
		a.progress.Blocks, a.progress.Rounds = a.progress.Blocks+link.Seq-previous.Seq, a.report.Rounds+len(b.Rounds)
		a.watch(a.progress)
	}
	a.revealed = b.Revealed
	return a.checkContent(ctx, at, b.Content)
}

// checkSuccession checks that a block may be the next one in its lane. A new epoch skips
// the numbers of blocks lost by a restore, and a margin. If a kept head has a skipped
// number, its block was lost, and it is reported.
func (a *Auditor) checkSuccession(at place, previous, next hashchain.Link) {
	switch {
	case next.Epoch < previous.Epoch:
		a.addFinding("%s is of epoch %d, and follows block %d of epoch %d", at, next.Epoch, previous.Seq, previous.Epoch)
	case !next.Follows(previous):
		a.addFinding("%s follows block %d: blocks are missing", at, previous.Seq)
	case next.Seq != previous.Seq+1:
		for kept := range a.keep {
			if kept.lane == next.Lane && kept.seq > previous.Seq && kept.seq < next.Seq {
				a.addFinding("block %d:%d was kept, and was lost by the restore after which epoch %d began", kept.lane, kept.seq, next.Epoch)
				delete(a.keep, kept)
			}
		}
	}
	a.report.Epoch = max(a.report.Epoch, next.Epoch)
}

func (a *Auditor) checkContent(ctx context.Context, at place, c hashchain.Content) error {
	posted := map[string]ledger.Posting{}
	for _, p := range c.Postings {
		a.report.Postings++
		if err := a.bookPosting(at, p); err != nil {
			return err
		}
		if p.Key.Kind == ledger.Round {
			posted[p.Key.ID] = p
		}
	}
	if err := a.blockNonces(at, c); err != nil {
		return err
	}
	if err := a.pairEnds(at, c); err != nil {
		return err
	}
	for i := range c.Rounds {
		r := &c.Rounds[i]
		a.report.Rounds++
		if err := a.checkRound(ctx, at, r, posted[r.ID]); err != nil {
			return err
		}
		delete(posted, r.ID)
	}
	for id := range posted {
		a.addFinding("%s: transfers of round %s without the round", at, id)
	}
	if err := a.checkTransactions(at, c); err != nil {
		return err
	}
	a.report.Records += len(c.Audit)
	a.checkFacts(at, c)
	a.checkLinks(at, c)
	return a.addEvents(at, c.Events)
}

// checkRound checks a round against its transfers and, once its seed is revealed, the rules.
func (a *Auditor) checkRound(ctx context.Context, at place, r *bet.Round, posted ledger.Posting) error {
	if want := r.Posting(); !want.Equal(posted) {
		a.addFinding("%s: round %s differs from its booking", at, r.ID)
	}
	if r.IsShared() {
		return a.checkCrashBet(at, r)
	}
	if r.Stepped() {
		return a.checkStepped(ctx, at, r)
	}
	plan, err := a.planRound(r)
	if err != nil && r.Void && a.couldBegin(r) { // it broke down when it was opened
		return a.addRoundFigure(at, *r)
	}
	if err != nil {
		a.addFinding("%s: round %s: %v", at, r.ID, err)
		return nil
	}
	r.Theory = theoryOf(plan)
	if err := a.addRoundFigure(at, *r); err != nil {
		return err
	}
	return a.recomputeRound(ctx, at, r)
}

func (a *Auditor) planRound(r *bet.Round) (game.Plan, error) {
	rules, err := a.games.Rules(r.GameType, r.Rules)
	if err != nil {
		return nil, err
	}
	return game.Prepare(rules, r.Config, r.Wager)
}

func (a *Auditor) recomputeRound(ctx context.Context, at place, r *bet.Round) error {
	seed, err := a.seedOf(ctx, r.PairID)
	if err != nil || seed == "" || r.Void {
		return err
	}
	a.report.Recomputed++
	result, commitment, err := a.games.Verify(game.RoundInputs{
		GameType: r.GameType, Rules: r.Rules, Config: r.Config,
		ServerSeed: seed, ClientSeed: r.ClientSeed, Nonce: r.Nonce,
	})
	payout, ok := r.Wager.Times(result.Multiplier)
	switch {
	case err != nil:
		a.addFinding("%s: round %s can't be recomputed: %v", at, r.ID, err)
	case commitment != r.Commitment:
		a.addFinding("%s: round %s: the revealed seed is not the one committed to", at, r.ID)
	case !result.Outcome.Equal(r.Outcome) || !ok || payout != r.Payout:
		a.addFinding("%s: round %s does not match its seeds", at, r.ID)
	}
	return nil
}

// seedsMax is the size of each of the two generations of cached seeds.
const seedsMax = 20_000

// seedOf returns the revealed seed of a pair, or "".
func (a *Auditor) seedOf(ctx context.Context, pair string) (string, error) {
	if a.revealed != nil {
		return a.revealed[pair], nil
	}
	seed, known := a.seeds[pair]
	if known {
		return seed, nil
	}
	if seed, known = a.older[pair]; !known {
		revealed, err := a.store.RevealedPair(ctx, pair)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return "", err
		}
		seed = revealed.ServerSeed
	}
	if len(a.seeds) >= seedsMax {
		a.seeds, a.older = map[string]string{}, a.seeds
	}
	a.seeds[pair] = seed
	return seed, nil
}

func (a *Auditor) checkHeads(context.Context) error {
	a.report.Heads = a.sums.Heads
	for _, head := range a.sums.Heads {
		if a.last[head.Lane].Head != head {
			a.addFinding("lane %d: its head is %d, the last block is %d", head.Lane, head.Seq, a.last[head.Lane].Seq)
		}
		delete(a.last, head.Lane)
	}
	for _, last := range a.last {
		a.addFinding("lane %d: its head is missing, the last block is %d", last.Lane, last.Seq)
	}
	for name := range a.keep {
		a.addFinding("block %d:%d was kept and is not there any more", name.lane, name.seq)
	}
	return nil
}
