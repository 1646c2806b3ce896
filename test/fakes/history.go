package fakes

import (
	"context"
	"strconv"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// historyOverlap is how many transactions before its cursor a page repeats, as
// an adapter does whose node learns of some late.
const historyOverlap = 2

// Latest serves ports.DepositHistory.
func (c *Chain) Latest(ctx context.Context, terms token.Terms) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Latest")
	if err != nil {
		return "", err
	}
	return answer(strconv.Itoa(len(c.history(terms.Mint))), lost)
}

// Since serves ports.DepositHistory. A cursor counts what was listed.
func (c *Chain) Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Since")
	if err != nil {
		return ports.HistoryPage{}, err
	}
	all := c.history(terms.Mint)
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 || from > len(all) {
			return ports.HistoryPage{}, fault.New(fault.External, "fakes: %q is no cursor of this chain", cursor)
		}
	}
	to := min(from+limit, len(all))
	return answer(ports.HistoryPage{
		Signatures: all[max(from-historyOverlap, 0):to], Cursor: strconv.Itoa(to), More: to < len(all),
	}, lost)
}

// history lists the finalized transactions that named the treasury's account of
// a token. SOL is moved by every payout, which pays its fee in it.
func (c *Chain) history(of money.Token) []string {
	var all []string
	for _, signature := range c.order {
		t := c.landed[signature]
		if _, named := t.gained[of]; named && c.final(t.height) {
			all = append(all, signature)
		}
	}
	return all
}
