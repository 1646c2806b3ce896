package localnet

import (
	"maps"
	"slices"
)

// notification is a message to a subscriber.
type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  struct {
		Result       any    `json:"result"`
		Subscription uint64 `json:"subscription"`
	} `json:"params"`
}

func notificationOf(method string, id uint64, result any) notification {
	n := notification{Version: "2.0", Method: method}
	n.Params.Result, n.Params.Subscription = result, id
	return n
}

// slotNews reports a slot with a block, the block before it, and the newest finalized one.
type slotNews struct {
	Parent uint64 `json:"parent"`
	Root   uint64 `json:"root"`
	Slot   uint64 `json:"slot"`
}

// slotsAtOnce bounds the slots reported at once after the clock jumped ahead.
const slotsAtOnce = 32

// dueNotifications returns the notifications that are due, in the order of their
// subscriptions.
func (s *subscriber) dueNotifications() (due []notification) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) == 0 {
		return nil
	}
	c := s.pubsub.chain
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.advanceSlot() != nil {
		return nil // the chain is closed; the connection will be soon
	}
	newest := c.slotAt(processed)
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		o := s.open[id]
		switch {
		case !o.answered:
		case o.slots:
			for slot := max(o.slot+1, newest-min(newest, slotsAtOnce)); slot <= newest && o.slot > 0; slot++ {
				if !c.timeline.isSkipped(slot) {
					due = append(due, notificationOf("slotNotification", id, c.slotNews(slot)))
				}
			}
			o.slot = newest
		default:
			for _, n := range c.signatureNews(o) {
				due = append(due, notificationOf("signatureNotification", id, n))
			}
			if o.ended {
				delete(s.open, id)
			}
		}
	}
	return due
}

// slotNews returns the report of a slot with a block.
func (c *Chain) slotNews(slot uint64) slotNews {
	root := slot - min(slot, FinalityDepth)
	return slotNews{Parent: c.timeline.newestBlock(slot - 1), Root: c.timeline.newestBlock(root), Slot: slot}
}

// signatureNews returns the notifications of a signature that are due: receipt, if
// requested, and the result, once the transaction has the requested commitment.
func (c *Chain) signatureNews(o *subscription) (news []any) {
	e, found := c.history.findEntry(o.signature)
	if !found {
		return nil
	}
	if o.received && !o.reported {
		o.reported = true
		news = append(news, withSlot(e.slot, "receivedSignature"))
	}
	if reached := c.slotAt(o.level); e.slot <= reached {
		o.ended = true
		news = append(news, withSlot(reached, map[string]any{"err": e.err}))
	}
	return news
}

// withSlot returns a value with the slot at which it was read, as in notifications.
func withSlot(slot uint64, value any) map[string]any {
	return map[string]any{"context": map[string]uint64{"slot": slot}, "value": value}
}
