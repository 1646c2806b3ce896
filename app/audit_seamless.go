package app

import (
	"fmt"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
)

// transactions holds providers' transactions against their transfers, both ways,
// and adds up what they make of the kept figures.
func (a *Auditor) transactions(block string, c hashchain.Content) {
	posted := map[ledger.Key]ledger.Posting{}
	for _, p := range c.Postings {
		switch p.Key.Kind {
		case ledger.ProviderDebit, ledger.ProviderCredit, ledger.ProviderReview:
			posted[p.Key] = p
		}
	}
	for _, t := range c.Seamless {
		a.report.Transactions++
		for _, want := range t.Postings() {
			if fmt.Sprint(want) != fmt.Sprint(posted[want.Key]) {
				a.found("%s: provider transaction %s is not what was booked for it", block, t.ID)
			}
			delete(posted, want.Key)
		}
		if key, cell, counts := figure.OfSeamless(t); counts {
			a.daily[key] = a.daily[key].Add(cell)
		}
	}
	for key := range posted {
		a.found("%s: transfers of %v without the provider's transaction", block, key)
	}
}
