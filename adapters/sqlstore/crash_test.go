package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// sharedCrash adds a chain of hashes and opens its first round.
func (w *world) sharedCrash() (crash.Commitment, crash.Chain, int64) {
	w.Helper()
	secrets, err := crash.NewChain(fairness.NewServerSeed([32]byte{7}), 25, 10)
	if err != nil {
		w.Fatal(err)
	}
	c := crash.Commitment{Chain: w.id(), Epoch: 1, Terminal: secrets.Terminal, Length: 25, Beacon: crash.Rule{
		Source: crash.Solana, Network: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", Delay: 32, Window: 150,
	}}
	if err := w.store.AddCrashChain(w.Context(), c, secrets, audit.Record{ID: w.id(), Action: "crash.added", At: w.now()}); err != nil {
		w.Fatal(err)
	}
	lease, _, err := w.store.LeaseCrash(w.Context(), "worker", 0, w.now(), time.Minute)
	if err != nil {
		w.Fatal(err)
	}
	if err := w.store.ChangeCrashRound(w.Context(), lease.Fence, c.Chain, 1, func(epoch int64, _ *crash.Round) (ports.CrashChange, error) {
		first, err := crash.NextRound(c, epoch, nil, 100_00, w.now())
		return ports.CrashChange{Round: first, At: w.now()}, err
	}); err != nil {
		w.Fatal(err)
	}
	return c, secrets, lease.Fence
}

// TestAWayPointIsBoundToItsRound changes encrypted way points of a chain: the hashes below them
// can't be had, those of other way points can.
func TestAWayPointIsBoundToItsRound(t *testing.T) {
	t.Parallel()
	w, _ := watched(t, onSQLite, sqlstore.WriterOptions{})
	c, secrets, _ := w.sharedCrash()
	execAll(t, w.beside(), "DROP TRIGGER crash_way_points_fixed",
		"UPDATE crash_way_points SET sealed = (SELECT w.sealed FROM crash_way_points AS w WHERE w.number = 20) WHERE number = 10")
	for round := int64(1); round <= 25; round++ {
		hash, err := w.store.CrashHash(t.Context(), c.Chain, round)
		want, _ := secrets.Hash(round)
		if opened := err == nil && hash.Reveal() == want.Reveal(); opened != (round > 10) {
			t.Errorf("round %d: opened %t, %v", round, opened, err)
		}
	}
}

// TestInstancesShareTheCrashLease lets two instances, each with its own connections, take the
// lease and change a round at once, by the database's clock: each fence has one holder, and none
// decides after one with a greater fence has its lease.
func TestInstancesShareTheCrashLease(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		c, _, fence := w.sharedCrash()
		if _, _, err := w.store.LeaseCrash(t.Context(), "worker", fence, time.Time{}, 0); err != nil {
			t.Fatal(err)
		}
		other, err := on.open(t.Context(), w.where, newSealer(t), (&commitLoser{}).through)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Close() }()
		var newest, changes atomic.Int64
		var holders sync.Map
		var all sync.WaitGroup
		for i, store := range []*sqlstore.Store{w.store, other, w.store, other} {
			all.Go(func() {
				var own int64
				for range 25 {
					lease, has, err := store.LeaseCrash(t.Context(), fmt.Sprint("worker ", i%2), own, time.Time{}, time.Millisecond)
					if err != nil {
						t.Error(err)
					}
					if has {
						if holder, there := holders.LoadOrStore(lease.Fence, i); there && holder != i {
							t.Errorf("%v and %d have fence %d", holder, i, lease.Fence)
						}
						own = lease.Fence
						for before := newest.Load(); before < own && !newest.CompareAndSwap(before, own); before = newest.Load() {
						}
					}
					err = store.ChangeCrashRound(t.Context(), own, c.Chain, 1, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
						if newest.Load() > own {
							t.Errorf("a worker with fence %d decides after one with %d", own, newest.Load())
						}
						changes.Add(1)
						return ports.CrashChange{Round: *now}, nil
					})
					if err != nil && !errors.Is(err, ports.ErrCrashFenced) {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if newest.Load() < 3 || changes.Load() == 0 {
			t.Errorf("the lease moved to fence %d, %d changes", newest.Load(), changes.Load())
		}
	})
}

// TestAStopFindsTheBetsOfAllInstances has players bet through two instances while a third set of
// connections stops the bets: when that returns, those that were taken are found, and none is
// taken afterwards.
func TestAStopFindsTheBetsOfAllInstances(t *testing.T) {
	t.Parallel()
	w, _ := watched(t, onPostgres, sqlstore.WriterOptions{})
	c, _, fence := w.sharedCrash()
	other := w.another(sqlstore.WriterOptions{})
	w.start(w.writer)
	other.start(other.writer)
	const players, after = 24, 6
	var people []wallet.Address
	for i := range players + after {
		people = append(people, fakes.Wallet(fmt.Sprint("player ", i)))
	}
	w.signIn(1_000, people...)
	first, err := w.store.CrashRound(t.Context(), c.Chain, 1)
	if err != nil {
		t.Fatal(err)
	}
	var taken sync.Map
	some := make(chan struct{}, len(people))
	bets := func(i int, at *world) error {
		r := player.CrashBetRequest{Round: first, Wager: 10, Auto: 2_00, Placed: bet.Placed{
			ID: w.id(), Wallet: people[i], Terms: terms(money.SOL), Bankroll: money.TotalOf(money.Max), At: w.now(),
		}}
		item := player.Item{
			Wallet: r.Wallet, At: r.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: r.ID}},
			Needs:  player.Needs{Tokens: []money.Token{money.SOL}, OpenRounds: true, Exposure: money.SOL, Game: crash.GameType},
			Decide: func(v player.View) (player.Change, error) { return player.BetCrash(v, r) },
		}
		_, err := at.writer.Commit(t.Context(), item)
		for fault.Is(err, fault.WagerOutOfRange) { // a lane that was just taken has no part of the room yet
			_, err = at.writer.Commit(t.Context(), item)
		}
		switch {
		case err == nil:
			taken.Store(r.ID, true)
		case !fault.Is(err, fault.InvalidState):
			t.Error(err)
		}
		some <- struct{}{}
		return err
	}
	var all sync.WaitGroup
	for i := range players {
		all.Go(func() { _ = bets(i, []*world{w, other}[i%2]) })
	}
	<-some
	if err := other.store.ChangeCrashRound(t.Context(), fence, c.Chain, 1, func(_ int64, now *crash.Round) (ports.CrashChange, error) {
		stopped, err := now.Stop()
		return ports.CrashChange{Round: stopped, At: w.now()}, err
	}); err != nil {
		t.Fatal(err)
	}
	found, err := w.store.CrashBets(t.Context(), bet.Shared{Chain: c.Chain, Number: 1}, "", 2*players)
	all.Wait()
	for i := range after {
		if bets(players+i, w) == nil {
			t.Error("a bet was taken after the stop")
		}
	}
	for _, b := range found {
		if _, there := taken.LoadAndDelete(b.ID); !there {
			t.Errorf("bet %s was found, and not taken", b.ID)
		}
	}
	taken.Range(func(id, _ any) bool {
		t.Errorf("bet %s was taken, and not found", id)
		return true
	})
	if t.Logf("%d bets were taken", len(found)); err != nil || len(found) == 0 {
		t.Errorf("%d bets, %v", len(found), err)
	}
}

// TestOpenCrashRoundsAreFoundByAnIndex asks for the plan of the read of open rounds among many.
func TestOpenCrashRoundsAreFoundByAnIndex(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		c, _, _ := w.sharedCrash()
		db := w.beside()
		if on.numbered {
			execAll(t, db, "ALTER TABLE crash_rounds DISABLE TRIGGER crash_rounds_follow")
		} else {
			execAll(t, db, "DROP TRIGGER crash_rounds_follow")
		}
		execAll(t, db, `INSERT INTO crash_rounds WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
			SELECT '`+c.Chain+`', i, 'cancelled', 200, 'hash' || i, 0, 0, TRUE, '', 0, '', 0, NULL, 'hash' || (i + 1), 0, TRUE, FALSE, 1 FROM n`, "ANALYZE crash_rounds")
		seen := &reads{}
		w.store.WatchReads(seen)
		if open, err := w.store.OpenCrashRounds(t.Context()); err != nil || len(open) != 1 {
			t.Fatalf("%+v, %v", open, err)
		}
		for _, query := range seen.text {
			plan := ""
			if on.arrays {
				plan = w.planOf(db, query)
			} else {
				plan = strings.Join(stepsOf(t, db, query), "\n")
			}
			if !strings.Contains(plan, "crash_rounds_open") {
				t.Errorf("%s\n%s", query, plan)
			}
		}
		if len(seen.text) == 0 {
			t.Error("no read was seen")
		}
	})
}

// TestSettledCrashBetsAreFoundByTheirIndex asks for the plan of the read of a round's settled bets.
func TestSettledCrashBetsAreFoundByTheirIndex(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w, _ := watched(t, on, sqlstore.WriterOptions{})
		db, seen := w.beside(), &reads{}
		w.store.WatchReads(seen)
		if settled, err := w.store.SettledCrashBets(t.Context(), bet.Shared{Chain: "c1", Number: 7}, w.id(), 9); err != nil || len(settled) != 0 || len(seen.text) != 1 {
			t.Fatalf("%+v, %v, %d reads", settled, err, len(seen.text))
		}
		plan, index := "", "rounds_shared"
		if on.arrays {
			plan, index = w.planOf(db, seen.text[0], "enable_seqscan = off"), "AND (id > $3))"
		} else {
			plan = strings.Join(stepsOf(t, db, seen.text[0]), "\n")
		}
		if !strings.Contains(plan, index) || strings.Contains(plan, "Seq Scan on rounds") {
			t.Errorf("%s\n%s", seen.text[0], plan)
		}
	})
}
