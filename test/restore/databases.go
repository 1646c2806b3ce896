package restore

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/sqlstore/postgres"
	"github.com/casino-service/casino/adapters/sqlstore/sqlite"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/app/deposits"
	apprecovery "github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/services"
)

// Database is a casino's database that can be restored.
type Database interface {
	// Open opens it as the service does.
	Open(ctx context.Context) (*sqlstore.Store, error)
	// Copy copies it and returns the copy's location. If Online, it may be in use.
	Copy(ctx context.Context) (where string, err error)
	// PutBack replaces it by a copy.
	PutBack(ctx context.Context, where string) error
	// Online reports whether it can be copied while it is in use, Live whether it can be replaced
	// under a running service.
	Online() bool
	Live() bool
}

// seeds returns a sealer of server seeds with a key that all processes have.
func seeds(random io.Reader) (ports.Sealer, error) {
	ring, err := sealer.ParseKeys([]string{"test:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"})
	if err != nil {
		return nil, err
	}
	return sealer.New(ring, random), nil
}

// Folder returns an empty folder for the test, in memory if possible: these tests don't test
// disks, and each commit waits for one.
func Folder(tb testing.TB) string {
	tb.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "casino-restore")
	if err != nil {
		return tb.TempDir()
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			tb.Error(err)
		}
	})
	return folder
}

// inFile is a database on SQLite.
type inFile struct {
	folder string
	copies atomic.Int64
}

// SQLite returns an empty migrated database on SQLite for this test.
func SQLite(tb testing.TB) Database {
	tb.Helper()
	f := &inFile{folder: Folder(tb)}
	store, err := sqlite.Open(tb.Context(), f.path(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	_, err = store.Migrate(tb.Context())
	if err := errors.Join(err, store.Close()); err != nil {
		tb.Fatal(err)
	}
	return f
}

func (f *inFile) path() string { return filepath.Join(f.folder, "casino.db") }

func (f *inFile) Open(ctx context.Context) (*sqlstore.Store, error) {
	sealer, err := seeds(rand.Reader)
	if err != nil {
		return nil, err
	}
	return sqlite.Open(ctx, f.path(), sealer)
}

func (f *inFile) Copy(ctx context.Context) (string, error) {
	where := filepath.Join(f.folder, fmt.Sprint("copy", f.copies.Add(1), ".db"))
	_, err := sqlite.Backup(ctx, f.path(), where)
	return where, err
}

func (f *inFile) PutBack(_ context.Context, where string) error {
	content, err := os.ReadFile(where)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(f.path()+"-wal"), os.RemoveAll(f.path()+"-shm"), os.WriteFile(f.path(), content, 0o600))
}

func (*inFile) Online() bool { return true }
func (*inFile) Live() bool   { return false }

// onServer is a database on PostgreSQL.
type onServer struct {
	url    *url.URL
	copies atomic.Int64
}

// Postgres returns an empty migrated database on PostgreSQL for this test.
func Postgres(tb testing.TB) Database {
	tb.Helper()
	where := services.PostgresPrepared(tb, "restore", func(ctx context.Context, url string) error {
		store, err := postgres.Open(ctx, url, postgres.Options{})
		if err != nil {
			return err
		}
		_, err = store.Migrate(ctx)
		return errors.Join(err, store.Close())
	})
	parsed, err := url.Parse(where)
	if err != nil {
		tb.Fatal(err)
	}
	s := &onServer{url: parsed}
	tb.Cleanup(func() {
		for i := range s.copies.Load() {
			if err := s.run(context.WithoutCancel(tb.Context()), "DROP DATABASE IF EXISTS "+s.copyName(i+1)); err != nil {
				tb.Error(err)
			}
		}
	})
	return s
}

func (s *onServer) name() string            { return strings.Trim(s.url.Path, "/") }
func (s *onServer) copyName(i int64) string { return fmt.Sprint(s.name(), "_copy", i) }

// Open connects as the service does, as a member of the role that has exactly the grants it
// needs.
func (s *onServer) Open(ctx context.Context) (*sqlstore.Store, error) {
	sealer, err := seeds(rand.Reader)
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, s.url.String()+"&role=casino_runtime", postgres.Options{Sealer: sealer, Migrated: true, Readers: 2})
}

func (s *onServer) Copy(ctx context.Context) (string, error) {
	where := s.copyName(s.copies.Add(1))
	return where, s.run(ctx, "CREATE DATABASE "+where+" TEMPLATE "+s.name())
}

func (s *onServer) PutBack(ctx context.Context, where string) error {
	if err := s.run(ctx, "DROP DATABASE "+s.name()+" WITH (FORCE)"); err != nil {
		return err
	}
	return s.run(ctx, "CREATE DATABASE "+s.name()+" TEMPLATE "+where)
}

func (*onServer) Online() bool { return false }
func (*onServer) Live() bool   { return true }

// run runs a statement on the server's own database.
func (s *onServer) run(ctx context.Context, statement string) error {
	own := *s.url
	own.Path = "/postgres"
	db, err := sql.Open("pgx", own.String())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement)
	return errors.Join(err, db.Close())
}

// Fill signs in this many more players, who do nothing else: each has a pair of seeds.
func (w *World) Fill(ctx context.Context, players int) error {
	const atOnce = 256
	var all sync.WaitGroup
	failed := make([]error, atOnce)
	for part := range atOnce {
		all.Go(func() {
			for n := part; n < players && failed[part] == nil; n += atOnce {
				_, failed[part] = w.visit(ctx, n, w.clock.Now())
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// visit signs a player of Fill in.
func (w *World) visit(ctx context.Context, n int, at time.Time) (accounts.SignInResult, error) {
	name := fmt.Sprint("one of many ", n)
	address, millis := fakes.Wallet(name), at.UnixMilli()
	return w.service.casino.Accounts.SignIn(ctx, accounts.SignInRequest{
		Wallet: string(address), Timestamp: millis, Signature: ed25519.Sign(fakes.Key(name), []byte(wallet.LoginMessage(address, millis))),
	})
}

// Return lets players of Fill come back after a recovery, and returns how long each took.
func (w *World) Return(ctx context.Context, players int) (time.Duration, error) {
	began := time.Now()
	for n := range players {
		if _, err := w.visit(ctx, n, w.clock.Now().Add(time.Second)); err != nil {
			return 0, err
		}
	}
	return time.Since(began) / time.Duration(players), nil
}

type movement = treasury.Movement

// errBroken ends a recovery early.
var errBroken = errors.New("the recovery was killed")

// breaking is the store of a recovery that is killed before or after its nth write.
type breaking struct {
	storage
	world *World
	left  *int
	after bool
}

// write writes, unless the process is killed.
func (b breaking) write(do func() error) error {
	*b.left--
	if *b.left == 0 && !b.after {
		return errBroken
	}
	err := do()
	if *b.left == 0 && err == nil {
		err = errBroken
	}
	return err
}

func (b breaking) Commit(ctx context.Context, item player.Item) (r player.Receipt, err error) {
	err = b.write(func() error { r, err = b.storage.Commit(ctx, item); return err })
	return r, err
}

func (b breaking) BeginEpoch(ctx context.Context, known []hashchain.Head, decide ports.ControlDecision) (began []hashchain.Head, err error) {
	err = b.write(func() error {
		began, err = b.begun(ctx, known, decide)
		b.world.eyes.blocks.begun(began)
		return err
	})
	return began, err
}

func (b breaking) ExtendIndex(ctx context.Context, from string, to treasury.Position, found []treasury.Movement) error {
	return b.write(func() error { return b.storage.ExtendIndex(ctx, from, to, found) })
}

func (b breaking) Review(ctx context.Context, signature string, from, to treasury.State) error {
	return b.write(func() error { return b.storage.Review(ctx, signature, from, to) })
}

// recover recovers with separate processes beside the service, some of which are killed on the
// way.
func (w *World) recover(ctx context.Context) (breaks int, err error) {
	for try := 0; ; try++ {
		left := -1
		if try < 3 && w.random.IntN(2) == 0 {
			left = 1 + w.random.IntN(5)
		}
		err := w.recoverOnce(ctx, &left)
		if errors.Is(err, errBroken) {
			breaks++
			w.pass(ctx, time.Duration(w.random.IntN(30))*time.Second)
			continue
		}
		return breaks, err
	}
}

func (w *World) recoverOnce(ctx context.Context, left *int) (err error) {
	command, err := w.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, command.stop()) }()
	recovery := apprecovery.NewRecovery(apprecovery.RecoveryOptions{
		Store: breaking{command.store, w, left, w.random.IntN(2) == 0}, Restoration: command.restoration, Chain: seenChain{w.chain, w},
		Seals: w.seals, Rotated: w.seals,
		Watch: &deposits.WatchBeginning{
			Cursors: command.store, History: w.chain, Controls: command.store, Index: command.store, Tokens: token.NewBook(terms),
		},
		Clock: w.clock, Entropy: w.entropy, DrawnAt: func(string) (time.Time, bool) { return time.Time{}, false },
	})
	if w.random.IntN(2) == 0 {
		if _, err := recovery.Plan(ctx); err != nil {
			return fmt.Errorf("plan: %w", err)
		}
	}
	for range 1000 {
		if recovery.Stage() == apprecovery.Recovered {
			return nil
		}
		worked, err := recovery.Step(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", recovery.Stage(), err)
		}
		if !worked || w.random.IntN(3) == 0 {
			w.pass(ctx, time.Duration(1+w.random.IntN(20))*time.Second)
		}
	}
	return fault.New(fault.Internal, "the recovery comes to no end")
}

// trouble is the cause of an alarm.
type trouble struct {
	// wrong says that the database's clock is an hour ahead; turned is when that last changed.
	wrong  bool
	turned time.Time
	// stays is the alarm that was open in the last restored copy and whose cause has lasted
	// since; empty if there is none.
	stays string
}

// turn sometimes sets the database's clock wrong, or right.
func (w *World) turn() {
	if w.chance.IntN(25) == 0 {
		w.trouble = trouble{wrong: !w.wrong, turned: w.clock.Now()}
	}
}

// off is the database's clock.
type off struct{ world *World }

func (o off) StoreTime(context.Context) (time.Time, error) {
	if o.world.wrong {
		return o.world.clock.Now().Add(time.Hour), nil
	}
	return o.world.clock.Now(), nil
}

// openAlarms returns the open alarms.
func (w *World) openAlarms(ctx context.Context) ([]alarm.Alarm, error) {
	open := true
	page, err := w.service.store.Alarms(ctx, ports.AlarmFilter{Open: &open}, ports.Page{Number: 1, Limit: ports.PageMax})
	return page.Alarms, err
}

// openAlarm returns the open alarm about the clocks, empty if there is none.
func (w *World) openAlarm(ctx context.Context) (id string, err error) {
	open, err := w.openAlarms(ctx)
	for _, a := range open {
		if a.Kind == alarm.Clocks {
			id = a.ID
		}
	}
	return id, err
}

// alarmsHold checks that alarms are open exactly while their causes last, and that an alarm in
// the copy is still the same one if its cause lasted.
func (w *World) alarmsHold(ctx context.Context) error {
	open, err := w.openAlarms(ctx)
	if err != nil {
		return err
	}
	of := map[alarm.Kind][]alarm.Alarm{}
	for _, a := range open {
		if of[a.Kind] = append(of[a.Kind], a); slices.ContainsFunc(of[a.Kind][:len(of[a.Kind])-1], func(o alarm.Alarm) bool { return o.About == a.About }) {
			return fmt.Errorf("two alarms are open about one thing: %+v", of[a.Kind])
		}
	}
	clocks := of[alarm.Clocks]
	if (len(clocks) == 1) != w.wrong || w.stays != "" && clocks[0].ID != w.stays {
		return fmt.Errorf("that the clocks are apart is %v since %v, alarm %q stays, open are %+v", w.wrong, w.turned, w.stays, clocks)
	}
	for _, kind := range []alarm.Kind{alarm.PayoutStuck, alarm.PayoutUnsignable, alarm.PayoutForged, alarm.PayoutCapped, alarm.PayoutUnproved} {
		for _, a := range of[kind] {
			if now, err := w.service.store.Withdrawal(ctx, a.About); err != nil || string(now.Status) != a.Fact("status") {
				return fmt.Errorf("%+v is open, and the withdrawal is %s: %w", a, now.Status, err)
			}
		}
	}
	return nil
}
