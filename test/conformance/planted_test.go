package conformance

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// plantedStores are stores in memory with one defect in one method each, and the suite that must
// find it.
var plantedStores = map[string]struct {
	suite string
	plant func(sound Ports) Ports
}{
	"balances in reverse order":                 {"Players", func(p Ports) Ports { return reversedBalances{p} }},
	"rounds include the end of a span":          {"Rounds", func(p Ports) Ports { return longRounds{p} }},
	"transactions of every agent":               {"Transactions", func(p Ports) Ports { return everyAgent{p} }},
	"a lease for every worker":                  {"PayoutQueue", func(p Ports) Ports { return easyLease{p} }},
	"a replay that isn't marked":                {"Writer", func(p Ports) Ports { return unmarkedReplay{p} }},
	"a refusal that is swallowed":               {"Brandings", func(p Ports) Ports { return swallows{p} }},
	"a role's refusal that is swallowed":        {"Roles", func(p Ports) Ports { return swallows{p} }},
	"an open pair that is shown":                {"Seeds", func(p Ports) Ports { return earlyReveal{p} }},
	"a cursor that moves from anywhere":         {"DepositCursors", func(p Ports) Ports { return anyCursor{p} }},
	"exposure that leaves one token out":        {"OpenRounds", func(p Ports) Ports { return noExposure{p} }},
	"a session without its last token":          {"PlaySessions", func(p Ports) Ports { return shortSession{p} }},
	"events of every type":                      {"Events", func(p Ports) Ports { return everyType{p} }},
	"movements newest first":                    {"TreasuryReview", func(p Ports) Ports { return newestMovements{p} }},
	"due webhooks without a limit":              {"WebhookQueue", func(p Ports) Ports { return endlessDue{p} }},
	"open and cleared alarms alike":             {"Alarms", func(p Ports) Ports { return alarmsAlike{p} }},
	"blocks that aren't there":                  {"BlockHashes", func(p Ports) Ports { return anyBlock{p} }},
	"pending claims newest first":               {"Deposits", func(p Ports) Ports { return newestClaims{p} }},
	"sums of every agent":                       {"Reports", func(p Ports) Ports { return everySum{p} }},
	"a role list without its seal":              {"RoleLists", func(p Ports) Ports { return unsealed{p} }},
	"funds with the reservation left out":       {"OperatorFunds", func(p Ports) Ports { return unreserved{p} }},
	"open deliveries from the beginning":        {"Routes", func(p Ports) Ports { return firstDeliveries{p} }},
	"a page without its first row":              {"LedgerPages", func(p Ports) Ports { return shortPages{p} }},
	"withdrawals in a state newest first":       {"Withdrawals", func(p Ports) Ports { return newestWithdrawals{p} }},
	"liabilities without the last":              {"Archive", func(p Ports) Ports { return shortLiabilities{p} }},
	"launches of all players":                   {"Launches", func(p Ports) Ports { return allLaunches{p} }},
	"dead letters that are due, twice":          {"DeadLetters", func(p Ports) Ports { return twiceDue{p} }},
	"a reconciled end that moves from anywhere": {"Reconciliations", func(p Ports) Ports { return anyEnd{p} }},
	"unclaimed amounts one too high":            {"Unclaimed", func(p Ports) Ports { return oneTooMany{p} }},
}

func storeWith(plant func(Ports) Ports) func(*testing.T) Store {
	return func(*testing.T) Store {
		sound := memory.New()
		return Store{Ports: plant(sound), Stop: sound.Stop}
	}
}

type reversedBalances struct{ Ports }

func (p reversedBalances) Balances(ctx context.Context, w wallet.Address) ([]ports.TokenBalance, error) {
	all, err := p.Ports.Balances(ctx, w)
	slices.Reverse(all)
	return all, err
}

type longRounds struct{ Ports }

func (p longRounds) Rounds(ctx context.Context, f ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	if !f.To.IsZero() {
		f.To = f.To.Add(time.Microsecond)
	}
	return p.Ports.Rounds(ctx, f, page)
}

type everyAgent struct{ Ports }

func (p everyAgent) Transactions(ctx context.Context, f ports.TransactionFilter, page ports.Page) (ports.TransactionPage, error) {
	f.Agent = ""
	return p.Ports.Transactions(ctx, f, page)
}

type easyLease struct{ Ports }

func (p easyLease) Lease(ctx context.Context, id, worker string, now, until time.Time) (bool, error) {
	_, err := p.Ports.Lease(ctx, id, worker, now, until)
	return true, err
}

type unmarkedReplay struct{ Ports }

func (p unmarkedReplay) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	receipt, err := p.Ports.Commit(ctx, item)
	receipt.Replayed = false
	return receipt, err
}

type swallows struct{ Ports }

func (p swallows) ChangeBranding(ctx context.Context, by wallet.Address, decide ports.BrandingDecision) error {
	_ = p.Ports.ChangeBranding(ctx, by, decide)
	return nil
}

func (p swallows) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	_ = p.Ports.ChangeRole(ctx, w, decide)
	return nil
}

type earlyReveal struct{ Ports }

func (p earlyReveal) RevealedPair(ctx context.Context, id string) (fairness.Revealed, error) {
	pair, err := p.Ports.RevealedPair(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return fairness.Revealed{ID: id}, nil
	}
	return pair, err
}

type anyCursor struct{ Ports }

func (p anyCursor) Advance(ctx context.Context, token money.Token, from string, to deposit.WatchProgress, parked []deposit.Parked) error {
	err := p.Ports.Advance(ctx, token, from, to, parked)
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	return err
}

type noExposure struct{ Ports }

func (p noExposure) OpenExposure(ctx context.Context, token money.Token) (money.Total, error) {
	if token == usd {
		return money.Total{}, nil
	}
	return p.Ports.OpenExposure(ctx, token)
}

type shortSession struct{ Ports }

func (p shortSession) PlaySession(ctx context.Context, w wallet.Address, issued time.Time) ([]session.Played, error) {
	all, err := p.Ports.PlaySession(ctx, w, issued)
	return all[:min(len(all), 1)], err
}

type everyType struct{ Ports }

func (p everyType) After(ctx context.Context, after stream.Cursor, f stream.Filter, limit int) (stream.Page, error) {
	f.Types = nil
	return p.Ports.After(ctx, after, f, limit)
}

type newestMovements struct{ Ports }

func (p newestMovements) MovementsIn(ctx context.Context, state treasury.State, limit int) ([]treasury.Movement, error) {
	all, err := p.Ports.MovementsIn(ctx, state, limit)
	slices.Reverse(all)
	return all, err
}

type endlessDue struct{ Ports }

func (p endlessDue) WebhooksDue(ctx context.Context, now time.Time, after string, _ int) ([]webhook.Endpoint, error) {
	return p.Ports.WebhooksDue(ctx, now, after, 100)
}

type alarmsAlike struct{ Ports }

func (p alarmsAlike) Alarms(ctx context.Context, f ports.AlarmFilter, page ports.Page) (ports.AlarmPage, error) {
	f.Open = nil
	return p.Ports.Alarms(ctx, f, page)
}

type anyBlock struct{ Ports }

func (p anyBlock) BlocksAt(ctx context.Context, heads []hashchain.Head) ([]hashchain.Head, error) {
	found, err := p.Ports.BlocksAt(ctx, heads)
	if len(found) < len(heads) {
		return append(found, hashchain.Head{Lane: 1, Seq: 1}), err
	}
	return found, err
}

type newestClaims struct{ Ports }

func (p newestClaims) PendingClaims(ctx context.Context, after string, limit int) ([]deposit.Claim, error) {
	all, err := p.Ports.PendingClaims(ctx, after, limit)
	slices.Reverse(all)
	return all, err
}

type everySum struct{ Ports }

func (p everySum) Sums(ctx context.Context, f ports.FigureFilter, by ports.Grouping) ([]ports.DailyFigure, error) {
	f.Agent = ""
	return p.Ports.Sums(ctx, f, by)
}

type unsealed struct{ Ports }

func (p unsealed) RoleList(ctx context.Context) (rbac.List, error) {
	list, err := p.Ports.RoleList(ctx)
	list.Seal = ""
	return list, err
}

type unreserved struct{ Ports }

func (p unreserved) FundsOf(ctx context.Context, code string) ([]ports.FundsLine, error) {
	all, err := p.Ports.FundsOf(ctx, code)
	for i := range all {
		all[i].Reserved = 0
	}
	return all, err
}

type firstDeliveries struct{ Ports }

func (p firstDeliveries) OpenDeliveries(ctx context.Context, _ string, limit int) ([]seamless.Delivery, error) {
	return p.Ports.OpenDeliveries(ctx, "", limit)
}

type shortPages struct{ Ports }

func (p shortPages) LedgerPage(ctx context.Context, part ports.LedgerPart, after string, limit int) (ports.LedgerPage, error) {
	page, err := p.Ports.LedgerPage(ctx, part, after, limit)
	if len(page.Rows) > 1 {
		page.Rows = page.Rows[1:]
	}
	return page, err
}

type newestWithdrawals struct{ Ports }

func (p newestWithdrawals) WithdrawalsIn(ctx context.Context, status withdrawal.Status, after string, limit int) ([]withdrawal.Withdrawal, error) {
	all, err := p.Ports.WithdrawalsIn(ctx, status, after, limit)
	slices.Reverse(all)
	return all, err
}

type shortLiabilities struct{ Ports }

func (p shortLiabilities) LiabilityBalances(ctx context.Context, visit func(ledger.Balance) error) error {
	return p.Ports.LiabilityBalances(ctx, func(l ledger.Balance) error {
		if l.Account.Kind == ledger.Unclaimed {
			return nil
		}
		return visit(l)
	})
}

type allLaunches struct{ Ports }

func (p allLaunches) LaunchedSince(ctx context.Context, connection string, _ time.Time, after wallet.Address, limit int) ([]seamless.Launch, error) {
	return p.Ports.LaunchedSince(ctx, connection, time.Time{}, after, limit)
}

type twiceDue struct{ Ports }

func (p twiceDue) DeadLettersDue(ctx context.Context, now time.Time, limit int) ([]webhook.DeadLetter, error) {
	all, err := p.Ports.DeadLettersDue(ctx, now, limit)
	return append(all, all...), err
}

type anyEnd struct{ Ports }

func (p anyEnd) AdvanceReconciled(ctx context.Context, connection string, from, to time.Time) error {
	err := p.Ports.AdvanceReconciled(ctx, connection, from, to)
	if fault.Is(err, fault.InvalidState) {
		return nil
	}
	return err
}

type oneTooMany struct{ Ports }

func (p oneTooMany) UnclaimedBalances(ctx context.Context, f ports.UnclaimedFilter, page ports.Page) (ports.UnclaimedPage, error) {
	found, err := p.Ports.UnclaimedBalances(ctx, f, page)
	for i := range found.Balances {
		found.Balances[i].Amount++
	}
	return found, err
}
