package sqlstore_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	appadmin "github.com/casino-service/casino/app/admin"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// written is a store with its writer.
type written struct {
	*sqlstore.Store
	ports.Writer
}

// emptyChain is a chain on which the treasury signed nothing.
type emptyChain struct{ finalized uint64 }

func (*emptyChain) Signed(context.Context, treasury.Position, int) (ports.TreasuryPage, error) {
	return ports.TreasuryPage{}, nil
}

func (c *emptyChain) Heights(context.Context) (ports.Heights, error) {
	c.finalized++
	return ports.Heights{LastValid: 2, Finalized: c.finalized}, nil
}

// recovers recovers a restored database, as the command does.
func (i *instance) recovers(choose ...func(*apprecovery.RecoveryOptions)) {
	i.Helper()
	options := apprecovery.RecoveryOptions{
		Store: written{i.store, i.writer}, Restoration: i.restoration, Chain: &emptyChain{}, Seals: fakes.Authenticator{}, Rotated: fakes.Authenticator{},
		Clock: i.clock, Entropy: i.entropy, DrawnAt: func(string) (time.Time, bool) { return time.Time{}, false },
	}
	for _, change := range choose {
		change(&options)
	}
	recovery := apprecovery.NewRecovery(options)
	for range 20 {
		if recovery.Stage() == apprecovery.Recovered {
			return
		}
		if _, err := recovery.Step(i.Context()); err != nil {
			i.Fatal(err)
		}
	}
	i.Fatal("the recovery comes to no end")
}

// returns signs alice in again, with a message signed after the recovery.
func (i *instance) returns() {
	i.Helper()
	i.clock.Advance(3 * time.Minute)
	item := i.login(alice)
	item.Needs.Pair = true
	if _, errs := i.together(item); errs[0] != nil {
		i.Fatal(errs)
	}
}

// TestEachRecoveryBeginsAnEpochOfItsOwn checks that the epoch is new, with right and wrong clocks
// before, and above lost epochs.
func TestEachRecoveryBeginsAnEpochOfItsOwn(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		last := map[int]int64{} // the newest number ever used in each lane
		plays := func(rounds int) {
			i := instanceOf(t, on, where, state).begins()
			i.compares(true)
			i.plays(rounds)
			for _, h := range i.newestBlocks() {
				last[h.Lane] = h.Seq
			}
			i.end()
		}
		recovers := func(epoch int64, ahead time.Duration) {
			i := instanceOf(t, on, where, state).begins()
			i.compares(false)
			i.clock.Advance(ahead)
			i.recovers()
			now, err := i.store.State(t.Context())
			if err != nil || now.Epoch != epoch {
				t.Errorf("epoch %d follows, not %d: %v", now.Epoch, epoch, err)
			}
			for _, h := range i.newestBlocks() {
				if h.Seq <= last[h.Lane] {
					t.Errorf("%v is begun after number %d", h, last[h.Lane])
				}
			}
			i.compares(true)
			i.returns()
			i.end()
		}
		first := instanceOf(t, on, where, state).begins()
		first.funded()
		first.end()
		oldest := copied(t, on, where)
		plays(2)
		replaced(t, on, where, oldest)
		recovers(2, time.Hour) // a clock that is ahead
		second := copied(t, on, where)
		plays(2)
		replaced(t, on, where, second)
		recovers(3, 0)
		plays(2)
		replaced(t, on, where, oldest)
		recovers(4, 0)
		plays(2)
	})
}

// TestWhoeverPutADatabaseBackMaySaySo declares a restore where no record shows it: the next epoch
// skips all numbers that the lost time may have used.
func TestWhoeverPutADatabaseBackMaySaySo(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where := on.fresh(t)
		first := instanceOf(t, on, where, t.TempDir()).begins()
		first.funded()
		first.plays(2)
		newest := map[int]int64{}
		for _, h := range first.newestBlocks() {
			newest[h.Lane] = h.Seq
		}
		first.end()
		second := instanceOf(t, on, where, t.TempDir()).begins() // all records are lost
		second.compares(true)
		published := hashchain.Head{Lane: 1, Seq: 9_000_000_000, Hash: hashchain.Hash{1}}
		second.recovers(func(o *apprecovery.RecoveryOptions) { o.PutBack, o.Heads = true, []hashchain.Head{published} })
		for _, h := range second.newestBlocks() {
			if least := newest[h.Lane] + 4_000_000_000; newest[h.Lane] > 0 && h.Seq <= least || h.Lane == published.Lane && h.Seq <= published.Seq {
				t.Errorf("%v may have been used", h)
			}
		}
		if state, err := second.store.State(t.Context()); err != nil || state.Epoch != 2 || state.Restored != nil {
			t.Errorf("%+v, %v", state, err)
		}
		second.compares(true)
		second.returns()
		second.plays(1)
	})
}

// roles returns the roles as this process verifies them.
func (i *instance) roles() appadmin.SealedRoles {
	return appadmin.SealedRoles{Lists: i.store, Seals: fakes.Authenticator{}, Versions: i.restoration.RoleVersions()}
}

// grants gives a wallet a role, or removes it if role is empty.
func (i *instance) grants(w wallet.Address, role string) {
	i.Helper()
	record := audit.Record{ID: i.id(), Action: audit.RoleGranted, Target: string(w), At: i.now()}
	err := i.roles().ChangeRole(i.Context(), w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		if role == "" {
			return nil, record, nil
		}
		return &rbac.Assignment{Wallet: w, Role: role, GrantedAt: record.At}, record, nil
	})
	if err != nil {
		i.Fatal(err)
	}
}

// believes fails unless the roles of this many admins are accepted; -1 if the list is refused.
func (i *instance) believes(admins int) {
	i.Helper()
	all, err := i.roles().Roles(context.WithoutCancel(i.Context()))
	switch {
	case admins < 0 && !errors.Is(err, rbac.ErrForged):
		i.Errorf("the list is believed: %+v, %v", all, err)
	case admins >= 0 && (err != nil || len(all) != admins):
		i.Errorf("the list is %+v, %v; want %d admins", all, err, admins)
	}
}

// execs runs statements outside the service.
func (i *instance) execs(statements ...string) {
	i.Helper()
	db, err := i.on.beside(i.where)
	if err != nil {
		i.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			i.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		i.Fatal(err)
	}
}

// TestAnOldListOfRolesIsRefusedAfterARestart restores the roles' rows from before one was
// revoked, with their seal: later processes refuse them by the record of the earlier one, and so
// does one that ran beside it.
func TestAnOldListOfRolesIsRefusedAfterARestart(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		first := instanceOf(t, on, where, state).begins()
		beside := instanceOf(t, on, where, state).begins()
		first.grants(alice, rbac.Superadmin)
		first.grants(bob, "finance")
		first.execs("CREATE TABLE old_roles AS SELECT * FROM roles", "CREATE TABLE old_list AS SELECT * FROM role_list")
		beside.believes(2)
		first.grants(bob, "")
		first.believes(1)
		first.execs("DELETE FROM roles", "INSERT INTO roles SELECT * FROM old_roles",
			"UPDATE role_list SET version = (SELECT version FROM old_list), seal = (SELECT seal FROM old_list)")
		if list, err := first.store.RoleList(t.Context()); err != nil || list.Check(fakes.Authenticator{}, 0) != nil || len(list.All) != 2 {
			t.Fatalf("the list that was put back has no good seal: %+v, %v", list, err)
		}
		first.believes(-1)
		beside.compares(true) // it never saw the later list
		beside.believes(-1)
		beside.end()
		first.end()
		second := instanceOf(t, on, where, state).begins()
		second.believes(-1)
		if err := second.roles().ChangeRole(t.Context(), alice, nil); !errors.Is(err, rbac.ErrForged) {
			t.Errorf("a role is changed on an old list: %v", err)
		}
		second.end()

		// An operator who declares the list right makes it the current one.
		third := instanceOf(t, on, where, state).begins()
		accept := func() bool {
			accepted, err := third.roles().Accept(t.Context(), func(rbac.List) audit.Record {
				return audit.Record{ID: third.id(), Action: audit.RolesAccepted, At: third.now()}
			})
			if err != nil {
				t.Fatal(err)
			}
			return accepted
		}
		if !accept() || accept() {
			t.Error("an old list is accepted once")
		}
		third.believes(2)
		third.end()
		instanceOf(t, on, where, state).begins().believes(2)
	})
}

// TestAWitnessThatLostTheVersionIsGivenItAgain empties the folder of a process that has seen the
// version.
func TestAWitnessThatLostTheVersionIsGivenItAgain(t *testing.T) {
	t.Parallel()
	where, lost, state := onSQLite.fresh(t), t.TempDir(), t.TempDir()
	first := instanceOf(t, onSQLite, where, lost).begins()
	first.grants(alice, rbac.Superadmin)
	first.grants(bob, "finance")
	first.end()
	second := instanceOf(t, onSQLite, where, state).begins()
	second.believes(2) // the version is seen here, before it is stored in this folder
	second.end()
	for _, name := range []string{state, lost} {
		kept, err := instanceOf(t, onSQLite, where, name).heads.Kept(t.Context())
		if err != nil || len(kept.Records) != 1 || kept.Records[0].RolesVersion != 2 {
			t.Errorf("kept %+v, %v", kept, err)
		}
	}
}

// TestARecoveryTakesTheListOfRolesAsItIs restores a whole database from before a role was
// revoked: its older list of roles is accepted by the recovery, with a record that says so.
func TestARecoveryTakesTheListOfRolesAsItIs(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		where, state := on.fresh(t), t.TempDir()
		first := instanceOf(t, on, where, state).begins()
		first.funded()
		first.grants(alice, rbac.Superadmin)
		first.grants(bob, "finance")
		first.end()
		backup := copied(t, on, where)
		second := instanceOf(t, on, where, state).begins()
		second.grants(bob, "support")
		second.grants(bob, "readonly")
		second.end()
		replaced(t, on, where, backup)
		third := instanceOf(t, on, where, state).begins()
		third.believes(-1)
		third.recovers()
		third.compares(true)
		third.believes(2)
		records, err := third.store.Records(t.Context(), ports.AuditFilter{}, ports.Page{Limit: 50})
		said := 0
		for _, r := range records.Records {
			if r.Action == audit.RolesAccepted && r.Before == "version 2" && strings.Contains(r.After, "above version 4") {
				said++
			}
		}
		if err != nil || said != 1 {
			t.Errorf("%d records say it, %v: %+v", said, err, records.Records)
		}
		third.end()
		fourth := instanceOf(t, on, where, state).begins()
		fourth.compares(true)
		fourth.believes(2)
		fourth.grants(bob, "")
		fourth.believes(1)
	})
}

// TestAWalkOfSeveralSpansKnowsEachRoundsPair checks that rounds of pairs that an earlier span
// read match their blocks, with the seeds of their own pairs.
func TestAWalkOfSeveralSpansKnowsEachRoundsPair(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := newWorld(t, on, sqlstore.WriterOptions{})
		for _, who := range []wallet.Address{alice, bob} {
			w.commit(w.login(who))
			w.commit(w.credit(who, "first of "+string(who), money.SOL, 1_000_000))
		}
		for i := range 120 { // a span has 100 blocks at first
			if i == 10 {
				w.commit(w.rotate(alice, "mine"))
			}
			w.commit(w.play([]wallet.Address{alice, bob}[i%2], 10))
		}
		last, rounds, revealed := map[int]hashchain.Head{}, 0, 0
		if err := w.store.Blocks(t.Context(), func(b ports.Block) error {
			if last[b.Lane] == (hashchain.Head{}) {
				last[b.Lane] = hashchain.Head{Lane: b.Lane}
			}
			if again := hashchain.Again(last[b.Lane], b.Seq, b.Content); again.Hash() != b.Hash {
				t.Errorf("block %d:%d is read as something else", b.Lane, b.Seq)
			}
			last[b.Lane] = b.Head
			for _, r := range b.Rounds {
				want, err := w.store.RevealedPair(t.Context(), r.PairID)
				if err != nil && !fault.Is(err, fault.NotFound) {
					return err
				}
				if b.Revealed[r.PairID] != want.ServerSeed {
					t.Errorf("round %s has the seed %q for %q", r.ID, b.Revealed[r.PairID], want.ServerSeed)
				}
				if rounds++; want.ServerSeed != "" {
					revealed++
				}
			}
			return nil
		}); err != nil || rounds != 120 || revealed != 5 {
			t.Errorf("%d rounds, %d of revealed pairs, %v", rounds, revealed, err)
		}
	})
}

// TestRoundsStandBetweenPostingsAsTheyWereBooked checks that a batch of wins, losses and other
// postings has each transfer in its place, and is read back in its order.
func TestRoundsStandBetweenPostingsAsTheyWereBooked(t *testing.T) {
	everywhere(t, func(t *testing.T, on engine) {
		w := idleWorld(t, on, sqlstore.WriterOptions{}, unwrapped)
		w.begin(1_000_000, w.login(alice), w.login(bob))
		var items []player.Item
		for range 4 { // at most 16 of a wallet at once
			items = append(items, w.play(alice, 10), w.play(alice, 10), w.adjust(bob, 50), w.play(bob, 10), w.withdraw(alice, 700), w.play(alice, 10))
		}
		receipts, errs := w.together(items...)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		won, booked, of := 0, map[wallet.Address][]ledger.Key{}, map[ledger.Key]wallet.Address{}
		for i, r := range receipts {
			if r.Change.Round != nil && r.Change.Round.Payout > 0 {
				won++
			}
			for _, p := range r.Change.Postings {
				who := items[i].Wallet
				booked[who], of[p.Key] = append(booked[who], p.Key), who
			}
		}
		if won == 0 || won == 16 {
			t.Fatalf("%d of 16 rounds are won", won)
		}
		w.sound()
		if err := w.store.Blocks(t.Context(), func(b ports.Block) error {
			if len(b.Rounds) == 0 {
				return nil
			}
			read := map[wallet.Address][]ledger.Key{} // wallets take turns in a batch
			for _, p := range b.Postings {
				read[of[p.Key]] = append(read[of[p.Key]], p.Key)
			}
			if !reflect.DeepEqual(read, booked) {
				t.Errorf("postings are read as %v, they were %v", read, booked)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}
