package player

import (
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
)

// Claims records a player's claim to a deposit, with the verdict on it. A
// verdict of Credited pays it in the same change; the item must then have
// claimed the credit's key.
func Claims(v View, c deposit.Claim, verdict deposit.Verdict, now time.Time) (Change, error) {
	if existing, ok := v.Deposits[c.Ref]; ok {
		if existing.Status == deposit.Credited {
			return Change{}, fault.New(fault.InvalidState, "the claim is credited already").With("status", string(existing.Status))
		}
		c = existing
	} else if verdict.Status == deposit.Pending && v.OpenDeposits >= deposit.OpenMax {
		return Change{}, fault.New(fault.TooManyOpen, "%d deposits are waiting for the chain already", v.OpenDeposits)
	}
	balance := v.Balances[c.Token]
	if verdict.Status != deposit.Credited {
		judged := c.Judged(verdict.Status, verdict.Reason, now)
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
