package headlog

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/ports"
)

// WitnessWorkers returns a worker for each witness, so that one that is down or slow delays
// nothing else.
func (s *Service) WitnessWorkers() []kernel.Worker {
	workers := make([]kernel.Worker, len(s.witnesses))
	for i, w := range s.witnesses {
		workers[i] = kernel.Worker{Name: kernel.LogWitnessesWorker, Interval: Interval, Step: func(ctx context.Context) (bool, error) {
			return false, s.cosign(ctx, w)
		}}
	}
	return workers
}

// cosign has a witness cosign the newest checkpoint, unless it has. A refusal is an alarm
// until the witness cosigns again.
func (s *Service) cosign(ctx context.Context, w ports.LogWitness) error {
	state, err := s.core.Store.Controls.State(ctx)
	if err != nil || state.Ledger == "" {
		return err
	}
	origin := originOf(state)
	newest, err := s.newest(ctx, origin)
	if err != nil {
		return err
	}
	old, err := s.cosignedBy(ctx, origin, w.Name())
	if err != nil {
		return err
	}
	if old >= newest.Size {
		s.core.Alarms.Over(ctx, alarm.PublicLog, w.Name())
		return nil
	}
	answer, err := s.askWitness(ctx, w, old, newest)
	if err == nil && answer.Last != nil && *answer.Last != old && *answer.Last <= newest.Size {
		old = *answer.Last // another instance asked it, or its answer was lost
		answer, err = s.askWitness(ctx, w, old, newest)
	}
	if err != nil {
		return err
	}
	if answer.Signatures == "" {
		return s.refused(ctx, w, origin, newest, answer)
	}
	s.core.Alarms.Over(ctx, alarm.PublicLog, w.Name())
	cosigned := newest.LogCheckpoint
	cosigned.Witness, cosigned.At = w.Name(), kernel.Now(s.core.Clock)
	cosigned.Note += answer.Signatures
	return s.core.Store.LogCheckpoints.KeepLogCheckpoint(ctx, cosigned)
}

// cosignedBy returns the size of the newest kept checkpoint that a witness cosigned, or 0.
func (s *Service) cosignedBy(ctx context.Context, origin, name string) (int64, error) {
	kept, err := s.core.Store.LogCheckpoints.KeptLogCheckpoints(ctx, origin)
	for _, c := range kept {
		if c.Witness == name {
			return c.Size, err
		}
	}
	return 0, err
}

func (s *Service) askWitness(ctx context.Context, w ports.LogWitness, old int64, newest tree) (ports.Cosigned, error) {
	var proof tlog.TreeProof
	if old > 0 {
		var err error
		if proof, err = tlog.ProveTree(newest.Size, old, s.hashReader(ctx)); err != nil {
			return ports.Cosigned{}, err
		}
	}
	return w.Cosign(ctx, old, hashesOf(proof), newest.Note)
}

// refused raises the alarm that a witness refuses the log, unless it has cosigned a newer
// checkpoint of another instance meanwhile.
func (s *Service) refused(ctx context.Context, w ports.LogWitness, origin string, of tree, answer ports.Cosigned) error {
	why := answer.Refusal
	if answer.Last != nil {
		if now, err := s.newest(ctx, origin); err != nil || *answer.Last > of.Size && *answer.Last <= now.Size {
			return err
		}
		why = fmt.Sprintf("it cosigned another log, of %d entries", *answer.Last)
	}
	s.core.Alarms.Raise(ctx, alarm.PublicLog, w.Name(), "checkpoint", of.Size, "witness", why)
	return fmt.Errorf("the witness %s refuses the checkpoint of %d entries: %s", w.Name(), of.Size, why)
}
