package sqlstore

import (
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// decidedItem is what becomes of one item: what its decision sees, what it decides, and the
// view after it. A writer keeps one for all its items, because what the law is asked
// with would otherwise be made anew for each.
type decidedItem struct {
	seen, next player.View
	change     player.Change
}

// accept holds the change against the law, and makes the view and the
// balances of holds after it.
func (d *decidedItem) accept(o *output, item *player.Item, h *holdings) (map[string]money.Amount, error) {
	if err := player.Check(item, &d.seen, &d.change); err != nil {
		return nil, err
	}
	if err := o.unique(h, &d.seen, &d.change); err != nil {
		return nil, err
	}
	d.next = h.view
	if err := d.next.Apply(&d.change); err != nil {
		return nil, err
	}
	held, err := h.holdsAfter(d.change.Postings)
	if err != nil {
		return nil, err
	}
	if w := d.change.Withdrawal; w != nil {
		due := money.Amount(0)
		if w.Status.Open() {
			due = w.Held()
		}
		if held[w.ID] != due { // by the law only what was stored can be wrong
			return nil, defect("withdrawal %s is %s and its hold has %d of %d", w.ID, w.Status, held[w.ID], w.Held())
		}
	}
	return held, nil
}

// unique finds what a change begins under an id that this batch knows already. What
// it doesn't know the keys of the tables tell.
func (o *output) unique(h *holdings, seen *player.View, c *player.Change) error {
	if w := c.Withdrawal; w != nil {
		if _, known := seen.Withdrawals[w.ID]; !known && o.hasTransaction(h, w.ID) {
			return thereAlready("transaction", w.ID)
		}
	}
	if d := c.Deposit; d != nil {
		if _, known := seen.Deposits[d.Ref]; !known && o.hasTransaction(h, d.ID) {
			return thereAlready("transaction", d.ID)
		}
	}
	if a := c.Adjustment; a != nil && o.hasTransaction(h, a.ID) {
		return thereAlready("transaction", a.ID)
	}
	if a := c.Approval; a != nil {
		_, known := seen.Approvals[a.ID]
		_, loaded := h.view.Approvals[a.ID]
		if _, staged := o.approvals[a.ID]; !known && (loaded || staged) {
			return thereAlready("request", a.ID)
		}
	}
	for i := range c.Routes {
		id := c.Routes[i].ID
		_, known := seen.Routes[id]
		_, loaded := h.view.Routes[id]
		if _, staged := o.routes[id]; !known && (loaded || staged) {
			return thereAlready("route", id)
		}
	}
	if p := c.Pair; p != nil && p.ID != seen.Pair.ID {
		_, loaded := h.pairs[p.Next.ID]
		if _, staged := o.pairs[p.Next.ID]; loaded || staged {
			return thereAlready("seed pair", p.Next.ID)
		}
	}
	return nil
}

func (o *output) hasTransaction(h *holdings, id string) bool {
	_, loaded := h.rows[id]
	_, staged := o.transactions[id]
	return loaded || staged
}

func thereAlready(what, id string) error { return defect("%s %s is there already", what, id) }
