package sqlstore_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// standbys is a world on a primary with commits that wait for a standby.
type standbys struct {
	*world
	primary, standby *services.Cluster
}

// withStandby opens such a world.
func withStandby(t *testing.T) *standbys {
	t.Helper()
	s := &standbys{primary: services.NewCluster(t)}
	if _, err := openOwner(t, s.primary.URL()).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.standby = s.primary.NewStandby(t)
	s.primary.Synchronous(t, true)
	s.world = worldAt(t, onPostgres, s.primary.URL(), sqlstore.WriterOptions{BatchTime: 2 * time.Second, ResolveTime: time.Second}, unwrapped)
	s.start(s.writer)
	s.signIn(1_000_000, alice, bob)
	return s
}

// unknown submits an item and checks that its outcome is unknown.
func (s *standbys) unknown(what string, item player.Item) {
	s.Helper()
	receipt, err := s.writer.Commit(context.WithoutCancel(s.Context()), item)
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "unknown" {
		s.Errorf("%s is answered %+v, %v", what, receipt, err)
	}
}

// failOver ends the primary, drops what the standby received and didn't store, and promotes the
// standby.
func (s *standbys) failOver() {
	s.Helper()
	s.primary.Kill(s)
	s.standby.Kill(s)
	s.standby.Start(s)
	s.standby.Promote(s)
	s.where = s.standby.URL()
}

func (s *standbys) rounds(id string) int64 {
	s.Helper()
	return s.number("SELECT count(*) FROM rounds WHERE id = ?", id)
}

// TestPostgresACommitThatTheStandbyLacksIsNotAnswered ends the wait for a standby in each way
// that a server has. A commit is then visible to all and gone after a failover: no caller is told
// that it happened, not even by repeating its key.
func TestPostgresACommitThatTheStandbyLacksIsNotAnswered(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{
		"cancelled": "pg_cancel_backend", "its session ended": "pg_terminate_backend", "given up": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withStandby(t)
			s.standby.Freeze(t)
			lost := s.play(alice, 10)
			s.whileWaitsEnd(end, func() {
				s.unknown("a round", lost)
				s.unknown("its key", lost)
			})
			if n := s.rounds(lost.Keys[0].ID); n != 1 {
				t.Fatalf("%d rounds on the primary: nothing was tried", n)
			}
			s.failOver()
			if n := s.rounds(lost.Keys[0].ID); n != 0 {
				t.Errorf("%d rounds on the standby: nothing was tried", n)
			}
		})
	}
}

// whileWaitsEnd repeatedly ends waits for the standby by a function of the server while do runs.
// Without a name it ends none.
func (s *standbys) whileWaitsEnd(name string, do func()) {
	s.Helper()
	over := make(chan struct{})
	var ending sync.WaitGroup
	defer ending.Wait()
	defer close(over)
	if name != "" {
		db := s.beside()
		ending.Go(func() {
			for {
				if _, err := db.Exec("SELECT " + name + "(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"); err != nil {
					s.Error(err)
				}
				select {
				case <-over:
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		})
	}
	do()
}

// whenOneWaits calls then once a commit of do waits for the standby.
func (s *standbys) whenOneWaits(then, do func()) {
	s.Helper()
	db := s.beside()
	var began time.Time
	if err := db.QueryRow("SELECT clock_timestamp()").Scan(&began); err != nil {
		s.Fatal(err)
	}
	over := make(chan struct{})
	var looking sync.WaitGroup
	defer looking.Wait()
	defer close(over)
	looking.Go(func() {
		defer then()
		for waits := false; !waits; {
			err := db.QueryRow("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query_start > $1)", began).Scan(&waits)
			if err != nil {
				s.Error(err)
				return
			}
			select {
			case <-over:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	do()
}

// TestPostgresAStandbyThatComesBackSettlesWhatWasInDoubt checks that a repeated key is answered
// as soon as the standby has the commit, and that a failover keeps it.
func TestPostgresAStandbyThatComesBackSettlesWhatWasInDoubt(t *testing.T) {
	t.Parallel()
	s := withStandby(t)
	s.standby.Freeze(t)
	item, beside := s.play(alice, 10), s.play(bob, 10)
	s.unknown("a round", item)
	var waited sync.WaitGroup
	waited.Go(func() { // within the time that a commit in doubt is examined
		receipt, err := s.writer.Commit(context.WithoutCancel(t.Context()), beside)
		if err != nil || receipt.Replayed || receipt.Change.Round == nil {
			t.Errorf("a round while the standby was away: %+v, %v", receipt, err)
		}
	})
	<-time.After(500 * time.Millisecond)
	s.standby.Thaw(t)
	waited.Wait()
	if receipt := s.commit(item); !receipt.Replayed || receipt.Change.Round == nil {
		t.Errorf("the key of the round: %+v", receipt)
	}
	s.failOver()
	for _, id := range []string{item.Keys[0].ID, beside.Keys[0].ID} {
		if n := s.rounds(id); n != 1 {
			t.Errorf("round %s is %d times on the standby", id, n)
		}
	}
}

// TestPostgresShortTransactionsInDoubtSaySo checks that changes by admins and workers are not
// answered as done either.
func TestPostgresShortTransactionsInDoubtSaySo(t *testing.T) {
	t.Parallel()
	s := withStandby(t)
	s.standby.Freeze(t)
	at := s.now()
	granted := rbac.Assignment{Wallet: fakes.Wallet("new"), Role: "finance", GrantedBy: admin, GrantedAt: at}
	changes := map[string]func(context.Context) error{
		"a role": func(ctx context.Context) error {
			return s.store.ChangeRole(ctx, granted.Wallet, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
				return &granted, audit.Record{ID: s.id(), By: admin, Action: audit.RoleGranted, Target: string(granted.Wallet), At: at}, nil
			})
		},
		"a lease": func(ctx context.Context) error {
			given, err := s.store.Lease(ctx, "withdrawal", "worker", at, at.Add(time.Minute))
			if given {
				t.Error("a lease was given that the standby lacks")
			}
			return err
		},
	}
	saysSo := func(name string, err error) {
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Kind != fault.Unavailable || refusal.Details["outcome"] != "unknown" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range changes { // with callers that give up
		ctx, giveUp := context.WithCancel(t.Context())
		s.whenOneWaits(giveUp, func() { saysSo(name, change(ctx)) })
	}
	s.whileWaitsEnd("pg_cancel_backend", func() {
		for name, change := range changes {
			saysSo(name, change(t.Context()))
		}
		if _, err := s.store.Prune(t.Context(), at.Add(time.Hour)); err == nil {
			t.Error("claims were deleted on one server only, without an error")
		}
		if _, err := s.store.MakeMonths(t.Context(), at.AddDate(1, 0, 0)); err == nil {
			t.Error("months were made on one server only, without an error")
		}
		if _, err := openOwner(t, s.primary.URL()).MigrateDown(t.Context()); err == nil {
			t.Error("the schema was changed on one server only, without an error")
		}
	})
}
