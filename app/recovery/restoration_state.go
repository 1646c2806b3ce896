package recovery

import (
	"context"
	"fmt"
	"time"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/witness"
)

// compareOrigin compares the server's origin with the stored one if no head is kept
// anywhere, because a loss can't be excluded then. If heads are kept, a new origin is only
// stored.
func (r *Restoration) compareOrigin(ctx context.Context, f finding) *control.Restored {
	r.mu.Lock()
	settled, due := r.settled, kernel.Now(r.options.Clock).Sub(r.remembered) >= originEvery
	r.mu.Unlock()
	if settled && !due {
		return nil
	}
	present, remembered, err := r.options.Origins.Origin(ctx)
	if err != nil {
		r.options.Logger.WarnContext(ctx, "the origin of the database's data is unknown", "error", err.Error())
	}
	if err == nil && !settled && !f.anyKept() && len(f.newest) > 0 && present.Differs(remembered) {
		closed := &control.Restored{
			At: kernel.Now(r.options.Clock), By: r.options.Instance, Reason: ReasonUnknown, From: remembered.String(), To: present.String(),
		}
		if already := r.Closed(); already != nil {
			closed.At = already.At
		}
		return closed
	}
	if err == nil && present.Known() && present != remembered {
		r.options.Logger.InfoContext(ctx, "the database's data is on this server and timeline", "now", present.String(), "before", remembered.String())
		err = r.options.Origins.RememberOrigin(ctx, present)
		if err != nil {
			r.options.Logger.WarnContext(ctx, "the origin of the database's data can't be stored", "error", err.Error())
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settled, r.remembered = true, kernel.Now(r.options.Clock)
	return nil
}

// healWitnesses gives each witness the database's newest heads, and records which witnesses
// were current.
func (r *Restoration) healWitnesses(f finding) {
	heads := make([]witness.Head, len(f.newest))
	for i, h := range f.newest {
		heads[i] = witness.Head{Head: h, Epoch: f.state.Epoch}
	}
	present := kernel.Now(r.options.Clock)
	newest := witness.Of(f.state.Ledger, present, heads...)
	newest.Log = f.log
	r.mu.Lock()
	newest.RolesVersion = r.roles
	before, given := r.newest, r.given
	r.newest, r.given = newest, present
	r.mu.Unlock()
	_ = r.options.Memory.Keep(newest)
	for _, w := range r.options.Witnesses {
		records, read := f.by[w.Name]
		if !read {
			continue
		}
		kept := witness.Record{Ledger: newest.Ledger}
		for _, k := range records {
			kept = kept.Merge(k)
		}
		current := before.Ledger == "" || kept.Covers(before)
		if current {
			r.mu.Lock()
			r.states[w.Name].current = present
			r.mu.Unlock()
		}
		switch err := w.Keep(newest); {
		case err != nil:
			r.logTrouble(w.Name, err)
		case !current && present.Sub(given) >= keptTime:
			r.logTrouble(w.Name, errBehind)
		case current && f.wrong[w.Name] == nil:
			r.logRecovered(w.Name)
		}
	}
}

// Flushing wraps a witness's step that makes kept records durable. It logs errors like
// other errors of the witness, and drops them, so that the step is soon repeated for the
// records that wait.
func (r *Restoration) Flushing(name string, step func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if _, err := step(ctx); err != nil && ctx.Err() == nil {
			r.logTrouble(name, err)
		}
		return false, nil
	}
}

// logTrouble logs the error of a witness: once, and again every kernel.AlarmEvery while it
// lasts.
func (r *Restoration) logTrouble(name string, err error) {
	r.mu.Lock()
	state, at := r.states[name], r.options.Clock.Now()
	again := !state.troubled || at.Sub(state.logged) >= kernel.AlarmEvery
	state.troubled = true
	if again {
		state.logged = at
	}
	r.mu.Unlock()
	if again {
		r.options.Logger.Warn("a witness does not keep the newest heads: a restored database may go unnoticed", "witness", name, "error", err.Error())
	}
}

// logRecovered logs that the error of a witness is over.
func (r *Restoration) logRecovered(name string) {
	r.mu.Lock()
	state := r.states[name]
	over := state.troubled
	state.troubled = false
	r.mu.Unlock()
	if over {
		r.options.Logger.Info("a witness keeps the newest heads again", "witness", name)
	}
}

// publishFinding writes this instance's finding into the control state.
func (r *Restoration) publishFinding(ctx context.Context) error {
	r.mu.Lock()
	closed, waiting := r.closed, r.unpublished
	r.mu.Unlock()
	if closed == nil || !waiting {
		return nil
	}
	id := r.options.Entropy.ID()
	err := r.options.Controls.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		if state.Restored != nil {
			return state, nil, nil
		}
		state.Restored = closed
		return state, &audit.Record{
			ID: id, Action: audit.DatabaseRestored, Target: state.Ledger, Before: closed.From, After: closed.To, At: closed.At,
		}, nil
	})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unpublished = r.closed != nil && r.closed != closed && r.unpublished
	return nil
}

// RestorationStatus is the known state of a restore.
type RestorationStatus struct {
	// Restored is how it was found, nil if there was none.
	Restored  *control.Restored
	Witnesses []WitnessStatus
}

// WitnessStatus is the condition of a witness outside the process.
type WitnessStatus struct {
	Name string
	// Age is the time since it last kept everything.
	Age time.Duration
}

// Status returns the known state without I/O.
func (r *Restoration) Status() RestorationStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	status := RestorationStatus{Restored: r.closed}
	for _, w := range r.options.Witnesses {
		age := max(0, r.options.Clock.Now().Sub(r.states[w.Name].current))
		status.Witnesses = append(status.Witnesses, WitnessStatus{w.Name, age})
	}
	return status
}

// Known is all that is known of a ledger's blocks: by lane the newest head, kept outside or
// in the database, of any epoch, and the kept heads that the database lacks. A recovery
// continues above all of them.
type Known struct {
	State control.State
	Heads map[int]witness.Head
	Lost  []witness.Lost
	// RolesVersion is the latest kept version of the list of roles.
	RolesVersion int64
	// Whole means that every witness could be read.
	Whole bool
}

// Known reads the witnesses and the database.
func (r *Restoration) Known(ctx context.Context) (Known, error) {
	f, err := r.compareDatabase(ctx)
	if err != nil {
		return Known{}, err
	}
	if err := r.otherLedger(f); err != nil {
		return Known{}, err
	}
	known := Known{State: f.state, Heads: map[int]witness.Head{}, Lost: f.lost, Whole: !f.unread}
	note := func(h witness.Head) {
		// A recovery needs the highest number that was ever used.
		if old, some := known.Heads[h.Lane]; !some || h.Seq > old.Seq {
			known.Heads[h.Lane] = h
		}
	}
	for _, h := range f.newest {
		note(witness.Head{Head: h, Epoch: f.state.Epoch})
	}
	for _, k := range f.kept {
		if k.Ledger != f.state.Ledger {
			continue
		}
		known.RolesVersion = max(known.RolesVersion, k.RolesVersion)
		for _, h := range k.Heads {
			note(h)
		}
	}
	return known, nil
}

// Reopen opens a service that was closed although nothing was lost. If a kept head is
// missing in the database, it returns a fault of kind InvalidState; use Recovery then. The
// instances open within CompareInterval. By is the admin, empty for the command line.
func (r *Restoration) Reopen(ctx context.Context, by wallet.Address) error {
	known, err := r.Known(ctx)
	if err != nil {
		return err
	}
	if len(known.Lost) > 0 {
		lost := known.Lost[0]
		return fault.New(fault.InvalidState, "a committed block was lost: block %s is kept, the database has %s", lost.From(), lost.To())
	}
	return r.openService(ctx, by, "nothing was lost")
}

// openService ends the closing in the control state, with an audit record of the reason.
func (r *Restoration) openService(ctx context.Context, by wallet.Address, why string) error {
	// Store the origin first, so that no instance finds a new origin in an open service.
	if present, _, err := r.options.Origins.Origin(ctx); err == nil && present.Known() {
		if err := r.options.Origins.RememberOrigin(ctx, present); err != nil {
			return err
		}
	}
	id, at := r.options.Entropy.ID(), kernel.Now(r.options.Clock)
	return r.options.Controls.ChangeControl(ctx, func(state control.State) (control.State, *audit.Record, error) {
		if state.Restored == nil {
			return state, nil, errOpen
		}
		record := &audit.Record{
			ID: id, Action: audit.DatabaseReopened, By: by, Target: state.Ledger, Before: state.Restored.Reason, After: why, At: at,
		}
		state.Restored = nil
		return state, record, nil
	})
}

var errOpen = fault.New(fault.InvalidState, "the service is open: there is nothing to recover from")

// Check returns the check for GET /health: degraded while the database is restored, with
// the kept block and the block found instead.
func (r *Restoration) Check() kernel.Check {
	closed := r.Closed()
	if closed == nil {
		return kernel.Check{Status: kernel.OK}
	}
	return kernel.Check{Status: kernel.Degraded, Detail: fmt.Sprintf("restored: %s; kept %s, found %s", closed.Reason, closed.From, closed.To)}
}

// RoleVersions returns the versions of the list of roles that are kept with the heads. An
// older list is thus refused even after a restart, and by instances that never saw the
// later one.
func (r *Restoration) RoleVersions() admin.RoleVersions { return keptRoleVersions{r} }

type keptRoleVersions struct{ *Restoration }

// Latest implements RoleVersions.
func (v keptRoleVersions) Latest() int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.roles
}

// Keep implements RoleVersions and gives the version to every witness. While the database
// is restored nothing is kept, as with heads.
func (v keptRoleVersions) Keep(version int64) {
	v.mu.Lock()
	ledger, newer := v.ledger, version > v.roles && v.closed == nil
	if newer {
		v.roles = version
	}
	v.mu.Unlock()
	if newer && ledger != "" { // otherwise the first comparison gives it to them
		v.keepRecord(witness.Record{Ledger: ledger, RolesVersion: version, At: kernel.Now(v.options.Clock)})
	}
}

// takeRoles records the latest kept version for the ledger. The caller holds the lock.
func (r *Restoration) takeRoles(f finding) {
	for _, k := range f.kept {
		if k.Ledger == f.state.Ledger {
			r.roles = max(r.roles, k.RolesVersion)
		}
	}
}
