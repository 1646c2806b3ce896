package fakes

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// keep puts a transaction into the history. The caller holds the lock.
func (c *Chain) keep(signature string, l *landed) {
	l.made = c.clock.Now().UTC().Truncate(time.Second)
	c.landed[signature], c.order = l, append(c.order, signature)
}

// again marks a cursor from which the newest transaction is listed once more, as
// nodes that list late make necessary.
const again = "again "

// Since serves ports.DepositHistory.
func (c *Chain) Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error) {
	number, repeats := strings.CutPrefix(cursor, again)
	next, err := strconv.ParseUint("0"+number, 10, 31)
	if err != nil {
		return ports.HistoryPage{}, fault.Field("cursor", "is none of this history")
	}
	if limit < 1 || limit > ports.HistoryMax {
		limit = ports.HistoryMax
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Since")
	if err != nil {
		return ports.HistoryPage{}, err
	}
	at := int(next)
	if repeats && at > 0 {
		at--
	}
	var page ports.HistoryPage
	for ; at < len(c.order); at++ {
		found := c.landed[c.order[at]]
		if !c.final(found.height) {
			break
		}
		if _, touched := found.gained[terms.Mint]; !touched {
			continue
		}
		if len(page.Entries) == limit {
			page.Next, page.More = strconv.Itoa(at), true
			return answer(page, lost)
		}
		page.Entries = append(page.Entries, ports.HistoryEntry{Signature: c.order[at], Slot: found.height, Failed: found.seen.Failed})
	}
	page.Next = again + strconv.Itoa(at)
	return answer(page, lost)
}
