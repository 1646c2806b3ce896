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

// compareOrigin compares the server's origin with the remembered one, where no head is kept
// anywhere: nobody can say then whether something was lost. While heads are kept,
// another origin means nothing and is remembered.
func (r *Restoration) compareOrigin(ctx context.Context, f finding) *control.Restored {
	r.mu.Lock()
	settled, due := r.settled, kernel.Now(r.options.Clock).Sub(r.remembered) >= originEvery
	r.mu.Unlock()
	if settled && !due {
		return nil
	}
	present, remembered, err := r.options.Origins.Origin(ctx)
	if err != nil {
		r.options.Logger.WarnContext(ctx, "where the database's data comes from is not known", "error", err.Error())
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
			r.options.Logger.WarnContext(ctx, "where the database's data comes from can't be remembered", "error", err.Error())
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settled, r.remembered = true, kernel.Now(r.options.Clock)
	return nil
}

// healWitnesses gives each witness what it lacks of what the database has, and notes which of
// them were current.
func (r *Restoration) healWitnesses(f finding) {
	heads := make([]witness.Head, len(f.newest))
	for i, h := range f.newest {
		heads[i] = witness.Head{Head: h, Epoch: f.state.Epoch}
	}
	present := kernel.Now(r.options.Clock)
	newest := witness.Of(f.state.Ledger, present, heads...)
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

// Flushing returns the step of a witness that brings what was kept to where it stays.
// What is wrong is logged as with everything else of the witness, and the step is due
// again soon all the same: what is kept meanwhile waits for it.
func (r *Restoration) Flushing(name string, step func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if _, err := step(ctx); err != nil && ctx.Err() == nil {
			r.logTrouble(name, err)
		}
		return false, nil
	}
}

// logTrouble logs what is wrong with a witness: once, and again every alarmEvery while it
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

// logRecovered logs that what was wrong with a witness is over.
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

// publishFinding writes what this instance found into the control state.
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

// RestorationStatus is what is known of the database having gone back.
type RestorationStatus struct {
	// Restored is how it was found, nil while it wasn't.
	Restored  *control.Restored
	Witnesses []WitnessStatus
}

// WitnessStatus is how a witness outside the process is doing.
type WitnessStatus struct {
	Name string
	// Age is how long ago it last kept all that there was to keep.
	Age time.Duration
}

// Status returns what is known at present. It asks nobody.
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

// Known is everything that is known of a ledger's blocks: the newest heads that are
// kept outside or in the database, by lane, whatever their epoch, and the kept ones that
// the database lacks. A recovery goes on above all of them.
type Known struct {
	State control.State
	Heads map[int]witness.Head
	Lost  []witness.Lost
	// RolesVersion is the latest version of the list of roles that is kept.
	RolesVersion int64
	// Whole says that every witness could be read.
	Whole bool
}

// Known reads what is kept and what the database has.
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
		// A recovery needs the greatest number that was ever used.
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

// Reopen opens a service that was closed although nothing was lost. It is refused with a
// fault of kind InvalidState while a head is kept that the database lacks: Recovery is
// for that. The instances open by themselves within CompareInterval. By is the admin who
// did it, empty for the command line.
func (r *Restoration) Reopen(ctx context.Context, by wallet.Address) error {
	known, err := r.Known(ctx)
	if err != nil {
		return err
	}
	if len(known.Lost) > 0 {
		lost := known.Lost[0]
		return fault.New(fault.InvalidState, "something was lost: block %s is kept, the database has %s", lost.From(), lost.To())
	}
	return r.openService(ctx, by, "nothing was lost")
}

// openService ends the closing in the control state, with an audit record that says why.
func (r *Restoration) openService(ctx context.Context, by wallet.Address, why string) error {
	// First of all, so that no instance finds another origin in an open service.
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

// Check is the check of GET /health: degraded while the database counts as restored,
// with the block that is kept and what the database has instead.
func (r *Restoration) Check() kernel.Check {
	closed := r.Closed()
	if closed == nil {
		return kernel.Check{Status: kernel.OK}
	}
	return kernel.Check{Status: kernel.Degraded, Detail: fmt.Sprintf("restored: %s; kept %s, found %s", closed.Reason, closed.From, closed.To)}
}

// RoleVersions returns the versions of the list of roles that are kept with the heads:
// an earlier list that is put back is refused after a restart too, and by instances that
// never met the later one.
func (r *Restoration) RoleVersions() admin.RoleVersions { return keptRoleVersions{r} }

type keptRoleVersions struct{ *Restoration }

// Latest serves RoleVersions.
func (v keptRoleVersions) Latest() int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.roles
}

// Keep serves RoleVersions: every witness is given it. While the database counts as
// restored nothing is kept, as with heads.
func (v keptRoleVersions) Keep(version int64) {
	v.mu.Lock()
	ledger, newer := v.ledger, version > v.roles && v.closed == nil
	if newer {
		v.roles = version
	}
	v.mu.Unlock()
	if newer && ledger != "" { // before the first comparison: then the comparison gives it to them
		v.keepRecord(witness.Record{Ledger: ledger, RolesVersion: version, At: kernel.Now(v.options.Clock)})
	}
}

// takeRoles notes the latest version that is kept of the ledger. The lock is held.
func (r *Restoration) takeRoles(f finding) {
	for _, k := range f.kept {
		if k.Ledger == f.state.Ledger {
			r.roles = max(r.roles, k.RolesVersion)
		}
	}
}
