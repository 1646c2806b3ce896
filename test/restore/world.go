// Package restore puts older copies of the database back, at random from one seed: a
// casino in one process on the SQL store, a small chain and virtual time, with its heads
// kept in a file, in what stands for Redis, and in its memory. What anybody ever saw of
// it is kept in a model that no restore takes away, and nothing of it may happen twice.
// Listeners go on from their places whatever is put back, and know every balance in the end;
// alarms say in the end what is so.
//
// Nobody imports it. `make restore` restores RESTORES times; `make restore SEED=n`
// replays one seed.
package restore

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/app"
	appadmin "github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
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
	// blockTime is how long the chain takes for a block.
	blockTime = 400 * time.Millisecond
	// crowd is how many wallets play.
	crowd = 5
)

// Setting is what a world is made of.
type Setting struct {
	Seed     uint64
	Database Database
	// Folder is an empty one for what is kept outside the database.
	Folder  string
	Planted Defect
}

// World is one casino whose database goes back.
type World struct {
	random   *rand.Rand
	database Database
	state    string // the folder of heads
	planted  Defect
	clock    *fakes.Clock
	entropy  *fakes.Entropy
	chain    *fakes.Chain
	// late are payouts that were signed, and that the network has not delivered yet.
	late  []withdrawal.Attempt
	games *game.Registry
	seals fakes.Authenticator
	// redis stands for one.
	redis *memory.Witness
	// service is the process that players reach.
	service   *process
	processes int

	admins  []wallet.Address
	serial  int
	backups []backup
	// olderRedis is what Redis held at some moment.
	olderRedis *memory.Witness
	// found is when the last restore was noticed, loginsFrom what login messages count from.
	found, loginsFrom time.Time
	trouble
	// listeners hear what is committed. They keep what they heard where no restore reaches it.
	listeners []*listener
	// chance decides when they hear and when troubles come, which changes nothing else that
	// happens by a seed.
	chance *rand.Rand

	books
	eyes eyes
}

// New builds a world and opens its casino.
func New(ctx context.Context, s Setting) (*World, error) {
	random := rand.New(rand.NewPCG(s.Seed, 0xba0c)) //nolint:gosec // it must be repeatable
	w := &World{
		random: random, chance: rand.New(rand.NewPCG(s.Seed, 0xea7)), database: s.Database, state: s.Folder, planted: s.Planted,
		clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(int64(s.Seed)), chain: fakes.NewChain(terms),
		redis: memory.New(), books: newBooks(), eyes: newEyes(),
	}
	w.chain.Follow(w.clock)
	var err error
	if w.games, err = game.NewRegistry(game.Standard()...); err != nil {
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
		panic(err) // a key is one
	}
	a := newAccount(address)
	w.eyes.keys[address] = key
	w.accounts[address], w.eyes.players = a, append(w.eyes.players, address)
	return a
}

// pass lets time go by, for the casino and on the chain, and delivers now and then what
// was held back.
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

// deliver delivers what the network held back. What is too late is dropped there.
func (w *World) deliver(ctx context.Context) {
	for _, attempt := range w.late {
		_ = w.chain.Send(ctx, attempt) // whether it arrived nobody waits for
	}
	w.late = nil
}

// key returns a fresh idempotency key.
func (w *World) key() app.Idempotency {
	w.serial++
	return app.Idempotency{Key: "restore-" + strconv.Itoa(w.serial), Fingerprint: "fp-" + strconv.Itoa(w.serial)}
}

// Live has so many things happen.
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

// Rest lets seconds or hours go by without players.
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

// Lose lives, makes a backup, lives on, and restores it under the condition.
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
