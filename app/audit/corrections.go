package audit

import (
	"slices"

	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

func correctionKey(original ledger.Key) []byte {
	return aboutKey(aboutCorrection, string(original.Kind), original.Scope, original.ID)
}

// addCorrections adds a posting that can be corrected, or that corrects another one, to the
// records about the original.
func (a *Auditor) addCorrections(at place, p ledger.Posting) error {
	original := p.Key
	if p.Key.Kind == ledger.Correct {
		named, ok := p.Key.Corrected()
		if !ok || !named.Kind.Correctable() {
			a.addFinding("%s: posting %v corrects %v, which can't be corrected", at, p.Key, named)
			return nil
		}
		original = named
	} else if !p.Key.Kind.Correctable() {
		return nil
	}
	return a.addRecord(correctionKey(original), factRecord, func(r *packed) {
		r.place(at)
		r.text(p.Key.ID)
		r.flag(original != p.Key)
		r.transfers(p.Transfers)
	})
}

// checkLinks checks that each correction of an adjustment in a block is one posting and one
// row, which name the same original.
func (a *Auditor) checkLinks(at place, c hashchain.Content) {
	booked := map[ledger.Key]bool{}
	for _, p := range c.Postings {
		if original, ok := p.Key.Corrected(); ok && original.Scope == "" { // others have no row
			booked[p.Key] = true
		}
	}
	for _, e := range c.Events {
		kind, _ := player.ParseAdjustmentKind(e.Value("kind"))
		if e.Kind != event.Adjustment || !kind.IsCorrection() {
			continue
		}
		row := player.Adjustment{ID: e.ID, Kind: kind, Reference: e.Value("reference")}
		if !booked[row.LedgerKey()] {
			a.addFinding("%s: %s %s says that it corrects %q, which was not booked", at, e.Kind, e.ID, row.Reference)
		}
		delete(booked, row.LedgerKey())
	}
	for key := range booked {
		a.addFinding("%s: posting %v corrects an adjustment without a row", at, key)
	}
}

func (p *packed) transfers(all []ledger.Transfer) {
	p.integer(int64(len(all)))
	for _, t := range all {
		for _, side := range [...]ledger.Account{t.Debit, t.Credit} {
			p.integer(int64(side.Kind))
			p.text(side.Owner)
		}
		p.text(string(t.Token))
		p.integer(int64(t.Amount))
	}
}

func (u *unpacked) transfers() (all []ledger.Transfer) {
	for range u.integer() {
		if u.broken {
			return nil
		}
		account := func() ledger.Account { return ledger.Account{Kind: ledger.Kind(u.integer()), Owner: u.text()} }
		all = append(all, ledger.Transfer{Debit: account(), Credit: account(), Token: money.Token(u.text()), Amount: money.Amount(u.integer())})
	}
	return all
}

// correction is a posting that corrects another one.
type correction struct {
	place
	id        string
	transfers []ledger.Transfer
}

// correctionGroup proves the corrections of a posting: at most one, with its transfers in the
// other direction.
type correctionGroup struct {
	name        string
	original    []ledger.Transfer
	booked      bool
	corrections []correction
	// earlier reports that an earlier audit saw a correction.
	earlier bool
}

func (g *correctionGroup) add(kind byte, from *unpacked) {
	if kind == carriedRecord {
		g.booked, g.earlier = true, from.flag()
		g.original = from.transfers()
		return
	}
	one := correction{place: from.place(), id: from.text()}
	corrects := from.flag()
	if one.transfers = from.transfers(); corrects {
		g.corrections = append(g.corrections, one)
		return
	}
	g.booked, g.original = true, one.transfers
}

func (g *correctionGroup) end(a *Auditor) {
	if g.booked {
		a.leaveRecord([]byte(g.name), func(p *packed) {
			p.flag(g.earlier || len(g.corrections) > 0)
			p.transfers(g.original)
		})
	}
	key := keyOfPosting([]byte(g.name))
	for i, c := range g.corrections {
		switch {
		case !g.booked:
			a.addFinding("%s: correction %s names posting %v, which was not booked", c.place, c.id, key)
		case i > 0 || g.earlier:
			a.addFinding("%s: correction %s is the second one of posting %v", c.place, c.id, key)
		case !reverses(c.transfers, g.original):
			a.addFinding("%s: correction %s does not reverse posting %v", c.place, c.id, key)
		}
	}
}

// reverses reports whether the transfers are those of a posting in the other direction. Money
// that goes back to a wallet's unclaimed account may go on to its balance.
func reverses(transfers, original []ledger.Transfer) bool {
	back := ledger.Posting{Transfers: original}.Reversed("").Transfers
	if len(transfers) < len(back) || !slices.Equal(transfers[:len(back)], back) {
		return false
	}
	rest := transfers[len(back):]
	if len(rest) == 0 {
		return true
	}
	last := back[len(back)-1]
	onward := ledger.Transfer{
		Debit: last.Credit, Credit: ledger.Account{Kind: ledger.Player, Owner: last.Credit.Owner}, Token: last.Token, Amount: last.Amount,
	}
	return last.Credit.Kind == ledger.Unclaimed && len(rest) == 1 && rest[0] == onward
}
