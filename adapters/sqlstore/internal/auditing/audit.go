// Package auditing reads the data of audits: the audit log, pages of the ledger, seals, and
// proofs of wallets.
package auditing

import (
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/alarms"
	"github.com/casino-service/casino/adapters/sqlstore/internal/approvals"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/chain"
	"github.com/casino-service/casino/adapters/sqlstore/internal/change"
	crashes "github.com/casino-service/casino/adapters/sqlstore/internal/crash"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payments"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/read"
	"github.com/casino-service/casino/adapters/sqlstore/internal/steps"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Store implements ports.AuditLog, ports.AuditRows, ports.LedgerPages, ports.SealedRows and
// ports.WalletProofs.
type Store struct{ *change.Changes }

// Logins is the model of used login messages that have not expired.
var Logins = batch.StoredKeys.Only("scope", "id", "holder", "keep_until")

// WhereLogins is the condition that selects them.
const WhereLogins = "c.kind = '" + string(player.LoginKey) + "' AND c.keep_until IS NOT NULL"

// CoveredLogin returns the event that blocks cover for the sign-in that used a message.
func CoveredLogin(k batch.Key) event.Event {
	e := player.Login{Wallet: wallet.Address(k.Scope), KeepUntil: k.KeepUntil}.Covered()
	e.ID, e.Wallet = k.Scope+"/"+k.ID, k.Wallet
	return e
}

// playersRecord is audit.Record.Part in SQL. The indexes audit_admins and audit_players have the
// same condition.
const playersRecord = "(a.action IN ('session.opened', 'sessions.ended', 'player.first_signed_in', 'admission.decided')" +
	" OR (a.action IN ('limits.changed', 'player.excluded', 'player.cooled_off') AND a.actor = a.target))"

// Records implements ports.AuditLog.
func (s *Store) Records(ctx context.Context, filter ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	l := read.ListOf(chain.Audit, "a.id")
	l.Equals("a.actor", string(filter.By))
	l.Equals("a.target", filter.Target)
	l.Equals("a.action", string(filter.Action))
	switch filter.Part {
	case "":
	case audit.Players:
		l.Is(playersRecord)
	case audit.Admins:
		l.Is("NOT " + playersRecord)
	default: // no record matches
		l.Is("FALSE")
	}
	s.Between(&l, "a.at", filter.From, filter.To, read.RecordSlack)
	found, info, err := read.ListPage(ctx, s.Reads, "list audit records", page, chain.Audit, func(a *audit.Record) string { return a.ID }, l)
	return ports.AuditPage{Records: found, PageInfo: info}, err
}

// thingTable reads rows of a table as the events that blocks cover for them, in key order: all of
// them, or those of a page.
type thingTable func(ctx context.Context, r *read.Reads, doing string, page *read.PageAsk, visit func(event.Event) error) error

// thingsOf returns a thingTable of a source.
func thingsOf[T any](s read.Source[T], key, which string, covered func(T) event.Event) thingTable {
	return func(ctx context.Context, r *read.Reads, doing string, page *read.PageAsk, visit func(event.Event) error) error {
		q := read.From(r, s).Order(key)
		if which != "" {
			q.Where(which)
		}
		if page != nil {
			q.Page(page, key)
		}
		return q.Each(ctx, doing, func(row T) error { return visit(covered(row)) })
	}
}

// thingTables maps kinds of things to their tables.
var thingTables = map[event.Kind]thingTable{
	event.Deposit:    thingsOf(payments.Transactions, "t.id", "t.type = 'deposit'", coveredLine),
	event.Adjustment: thingsOf(payments.Transactions, "t.id", "t.type NOT IN ('deposit', 'withdrawal')", coveredLine),
	event.Request:    thingsOf(approvals.ApprovalRequests, "a.id", "", approval.Approval.Covered),
	event.Vote:       thingsOf(approvals.Votes, "y.subject, y.by_wallet, y.at", "", player.Vote.Covered),
	event.Role:       thingsOf(change.Roles, "r.wallet", "", rbac.Assignment.Covered),
	event.Pair:       thingsOf(play.PairStates, "p.id", "", play.PairState.Covered),
	event.Attempt:    thingsOf(payouts.Attempts, "a.withdrawal_id, a.number", "", payouts.Attempt.Covered),
	event.Login:      thingsOf(Logins, "c.scope, c.id", WhereLogins, CoveredLogin),
	event.Alarm:      thingsOf(alarms.Alarms, "m.id", "", alarm.Alarm.Covered),
	event.CrashChain: thingsOf(crashes.Chains, "c.chain", "", crashes.ChainRow.Covered),
	event.CrashRound: thingsOf(crashes.Rounds, "r.chain, r.number", "", crash.Round.Covered),
	event.OpenRound:  thingsOf(steps.StandingRounds, "r.id", "", bet.Open.Covered),
	event.Player:     thingsOf(accounts.ProtectedPlayers, "p.wallet", "p.created_at IS NOT NULL", player.Player.Covered),
}

func coveredLine(t payments.Transaction) event.Event { return t.Covered(nil) }

// Things implements ports.AuditRows.
func (s *Store) Things(ctx context.Context, kind event.Kind, visit func(event.Event) error) error {
	if kind == event.Withdrawal {
		return s.withdrawalThings(ctx, visit)
	}
	if kind == event.DeadAttempt {
		return read.From(s.Reads, payouts.Attempts).Order("a.withdrawal_id, a.number").Each(ctx, "read payout attempts", func(a payouts.Attempt) error {
			if dead, found := a.CoveredDead(); found {
				return visit(dead)
			}
			return nil
		})
	}
	if table, known := thingTables[kind]; known {
		return table(ctx, s.Reads, "read each "+string(kind), nil, visit)
	}
	return nil
}

// withdrawalsAtOnce is how many withdrawals an audit reads at once, with their approvals.
const withdrawalsAtOnce = 500

// withdrawalThings reads withdrawals a page at a time, each page with its approvals.
func (s *Store) withdrawalThings(ctx context.Context, visit func(event.Event) error) error {
	for after := ""; ; {
		page, err := read.From(s.Reads, payments.Transactions).Where("t.type = 'withdrawal' AND t.id > ?", after).Order("t.id").Limit(withdrawalsAtOnce).
			All(ctx, "read withdrawals")
		if err != nil || len(page) == 0 {
			return err
		}
		last := page[len(page)-1].ID
		given, err := s.approvalsGiven(ctx, after, last)
		if err != nil {
			return err
		}
		for _, t := range page {
			if err := visit(t.Covered(given[t.ID])); err != nil {
				return err
			}
		}
		after = last
	}
}

// approvalsGiven reads the approvals of withdrawals after an id, up to and including last unless
// that is empty.
func (s *Store) approvalsGiven(ctx context.Context, after, last string) (map[string][]withdrawal.Approval, error) {
	given := map[string][]withdrawal.Approval{}
	q := read.From(s.Reads, payments.Approvals).Where("a.withdrawal_id > ?", after).Order("a.withdrawal_id, a.n")
	if last != "" {
		q.Where("a.withdrawal_id <= ?", last)
	}
	return given, q.Each(ctx, "read approvals", func(a payments.Approval) error {
		given[a.WithdrawalID] = append(given[a.WithdrawalID], a.Given())
		return nil
	})
}

// SealedSeeds implements ports.AuditRows.
func (s *Store) SealedSeeds(ctx context.Context, visit func(pair string, wrong error) error) error {
	for after, found := "", sealedAtOnce; found == sealedAtOnce; {
		page, err := read.From(s.Reads, play.SealedSeeds).Where("p.sealed IS NOT NULL AND p.id "+read.Beyond(after)+" ?", s.DB.Dialect.ID(after)).Order("p.id").
			Limit(sealedAtOnce).All(ctx, "read sealed seeds")
		if err != nil {
			return err
		}
		found = len(page)
		for _, sealed := range page {
			id, wrong := sealed.Check(s.Sealer)
			if err := visit(id, wrong); err != nil {
				return err
			}
			after = id
		}
	}
	return nil
}
