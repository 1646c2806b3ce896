package payouts

import (
	"context"
	"time"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

const (
	// walletPage is how many blocks are counted at a time, and walletPages how many pages
	// in one step of the worker, so that a player of millions of rounds holds up nobody.
	walletPage  = 100
	walletPages = 8
	// idSlack is how much older an item may be, by its own moment, than what was committed
	// before it: it waited, or the clock of its instance is behind. What is older still is
	// found when everything is counted again.
	idSlack = 2 * time.Hour
	// walletCountsMax is how many unfinished counts a worker remembers.
	walletCountsMax = 64
	// recountAfter is how long what was found forged is not counted again.
	recountAfter = 10 * time.Minute
)

// walletCount is a count of a wallet's blocks on its way. Each pass goes through what was
// committed since a while before the last one, and the last pass is one page: it is as of
// one moment and leaves nothing out.
type walletCount struct {
	*proof.Count
	since, next time.Time
	after       string
	heads       []hashchain.Head
	// forged is what was found, and not looked for again until a moment.
	forged error
	until  time.Time
}

// provesWallets reports whether wallets are proved before they are paid.
func (c *Service) provesWallets() bool { return !seal.Off(c.core.Seals) }

// isCounting reports whether a wallet is being counted.
func (p *PayoutWorker) isCounting() bool {
	for _, count := range p.counts {
		if count.forged == nil {
			return true
		}
	}
	return false
}

// proveWallet counts what was booked for a wallet since its last proof and holds it
// against what stands in the database. False means that there is more to be counted than
// a step takes. What doesn't fit is counted once more from the very first block before it
// is called forged: a kept proof may be of a time that was lost, and clocks may be wrong.
func (p *PayoutWorker) proveWallet(ctx context.Context, w wallet.Address) (known bool, err error) {
	c := p.casino
	if !c.provesWallets() {
		return true, nil
	}
	count := p.counts[w]
	if count != nil && count.forged != nil && c.core.Now().Before(count.until) {
		return false, count.forged
	}
	if count == nil || count.forged != nil {
		if count, err = p.beginCount(ctx, w); err != nil {
			return false, err
		}
	}
	for range walletPages {
		page, whole, err := p.countPage(ctx, w, count)
		if err == nil && whole {
			if err = count.Check(page.State); err == nil {
				return true, p.keepProof(ctx, count, page.State)
			}
			err = withdrawal.Forged("what the player has is not what was booked: %v", err)
		}
		switch {
		case err == nil:
			continue
		case withdrawal.ObstacleOf(err) != withdrawal.ForgedStatus:
			delete(p.counts, w)
			return false, err
		case !count.From().Known():
			p.counts[w] = &walletCount{forged: err, until: c.core.Now().Add(recountAfter)}
			return false, err
		}
		count = p.newCount(w, proof.Proof{})
	}
	return false, nil
}

// beginCount begins where the last proof ends.
func (p *PayoutWorker) beginCount(ctx context.Context, w wallet.Address) (*walletCount, error) {
	last, err := p.casino.core.Store.WalletProofs.WalletProof(ctx, w)
	if err != nil {
		return nil, err
	}
	if !last.Usable(w, p.casino.core.Seals) {
		last = proof.Proof{}
	}
	return p.newCount(w, last), nil
}

func (p *PayoutWorker) newCount(w wallet.Address, from proof.Proof) *walletCount {
	count := &walletCount{Count: proof.Begin(w, from), next: p.casino.core.Now(), heads: from.Heads}
	if from.Known() {
		count.since = from.At.Add(-idSlack)
	}
	if len(p.counts) >= walletCountsMax || p.counts == nil {
		p.counts = map[wallet.Address]*walletCount{}
	}
	p.counts[w] = count
	return count
}

// countPage counts the next page. It reports whether the page had everything that there
// is from the pass's beginning on.
func (p *PayoutWorker) countPage(ctx context.Context, w wallet.Address, count *walletCount) (page ports.WalletPage, whole bool, err error) {
	page, err = p.casino.core.Store.WalletProofs.WalletBlocks(ctx, ports.WalletQuery{
		Wallet: w, Since: count.since, After: count.after, Counted: count.Counted, Limit: walletPage, Heads: count.heads,
	})
	if err != nil {
		return page, false, err
	}
	if page.Lost {
		return page, false, withdrawal.Forged("the wallet was proved up to blocks that are not there")
	}
	count.heads = nil // they are there
	for _, b := range page.Blocks {
		if err := count.Add(b); err != nil {
			return page, false, withdrawal.Forged("what was booked for the player is not what the service wrote: %v", err)
		}
	}
	switch {
	case page.More:
		count.after = page.Next
	case count.after != "":
		count.since, count.after, count.next = count.next.Add(-idSlack), "", p.casino.core.Now()
	default:
		return page, true, nil
	}
	return page, false, nil
}

// keepProof keeps what was counted as the wallet's proof.
func (p *PayoutWorker) keepProof(ctx context.Context, count *walletCount, state proof.State) error {
	c := p.casino
	made, fits := count.Proof(state, c.core.Now())
	delete(p.counts, made.Wallet)
	if p.proved = made; !fits {
		return withdrawal.Forged("what the player has is more than an amount can be")
	}
	var err error
	if made.Seal, err = c.core.Seals.Seal(proof.Purpose, made.Sealed()); err != nil {
		return err
	}
	return c.core.Store.WalletProofs.KeepWalletProof(ctx, made)
}
