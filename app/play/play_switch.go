package play

import (
	"cmp"
	"context"
	"slices"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// PlayPauseRequest is a request to pause or resume play of one game, of one agent's
// players, or, if both are empty, of everything.
type PlayPauseRequest struct {
	GameType  string // a house game, or the code of a provider's game
	AgentCode string
	Reason    string
}

// PlayPauses returns the pauses of play within the caller's scope.
func (c *Service) PlayPauses(ctx context.Context, caller kernel.Caller) ([]control.PlayPause, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil {
		return nil, err
	}
	now, err := c.core.Store.Controls.State(ctx)
	return visiblePauses(own, now.Pauses), err
}

// PausePlay pauses play and returns all pauses. New bets and launches are refused from its
// return; open rounds can be finished. An existing pause keeps its first admin and reason.
func (c *Service) PausePlay(ctx context.Context, caller kernel.Caller, r PlayPauseRequest) ([]control.PlayPause, error) {
	return c.turnPlay(ctx, caller, r, PlaySwitch.Pause)
}

// ResumePlay ends the pause of exactly this game and agent. Other pauses stay. It does
// nothing if there is no such pause.
func (c *Service) ResumePlay(ctx context.Context, caller kernel.Caller, r PlayPauseRequest) ([]control.PlayPause, error) {
	return c.turnPlay(ctx, caller, r, PlaySwitch.Resume)
}

// turnPlay refuses in the order of every admin call: permission, fields, existence.
func (c *Service) turnPlay(ctx context.Context, caller kernel.Caller, r PlayPauseRequest,
	turn func(PlaySwitch, context.Context, PlayPauseRequest) ([]control.PlayPause, error)) ([]control.PlayPause, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminWrite)
	if err != nil {
		return nil, err
	}
	if own.AgentCode != "" && r.AgentCode != own.AgentCode {
		return nil, fault.New(fault.Forbidden, "agentCode: a role bound to an agent can only pause play of that agent")
	}
	pauses, err := turn(PlaySwitch{
		Controls: c.core.Store.Controls, Agents: c.core.Store.Agents, Catalog: c.core.Store.Catalog, Games: c.core.Games, Clock: c.core.Clock, Entropy: c.core.Entropy,
		By: caller.Wallet, RequestID: caller.RequestID,
	}, ctx, r)
	return visiblePauses(own, pauses), err
}

// visiblePauses removes the pauses of agents other than the role's own.
func visiblePauses(own rbac.Assignment, pauses []control.PlayPause) []control.PlayPause {
	if own.AgentCode == "" {
		return pauses
	}
	return slices.DeleteFunc(pauses, func(p control.PlayPause) bool { return p.AgentCode != "" && p.AgentCode != own.AgentCode })
}

// PlaySwitch pauses and resumes play without checking a role. It is for the command line,
// which has access to the database itself.
type PlaySwitch struct {
	Controls ports.Controls
	Agents   ports.Agents
	Catalog  ports.Catalog
	Games    *game.Registry
	Clock    ports.Clock
	Entropy  ports.Entropy
	// By is the admin, empty for the command line; RequestID is for the audit log.
	By        wallet.Address
	RequestID string
}

// Pause is Service.PausePlay without a role. It refuses unknown games and agents.
func (s PlaySwitch) Pause(ctx context.Context, r PlayPauseRequest) ([]control.PlayPause, error) {
	if err := kernel.CheckReason(r.Reason); err != nil {
		return nil, err
	}
	if err := s.checkTarget(ctx, r); err != nil {
		return nil, err
	}
	return s.changePause(ctx, r, true)
}

// Resume is Service.ResumePlay without a role.
func (s PlaySwitch) Resume(ctx context.Context, r PlayPauseRequest) ([]control.PlayPause, error) {
	if err := kernel.CheckReason(r.Reason); err != nil {
		return nil, err
	}
	return s.changePause(ctx, r, false)
}

func (s PlaySwitch) checkTarget(ctx context.Context, r PlayPauseRequest) error {
	if _, err := s.Games.Game(r.GameType); r.GameType != "" && err != nil {
		_, err := s.Catalog.ProviderGame(ctx, r.GameType)
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.InvalidGame, "gameType: no such game").With("field", "gameType")
		}
		if err != nil {
			return err
		}
	}
	return kernel.KnowsAgent(ctx, s.Agents, r.AgentCode)
}

// changePause sets or ends one pause with an audit record. The store is called even if
// nothing changes: if two callers pause at the same time, both return only after earlier
// bets have ended.
func (s PlaySwitch) changePause(ctx context.Context, r PlayPauseRequest, paused bool) ([]control.PlayPause, error) {
	record := audit.Record{
		ID: s.Entropy.ID(), Action: audit.PlayResumed, By: s.By, Target: PlayTarget(r), At: kernel.Now(s.Clock), RequestID: s.RequestID,
		Before: "running", After: "running: " + r.Reason,
	}
	if paused {
		record.Action, record.After = audit.PlayPaused, "paused: "+r.Reason
	}
	var stands []control.PlayPause
	err := s.Controls.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		at := slices.IndexFunc(state.Pauses, func(p control.PlayPause) bool { return p.GameType == r.GameType && p.AgentCode == r.AgentCode })
		if stands = state.Pauses; paused == (at >= 0) {
			return state, nil, nil
		}
		written := record
		if paused {
			state.Pauses = append(state.Pauses, control.PlayPause{
				GameType: r.GameType, AgentCode: r.AgentCode, By: s.By, Reason: r.Reason, At: record.At,
			})
		} else {
			written.Before = "paused: " + state.Pauses[at].Reason
			state.Pauses = slices.Delete(state.Pauses, at, at+1)
		}
		stands = slices.Clone(state.Pauses)
		return state, &written, nil
	})
	if err != nil {
		return nil, err
	}
	return stands, nil
}

// PlayTarget names the paused thing in audit records.
func PlayTarget(r PlayPauseRequest) string {
	target := cmp.Or(r.GameType, "play")
	if r.AgentCode != "" {
		target += " of " + r.AgentCode
	}
	return target
}
