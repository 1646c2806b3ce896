// Package sim runs the whole service on fakes from one seed: virtual time, one goroutine, a
// possible fault at any port call. A model that only knows the answers predicts the next ones,
// and the ledger is checked at the end.
//
// `make sim` runs many seeds; `make sim SEED=n` replays one. No package imports it.
package sim

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/casino-service/casino/app"
	appadmin "github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/sharedcrash"
	agentsites "github.com/casino-service/casino/app/sites"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// terms are small limits, so that a simulation reaches them.
var terms = token.Terms{
	Mint: money.SOL, Symbol: "SOL", Decimals: 9, Program: token.System,
	MinDeposit: 1_000_000, MinWager: token.MinWagerDefault, MaxWager: 50_000_000, MaxPayout: 2_000_000_000,
	MinWithdrawal: 1_000_000, MaxWithdrawal: 1_000_000_000, TwoPersonAbove: 300_000_000, TwoPersonAbovePerDay: token.NoTwoPerson,
	PayoutCap: 450_000_000, PayoutCapPerHour: 700_000_000, BankrollShare: money.Ratio{Num: 1, Den: 5},
}

// capital is what the operator put into the treasury.
const capital = 20_000_000_000

// World is one simulated casino.
type World struct {
	random  *rand.Rand
	faults  *faults
	planted Defect
	clock   *fakes.Clock
	entropy *fakes.Entropy
	// kept is the store without faults.
	kept    conformance.Ports
	chain   *fakes.Chain
	node    node
	casino  *app.Casino
	games   *game.Registry
	payouts [2]*payouts.PayoutWorker
	claims  *deposits.DepositWorker
	watcher *deposits.DepositWatcher
	// provider is the provider of third-party games, table the model's expectations of it.
	provider provider
	table    table
	// network is agents with their own sites, and their players.
	network   network
	forwarder *agentsites.DeliveryWorker
	began     time.Time
	crash     crashed
	// forgotten is the refusal that a planted defect doesn't store.
	forgotten player.Change

	keys    map[wallet.Address]ed25519.PrivateKey
	players []*account
	admins  []wallet.Address
	serial  int
	// shared are payments of two players that an admin must decide.
	shared map[deposit.Ref]sharedPayment
	paused bool
	// busy says that a worker is within a step, and has found something that must never happen.
	busy bool
	// rerun says that the store loses the answer to its next COMMIT and resolves it by running
	// the item again.
	rerun bool
	found []string
	// signed are the newest attempts of withdrawals, by withdrawal.
	signed map[string]signedPayout
}

// sharedPayment is a payment of two players, half of the amount each.
type sharedPayment struct {
	of     [2]*account
	amount int64
}

// signedPayout is an amount that was signed, and when.
type signedPayout struct {
	at     time.Time
	amount money.Amount
}

// Setting describes a world. The same setting gives the same world, if its store is
// deterministic.
type Setting struct {
	Seed uint64
	// FaultsPerThousand is how many calls of a thousand fail.
	FaultsPerThousand int
	// Planted is the service's defect.
	Planted Defect
	// Store is an empty store.
	Store conformance.Ports
}

// New makes the world of a setting.
func New(o Setting) (*World, error) {
	random := rand.New(rand.NewPCG(o.Seed, 0x5eed)) //nolint:gosec // a simulation must be repeatable
	w := &World{
		random: random, faults: &faults{random: random}, planted: o.Planted, kept: o.Store,
		clock:   fakes.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
		entropy: fakes.NewEntropy(int64(o.Seed)), keys: map[wallet.Address]ed25519.PrivateKey{},
		shared: map[deposit.Ref]sharedPayment{}, signed: map[string]signedPayout{},
	}
	if store, hasClock := o.Store.(interface{ Follow(clock ports.Clock) }); hasClock {
		store.Follow(w.clock)
	}
	var err error
	if w.games, err = fakes.StandardGames(); err != nil {
		return nil, err
	}
	if err := w.build(); err != nil {
		return nil, err
	}
	w.faults.perThousand = o.FaultsPerThousand
	return w, nil
}

func (w *World) build() error {
	w.chain = fakes.NewChain(terms)
	w.chain.Follow(w.clock)
	w.node = node{w.chain, w, new([]withdrawal.Attempt)}
	w.began = w.clock.Now()
	w.provider = provider{w, map[wallet.Address][]seamless.Record{}}
	w.table = table{legs: map[string]*firstAnswer{}, bets: map[string]bool{}}
	w.network = network{sites: fakes.NewSites()}
	w.crash.bets = map[string]*crashBet{}
	casino, err := app.New(app.Deps{
		Store: app.StoreOf(store{w.kept, w}), Chain: w.node, TreasuryHistory: w.history(), Clock: w.clock, Entropy: w.entropy,
		Sessions: fakes.NewSessions(w.clock, "sim", 30*time.Minute), Games: w.games, Tokens: token.NewBook(terms),
		Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
		Beacons: beacons{w}, Crash: crashRules(),
		Provider: &app.ProviderConnection{
			Code: connection, Games: w.provider, Token: money.SOL, Scale: scale, EnableNew: true,
			Sites: sites{w.network.sites, w},
			// The model doesn't know the cap of all players: it doesn't learn when a forwarded
			// win is booked before its answer.
			Caps: player.ProviderCaps{NetWin: netWinCap, WithoutDebit: withoutDebitCap, Connection: money.Max},
		},
	})
	if err != nil {
		return err
	}
	w.casino = casino
	w.restart()
	ctx := context.Background()
	w.chain.Fund(wallet.Address(w.chain.TreasuryAddress()), money.SOL, capital)
	if _, err := casino.Treasury.BookCapital(ctx, money.SOL, capital, "founding"); err != nil {
		return err
	}
	if err := casino.Deposits.BeginWatch(ctx); err != nil {
		return err
	}
	if _, err := casino.Providers.ProviderSync().Sync(ctx); err != nil {
		return err
	}
	commands := appadmin.RoleCommands{Roles: w.kept, Withdrawals: w.kept, Policy: rbac.DefaultPolicy(), Clock: w.clock, Entropy: w.entropy}
	for range 3 {
		admin, err := w.newWallet()
		if err != nil {
			return err
		}
		if err := commands.Found(ctx, admin, "finance", ""); err != nil {
			return err
		}
		w.admins = append(w.admins, admin)
	}
	for range 4 {
		player, err := w.newWallet()
		if err != nil {
			return err
		}
		w.chain.Fund(player, money.SOL, 5_000_000_000)
		w.players = append(w.players, newAccount(player))
	}
	return w.join(ctx)
}

// restart replaces every worker, as after a kill of the process: only the store keeps its state,
// and leases stay with workers that are gone.
func (w *World) restart() {
	w.payouts = [2]*payouts.PayoutWorker{w.casino.Payouts.PayoutWorker(), w.casino.Payouts.PayoutWorker()}
	w.claims, w.watcher, w.forwarder = w.casino.Deposits.DepositWorker(), w.casino.Deposits.DepositWatcher(), w.casino.Sites.DeliveryWorker()
	w.crash.drivers = [2]*sharedcrash.Driver{w.casino.Crash.Driver(), w.casino.Crash.Driver()}
}

func (w *World) newWallet() (wallet.Address, error) {
	seed := w.entropy.Seed()
	key := ed25519.NewKeyFromSeed(seed[:])
	address, err := wallet.FromPublicKey(ed25519.PublicKey(key[32:]))
	w.keys[address] = key
	return address, err
}

// key returns a new idempotency key.
func (w *World) key() app.Idempotency {
	w.serial++
	return app.Idempotency{Key: "sim-" + strconv.Itoa(w.serial), Fingerprint: "fp-" + strconv.Itoa(w.serial)}
}

// attempts is how often a request is sent before faults are disabled: a client that keeps
// retrying gets an answer.
const attempts = 5

// again repeats a request under its key after every answer with an unknown outcome, until the
// answer is definite.
func again[A any](w *World, ask func() (A, error)) (A, error) {
	saved := w.faults.perThousand
	defer func() { w.faults.perThousand = saved }()
	for try := 0; ; try++ {
		if try == attempts {
			w.faults.perThousand = 0
		}
		answer, err := ask()
		if !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.External) {
			return answer, err
		}
	}
}

// Step does one random thing and compares the answer with the model.
func (w *World) Step(ctx context.Context) error {
	w.clock.Advance(time.Duration(1+w.random.IntN(2_000)) * time.Millisecond)
	a := w.players[w.random.IntN(len(w.players))]
	if !a.known {
		// Wallets that never signed in may pay too.
		if w.random.IntN(3) > 0 {
			return w.payIn(ctx, a)
		}
		return w.signIn(ctx, a)
	}
	actions := []struct {
		weight int
		name   string
		do     func(context.Context, *account) error
	}{
		{40, "play", w.play}, {8, "rotate", w.rotate}, {8, "pay in", w.payIn}, {6, "claim", w.claimDeposit},
		{8, "withdraw", w.withdraw}, {4, "cancel", w.cancel}, {10, "decide", w.decide}, {4, "adjust", w.adjust},
		{16, "work", w.work}, {2, "look", w.look}, {2, "share", w.share}, {3, "resolve", w.resolve},
		{3, "turn", w.turn}, {2, "launch", w.launch}, {20, "callback", w.callback}, {2, "review", w.review},
		{12, "forward", w.forward}, {1, "prepay", w.prepays}, {2, "rebind", w.rebinds}, {1, "limit", w.limit},
		{10, "bet on crash", w.betOnCrash}, {10, "cash out", w.cashOut}, {10, "work on crash", w.workOnCrash},
		{2, "restart", func(context.Context, *account) error { w.restart(); return nil }},
	}
	total := 0
	for _, action := range actions {
		total += action.weight
	}
	pick := w.random.IntN(total)
	for _, action := range actions {
		if pick -= action.weight; pick < 0 {
			if err := action.do(ctx, a); err != nil {
				return fmt.Errorf("%s: %w", action.name, err)
			}
			return nil
		}
	}
	return nil
}

// Injected returns how many faults were injected so far.
func (w *World) Injected() int { return w.faults.injected }

// account is what the model expects of one player, based only on answers. It shares no code with
// the stores, so that an error in a balance isn't repeated here.
type account struct {
	wallet   wallet.Address
	known    bool
	balances map[money.Token]int64
	nonce    int64
	pairHash string
	nextHash string
	rounds   []bet.Round // of the active pair
	open     map[string]withdrawal.Status
	claims   map[deposit.Ref]int64 // payments on chain that are not credited yet
	seat     seat
	limits   limits
}

func newAccount(w wallet.Address) *account {
	return &account{
		wallet: w, balances: map[money.Token]int64{}, open: map[string]withdrawal.Status{},
		claims: map[deposit.Ref]int64{},
	}
}

// played compares a settled round with the facts known before it.
func (a *account) played(r bet.Round) error {
	want := a.balances[r.Token] - int64(r.Wager) + int64(r.Payout)
	switch {
	case r.Nonce != a.nonce:
		return fmt.Errorf("round %s has nonce %d, expected %d", r.ID, r.Nonce, a.nonce)
	case a.pairHash != "" && r.Commitment != a.pairHash:
		return fmt.Errorf("round %s was drawn from pair %s, %s is active", r.ID, r.Commitment, a.pairHash)
	case int64(r.Balance) != want:
		return fmt.Errorf("round %s leaves balance %d, expected %d", r.ID, r.Balance, want)
	case want < 0:
		return fmt.Errorf("round %s leaves balance %d", r.ID, want)
	}
	a.balances[r.Token], a.nonce, a.pairHash = want, a.nonce+1, r.Commitment
	a.rounds = append(a.rounds, r)
	return nil
}

// rotated checks a revealed pair against every round it decided.
func (a *account) rotated(games *game.Registry, revealed fairness.Revealed, active fairness.Pair) error {
	if revealed.Rounds != a.nonce {
		return fmt.Errorf("the revealed pair states %d rounds, %d were played", revealed.Rounds, a.nonce)
	}
	if a.nextHash != "" && active.Commitment != a.nextHash {
		return fmt.Errorf("pair %s follows, %s was promised", active.Commitment, a.nextHash)
	}
	for _, r := range a.rounds {
		result, commitment, err := games.Verify(game.RoundInputs{
			GameType: r.GameType, Rules: r.Rules, Config: r.Config,
			ServerSeed: revealed.ServerSeed, ClientSeed: r.ClientSeed, Nonce: r.Nonce,
		})
		payout, _ := r.Wager.Times(result.Multiplier)
		if err != nil || commitment != r.Commitment || payout != r.Payout || !result.Outcome.Equal(r.Outcome) {
			return fmt.Errorf("round %s is not what its seeds decide: %w", r.ID, err)
		}
	}
	a.rounds, a.nonce, a.pairHash, a.nextHash = nil, 0, active.Commitment, active.Next.Commitment
	return nil
}
