package recovery

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// protections maps kinds of players' restrictions to actions in audit records.
var protections = map[restriction.Kind]audit.Action{
	restriction.Frozen: audit.PlayerFrozen, restriction.Excluded: audit.PlayerExcluded, restriction.Limits: audit.LimitsChanged,
}

// restrictPlayer tightens a player's protection to the kept restriction.
func (r *Recovery) restrictPlayer(ctx context.Context, kept restriction.Restriction, apply bool) error {
	if !kept.Holds {
		return nil
	}
	at, of := kernel.Now(r.options.Clock), wallet.Address(kept.Subject)
	found, err := r.options.Store.Player(ctx, of)
	if fault.Is(err, fault.NotFound) {
		r.report.Restrictions.byHand(kept, fmt.Sprintf("player %s was %s but is not in the copy: restrict the player again after a sign-in", of, describeRestriction(kept)))
		return nil
	}
	if err != nil {
		return err
	}
	if _, tighter := found.Protection.Tightened(kept.Protection, at); !tighter {
		return nil
	}
	r.report.Restrictions.noteAgain(kept, fmt.Sprintf("player %s is %s", of, describeRestriction(kept)))
	if !apply {
		return nil
	}
	request := player.ProtectionRequest{By: r.options.By, Action: protections[kept.Kind], AuditID: r.options.Entropy.ID(), At: at, Reason: forbiddenAgain}
	_, err = r.options.Store.Commit(ctx, player.Item{
		Wallet: of, At: at, Source: player.FromAdmin, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: request.AuditID}}, WhileRestored: true,
		Decide: func(v player.View) (player.Change, error) { return player.Forbid(v, request, kept.Protection) },
	})
	if fault.Is(err, fault.InvalidState) { // it was restricted in the meantime
		return nil
	}
	return err
}

// describeRestriction describes a player's restriction.
func describeRestriction(r restriction.Restriction) string {
	switch s := r.Protection; {
	case r.Kind == restriction.Frozen:
		return "frozen"
	case r.Kind == restriction.Limits:
		return "limited as before"
	case s.Excluded:
		return "excluded permanently"
	default:
		return "excluded until " + s.ExcludedUntil.UTC().Format(time.RFC3339)
	}
}

// restrictAgent blocks an agent that was blocked, and revokes credentials that were
// replaced. The new credentials are shown to nobody: an admin must rotate them again.
func (r *Recovery) restrictAgent(ctx context.Context, code string, all []restriction.Restriction, apply bool) error {
	present, err := r.options.Store.Agent(ctx, code)
	if fault.Is(err, fault.NotFound) { // made since the copy: it has no credentials and no players here
		return nil
	}
	if err != nil {
		return err
	}
	record, at := r.newRecord(audit.AgentChanged, code, kernel.DescribeAgent(present), forbiddenAgain), present.UpdatedAt
	next := ports.AgentChange{Agent: present}
	for _, kept := range all {
		switch {
		case !kept.Holds || !present.UpdatedAt.Before(kept.At): // it is in the copy
			continue
		case kept.Kind == restriction.Agent && present.Open():
			next.Agent.Status = agent.Blocked
			r.report.Restrictions.noteAgain(kept, fmt.Sprintf("agent %s is blocked", code))
		case kept.Kind == restriction.Credentials:
			made := agent.NewCredentials(r.options.Entropy.Seed(), r.options.Entropy.Seed())
			next.Credentials, record.Action = &made, audit.CredentialsRotated
			r.report.Restrictions.noteAgain(kept, fmt.Sprintf("the credentials of agent %s from before their rotation stop working", code))
			r.report.Restrictions.byHand(kept, fmt.Sprintf("agent %s has no working credentials: rotate them and hand them over", code))
		default:
			continue
		}
		at = laterOf(at, kept.At)
	}
	if !apply || next.Credentials == nil && next.Agent.Status == present.Status {
		return nil
	}
	// Use no earlier time than the lost change, so that a repeat finds it done.
	next.Agent.UpdatedAt = laterOf(at, record.At)
	return r.options.Store.ChangeAgent(ctx, r.options.By, code, func(rbac.Assignment, *agent.Agent) (ports.AgentChange, audit.Record, error) {
		return next, record, nil
	})
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// restrictPlay restores a pause of play.
func (r *Recovery) restrictPlay(ctx context.Context, kept restriction.Restriction, apply bool) error {
	state, err := r.options.Store.State(ctx)
	if err != nil || !kept.Holds {
		return err
	}
	gameType, agentCode := kept.Paused()
	paused := func(state control.State) bool {
		return slices.ContainsFunc(state.Pauses, func(p control.PlayPause) bool { return p.GameType == gameType && p.AgentCode == agentCode })
	}
	if paused(state) {
		return nil
	}
	target := play.PlayTarget(play.PlayPauseRequest{GameType: gameType, AgentCode: agentCode})
	r.report.Restrictions.noteAgain(kept, fmt.Sprintf("%s is paused", target))
	if !apply {
		return nil
	}
	record := r.newRecord(audit.PlayPaused, target, "running", "paused: "+kept.Reason+", "+forbiddenAgain)
	return r.options.Store.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		if paused(state) {
			return state, nil, nil
		}
		state.Pauses = append(state.Pauses, control.PlayPause{GameType: gameType, AgentCode: agentCode, By: kept.By, Reason: kept.Reason, At: record.At})
		return state, &record, nil
	})
}

// restrictPayouts restores the pause of payouts.
func (r *Recovery) restrictPayouts(ctx context.Context, kept restriction.Restriction, apply bool) error {
	pause, err := r.options.Store.Pause(ctx)
	if err != nil || !kept.Holds || pause.Paused {
		return err
	}
	r.report.Restrictions.noteAgain(kept, "payouts are paused")
	if !apply {
		return nil
	}
	stands := withdrawal.Pause{Paused: true, By: kept.By, Reason: cmp.Or(kept.Reason, forbiddenAgain), At: kernel.Now(r.options.Clock)}
	record := r.newRecord(audit.PayoutsPaused, payouts.PayoutsTarget, payouts.DescribePause(pause), payouts.DescribePause(stands)+", "+forbiddenAgain)
	return r.options.Store.ChangePause(ctx, func(withdrawal.Pause) (withdrawal.Pause, audit.Record, error) { return stands, record, nil })
}

// ReasonDeclared is the reason of a restore that an operator declared and no witness shows.
const ReasonDeclared = "an operator declared that an older copy was restored"

// declaredMargin is the number of block numbers skipped in a lane if nothing is known about
// lost blocks: more than a lane uses in a year at a hundred batches a second.
const declaredMargin = 4_000_000_000

// declaredRestored returns the state of a restore declared by an operator.
func (r *Recovery) declaredRestored() *control.Restored {
	restored := &control.Restored{At: kernel.Now(r.options.Clock), By: string(r.options.By), Reason: ReasonDeclared}
	if restored.By == "" {
		restored.By = "the command line"
	}
	return restored
}

// declareRestored closes the service by the operator's declaration, unless it is already
// closed.
func (r *Recovery) declareRestored(ctx context.Context, restored *control.Restored) error {
	id := r.options.Entropy.ID()
	return r.options.Store.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		if state.Restored != nil {
			return state, nil, nil
		}
		if !r.options.PutBack {
			return state, nil, errOpen
		}
		state.Restored = restored
		return state, &audit.Record{
			ID: id, Action: audit.DatabaseRestored, By: r.options.By, Target: state.Ledger, After: ReasonDeclared, At: restored.At,
		}, nil
	})
}

// headAbove returns the head above which a lane's next epoch begins: the known head, plus
// declaredMargin if the restore was only declared.
func (r *Recovery) headAbove(head hashchain.Head) hashchain.Head {
	if r.report.Restored.Reason == ReasonDeclared {
		head.Seq = min(head.Seq+declaredMargin, hashchain.SeqMax)
	}
	return head
}
