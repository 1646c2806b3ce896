package httpapi

import (
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/adapters/httpapi/internal/shape"
	"github.com/casino-service/casino/adapters/httpapi/internal/sheet"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// accountRoutes returns the routes of sign-in, balances, limits, exclusions and transactions.
func (a *API) accountRoutes() []route {
	return []route{
		{operation.Login, anyone, loginWindow, a.login},
		{operation.Logout, leavers, noWindow, a.logout},
		{operation.Balance, players, noWindow, a.balance},
		{operation.PlaySession, players, noWindow, a.playSession},
		{operation.Limits, players, noWindow, a.playerLimits},
		{operation.SetLimits, players, limitsWindow, a.setLimits},
		{operation.ConfirmLimits, players, limitsWindow, a.confirmLimits},
		{operation.Exclude, players, accountWindow, a.exclude},
		{operation.CoolOff, players, accountWindow, a.coolOff},
		{operation.AccountTransactions, players, noWindow, a.accountTransactions},
		{operation.AdminLimits, admins(rbac.AdminRead), noWindow, a.adminLimits},
		{operation.AdminSetLimits, admins(rbac.AdminWrite), noWindow, a.adminSetLimits},
		{operation.AdminExclude, admins(rbac.AdminWrite), noWindow, a.adminExclude},
		{operation.Freeze, admins(rbac.AdminWrite), noWindow, a.freeze},
		{operation.AdminTransactions, admins(rbac.AdminRead), noWindow, a.adminTransactions},
	}
}

// agentCodeMax is the longest agent code, in characters.
const agentCodeMax = 64

func (a *API) login(r *request) (answer, error) {
	f := r.readBody()
	request := accounts.SignInRequest{
		Wallet:    f.Wallet(),
		Timestamp: f.Integer("timestamp", 0, math.MaxInt64),
		Signature: f.Signature(),
		AgentCode: f.Limited("agentCode", agentCodeMax),
		RequestID: r.caller.RequestID, Remote: r.caller.Remote,
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	opened, err := a.casino.Accounts.SignIn(r.ctx, request)
	if err != nil {
		return answer{}, err
	}
	return ok(api.Session{Token: opened.Token, Wallet: string(opened.Wallet), ExpiresAt: unixMillis(opened.ExpiresAt)}), nil
}

func (a *API) logout(r *request) (answer, error) {
	return answer{status: http.StatusNoContent}, a.casino.Accounts.SignOut(r.ctx, r.caller)
}

func (a *API) playSession(r *request) (answer, error) {
	began, played, err := a.casino.Accounts.PlaySession(r.ctx, r.caller)
	return ok(api.PlaySessionResponse{StartedAt: unixMillis(began), Tokens: mapEach(played, playedOf)}), err
}

func playedOf(p session.Played) api.PlayedToken {
	return api.PlayedToken{
		Token: string(p.Token), Rounds: p.Rounds, Wagered: totalNumber(p.Wagered), Won: totalNumber(p.Won), Net: totalNumber(p.Net()), NetDeposits: totalNumber(p.Deposited),
	}
}

// limitsOf returns each limit, followed by its pending change if it has one.
func limitsOf(s protection.State) []api.Limit {
	all := []api.Limit{}
	for _, l := range s.Limits {
		row := api.Limit{Kind: l.Kind, Period: l.Period, Token: string(l.Token), Amount: (*int64)(&l.Amount), By: l.By(), EffectiveAt: unixMillis(l.From)}
		all = append(all, row)
		if !l.NextAt.IsZero() {
			row.Amount, row.EffectiveAt, row.Pending = (*int64)(&l.Next), unixMillis(l.NextAt), true
			if l.Lifted {
				row.Amount = nil
			}
			all = append(all, row)
		}
	}
	return all
}

func limitsAnswer(s protection.State, err error) (answer, error) {
	return ok(api.LimitsResponse{Limits: limitsOf(s)}), err
}

var limitMembers = shape.Body(api.LimitRequest{})

// limitsWanted reads the required member "limits".
func limitsWanted(f *parse.Fields) (all []protection.LimitRequest) {
	f.Each("limits", protection.LimitsMax, limitMembers, func(one *parse.Fields) {
		all = append(all, protection.LimitRequest{
			Kind: protection.Kind(one.Text("kind")), Period: protection.Period(one.Text("period")),
			Token: money.Token(one.Token()), Amount: money.Amount(one.AmountFrom("amount", 0)),
		})
	})
	return all
}

func (a *API) playerLimits(r *request) (answer, error) {
	return limitsAnswer(a.casino.Accounts.Protection(r.ctx, r.caller))
}

func (a *API) setLimits(r *request) (answer, error) {
	f := r.readBody()
	limits := limitsWanted(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	return limitsAnswer(a.casino.Accounts.SetLimits(r.ctx, r.caller, limits))
}

func (a *API) confirmLimits(r *request) (answer, error) {
	return limitsAnswer(a.casino.Accounts.ConfirmLimits(r.ctx, r.caller))
}

func (a *API) adminLimits(r *request) (answer, error) {
	return limitsAnswer(a.casino.Accounts.AdminProtection(r.ctx, r.caller, r.params["wallet"]))
}

func (a *API) adminSetLimits(r *request) (answer, error) {
	f := r.readBody()
	limits, reason := limitsWanted(f), f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return limitsAnswer(a.casino.Accounts.AdminSetLimits(r.ctx, r.caller, r.params["wallet"], reason, limits))
}

func (a *API) exclusionOf(s protection.State) api.Exclusion {
	return exclusionAt(s, a.casino.Clock.Now())
}

// exclusionAt returns the player's exclusions as of a time.
func exclusionAt(s protection.State, now time.Time) api.Exclusion {
	body := api.Exclusion{Status: s.Status(now), Permanent: s.Excluded, CoolOffUntil: unixMillisOrNull(s.CoolOffUntil)}
	if !s.Excluded {
		body.Until = unixMillisOrNull(s.ExcludedUntil)
	}
	return body
}

func (a *API) exclusionAnswer(s protection.State, err error) (answer, error) {
	return ok(api.ExclusionResponse{Exclusion: a.exclusionOf(s)}), err
}

// exclusionWanted reads exactly one of "until" and "permanent".
func exclusionWanted(f *parse.Fields) (until time.Time, permanent bool) {
	if !f.Has("permanent") {
		return time.UnixMilli(f.Integer("until", 0, parse.TimeMax)).UTC(), false
	}
	if permanent = f.Bool("permanent"); !permanent {
		f.Refuse("permanent", "can only be true; a permanent exclusion can't be revoked")
	}
	if f.Has("until") {
		f.Refuse("until", "can't be used together with permanent")
	}
	return time.Time{}, permanent
}

func (a *API) exclude(r *request) (answer, error) {
	f := r.readBody()
	until, permanent := exclusionWanted(f)
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.Exclude(r.ctx, r.caller, until, permanent))
}

func (a *API) coolOff(r *request) (answer, error) {
	f := r.readBody()
	until := time.UnixMilli(f.Integer("until", 0, parse.TimeMax)).UTC()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.CoolOff(r.ctx, r.caller, until))
}

func (a *API) adminExclude(r *request) (answer, error) {
	f := r.readBody()
	until, permanent := exclusionWanted(f)
	reason := f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.AdminExclude(r.ctx, r.caller, r.params["wallet"], reason, until, permanent))
}

func (a *API) freeze(r *request) (answer, error) {
	f := r.readBody()
	frozen, reason := f.Bool("frozen"), f.Reason()
	if f.Err != nil {
		return answer{}, f.Err
	}
	return a.exclusionAnswer(a.casino.Accounts.SetFrozen(r.ctx, r.caller, r.params["wallet"], reason, frozen))
}

func transactionOf(t ports.Transaction) api.Transaction {
	body := api.Transaction{
		ID: t.ID, Type: string(t.Type), Direction: "debit", Status: t.Status, Token: string(t.Token),
		Destination: orNull(t.Destination), Signature: orNull(t.Signature), Reason: orNull(t.Reason),
		Corrects: orNull(t.Corrects), CorrectedBy: orNull(t.CorrectedBy),
		CreatedAt: unixMillis(t.CreatedAt), UpdatedAt: unixMillis(t.UpdatedAt),
	}
	if t.Credit {
		body.Direction = "credit"
	}
	if t.Amount > 0 {
		amount := int64(t.Amount)
		body.Amount = &amount
	}
	return body
}

func adminTransactionOf(t ports.Transaction) api.AdminTransaction {
	return api.AdminTransaction{Transaction: transactionOf(t), Wallet: string(t.Wallet)}
}

// transactionFilter reads the filters that players and admins have.
func transactionFilter(q *parse.Query) ports.TransactionFilter {
	return ports.TransactionFilter{
		Type:   ports.TransactionType(q.Choice("type", mapEach(ports.TransactionTypes(), func(t ports.TransactionType) string { return string(t) })...)),
		Status: q.Choice("status", transactionStatuses()...),
		Token:  q.Token(), From: q.Time("from"), To: q.Time("to"),
	}
}

func (a *API) accountTransactions(r *request) (answer, error) {
	return list[ports.TransactionFilter, ports.Transaction, api.Transaction, api.TransactionPage]{
		filter: transactionFilter,
		page: func(ctx context.Context, filter ports.TransactionFilter, page ports.Page) ([]ports.Transaction, ports.PageInfo, error) {
			found, err := a.casino.Accounts.AccountTransactions(ctx, r.caller, filter, page)
			return found.Transactions, found.PageInfo, err
		},
		row: transactionOf,
	}.servePage(a, r)
}

func (a *API) adminTransactions(r *request) (answer, error) {
	return list[ports.TransactionFilter, ports.Transaction, api.AdminTransaction, api.AdminTransactionPage]{
		filter: func(q *parse.Query) ports.TransactionFilter {
			filter := transactionFilter(q)
			filter.Wallet, filter.Agent = q.Wallet(), q.Text("agentCode")
			return filter
		},
		page: func(ctx context.Context, filter ports.TransactionFilter, page ports.Page) ([]ports.Transaction, ports.PageInfo, error) {
			found, err := a.casino.Admin.AdminTransactions(ctx, r.caller, filter, page)
			return found.Transactions, found.PageInfo, err
		},
		row:  adminTransactionOf,
		name: "transactions", columns: transactionColumns,
	}.servePage(a, r)
}

var transactionColumns = sheet.Columns[api.AdminTransaction](
	"id", "createdAt", "updatedAt", "wallet", "type", "direction", "status", "token", "amount", "destination",
	"signature", "reason", "corrects", "correctedBy",
)

// transactionStatuses returns all statuses of transactions: those of deposit claims and of
// withdrawals. Other types have only "completed", which withdrawals have too.
func transactionStatuses() []string {
	all := []string{string(deposit.Pending), string(deposit.Review), string(deposit.Credited), string(deposit.Rejected)}
	for _, status := range withdrawal.Statuses() {
		if !slices.Contains(all, string(status)) {
			all = append(all, string(status))
		}
	}
	return all
}

func balanceOf(b ports.TokenBalance) api.Balance {
	return api.Balance{Token: string(b.Token), Balance: int64(b.Amount)}
}

func (a *API) balance(r *request) (answer, error) {
	at := r.query.Time("at")
	if r.query.Err != nil {
		return answer{}, r.query.Err
	}
	balances, err := a.casino.Accounts.Balances(r.ctx, r.caller, at)
	return ok(api.BalancesResponse{Balances: mapEach(balances, balanceOf)}), err
}
