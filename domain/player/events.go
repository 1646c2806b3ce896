package player

import (
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Events returns the events of a change, which blocks cover besides its postings, round,
// provider's transaction and audit records. The view is the wallet's before the change,
// with the data that its item needed. A round alone has no events.
func (v *View) Events(c *Change) []event.Event {
	var made []event.Event
	for _, t := range things {
		if t.covers != nil && (t.in == nil || t.in(c)) {
			made = t.covers(made, v, c)
		}
	}
	return made
}

// Covered returns the player's values that blocks cover: all but the use of limits.
func (p Player) Covered() event.Event {
	fields := []event.Field{
		event.Text("agent", p.Agent), event.Time("createdAt", p.CreatedAt), event.Time("sessionsFrom", p.SessionsFrom),
		event.Time("excludedUntil", p.Protection.ExcludedUntil), event.Flag("excluded", p.Protection.Excluded),
		event.Flag("frozen", p.Protection.Frozen), event.Time("coolOffUntil", p.Protection.CoolOffUntil),
	}
	for _, l := range p.Protection.Limits {
		fields = append(fields, limitFields(l)...)
	}
	for _, d := range p.Protection.Owed {
		fields = append(fields, event.Int("owed."+string(d.Token), d.Amount))
	}
	return event.New(event.Player, string(p.Wallet), p.Wallet, fields...)
}

func limitFields(l protection.Limit) []event.Field {
	name := string(l.Kind) + "." + string(l.Period) + "." + string(l.Token)
	if l.Imposed {
		name = string(protection.Operator) + "." + name
	}
	return []event.Field{
		// A limit of zero is a limit, so its amount is always written.
		event.Text(name, strconv.FormatInt(int64(l.Amount), 10)), event.Time(name+".from", l.From), event.Int(name+".next", l.Next),
		event.Flag(name+".lifted", l.Lifted), event.Time(name+".nextAt", l.NextAt),
	}
}

// Covered returns the login's values that blocks cover.
func (l Login) Covered() event.Event {
	return event.New(event.Login, string(l.Wallet)+"/"+strconv.FormatInt(l.Timestamp, 10), l.Wallet, event.Time("keepUntil", l.KeepUntil))
}

// Covered returns the vote's values that blocks cover.
func (y Vote) Covered() event.Event {
	id := y.Of + "/" + string(y.By) + "/" + strconv.FormatInt(y.At.UnixMicro(), 10)
	return event.New(event.Vote, id, y.Wallet, event.Flag("credit", y.Credit), event.Text("destination", y.Destination),
		event.Text("token", y.Token), event.Int("amount", y.Amount), event.Text("grantedBy", y.GrantedBy), event.Time("grantedAt", y.GrantedAt),
		event.Flag("passes", y.Passes), event.Time("after", y.After), event.Time("afterOwn", y.AfterOwn))
}

// Covered returns the adjustment's values that blocks cover.
func (a Adjustment) Covered() event.Event {
	return event.New(event.Adjustment, a.ID, a.Wallet, event.Text("kind", a.Kind.String()), event.Text("token", a.Token),
		event.Int("amount", a.Amount), event.Text("reason", a.Reason), event.Text("by", a.By), event.Time("at", a.At),
		event.Text("reference", a.Reference))
}

// eventOf returns the event of a thing, which follows before if known.
func eventOf(before, after event.Event, known bool) event.Event {
	if known {
		return after.After(before)
	}
	return after
}

func coverPlayer(made []event.Event, before *View, c *Change) []event.Event {
	next := eventOf(before.Player.Covered(), c.Player.Covered(), before.Player.Known())
	if next.Was == next.Digest() { // only the use of a limit changed
		return made
	}
	return coverSignout(append(made, next), before, c)
}

func coverLogin(made []event.Event, _ *View, c *Change) []event.Event {
	return append(made, c.Login.Covered())
}

// coverPair covers a new or replaced pair, but not one that a round advances.
func coverPair(made []event.Event, before *View, c *Change) []event.Event {
	old, p, w := &before.Pair, c.Pair, before.Player.Wallet
	if p.ID == old.ID {
		return made
	}
	next := p.ID
	if c.Unplayed != nil {
		next = c.Unplayed.ID
	}
	if c.Retired != nil {
		made = append(made, c.Retired.Covered(w, next).After(old.Covered(w)))
	}
	if c.Closing != nil {
		made = append(made, c.Closing.Covered(w).After(old.Covered(w)))
	}
	if c.Unplayed != nil {
		made = append(made, c.Unplayed.Covered(w, p.ID).After(old.Next.Covered(w)))
		return append(made, p.Covered(w), p.Next.Covered(w))
	}
	return append(made, eventOf(old.Next.Covered(w), p.Covered(w), old.ID != ""), p.Next.Covered(w))
}

func coverWithdrawal(made []event.Event, before *View, c *Change) []event.Event {
	old, known := before.Withdrawals[c.Withdrawal.ID]
	return append(made, eventOf(old.Covered(), c.Withdrawal.Covered(), known))
}

func coverAttempt(made []event.Event, _ *View, c *Change) []event.Event {
	w := c.Withdrawal
	if c.Attempt != nil {
		made = append(made, c.Attempt.Covered(w.Wallet))
	}
	if c.DeadAttempt != 0 {
		made = append(made, withdrawal.CoveredDead(w.ID, c.DeadAttempt, w.Wallet))
	}
	return made
}

func coverDeposit(made []event.Event, before *View, c *Change) []event.Event {
	old, known := before.Deposits[c.Deposit.Ref]
	return append(made, eventOf(old.Covered(), c.Deposit.Covered(), known))
}

func coverAdjustment(made []event.Event, _ *View, c *Change) []event.Event {
	return append(made, c.Adjustment.Covered())
}

func coverApproval(made []event.Event, before *View, c *Change) []event.Event {
	old, known := before.Approvals[c.Approval.ID]
	return append(made, eventOf(old.Covered(), c.Approval.Covered(), known))
}

func coverVotes(made []event.Event, _ *View, c *Change) []event.Event {
	for _, y := range c.Votes {
		made = append(made, y.Covered())
	}
	return made
}

// FromCovered returns the player of an event that Covered made, or of an
// event.Protection fact, which repeats a part of it. Meters aren't covered.
func FromCovered(e event.Event) Player {
	p := Player{Wallet: e.Wallet, Agent: e.Value("agent"), CreatedAt: e.At("createdAt"), SessionsFrom: e.At("sessionsFrom")}
	p.Protection = protection.State{
		ExcludedUntil: e.At("excludedUntil"), Excluded: e.Value("excluded") != "", Frozen: e.Value("frozen") != "",
		CoolOffUntil: e.At("coolOffUntil"),
	}
	for _, f := range e.Fields {
		if token, owed := strings.CutPrefix(f.Name, "owed."); owed {
			p.Protection.Owed = append(p.Protection.Owed, protection.Debt{Token: money.Token(token), Amount: money.Amount(e.Number(f.Name))})
		} else if l, found := limitIn(f.Name, e); found {
			p.Protection.Limits = append(p.Protection.Limits, l)
		}
	}
	return p
}

// limitIn parses the limit with its amount in the named field.
func limitIn(name string, e event.Event) (l protection.Limit, found bool) {
	of, imposed := strings.CutPrefix(name, string(protection.Operator)+".")
	part := strings.Split(of, ".")
	if len(part) != 3 {
		return l, false
	}
	return protection.Limit{
		Kind: protection.Kind(part[0]), Period: protection.Period(part[1]), Token: money.Token(part[2]), Imposed: imposed,
		Amount: money.Amount(e.Number(name)), From: e.At(name + ".from"), Next: money.Amount(e.Number(name + ".next")),
		Lifted: e.Value(name+".lifted") != "", NextAt: e.At(name + ".nextAt"),
	}, true
}
