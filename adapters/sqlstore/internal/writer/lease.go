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

// leaseBatches is how many batches a writer writes before it asks its lane's
// session for the number of the newest block: a sign of life, and of other instances.
// The one is for good order only: two writers in one lane are kept apart by the numbers
// of its blocks. All writers of an instance together look at least once in AloneFor batches.
const leaseBatches = AloneFor / WritersMax

// releaseTime bounds how long giving a lane back may take.
const releaseTime = 2 * time.Second

// lease is a lane that a session holds. It ends with the session.
type lease struct {
	lane    int
	session *sql.Conn
	// beside names the batches of others that were there when the lane was taken and may
	// not have ended.
	beside []string
}

// nextLane is the lane of the writer's next batch: the one it holds, or, when its
// session is gone, another one that is free.
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
		if err != nil { // the lane, if it was taken, ended with its session
			return 0, err
		}
		w.lease = taken
	}
	return w.lease.lane, nil
}

// ProbeLane takes the writer's lane, if it has none, and asks whether it still holds it.
// A writer that is in a batch has one, or its batch says that it hasn't.
func (w *Writer) ProbeLane(ctx context.Context) error {
	if !w.stepping.TryLock() {
		return nil
	}
	defer w.stepping.Unlock()
	if w.queue.isDone() {
		return nil // it gave its lane back and ended
	}
	w.doubted = true
	_, err := w.nextLane(ctx)
	return err
}

// Release gives the writer's lane back; a further batch takes one anew. Run
// does so at its end. It must not be called while a step is running.
func (w *Writer) Release() {
	w.stepping.Lock() // a probe may look at the lane
	defer w.stepping.Unlock()
	if w.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
	defer cancel()
	if err := w.store.db.Dialect.GiveLane(ctx, w.lease.session, w.lease.lane); err != nil {
		w.lease.discardSession() // its end gives the lane back
	} else {
		_ = w.lease.session.Close() // returns it to the pool
	}
	w.lease = nil
}

// takeLane takes the first lane that nobody has.
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

// batchesEnded reports whether every batch has ended that may not have counted the writer's
// lane among those in use, of which each has its part of what open rounds may cost. It is
// asked only where a round is opened: everything else goes on in a lane just taken.
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

// discardSession ends the session instead of giving it back to the pool.
func (l *lease) discardSession() {
	_ = l.session.Raw(func(any) error { return driver.ErrBadConn }) // it is gone already
	_ = l.session.Close()
}
