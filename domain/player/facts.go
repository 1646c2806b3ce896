package player

import (
	"strconv"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// Facts inform listeners of changes that no thing's event covers. A plain bet and a
// provider's transaction have none: their own rows contain the balance after them.

// balanceBooked reports whether the balance after a posting is a fact.
func (c *Change) balanceBooked(p *ledger.Posting) bool {
	switch p.Key.Kind {
	case ledger.Round:
		return c.Round != nil && c.Round.Stepped()
	case ledger.ProviderDebit, ledger.ProviderCredit, ledger.ProviderReview, ledger.ProviderRollback:
		return false
	}
	return true
}

// coverBalances adds the balance after each posting that moves it, in order.
func coverBalances(made []event.Event, before *View, c *Change) []event.Event {
	own := ledger.PlayerOf(before.Player.Wallet)
	for i := range c.Postings {
		p := &c.Postings[i]
		if !c.balanceBooked(p) {
			continue
		}
		for j := range p.Transfers {
			token := p.Transfers[j].Token
			if by, first := movedBy(p, own, token, j); first && by != 0 {
				made = append(made, balanceFact(before.Player, p.Key, token, by, before.balanceBy(c, i, token)))
			}
		}
	}
	return made
}

// movedBy returns how much a posting moves an account in a token; first reports that no
// transfer before the j-th is of the token.
func movedBy(p *ledger.Posting, own ledger.Account, token money.Token, j int) (by int64, first bool) {
	for i := range p.Transfers {
		t := &p.Transfers[i]
		if t.Token != token {
			continue
		}
		if i < j {
			return 0, false
		}
		if t.Debit == own {
			by -= int64(t.Amount)
		}
		if t.Credit == own {
			by += int64(t.Amount)
		}
	}
	return by, true
}

// balanceBy returns the player's balance after the i-th posting of the change.
func (v *View) balanceBy(c *Change, i int, token money.Token) money.Amount {
	return v.balanceAfter(&Change{Postings: c.Postings[:i+1]}, token)
}

func balanceFact(p Player, key ledger.Key, token money.Token, by int64, after money.Amount) event.Event {
	return event.New(event.Balance, BalanceFactID(key, token), p.Wallet, event.Text("token", token), event.Int("amount", by),
		event.Int("balance", after), event.Text("cause", key.Kind), event.Text("of", key.ID))
}

// BalanceFactID returns the id of the fact of a player's balance in a token after a
// posting.
func BalanceFactID(key ledger.Key, token money.Token) string {
	return string(key.Kind) + "/" + key.Scope + "/" + key.ID + "/" + string(token)
}

// coverSession adds the beginning and expiry of a session.
func coverSession(made []event.Event, _ *View, c *Change) []event.Event {
	s := c.Session
	id := string(s.Wallet) + "/" + strconv.FormatInt(s.IssuedAt.UnixMicro(), 10)
	return append(made, event.New(event.Session, id, s.Wallet, event.Time("issuedAt", s.IssuedAt), event.Time("until", s.Until)))
}

// coverSignout adds the end of sessions.
func coverSignout(made []event.Event, before *View, c *Change) []event.Event {
	from := c.Player.SessionsFrom
	if !before.Player.Known() || !from.After(before.Player.SessionsFrom) {
		return made
	}
	id := string(c.Player.Wallet) + "/" + strconv.FormatInt(from.UnixMicro(), 10)
	return append(made, event.New(event.Signout, id, c.Player.Wallet, event.Time("from", from)))
}

// protects are the actions that change a player's restrictions or agent.
var protects = map[audit.Action]bool{
	audit.LimitsChanged: true, audit.PlayerExcluded: true, audit.PlayerCooledOff: true,
	audit.PlayerFrozen: true, audit.PlayerReleased: true, audit.PlayerRebinding: true,
}

// coverProtection adds the actor of a change of the player's protection, and the new
// protection.
func coverProtection(made []event.Event, before *View, c *Change) []event.Event {
	for i := range c.Audit {
		r := &c.Audit[i]
		if !protects[r.Action] || c.Player == nil {
			continue
		}
		fact := event.New(event.Protection, r.ID, c.Player.Wallet, event.Text("action", r.Action), event.Text("by", r.By))
		if c.Rebinding != nil {
			fact.Fields = append(fact.Fields, event.Text("from", c.Rebinding.From))
		}
		fact.Fields = append(fact.Fields, c.Player.Covered().Fields...)
		made = append(made, fact)
	}
	return made
}

// coverFunding adds the balance of an agent's prepaid account after a booking.
func coverFunding(made []event.Event, _ *View, c *Change) []event.Event {
	f := c.Funding
	if f == nil {
		return made
	}
	return append(made, event.New(event.Funding, f.ID, "", event.Text("agent", f.Ref.Agent), event.Text("token", f.Ref.Token),
		event.Int("amount", f.Amount), event.Int("balance", f.Balance), event.Text("reason", f.Reason), event.Text("by", f.By),
		event.Time("at", f.At)))
}
