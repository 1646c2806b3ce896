package writer

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

// leaseBatches is how many batches a writer writes before it asks its lane's session for the
// newest block number, which tests the session and shows other instances. Testing the session is
// not needed for safety: two writers in one lane are kept apart by its block numbers. All writers
// of an instance together ask at least once in AloneFor batches.
const leaseBatches = AloneFor / WritersMax

// releaseTime limits how long releasing a lane may take.
const releaseTime = 2 * time.Second

// lease is a lane that a session holds until it ends.
type lease struct {
	lane    int
	session *sql.Conn
	// beside names other writers' batches that ran when the lane was taken and may not have
	// ended.
	beside []string
}

// nextLane returns the lane of the writer's next batch: the one it holds, or, if its session is
// gone, another free one.
func (w *Writer) nextLane(ctx context.Context) (int, error) {
	lanes := w.store.db.Dialect.Lanes()
	if lanes == 0 {
		return w.options.Lane, nil
	}
	w.batches++
	if w.lease != nil && (w.doubted || w.batches%leaseBatches == 0) {
		if number, err := w.store.db.Dialect.NewestNumber(ctx, w.lease.session); err == nil {
			w.queue.noteNewest(number)
		} else {
			w.options.Logger.WarnContext(ctx, "the session that holds the writer's lane is gone",
				"lane", w.lease.lane, "error", err.Error())
			w.lease.discardSession()
			w.lease = nil
		}
	}
	w.doubted = false
	if w.lease == nil {
		taken, err := w.store.takeLane(ctx, lanes)
		if err != nil { // a lane that was taken ended with its session
			return 0, err
		}
		w.lease, w.names = taken, nil
	}
	return w.lease.lane, nil
}

// ProbeLane takes a lane if the writer has none, and checks that it still holds it. It skips a
// writer that runs a batch, which checks the lane itself.
func (w *Writer) ProbeLane(ctx context.Context) error {
	if !w.stepping.TryLock() {
		return nil
	}
	defer w.stepping.Unlock()
	if w.queue.isDone() {
		return nil // it released its lane and ended
	}
	w.doubted = true
	_, err := w.nextLane(ctx)
	return err
}

// Release releases the writer's lane; a further batch takes a new one. Run does so at its end. It
// must not be called while a step is running.
func (w *Writer) Release() {
	w.stepping.Lock() // waits for a running probe
	defer w.stepping.Unlock()
	if w.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
	defer cancel()
	if err := w.store.db.Dialect.GiveLane(ctx, w.lease.session, w.lease.lane); err != nil {
		w.lease.discardSession() // ending the session releases the lane
	} else {
		_ = w.lease.session.Close() // returns it to the pool
	}
	w.lease = nil
}

// takeLane takes the first free lane.
func (s *Store) takeLane(ctx context.Context, lanes int) (*lease, error) {
	session, err := s.db.Write.DB.Conn(ctx)
	if err != nil {
		return nil, db.Wrap("take a lane", err)
	}
	taken := &lease{session: session}
	for taken.lane = 1; taken.lane <= lanes; taken.lane++ {
		mine, err := s.db.Dialect.TakeLane(ctx, session, taken.lane)
		if err != nil {
			taken.discardSession()
			return nil, db.Wrap("take a lane", err)
		}
		if mine {
			if taken.beside, err = s.db.Dialect.Batches(ctx, s.db.Read.DB); err != nil {
				taken.discardSession()
				return nil, db.Wrap("take a lane beside others' batches", err)
			}
			return taken, nil
		}
	}
	return nil, errors.Join(db.Defect("all %d lanes are taken", lanes), session.Close())
}

// batchesEnded reports whether all batches have ended that may not have counted the writer's
// lane. Open rounds' costs are limited per lane, by the number of lanes in use. It is checked
// only when a round is opened; other items may use a new lane at once.
func (w *Writer) batchesEnded(ctx context.Context, entries []*entry) (bool, error) {
	opens := slices.ContainsFunc(entries, func(e *entry) bool { return e.item.Needs.Exposure != "" })
	if !opens || w.lease == nil || len(w.lease.beside) == 0 {
		return true, nil
	}
	now, err := w.store.db.Dialect.Batches(ctx, w.store.db.Read.DB)
	if err != nil {
		return false, db.Wrap("look at others' batches", err)
	}
	w.lease.beside = slices.DeleteFunc(w.lease.beside, func(name string) bool { return !slices.Contains(now, name) })
	return len(w.lease.beside) == 0, nil
}

// discardSession ends the session instead of returning it to the pool.
func (l *lease) discardSession() {
	_ = l.session.Raw(func(any) error { return driver.ErrBadConn }) // fails if it is already closed
	_ = l.session.Close()
}
