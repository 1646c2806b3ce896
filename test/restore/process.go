package restore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/adapters/witness/memory"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/recovery"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/fault"
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

// storage is every port of a store.
type storage struct {
	*sqlstore.Store
	ports.Writer
}

// process is one of the casino's: the service, or the command that recovers.
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

// start opens the database and compares it with what is kept, as every process does.
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

// redis reads and writes what stands for Redis at present.
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
	p.steps = append(p.steps, p.casino.Health().Step) // which goes on while the database counts as restored
	return nil
}

// roles is the store of roles as commands write them, sealed.
func (p *process) roles() ports.Roles {
	return admin.SealedRoles{Lists: p.store, Seals: p.world.seals, Versions: p.restoration.RoleVersions()}
}

// node is a chain whose network holds payouts back: they land later, when the sender may
// have been put back to a time in which they were not signed.
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

// paid lists what the treasury signed, as anybody reads it off the chain.
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
