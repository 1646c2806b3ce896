package restore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Kept says what is left outside the database when it is restored.
type Kept string

// The possible values.
const (
	Everything   Kept = "everything is kept"
	RedisFlushed Kept = "Redis is flushed"
	RedisOlder   Kept = "Redis is put back too, the file is lost"
	FileLost     Kept = "the file is lost"
	Nothing      Kept = "every head is lost"
)

// Conditions are all of them.
var Conditions = [...]Kept{Everything, RedisFlushed, RedisOlder, FileLost, Nothing}

// backup is a copy of the database, with its expected contents.
type backup struct {
	where string
	books books
	heads map[int]int64
	at    time.Time
	// alarm is the open alarm about the clocks, empty if there is none.
	alarm string
}

// Backup copies the database, while it is in use if possible.
func (w *World) Backup(ctx context.Context) error {
	if err := w.caughtUp(ctx); err != nil {
		return err
	}
	open, err := w.openAlarm(ctx)
	if err != nil {
		return err
	}
	if !w.database.Online() {
		if err := w.service.stop(); err != nil {
			return err
		}
	}
	where, err := w.database.Copy(ctx)
	if err != nil {
		return err
	}
	w.backups = append(w.backups, backup{where, w.books.clone(), w.eyes.blocks.heads(), w.clock.Now(), open})
	if !w.database.Online() {
		w.service, err = w.start(ctx)
	}
	return err
}

func copyOf(ctx context.Context, witness *memory.Witness) (*memory.Witness, error) {
	kept, err := witness.Kept(ctx)
	if err != nil {
		return nil, err
	}
	twin := memory.New()
	for _, r := range kept.Records {
		if err := twin.Keep(r); err != nil {
			return nil, err
		}
	}
	return twin, nil
}

// Report describes a restore.
type Report struct {
	Kept     Kept
	Live     bool
	Noticed  bool
	Behind   bool // recorded numbers are so old that later ones are used again
	Age      time.Duration
	Breaks   int
	Payments int // payments that the books lacked
	Owing    int
	// Reopened is how long the recovery took, Held by how much memory use had grown after it.
	Reopened time.Duration
	Held     int64
}

// Restore restores a backup under the conditions, recovers, and compares.
func (w *World) Restore(ctx context.Context, kept Kept) (report Report, err error) {
	from := w.backups[len(w.backups)-1]
	if w.random.IntN(4) == 0 { // it may be from before the last recovery
		from = w.backups[w.random.IntN(len(w.backups))]
	}
	report = Report{Kept: kept, Live: w.database.Live() && kept != Nothing && w.random.IntN(2) == 0, Age: w.clock.Now().Sub(from.at)}
	if !report.Live {
		if err := w.service.stop(); err != nil {
			return report, err
		}
	}
	if err := w.lose(ctx, kept); err != nil {
		return report, err
	}
	report.Noticed, report.Behind, err = w.contradicted(ctx, from, report.Live)
	if err == nil {
		err = w.database.PutBack(ctx, from.where)
	}
	if err != nil {
		return report, err
	}
	w.back(from, !report.Noticed, report.Behind)
	w.loses(from, report.Noticed)
	if !report.Noticed {
		// Without records a recovery can't know that payouts may still land: the service must be
		// down for longer than a signed payout is valid.
		for range 3 {
			w.pass(ctx, time.Minute)
		}
	}
	if !report.Live {
		if w.service, err = w.start(ctx); err != nil {
			return report, err
		}
	}
	if !report.Noticed {
		return report, w.unnoticed(ctx)
	}
	if err := errors.Join(w.closed(ctx), w.listen(ctx, false)); err != nil {
		return report, err
	}
	if err := w.plant(ctx); err != nil {
		return report, err
	}
	held, began := inUse(), time.Now()
	if report.Breaks, err = w.recover(ctx); err != nil {
		return report, err
	}
	report.Reopened, report.Held = time.Since(began), inUse()-held
	return report, w.recovered(ctx, &report)
}

// inUse returns how much memory is in use.
func inUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// lose removes what isn't kept.
func (w *World) lose(ctx context.Context, kept Kept) (err error) {
	if kept == RedisFlushed || kept == Nothing {
		w.redis = memory.New()
	}
	if kept == RedisOlder {
		if w.olderRedis == nil {
			w.olderRedis = memory.New()
		}
		w.redis, err = copyOf(ctx, w.olderRedis)
	}
	if kept == FileLost || kept == RedisOlder || kept == Nothing {
		err = errors.Join(err, os.RemoveAll(w.state))
	}
	return err
}

// contradicted reports whether any record is newer than the backup, and whether there are numbers
// so far beyond all records that a recovery can't know them.
func (w *World) contradicted(ctx context.Context, from backup, live bool) (noticed, behind bool, err error) {
	inFile, err := file.Open(w.state, w.seals)
	if err != nil {
		return false, false, err
	}
	known := maps.Clone(from.heads)
	witnesses := []ports.Witness{inFile, w.redis}
	if live {
		witnesses = append(witnesses, w.service.memory)
	}
	for _, witness := range witnesses {
		kept, failed := witness.Kept(ctx)
		if failed != nil {
			return false, false, errors.Join(failed, inFile.Close())
		}
		for _, record := range kept.Records {
			for _, h := range record.Heads {
				noticed = noticed || h.Seq > from.heads[h.Lane]
				if witness != ports.Witness(w.service.memory) { // the command that recovers can't read it
					known[h.Lane] = max(known[h.Lane], h.Seq)
				}
			}
		}
	}
	for lane, seq := range w.eyes.blocks.heads() {
		behind = behind || seq > known[lane]+hashchain.EpochMargin
	}
	return noticed, behind, inFile.Close()
}

// back resets the model to the backup. What players saw stays, unless the restore wasn't noticed:
// then outcomes may repeat.
func (w *World) back(to backup, unnoticed, behind bool) {
	lostPayments := w.eyes.deposits[to.books.paidIn:]
	w.books = to.books.clone()
	for _, address := range w.eyes.players {
		if w.accounts[address] == nil {
			w.accounts[address] = newAccount(address)
		}
	}
	for _, p := range lostPayments {
		w.accounts[p.from].claims[p.signature] = p.amount
	}
	w.paidIn = len(w.eyes.deposits)
	w.eyes.blocks.back(to.heads, !unnoticed, unnoticed || behind)
	for _, a := range w.accounts {
		a.token, a.ended = "", a.known && !unnoticed
	}
	if unnoticed {
		w.eyes.outcomes, w.eyes.messages, w.eyes.sessions = map[outcome]string{}, nil, nil
		clear(w.eyes.dead)
		return
	}
	w.eyes.epoch()
}

// unnoticed continues with a service that did not notice. Only payments are guaranteed, and those
// of the lost time only after the first look at the chain has found them, which runs while the
// service starts.
func (w *World) unnoticed(ctx context.Context) error {
	if closed := w.service.restoration.Closed(); closed != nil {
		return fmt.Errorf("closed without any evidence: %+v", *closed)
	}
	return w.work(ctx, nil)
}

// closed checks that the service does nothing any more.
func (w *World) closed(ctx context.Context) error {
	a := w.accounts[w.eyes.players[0]]
	for range w.random.IntN(8) { // a worker's steps before the restore is noticed
		_, _ = w.service.steps[w.random.IntN(len(w.service.steps))](ctx)
	}
	var err error
	for range 10 { // connections that ended during it may fail first
		if _, err = w.service.casino.Play.Play(ctx, caller(a.wallet), w.bet()); fault.Is(err, fault.Maintenance) {
			break
		}
		if err == nil {
			return errors.New("a restored database took a bet")
		}
		if !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.WagerOutOfRange) && !fault.Is(err, fault.InsufficientFunds) {
			return fmt.Errorf("a bet on a restored database: %w", err)
		}
		w.clock.Advance(time.Second)
		if _, err := w.service.restoration.Step(ctx); err != nil && !fault.Is(err, fault.Unavailable) {
			return err
		}
	}
	if w.service.restoration.Closed() == nil {
		return errors.New("the service is open on a restored database")
	}
	if err := reached(func() error {
		_, err := w.service.restoration.Publish(ctx)
		return err
	}); err != nil {
		return err
	}
	before, err := w.paid(ctx)
	if err != nil {
		return err
	}
	late := len(w.late)
	for range 5 {
		for _, step := range w.service.steps {
			if worked, _ := step(ctx); worked {
				return errors.New("a worker goes on while the database counts as restored")
			}
		}
	}
	after, err := w.paid(ctx)
	if err != nil || len(after) != len(before) || len(w.late) != late {
		return fmt.Errorf("something was signed on a restored database (%w)", err)
	}
	w.found = w.clock.Now()
	return reached(func() error {
		state, err := w.service.store.State(ctx)
		if err == nil && state.Restored == nil {
			err = errors.New("no other instance knows that the database was restored")
		}
		return err
	})
}

// reached calls ask until the database answers: each connection that was open when the database
// was replaced fails once.
func reached(ask func() error) (err error) {
	for range 100 {
		if err = ask(); !fault.Is(err, fault.Unavailable) {
			break
		}
	}
	return err
}

// recovered compares the state after a recovery with the model, and ends sessions and pairs of
// before.
func (w *World) recovered(ctx context.Context, report *Report) error {
	for range 3 {
		if _, err := w.service.restoration.Step(ctx); err != nil && !fault.Is(err, fault.Unavailable) {
			return err
		}
	}
	if closed := w.service.restoration.Closed(); closed != nil {
		return fmt.Errorf("closed after its recovery: %+v", *closed)
	}
	state, err := w.service.store.State(ctx)
	if err != nil {
		return err
	}
	w.loginsFrom = state.LoginsFrom
	if err := w.settle(ctx, report); err != nil {
		return err
	}
	for _, bearer := range w.eyes.sessions[max(0, len(w.eyes.sessions)-20):] {
		if _, err := w.service.casino.Accounts.Authenticate(ctx, bearer); err == nil {
			return errors.New("a session outlived the recovery")
		}
	}
	for _, used := range w.eyes.messages[max(0, len(w.eyes.messages)-20):] {
		if _, err := w.service.casino.Accounts.SignIn(ctx, used.SignInRequest); err == nil {
			return fmt.Errorf("the login message of %s, stamped %v after the discovery, counts again",
				used.Wallet, time.UnixMilli(used.Timestamp).Sub(w.found))
		}
	}
	return nil
}

// settle books the chain's payments in the model, and compares.
func (w *World) settle(ctx context.Context, report *Report) error {
	all, err := w.paid(ctx)
	if err != nil {
		return err
	}
	for _, m := range all {
		asked, ours := w.eyes.requests[m.WithdrawalID]
		if !ours || m.Failed || w.asked[m.WithdrawalID] {
			continue
		}
		a := w.accounts[asked.wallet]
		if !a.known {
			continue // an unknown payment of a known withdrawal: an operator must decide
		}
		w.asked[m.WithdrawalID] = true
		report.Payments++
		covered := min(a.balance, asked.amount)
		a.balance, a.owed = a.balance-covered, a.owed+asked.amount-covered
	}
	for _, address := range w.eyes.players {
		a := w.accounts[address]
		if !a.known {
			continue
		}
		if a.owed > 0 {
			report.Owing++
		}
		for _, id := range sorted(a.open) {
			if err := w.refreshed(ctx, a, id); err != nil {
				return err
			}
			now, err := w.service.store.Withdrawal(ctx, id)
			if err != nil {
				return err
			}
			// One that the backup shows as being sent by that transaction is ended by its worker.
			paid := slices.ContainsFunc(all, func(m movement) bool { return m.WithdrawalID == id && !m.Failed })
			if paid && now.Status.Open() && now.Status != withdrawal.Sending {
				return fmt.Errorf("withdrawal %s was paid, and is %s after the recovery", id, now.Status)
			}
		}
		if err := w.balanced(ctx, a); err != nil {
			return err
		}
	}
	return nil
}
