// Package restore restores older copies of the database, at random from one seed. It runs a
// casino in one process on the SQL store, with a small chain and virtual time, and with heads
// kept in a file, in a replacement of Redis, and in memory. A model that no restore resets holds
// all that players and others saw; none of it may happen twice. Listeners continue from their
// cursors after every restore and must know every balance in the end; alarms must then match the
// facts.
//
// `make restore` restores RESTORES times; `make restore SEED=n` replays one seed. No package
// imports it.
package restore

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/app"
	appadmin "github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
	MinDeposit: 1_000_000, MinWager: token.MinWagerDefault, MaxWager: 50_000_000, MaxPayout: 2_000_000_000,
	MinWithdrawal: 1_000_000, MaxWithdrawal: 1_000_000_000, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
	PayoutCap: money.Max, PayoutCapPerHour: money.Max, BankrollShare: money.Ratio{Num: 1, Den: 5},
}

const (
	// capital is what the operator put into the treasury.
	capital = 2_000_000_000_000
	// blockTime is the time between two blocks of the chain.
	blockTime = 400 * time.Millisecond
	// crowd is how many wallets play.
	crowd = 5
)

// Setting describes a world.
type Setting struct {
	Seed     uint64
	Database Database
	// Folder is an empty folder for records outside the database.
	Folder  string
	Planted Defect
}

// World is a casino with a database that is restored.
type World struct {
	random   *rand.Rand
	database Database
	state    string // the folder of heads
	planted  Defect
	clock    *fakes.Clock
	entropy  *fakes.Entropy
	chain    *fakes.Chain
	// late are signed payouts that the network has not delivered yet.
	late  []withdrawal.Attempt
	games *game.Registry
	seals fakes.Authenticator
	// redis replaces a Redis.
	redis *memory.Witness
	// service is the process that players reach.
	service   *process
	processes int

	admins  []wallet.Address
	serial  int
	backups []backup
	// olderRedis is Redis's content at an earlier time.
	olderRedis *memory.Witness
	// found is when the last restore was noticed, loginsFrom the time from which login messages
	// count.
	found, loginsFrom time.Time
	trouble
	// listeners read committed events. No restore resets their knowledge.
	listeners []*listener
	// chance decides when listeners read and when troubles happen, without changing the other
	// draws of a seed.
	chance *rand.Rand

	books
	eyes eyes
}

// New makes a world and opens its casino.
func New(ctx context.Context, s Setting) (*World, error) {
	random := rand.New(rand.NewPCG(s.Seed, 0xba0c)) //nolint:gosec // it must be repeatable
	w := &World{
		random: random, chance: rand.New(rand.NewPCG(s.Seed, 0xea7)), database: s.Database, state: s.Folder, planted: s.Planted,
		clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(int64(s.Seed)), chain: fakes.NewChain(terms),
		redis: memory.New(), books: newBooks(), eyes: newEyes(),
	}
	w.chain.Follow(w.clock)
	var err error
	if w.games, err = fakes.StandardGames(); err != nil {
		return nil, err
	}
	w.chain.Fund(wallet.Address(w.chain.TreasuryAddress()), money.SOL, capital)
	for range crowd {
		w.chain.Fund(w.newPlayer().wallet, money.SOL, 50_000_000_000)
	}
	w.listeners = []*listener{{name: "who hears often", often: 2}, {name: "who hears seldom", often: 40}, {name: "a player", often: 4, of: w.eyes.players[0]}}
	if w.service, err = w.start(ctx); err != nil {
		return nil, err
	}
	if _, err := w.service.casino.Treasury.BookCapital(ctx, money.SOL, capital, "founding"); err != nil {
		return nil, err
	}
	commands := appadmin.RoleCommands{
		Roles: w.service.roles(), Withdrawals: w.service.store, Policy: rbac.DefaultPolicy(), Clock: w.clock, Entropy: w.entropy,
	}
	for i := range 2 {
		admin := fakes.Wallet(fmt.Sprint("admin ", i))
		if err := commands.Found(ctx, admin, "finance", ""); err != nil {
			return nil, err
		}
		w.admins = append(w.admins, admin)
	}
	_, err = w.service.casino.Providers.ProviderSync().Sync(ctx)
	return w, err
}

// Close ends the casino.
func (w *World) Close() error {
	if w.service == nil {
		return nil
	}
	ending := w.service
	w.service = nil
	return ending.stop()
}

func (w *World) newPlayer() *account {
	seed := w.entropy.Seed()
	key := ed25519.NewKeyFromSeed(seed[:])
	address, err := wallet.FromPublicKey(ed25519.PublicKey(key[32:]))
	if err != nil {
		panic(err) // the key is valid
	}
	a := newAccount(address)
	w.eyes.keys[address] = key
	w.accounts[address], w.eyes.players = a, append(w.eyes.players, address)
	return a
}

// pass advances the time of the casino and the chain, and sometimes delivers delayed payouts.
func (w *World) pass(ctx context.Context, d time.Duration) {
	w.clock.Advance(d)
	if w.random.IntN(4) == 0 {
		w.deliver(ctx)
	}
	w.chain.Advance(uint64(d / blockTime))
	if w.random.IntN(4) == 0 {
		w.deliver(ctx)
	}
}

// deliver delivers delayed payouts. The chain drops those that are too late.
func (w *World) deliver(ctx context.Context) {
	for _, attempt := range w.late {
		_ = w.chain.Send(ctx, attempt) // its result doesn't matter
	}
	w.late = nil
}

// key returns a new idempotency key.
func (w *World) key() app.Idempotency {
	w.serial++
	return app.Idempotency{Key: "restore-" + strconv.Itoa(w.serial), Fingerprint: "fp-" + strconv.Itoa(w.serial)}
}

// Live does this many random things.
func (w *World) Live(ctx context.Context, steps int) error {
	for range steps {
		w.turn()
		w.pass(ctx, time.Duration(1+w.random.IntN(2_000))*time.Millisecond)
		if err := w.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Rest advances the time by seconds or hours without players.
func (w *World) Rest(ctx context.Context) error {
	for range 1 + w.random.IntN(3) {
		d := time.Duration(1+w.random.IntN(60)) * time.Second
		if w.random.IntN(3) == 0 {
			d *= 60
		}
		w.pass(ctx, d)
		if err := w.work(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// Lose plays, makes a backup, plays on, and restores it under the condition.
func (w *World) Lose(ctx context.Context, kept Kept, note func(Report)) error {
	if err := w.Live(ctx, 40+w.random.IntN(80)); err != nil {
		return fmt.Errorf("before the backup: %w", err)
	}
	if err := w.Backup(ctx); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	err := w.Live(ctx, w.random.IntN(80))
	if err == nil && w.random.IntN(2) == 0 {
		err = w.Rest(ctx)
	}
	if err == nil {
		err = w.Live(ctx, 1+w.random.IntN(80))
	}
	if err != nil {
		return fmt.Errorf("after the backup: %w", err)
	}
	report, err := w.Restore(ctx, kept)
	if err != nil {
		return fmt.Errorf("%+v: %w", report, err)
	}
	note(report)
	if err := w.Live(ctx, 60); err != nil {
		return fmt.Errorf("%+v: afterwards: %w", report, err)
	}
	if err := w.Settle(ctx); err != nil {
		return fmt.Errorf("%+v: in the end: %w", report, err)
	}
	return nil
}

// storage is every port of a store.
type storage struct {
	*sqlstore.Store
	ports.Writer
}

// process is a process of the casino: the service, or the command that recovers.
type process struct {
	world       *World
	store       storage
	heads       *file.Witness
	memory      *memory.Witness
	restoration *recovery.Restoration
	casino      *app.Casino
	// steps are the workers.
	steps []func(context.Context) (bool, error)
	stop  func() error
}

// start opens the database and compares it with the records, as every process does.
func (w *World) start(ctx context.Context) (*process, error) {
	w.processes++
	name := fmt.Sprint("process ", w.processes)
	store, err := w.database.Open(ctx)
	if err != nil {
		return nil, err
	}
	p := &process{world: w, memory: memory.New()}
	identity := ports.Identity{Mode: ports.ModeDev, Genesis: "genesis", Ledger: w.entropy.ID()}
	if err := store.Initialize(ctx, identity); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if _, err := store.RegisterTokens(ctx, []token.Terms{terms}); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if p.heads, err = file.Open(w.state, w.seals); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	p.restoration = recovery.NewRestoration(recovery.RestorationOptions{
		Instance: name, Memory: p.memory,
		Witnesses: []recovery.NamedWitness{{Name: "file", Witness: p.heads}, {Name: "redis", Witness: redis{w}}},
		Controls:  store, Blocks: store, Checkpoints: store, Origins: store, Clock: w.clock, Entropy: w.entropy,
	})
	sealed := func(h witness.Head) {
		w.eyes.blocks.sealed(h)
		p.restoration.Sealed(h)
	}
	store.ReportHeads(sealed)
	writer, err := store.Writers(sqlstore.WriterOptions{ID: name, Sealed: sealed, Outside: p.restoration})
	if err != nil {
		return nil, errors.Join(err, p.heads.Close(), store.Close())
	}
	p.store = storage{store, writer}
	if err := p.restoration.Start(ctx); err != nil {
		return nil, errors.Join(err, p.heads.Close(), store.Close())
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- writer.Run(running) }()
	p.stop = sync.OnceValue(func() error {
		cancel()
		err := <-ended
		_, flushed := p.heads.Step(context.WithoutCancel(ctx))
		return errors.Join(err, flushed, p.heads.Close(), store.Close())
	})
	if err := p.open(ctx); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// redis reads and writes the current replacement of Redis.
type redis struct{ world *World }

func (r redis) Keep(record witness.Record) error             { return r.world.redis.Keep(record) }
func (r redis) Kept(ctx context.Context) (ports.Kept, error) { return r.world.redis.Kept(ctx) }

// open makes the use cases and their workers.
func (p *process) open(ctx context.Context) error {
	w := p.world
	var err error
	deps := app.Deps{
		Store: app.StoreOf(p.store), Chain: node{w.chain, w}, TreasuryHistory: w.chain, Authenticator: w.seals, RoleVersions: p.restoration.RoleVersions(), Clock: w.clock, Entropy: w.entropy,
		Sessions: fakes.NewSessions(w.clock, "restore", 24*time.Hour), Games: w.games, Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
		Provider: &app.ProviderConnection{
			Code: connection, Games: provider{}, Token: money.SOL, Scale: scale, EnableNew: true,
			Caps: player.ProviderCaps{NetWin: money.Max, WithoutDebit: money.Max, Connection: money.Max},
		},
	}
	deps.Store.StoreClock, deps.Store.Events = off{w}, shownEvents{deps.Store.Events, w}
	if p.casino, err = app.New(deps); err != nil {
		return err
	}
	if err := p.casino.Deposits.BeginWatch(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) (bool, error){
		p.casino.Payouts.PayoutWorker().Step, p.casino.Deposits.DepositWorker().Step, p.casino.Deposits.DepositWatcher().Step,
		func(ctx context.Context) (bool, error) { return p.store.Prune(ctx, w.clock.Now()) },
	} {
		p.steps = append(p.steps, p.restoration.WhileOpen(step))
	}
	if w.planted != AlarmKept {
		p.steps = append(p.steps, p.restoration.WhileOpen(p.casino.Alarms.AlarmWorker().Step))
	}
	p.steps = append(p.steps, p.casino.Health().Step) // which continues while the database counts as restored
	return nil
}

// roles returns the store of roles as commands write them, sealed.
func (p *process) roles() ports.Roles {
	return appadmin.SealedRoles{Lists: p.store, Seals: p.world.seals, Versions: p.restoration.RoleVersions()}
}

// node is a chain with a network that delays payouts: they land later, when the sender may have been
// restored to a time before they were signed.
type node struct {
	app.Chain
	world *World
}

// Send delivers at once, or later.
func (n node) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	if n.world.random.IntN(3) > 0 {
		return n.Chain.Send(ctx, attempt)
	}
	n.world.late = append(n.world.late, attempt)
	return fault.New(fault.External, "the RPC node did not answer")
}

// provider launches games of a third party.
type provider struct{}

const (
	connection = "restore"
	maker      = "SPINS"
	slot       = "bells"
	scale      = 6
)

func (provider) Launch(context.Context, ports.LaunchRequest) (string, error) {
	return "https://games.example/play", nil
}

func (provider) Games(context.Context) ([]seamless.Game, []seamless.UnreadEntry, error) {
	return []seamless.Game{{Provider: maker, Code: slot, Name: slot, Type: "slot", Open: true}}, nil, nil
}

func (provider) Funds(context.Context) (seamless.Decimal, error) { return "1000000", nil }

func (provider) Log(context.Context, wallet.Address, time.Time, time.Time) ([]seamless.Record, error) {
	return nil, nil
}

// paid returns the treasury's transactions, as anyone can read them from the chain.
func (w *World) paid(ctx context.Context) (all []treasury.Movement, err error) {
	var from treasury.Position
	for {
		page, err := w.chain.Signed(ctx, from, ports.HistoryMax)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Movements...)
		if from = page.Next; !page.More {
			return all, nil
		}
	}
}
