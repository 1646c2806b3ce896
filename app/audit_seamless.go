package app

import (
	"context"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// transactions checks providers' transactions against their transfers, both ways, and
// adds up their part of the kept figures.
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
			if !want.Equal(posted[want.Key]) {
				a.found("%s: provider transaction %s is not what was booked for it", block, t.ID)
			}
			delete(posted, want.Key)
		}
		a.plays(t)
		if key, cell, counts := figure.OfSeamless(t); counts {
			a.daily[key] = a.daily[key].Add(cell)
		}
	}
	for key := range posted {
		a.found("%s: transfers of %v without the provider's transaction", block, key)
	}
}

// providerRound is a provider's round as its transactions add up to it. They are read
// lane by lane, so the first transaction may be read last.
type providerRound struct {
	begun        seamless.Round // without an id until the first transaction is read
	paid         money.Total
	transactions int
}

// plays adds a transaction to its round.
func (a *Auditor) plays(t seamless.Transaction) {
	if t.RoundID == "" {
		return
	}
	r := a.providerRounds[t.RoundID]
	if t.ID == t.RoundID {
		r.begun = seamless.Begin(t)
	}
	r.paid, r.transactions = r.paid.AddAmount(t.Paid()), r.transactions+1
	a.providerRounds[t.RoundID] = r
}

// auditProviderRounds compares the stored rounds of providers' games with the sums of
// their transactions. The balance after a round's newest transaction isn't compared
// where it has several, since they may be of several lanes.
func (a *Auditor) auditProviderRounds(ctx context.Context) error {
	err := a.store.ProviderRounds(ctx, func(stored seamless.Round) error {
		made := a.providerRounds[stored.ID]
		delete(a.providerRounds, stored.ID)
		want := made.begun
		if made.transactions > 1 {
			want.Balance = stored.Balance
		}
		want.Payout, want.Credits = stored.Payout, made.transactions-1
		same := want.At.Equal(stored.At)
		want.At = stored.At
		if !same || want != stored || made.paid != money.TotalOf(stored.Payout) {
			a.found("round %s of a provider is not what its transactions make", stored.ID)
		}
		return nil
	})
	for _, id := range slices.Sorted(maps.Keys(a.providerRounds)) {
		a.found("round %s of a provider is missing", id)
	}
	return err
}
