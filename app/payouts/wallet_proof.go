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
	// walletPage is the number of blocks counted at a time, and walletPages the number of
	// pages in one step, so that a player with millions of rounds delays no other payout.
	walletPage  = 100
	walletPages = 8
	// idSlack is how much older an item's own time may be than earlier commits, because it
	// waited or its instance's clock is behind. Older items are found when everything is
	// counted again.
	idSlack = 2 * time.Hour
	// walletCountsMax is the maximum number of unfinished counts that a worker remembers.
	walletCountsMax = 64
	// recountAfter is the time for which a forged wallet isn't counted again.
	recountAfter = 10 * time.Minute
)

// walletCount is an unfinished count of a wallet's blocks. Each pass covers the blocks
// since shortly before the last pass. The last pass is a single page, so it shows one
// moment and misses nothing.
type walletCount struct {
	*proof.Count
	since, next time.Time
	after       string
	heads       []hashchain.Head
	// forged is the finding, which isn't checked again until the given time.
	forged error
	until  time.Time
}

// provesWallets reports whether wallets are proved before they are paid.
func (c *Service) provesWallets() bool { return !seal.Off(c.core.Seals) }

// isCounting reports whether a count is unfinished.
func (p *PayoutWorker) isCounting() bool {
	for _, count := range p.counts {
		if count.forged == nil {
			return true
		}
	}
	return false
}

// proveWallet counts what was booked for a wallet since its last proof and compares it with
// the wallet's rows. It reports false if the count takes more than one step. A mismatch is
// counted once more from the first block before it is called forged, because the kept proof
// may cover lost blocks and clocks may be wrong.
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
			err = withdrawal.Forged("the player's rows differ from the booked blocks: %v", err)
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

// beginCount begins a count where the last proof ends.
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

// countPage counts the next page. It reports whether the page was complete from the start
// of the pass.
func (p *PayoutWorker) countPage(ctx context.Context, w wallet.Address, count *walletCount) (page ports.WalletPage, whole bool, err error) {
	page, err = p.casino.core.Store.WalletProofs.WalletBlocks(ctx, ports.WalletQuery{
		Wallet: w, Since: count.since, After: count.after, Counted: count.Counted, Limit: walletPage, Heads: count.heads,
	})
	if err != nil {
		return page, false, err
	}
	if page.Lost {
		return page, false, withdrawal.Forged("blocks of the wallet's last proof are missing")
	}
	count.heads = nil // their presence is confirmed
	for _, b := range page.Blocks {
		if err := count.Add(b); err != nil {
			return page, false, withdrawal.Forged("a block of the player differs from what the service wrote: %v", err)
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

// keepProof stores the result of a count as the wallet's proof.
func (p *PayoutWorker) keepProof(ctx context.Context, count *walletCount, state proof.State) error {
	c := p.casino
	made, fits := count.Proof(state, c.core.Now())
	delete(p.counts, made.Wallet)
	if p.proved = made; !fits {
		return withdrawal.Forged("the player's total is larger than the maximum amount")
	}
	var err error
	if made.Seal, err = c.core.Seals.Seal(proof.Purpose, made.Sealed()); err != nil {
		return err
	}
	return c.core.Store.WalletProofs.KeepWalletProof(ctx, made)
}
