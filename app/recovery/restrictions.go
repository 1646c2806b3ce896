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

// NamedRestrictions is a place that keeps restrictions, as logs call it.
type NamedRestrictions struct {
	Name string
	ports.Restrictions
}

// RestrictionKeeper keeps what is forbidden outside the database, as soon as the commit is
// known that forbids it and before whoever asked for it has the answer. Its methods wrap
// the ports by which something is forbidden. Its zero value keeps nothing.
type RestrictionKeeper struct {
	Places   []NamedRestrictions
	Controls ports.Controls
	Logger   *slog.Logger
}

// keepTime bounds how long whoever forbade something waits for it to be kept.
const keepTime = 2 * time.Second

// keepAll keeps restrictions in each place. What can't be kept is in force all the same: it
// is logged, and a recovery may lack it.
func (k RestrictionKeeper) keepAll(ctx context.Context, all ...restriction.Restriction) {
	if len(k.Places) == 0 || len(all) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime) // it is committed, whoever asked for it
	defer cancel()
	state, err := k.Controls.State(ctx)
	if err == nil && state.Restored != nil {
		// It was decided on without what was lost: that must not be forgotten for it.
		all = tightenedByKept(all, KeptRestrictions(ctx, state.Ledger, k.Places))
	}
	for _, place := range k.Places {
		failed := err
		if failed == nil {
			failed = place.Keep(ctx, state.Ledger, all)
		}
		if failed != nil {
			k.logger().ErrorContext(ctx, "what was forbidden is not kept outside the database", "place", place.Name, "kind", string(all[0].Kind),
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

// ReadRestrictions is what several places keep together.
type ReadRestrictions struct {
	All []restriction.Restriction
	// Since is the earliest moment from which on one of them keeps, zero where none does.
	Since time.Time
	// Spoiled is how many could not be trusted, Unread the places that could not be read.
	Spoiled int
	Unread  []string
}

// KeptRestrictions reads what the places keep of a ledger.
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

// Store wraps the ports of a store by which something is forbidden.
func (k RestrictionKeeper) Store(s *kernel.Store) {
	if len(k.Places) == 0 {
		return
	}
	s.Writer, s.Roles, s.Agents = keepingWriter{s.Writer, k}, k.Roles(s.Roles), keepingAgents{s.Agents, k}
	s.Controls, s.PayoutControls = k.Control(s.Controls), k.Payouts(s.PayoutControls)
}

// Roles wraps the roles.
func (k RestrictionKeeper) Roles(roles ports.Roles) ports.Roles { return keepingRoles{roles, k} }

// Control wraps the control state.
func (k RestrictionKeeper) Control(controls ports.Controls) ports.Controls {
	return keepingControls{controls, k}
}

// Payouts wraps the switch of payouts.
func (k RestrictionKeeper) Payouts(payouts ports.PayoutControls) ports.PayoutControls {
	return keepingPayouts{payouts, k}
}

// isRecordOf reports whether a record notes something of a kind.
func isRecordOf(kind restriction.Kind, record audit.Record) bool {
	noted, kept := restriction.KindOf(record.Action)
	return kept && noted == kind
}

type keepingWriter struct {
	ports.Writer
	keeper RestrictionKeeper
}

// Commit serves ports.Writer.
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

// The ports that have a method of their own name are embedded under another.
type (
	keptRoles  interface{ ports.Roles }
	keptAgents interface{ ports.Agents }
)

type keepingRoles struct {
	keptRoles
	keeper RestrictionKeeper
}

// ChangeRole serves ports.Roles.
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

// ChangeAgent serves ports.Agents.
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

// ChangeControl serves ports.Controls. A pause of which it isn't known whether it took
// effect is kept too: a recovery rather pauses once too often.
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

// pausesChanged are the pauses that began or ended.
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

// ChangePause serves ports.PayoutControls.
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
