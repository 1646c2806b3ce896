package writer

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// WritersMax is how many writers of an instance are worth their while, measured
// on two cores: while one waits for the database's answer or its disk, the other
// decides. More of them make smaller batches of the same items.
const WritersMax = 2

// Writers are the writers of one instance. A wallet's items always go to the same
// one, so that they keep their order and don't wait for each other's locks.
type Writers struct{ all []*Writer }

var _ ports.Writer = (*Writers)(nil)

// Writers returns as many writers as are worth their while on the database, named
// after the options' ID.
func (s *Store) Writers(o Options) (*Writers, error) {
	if o.ID == "" {
		return nil, errors.New("sqlstore: writers need an id of their own")
	}
	// Where writers share no lanes there is one transaction at a time.
	number := min(WritersMax, max(1, s.db.Dialect.Lanes()))
	w := &Writers{}
	for i := range number {
		named := o
		named.ID = o.ID + "." + strconv.Itoa(i)
		one, err := s.Writer(named)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			one.queue = w.all[0].queue
		}
		w.all = append(w.all, one)
	}
	return w, nil
}

// Commit implements ports.Writer.
func (w *Writers) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	return w.all[0].Commit(ctx, item)
}

// Run is Writer.Run of all of them.
func (w *Writers) Run(ctx context.Context) error {
	failures := make([]error, len(w.all))
	var running sync.WaitGroup
	for i, one := range w.all {
		running.Go(func() { failures[i] = one.Run(ctx) })
	}
	running.Wait()
	return errors.Join(failures...)
}

// ProbeLane asks each writer whether it holds its lane.
func (w *Writers) ProbeLane(ctx context.Context) error {
	var failures []error
	for _, one := range w.all {
		failures = append(failures, one.ProbeLane(ctx))
	}
	return errors.Join(failures...)
}

// Stop is Writer.Stop of all of them.
func (w *Writers) Stop() {
	w.all[0].Stop()
}

// Waiting returns how many items wait for a batch: what a metric of the queue shows.
func (w *Writers) Waiting() int {
	return w.all[0].Waiting()
}
