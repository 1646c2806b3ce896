package recovery

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// NamedRestrictions is a place that keeps restrictions, with its name in logs.
type NamedRestrictions struct {
	Name string
	ports.Restrictions
}

// RestrictionKeeper keeps restrictions outside the database, after their commit and before
// the caller gets the answer. Its methods wrap the ports that make restrictions. Its zero
// value keeps nothing.
type RestrictionKeeper struct {
	Places   []NamedRestrictions
	Controls ports.Controls
	Logger   *slog.Logger
}

// keepTime is the maximum time that a caller waits for a restriction to be kept.
const keepTime = 2 * time.Second

// keepAll keeps restrictions in each place. A restriction that can't be kept is in force
// anyway; the error is logged, and a recovery may lack it.
func (k RestrictionKeeper) keepAll(ctx context.Context, all ...restriction.Restriction) {
	if len(k.Places) == 0 || len(all) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime) // it is already committed
	defer cancel()
	state, err := k.Controls.State(ctx)
	if err == nil && state.Restored != nil {
		// The decision did not see lost restrictions, so keep the tighter of both.
		all = tightenedByKept(all, KeptRestrictions(ctx, state.Ledger, k.Places))
	}
	for _, place := range k.Places {
		failed := err
		if failed == nil {
			failed = place.Keep(ctx, state.Ledger, all)
		}
		if failed != nil {
			k.logger().ErrorContext(ctx, "a restriction is not kept outside the database", "place", place.Name, "kind", string(all[0].Kind),
				"subject", all[0].Subject, "error", failed.Error())
		}
	}
}

func (k RestrictionKeeper) logger() *slog.Logger {
	if k.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return k.Logger
}

func tightenedByKept(all []restriction.Restriction, kept ReadRestrictions) []restriction.Restriction {
	all = slices.Clone(all)
	for i, r := range all {
		for _, known := range kept.All {
			if known.Key() == r.Key() {
				all[i] = r.Tightened(known)
			}
		}
	}
	return all
}

// ReadRestrictions are the merged restrictions of several places.
type ReadRestrictions struct {
	All []restriction.Restriction
	// Since is the earliest time from which a place keeps restrictions, zero if none does.
	Since time.Time
	// Spoiled counts the untrusted ones, Unread are the places that could not be read.
	Spoiled int
	Unread  []string
}

// KeptRestrictions reads the restrictions of a ledger from all places.
func KeptRestrictions(ctx context.Context, ledger string, places []NamedRestrictions) (read ReadRestrictions) {
	var all [][]restriction.Restriction
	for _, place := range places {
		kept, err := place.Kept(ctx, ledger)
		if err != nil {
			read.Unread = append(read.Unread, place.Name)
			continue
		}
		all, read.Spoiled = append(all, kept.All), read.Spoiled+kept.Spoiled
		if !kept.Since.IsZero() && (read.Since.IsZero() || kept.Since.Before(read.Since)) {
			read.Since = kept.Since
		}
	}
	read.All = restriction.Latest(all...)
	return read
}

// Store wraps the ports of a store that make restrictions.
func (k RestrictionKeeper) Store(s *kernel.Store) {
	if len(k.Places) == 0 {
		return
	}
	s.Writer, s.Roles, s.Agents = keepingWriter{s.Writer, k}, k.Roles(s.Roles), keepingAgents{s.Agents, k}
	s.Controls, s.PayoutControls = k.Control(s.Controls), k.Payouts(s.PayoutControls)
}

// Roles wraps the port of roles.
func (k RestrictionKeeper) Roles(roles ports.Roles) ports.Roles { return keepingRoles{roles, k} }

// Control wraps the port of the control state.
func (k RestrictionKeeper) Control(controls ports.Controls) ports.Controls {
	return keepingControls{controls, k}
}

// Payouts wraps the port of the payout switch.
func (k RestrictionKeeper) Payouts(payouts ports.PayoutControls) ports.PayoutControls {
	return keepingPayouts{payouts, k}
}

// isRecordOf reports whether an audit record is about a kind of restriction.
func isRecordOf(kind restriction.Kind, record audit.Record) bool {
	noted, kept := restriction.KindOf(record.Action)
	return kept && noted == kind
}

type keepingWriter struct {
	ports.Writer
	keeper RestrictionKeeper
}

// Commit implements ports.Writer.
func (w keepingWriter) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	receipt, err := w.Writer.Commit(ctx, item)
	if err != nil || len(receipt.Change.Audit) == 0 || receipt.Change.Player == nil {
		return receipt, err
	}
	after := receipt.Change.Player
	for _, record := range receipt.Change.Audit {
		for _, kind := range []restriction.Kind{restriction.Frozen, restriction.Excluded, restriction.Limits} {
			if isRecordOf(kind, record) {
				w.keeper.keepAll(ctx, restriction.OfPlayer(kind, after.Wallet, after.Protection, record.At))
			}
		}
	}
	return receipt, nil
}

// Ports with a method of the same name are embedded under another name.
type (
	keptRoles  interface{ ports.Roles }
	keptAgents interface{ ports.Agents }
)

type keepingRoles struct {
	keptRoles
	keeper RestrictionKeeper
}

// ChangeRole implements ports.Roles.
func (r keepingRoles) ChangeRole(ctx context.Context, w wallet.Address, decide ports.RoleDecision) error {
	var left restriction.Restriction
	err := r.keptRoles.ChangeRole(ctx, w, func(all []rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		granted, record, err := decide(all)
		left = restriction.Restriction{Kind: restriction.Role, Subject: string(w), At: record.At, Holds: true}
		if granted != nil {
			left.Role, left.AgentCode = granted.Role, granted.AgentCode
		}
		return granted, record, err
	})
	if err == nil {
		r.keeper.keepAll(ctx, left)
	}
	return err
}

type keepingAgents struct {
	keptAgents
	keeper RestrictionKeeper
}

// ChangeAgent implements ports.Agents.
func (a keepingAgents) ChangeAgent(ctx context.Context, by wallet.Address, code string, decide ports.AgentDecision) error {
	var made []restriction.Restriction
	err := a.keptAgents.ChangeAgent(ctx, by, code, func(actor rbac.Assignment, present *agent.Agent) (ports.AgentChange, audit.Record, error) {
		change, record, err := decide(actor, present)
		switch made = nil; {
		case isRecordOf(restriction.Agent, record):
			made = append(made, restriction.Restriction{Kind: restriction.Agent, Subject: code, At: record.At, Holds: !change.Agent.Open()})
		case isRecordOf(restriction.Credentials, record):
			made = append(made, restriction.Restriction{Kind: restriction.Credentials, Subject: code, At: record.At, Holds: true})
		}
		return change, record, err
	})
	if err == nil {
		a.keeper.keepAll(ctx, made...)
	}
	return err
}

type keepingControls struct {
	ports.Controls
	keeper RestrictionKeeper
}

// ChangeControl implements ports.Controls. A pause with an unknown outcome is kept too,
// because a superfluous pause after a recovery does less harm than a missing one.
func (c keepingControls) ChangeControl(ctx context.Context, decide ports.ControlDecision) error {
	var made []restriction.Restriction
	decided := false
	err := c.Controls.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		before := state.Clone()
		next, record, err := decide(state)
		if made = nil; err == nil && record != nil && isRecordOf(restriction.Play, *record) {
			made = pausesChanged(before.Pauses, next.Pauses, record.At)
		}
		decided = err == nil
		return next, record, err
	})
	switch {
	case !decided:
	case err == nil:
		c.keeper.keepAll(ctx, made...)
	case outcomeUnknown(err):
		c.keeper.keepAll(ctx, slices.DeleteFunc(made, func(r restriction.Restriction) bool { return !r.Holds })...)
	}
	return err
}

func outcomeUnknown(err error) bool {
	var refusal *fault.Error
	return errors.As(err, &refusal) && refusal.Details["outcome"] == "unknown"
}

// pausesChanged returns the pauses that began or ended.
func pausesChanged(before, after []control.PlayPause, at time.Time) (made []restriction.Restriction) {
	has := func(all []control.PlayPause, p control.PlayPause) bool {
		return slices.ContainsFunc(all, func(each control.PlayPause) bool { return each.GameType == p.GameType && each.AgentCode == p.AgentCode })
	}
	for _, p := range after {
		if !has(before, p) {
			made = append(made, restriction.Restriction{
				Kind: restriction.Play, Subject: restriction.PlaySubject(p.GameType, p.AgentCode), At: at, Holds: true, By: p.By, Reason: p.Reason,
			})
		}
	}
	for _, p := range before {
		if !has(after, p) {
			made = append(made, restriction.Restriction{Kind: restriction.Play, Subject: restriction.PlaySubject(p.GameType, p.AgentCode), At: at})
		}
	}
	return made
}

type keepingPayouts struct {
	ports.PayoutControls
	keeper RestrictionKeeper
}

// ChangePause implements ports.PayoutControls.
func (p keepingPayouts) ChangePause(ctx context.Context, decide ports.PauseDecision) error {
	var made []restriction.Restriction
	err := p.PayoutControls.ChangePause(ctx, func(now withdrawal.Pause) (withdrawal.Pause, audit.Record, error) {
		next, record, err := decide(now)
		if made = nil; isRecordOf(restriction.Payouts, record) {
			made = []restriction.Restriction{{Kind: restriction.Payouts, At: record.At, Holds: next.Paused, By: next.By, Reason: next.Reason}}
		}
		return next, record, err
	})
	if err == nil {
		p.keeper.keepAll(ctx, made...)
	}
	return err
}
