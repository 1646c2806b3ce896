package fakes

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Follow makes block times those of a clock; without it every block was made at Start.
func (c *Chain) Follow(clock ports.Clock) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clock = clock
}

// Prune makes the nodes forget what landed so far.
func (c *Chain) Prune() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pruned = c.height + 1
}

// Spend lands a transaction that the treasury signed and no payout worker did. What it
// costs beyond the amount is ChainFee.
func (c *Chain) Spend(to wallet.Address, of money.Token, amount money.Amount, memo string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	signature := Signature(fmt.Sprintf("spent %d", c.made))
	c.land(payout{Token: of, Amount: amount, Destination: string(to), Height: c.height, Memo: memo}, signature)
	return signature
}

// Remark lands a deposit with a memo.
func (c *Chain) Remark(from wallet.Address, of money.Token, amount money.Amount, memo string) string {
	signature := c.Deposit(from, of, amount)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.landed[signature].memo = memo
	return signature
}

// Signed serves ports.TreasuryHistory.
func (c *Chain) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	number, repeats := strings.CutPrefix(from.Cursor, again)
	next, err := strconv.ParseUint("0"+number, 10, 31)
	if err != nil {
		return ports.TreasuryPage{}, fault.Field("cursor", "is none of this history")
	}
	if limit < 1 || limit > ports.HistoryMax {
		limit = ports.HistoryMax
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Signed")
	if err != nil {
		return ports.TreasuryPage{}, err
	}
	at := int(next)
	if repeats && at > 0 {
		at--
	}
	page := ports.TreasuryPage{Next: from}
	if from.Cursor == "" && c.pruned > 0 {
		page.Next.Since = c.clock.Now().UTC()
	}
	for looked := 0; at < len(c.order); at++ {
		signature := c.order[at]
		found := c.landed[signature]
		switch {
		case !c.final(found.height):
			return answer(c.signedUpTo(page, at), lost)
		case found.height < c.pruned && from.Cursor == "":
			continue
		case found.height < c.pruned && at >= int(next):
			return ports.TreasuryPage{}, fault.New(fault.External, "the nodes no longer have the treasury's history")
		case looked == limit:
			page.Next.Cursor, page.More = strconv.Itoa(at), true
			return answer(page, lost)
		}
		looked++
		if m, signed := c.read(signature, found); signed {
			page.Movements = append(page.Movements, m)
		}
	}
	return answer(c.signedUpTo(page, at), lost)
}

// signedUpTo ends a page that lists everything. The caller holds the lock.
func (c *Chain) signedUpTo(page ports.TreasuryPage, at int) ports.TreasuryPage {
	page.Next.Cursor = again + strconv.Itoa(at)
	page.Next.Slot, page.Next.At = c.height-ChainFinality, c.clock.Now().UTC().Truncate(time.Second)
	return page
}

func (c *Chain) read(signature string, found *landed) (treasury.Movement, bool) {
	seen := found.seen
	seen.Finalized = true
	m, signed := treasury.Read(treasury.Observed{
		Observation: seen, Slot: found.height, At: found.made, Memo: found.memo,
	}, house)
	if found.payout != nil {
		m.Fee, m.Rent = found.payout.fee, found.payout.rent
	}
	return m, signed
}
