package audit

import (
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// facts holds the facts of a block against what it books: of each booking that moved a
// player's balance, and says it nowhere else, there is one, with its amount. Other facts
// are held against nothing.
func (a *Auditor) facts(at place, c hashchain.Content) {
	booked := bookedFacts(c)
	for _, e := range c.Events {
		if !e.Kind.Fact() {
			continue
		}
		if e.Was != "" || len(e.Fields) == 0 {
			a.found("%s: %s %s is a fact, and follows another", at, e.Kind, e.ID)
		}
		if e.Kind != event.Balance {
			continue
		}
		said := movedBalance{e.Wallet, money.Token(e.Value("token")), money.TotalOfInt(e.Number("amount"))}
		if was, ok := booked[e.ID]; !ok || was != said {
			a.found("%s: %s %s says %v of %s to %s, which was not booked", at, e.Kind, e.ID, said.by, said.token, said.wallet)
		}
		delete(booked, e.ID)
	}
	for id, was := range booked {
		a.found("%s: no event says that the balance of %s changed by %v of %s (%s)", at, was.wallet, was.by, was.token, id)
	}
}

// movedBalance is what a posting made of a player's balance.
type movedBalance struct {
	wallet wallet.Address
	token  money.Token
	by     money.Total
}

// bookedFacts are the facts that the postings of a block must have, by their ids. Rounds
// of one call and providers' transactions say the balance themselves.
func bookedFacts(c hashchain.Content) map[string]movedBalance {
	booked := map[string]movedBalance{}
	var steps map[string]bool
	for i := range c.Rounds {
		if c.Rounds[i].Stepped() {
			if steps == nil {
				steps = map[string]bool{}
			}
			steps[c.Rounds[i].ID] = true
		}
	}
	for i := range c.Postings {
		p := &c.Postings[i]
		switch p.Key.Kind {
		case ledger.ProviderDebit, ledger.ProviderCredit, ledger.ProviderReview:
			continue
		case ledger.Round:
			if !steps[p.Key.ID] {
				continue
			}
		}
		for _, t := range p.Transfers {
			add := func(of ledger.Account, by money.Total) {
				if of.Kind != ledger.Player {
					return
				}
				id := player.BalanceFactID(p.Key, t.Token)
				was := booked[id]
				if booked[id] = (movedBalance{wallet.Address(of.Owner), t.Token, was.by.Add(by)}); booked[id].by.Sign() == 0 {
					delete(booked, id)
				}
			}
			add(t.Debit, money.TotalOf(t.Amount).Neg())
			add(t.Credit, money.TotalOf(t.Amount))
		}
	}
	return booked
}
