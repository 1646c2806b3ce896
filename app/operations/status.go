package operations

import (
	"context"
	"time"

	"github.com/casino-service/casino/app/payouts"
	apptreasury "github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// OperationsStatus shows operators whether payouts progress, whether the ledger balances,
// and whether the treasury covers the liabilities.
type OperationsStatus struct {
	Withdrawals []OpenWithdrawals
	// Deliveries are the open deliveries to agents' sites.
	Deliveries []OpenDeliveries
	// Wins are providers' wins that wait for an admin, one entry per reason.
	Wins []OpenWins
	// Alarms are the open alarms, one entry per kind; empty without Store.Alarms.
	Alarms []OpenAlarms
	Tokens []TokenStatus
	// Index is the position of the treasury's index, nil if there is no index. Nothing is
	// paid out while it is older than treasury.AgeMax.
	Index *treasury.Position
	// Foreign is the number of the treasury's transactions without a reason; 100 means at
	// least 100.
	Foreign int
	// Heads are the newest blocks, to be kept where the database's owner can't change them;
	// empty without Store.Checkpoints.
	Heads []hashchain.Head
}

// OpenWithdrawals counts the withdrawals in one state that isn't final.
type OpenWithdrawals struct {
	Status withdrawal.Status
	// Count is at most StatusMax, which means at least that many.
	Count int
	// Oldest is the longest time that one of them has been in its state.
	Oldest time.Duration
}

// OpenDeliveries counts the deliveries in one status that isn't final.
type OpenDeliveries struct {
	Status seamless.DeliveryStatus
	// Count is among the StatusMax oldest open deliveries.
	Count int
	// Oldest is the age of the oldest one.
	Oldest time.Duration
}

// OpenWins counts providers' wins that wait for an admin.
type OpenWins struct {
	Reason seamless.Reason
	// Count is among the ports.PageMax newest.
	Count int
}

// StatusMax is the maximum number of withdrawals of a state, and of open deliveries, that
// are counted.
const StatusMax = 1000

// TokenStatus is the state of one token, in base units.
type TokenStatus struct {
	Token  money.Token
	Symbol string
	// Liabilities are owed to players: balances, holds and unclaimed deposits.
	Liabilities money.Total
	// Bankroll is the operator's own money.
	Bankroll money.Total
	// Imbalance is the sum over all accounts. If it isn't zero, the ledger is broken.
	Imbalance money.Total
	// Treasury is the newest comparison of chain and ledger; nil if there is none.
	Treasury *apptreasury.TreasuryState
}

// unfinished are the states of withdrawals that aren't final.
var unfinished = []withdrawal.Status{withdrawal.Pending, withdrawal.Approved, withdrawal.Sending, withdrawal.Failed}

// OperationsStatus reads the status once. The chain's side is the treasury's newest
// comparison; no request is sent to the chain.
func (c *Service) OperationsStatus(ctx context.Context) (OperationsStatus, error) {
	var seen OperationsStatus
	for _, status := range unfinished {
		open, err := c.openWithdrawals(ctx, status)
		if err != nil {
			return OperationsStatus{}, err
		}
		seen.Withdrawals = append(seen.Withdrawals, open)
	}
	var err error
	if seen.Deliveries, err = c.openDeliveries(ctx); err != nil {
		return OperationsStatus{}, err
	}
	if seen.Alarms, err = c.openAlarms(ctx); err != nil {
		return OperationsStatus{}, err
	}
	if seen.Wins, err = c.openWins(ctx); err != nil {
		return OperationsStatus{}, err
	}
	if seen.Heads, err = c.core.Store.Checkpoints.Heads(ctx); err != nil {
		return OperationsStatus{}, err
	}
	if c.payouts.Indexed() {
		position, err := c.core.Store.TreasuryIndex.IndexPosition(ctx)
		if err != nil {
			return OperationsStatus{}, err
		}
		foreign, err := c.core.Store.TreasuryReview.MovementsIn(ctx, treasury.Foreign, payouts.ReviewPage)
		if err != nil {
			return OperationsStatus{}, err
		}
		seen.Index, seen.Foreign = &position, len(foreign)
	}
	totals, err := c.core.Store.Figures.Totals(ctx)
	if err != nil {
		return OperationsStatus{}, err
	}
	for _, terms := range c.core.Tokens.All() {
		t := overseeToken(terms, totals)
		if state, known := c.treasury.Treasury().State(terms.Mint); known {
			t.Treasury = &state
		}
		seen.Tokens = append(seen.Tokens, t)
	}
	return seen, nil
}

func (c *Service) openWithdrawals(ctx context.Context, status withdrawal.Status) (OpenWithdrawals, error) {
	open := OpenWithdrawals{Status: status}
	all, err := c.core.Store.Withdrawals.WithdrawalsIn(ctx, status, "", StatusMax)
	for _, w := range all {
		open.Oldest = max(open.Oldest, c.core.Now().Sub(w.UpdatedAt))
	}
	open.Count = len(all)
	return open, err
}

func (c *Service) openDeliveries(ctx context.Context) ([]OpenDeliveries, error) {
	all, err := c.core.Store.Deliveries.OpenDeliveries(ctx, "", StatusMax)
	if err != nil {
		return nil, err
	}
	var seen []OpenDeliveries
	for _, status := range seamless.DeliveryStatuses() {
		if !status.Open() {
			continue
		}
		open := OpenDeliveries{Status: status}
		for _, r := range all {
			if r.Status == status {
				open.Count++
				open.Oldest = max(open.Oldest, c.core.Now().Sub(r.At))
			}
		}
		seen = append(seen, open)
	}
	return seen, nil
}

// openWins counts wins in review.
func (c *Service) openWins(ctx context.Context) ([]OpenWins, error) {
	page, err := c.core.Store.SeamlessTransactions.SeamlessTransactions(ctx, ports.SeamlessFilter{Open: true}, ports.Page{Number: 1, Limit: ports.PageMax})
	if err != nil {
		return nil, err
	}
	var seen []OpenWins
	for _, reason := range seamless.ReviewReasons() {
		open := OpenWins{Reason: reason}
		for _, t := range page.Transactions {
			if t.Reason == reason {
				open.Count++
			}
		}
		seen = append(seen, open)
	}
	return seen, nil
}

func overseeToken(terms token.Terms, totals []ledger.Balance) TokenStatus {
	t := TokenStatus{Token: terms.Mint, Symbol: terms.Symbol}
	for _, balance := range totals {
		if balance.Token != terms.Mint {
			continue
		}
		kind := balance.Account.Kind
		t.Imbalance = t.Imbalance.Add(balance.Amount)
		if kind.Liability() {
			t.Liabilities = t.Liabilities.Add(balance.Amount)
		}
		if kind.Bankroll() {
			t.Bankroll = t.Bankroll.Add(balance.Amount)
		}
	}
	return t
}

// OpenAlarms counts the open alarms of a kind.
type OpenAlarms struct {
	Kind alarm.Kind
	// Count is among the ports.PageMax newest.
	Count int
}

// openAlarms counts the open alarms of each kind.
func (c *Service) openAlarms(ctx context.Context) ([]OpenAlarms, error) {
	open := true
	page, err := c.core.Store.Alarms.Alarms(ctx, ports.AlarmFilter{Open: &open}, ports.Page{Number: 1, Limit: ports.PageMax, Uncounted: true})
	if err != nil {
		return nil, err
	}
	counted := map[alarm.Kind]int{}
	for _, a := range page.Alarms {
		counted[a.Kind]++
	}
	var seen []OpenAlarms
	for _, e := range alarm.Kinds() {
		seen = append(seen, OpenAlarms{e.Kind, counted[e.Kind]})
	}
	return seen, nil
}
