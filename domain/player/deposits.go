package player

import (
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
)

// Claims records a player's claim to a deposit, with the verdict on it. A
// verdict of Credited pays it in the same change; the item must then have
// claimed the credit's key. A claim that was rejected may be made again and then
// takes one of the open places again; UpdatedAt is when the present verdict was
// first given, so that asking again doesn't put off the end of waiting.
func Claims(v View, c deposit.Claim, verdict deposit.Verdict, now time.Time) (Change, error) {
	existing, known := v.Deposits[c.Ref]
	switch {
	case existing.Status == deposit.Credited:
		return Change{}, fault.New(fault.InvalidState, "the claim is credited already").With("status", string(existing.Status))
	case verdict.Status == deposit.Pending && existing.Status != deposit.Pending && v.OpenDeposits >= deposit.OpenMax:
		return Change{}, fault.New(fault.TooManyOpen, "%d deposits are waiting for the chain already", v.OpenDeposits)
	case known:
		c = existing
	}
	balance := v.Balances[c.Token]
	if verdict.Status != deposit.Credited {
		judged := c.Judged(verdict.Status, verdict.Reason, now)
		if known && existing.Status == judged.Status && existing.Reason == judged.Reason {
			judged.UpdatedAt = existing.UpdatedAt
		}
		judged.Amount = verdict.Amount
		return Change{Deposit: &judged, Balance: balance}, nil
	}
	after, ok := balance.Add(verdict.Amount)
	if !ok {
		parked := c.Judged(deposit.Review, deposit.AmountTooLarge, now)
		parked.Amount = verdict.Amount
		return Change{Deposit: &parked, Balance: balance}, nil
	}
	credited, transfers := c.Credit(verdict.Amount, now)
	return Change{
		Deposit: &credited, Balance: after,
		Postings: []ledger.Posting{{Key: credited.Key(), Transfers: transfers}},
	}, nil
}
