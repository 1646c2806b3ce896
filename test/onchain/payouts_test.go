package onchain_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/validator"
)

// bank is a stage with players who have money in the casino, an admin, and the adapter behind a
// proxy.
type bank struct {
	*stage
	proxy   *validator.Proxy
	ada     app.Caller
	players []person
	// before is the treasury's balance of each token before any booking.
	before map[money.Token]money.Amount
	plant  planted
	random *rand.Rand
}

// stake is each player's balance of each token.
const stake = 50_000_000

func newBank(t testing.TB, plant planted, players int, seed uint64) *bank {
	t.Helper()
	b := &bank{plant: plant, before: map[money.Token]money.Amount{}, random: rand.New(rand.NewPCG(seed, 17))}
	start := validator.StartLight
	if os.Getenv("CASINO_TEST_PAYOUTS_ON") == "surfpool" {
		start = validator.Start
	}
	b.stage = newStageOn(t, planted{}, start)
	b.unindexed = plant.chain != nil
	b.proxy = validator.NewProxy(t, b.chain.Handler())
	b.node = b.newNode(b.proxy.URL)
	for _, terms := range b.tokens() {
		b.before[terms.Mint] = b.holding(terms)
	}
	b.ada = app.Caller{Wallet: fakes.Wallet("ada"), RequestID: "ada"}
	commands := admin.RoleCommands{Roles: b.store, Withdrawals: b.store, Policy: b.Policy, Clock: b.clock, Entropy: b.Entropy}
	noError(t, commands.Found(t.Context(), b.ada.Wallet, "finance", ""))
	for range players {
		p := b.join()
		b.players = append(b.players, p)
		for _, terms := range b.tokens() {
			signature := b.do(b.pays(p, terms, stake), p.PrivateKey)
			b.finalize()
			if got := b.claim(signature, claim{who: p, terms: terms}); got.reason != "" {
				t.Fatalf("%+v", got)
			}
		}
	}
	return b
}

func (b *bank) tokens() []token.Terms { return []token.Terms{b.sol, b.usd, b.fee} }

func (b *bank) terms(mint money.Token) token.Terms {
	for _, terms := range b.tokens() {
		if terms.Mint == mint {
			return terms
		}
	}
	b.Fatalf("no token %s", mint)
	return token.Terms{}
}

// holding returns the treasury's finalized balance.
func (b *bank) holding(terms token.Terms) money.Amount {
	b.Helper()
	held, err := b.newNode(b.url).Holding(b.Context(), terms)
	noError(b, err)
	return held
}

// withdraws requests a withdrawal and gets it approved.
func (b *bank) withdraws(p person, terms token.Terms, amount money.Amount, to string) string {
	b.Helper()
	asked, err := b.Payouts.Withdraw(b.Context(), p.Caller, payouts.WithdrawalRequest{Amount: int64(amount), Token: string(terms.Mint), Destination: to})
	noError(b, err)
	if _, err := b.Payouts.ApproveWithdrawal(b.Context(), b.ada, payouts.WithdrawalDecision{ID: asked.Withdrawal.ID}); err != nil {
		b.Fatal(err)
	}
	return asked.Withdrawal.ID
}

func (b *bank) stands(id string) withdrawal.Withdrawal {
	b.Helper()
	w, err := b.store.Withdrawal(b.Context(), id)
	noError(b, err)
	return w
}

// fresh returns a wallet without money and accounts.
func (b *bank) fresh() wallet.Address {
	b.people++
	return fakes.Wallet(fmt.Sprint("fresh ", b.people))
}

// received returns a wallet's balance of a token on chain.
func (b *bank) received(to wallet.Address, terms token.Terms) uint64 {
	b.Helper()
	key := sol.MPK(string(to))
	if terms.Program != token.System {
		key = account(key, terms)
	}
	lamports, units, err := b.chain.Held(key)
	noError(b, err)
	if terms.Program == token.System {
		return lamports
	}
	return units
}

// arrives returns what arrives of a payout, after the token's own fee.
func arrives(terms token.Terms, amount money.Amount) uint64 {
	const share, most = 100, 1_000_000
	if terms.Program != token.Token2022 {
		return uint64(amount)
	}
	return uint64(amount) - min((uint64(amount)+share-1)/share, most)
}

// balanced compares the ledger with the chain, to the unit: the treasury paid what the ledger
// booked, including fees and rent.
func (b *bank) balanced() (faults []error) {
	b.Helper()
	b.finalize()
	totals, err := b.store.Totals(b.Context())
	noError(b, err)
	for _, terms := range b.tokens() {
		held := money.TotalOf(b.holding(terms)).SubAmount(b.before[terms.Mint])
		booked := money.Total{}
		for _, total := range totals {
			if total.Token == terms.Mint && total.Account.Kind == ledger.Chain {
				booked = total.Amount.Neg()
			}
		}
		if held.Cmp(booked) != 0 {
			faults = append(faults, fmt.Errorf("the treasury's %s rose by %v, the ledger says %v", terms.Symbol, held, booked))
		}
	}
	return faults
}

// process is one run of the service: all it does passes through its ports, which do nothing after
// it died.
type process struct {
	*app.Casino
	life *life
}

// life ends at a random step.
type life struct {
	dead   bool
	random *rand.Rand
	chance float64
}

// deathChance is the chance of dying before any step, and again right after it.
const deathChance = 0.015

var errDead = errors.New("the process died")

// step runs a step, or dies before it, or right after it.
func (l *life) step(do func() error) error {
	dies := func() bool { l.dead = l.dead || l.chance > 0 && l.random.Float64() < l.chance; return l.dead }
	if dies() {
		return errDead
	}
	err := do()
	if dies() {
		return errDead
	}
	return err
}

// mortalChain and mortalStore are the ports of a process.
type mortalChain struct {
	app.Chain
	*life
}

func (m mortalChain) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (attempt withdrawal.Attempt, err error) {
	return attempt, m.step(func() error { attempt, err = m.Chain.Sign(ctx, w, terms); return err })
}

func (m mortalChain) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	return m.step(func() error { return m.Chain.Send(ctx, attempt) })
}

func (m mortalChain) Outcome(ctx context.Context, attempt withdrawal.Attempt) (outcome withdrawal.Outcome, err error) {
	return outcome, m.step(func() error { outcome, err = m.Chain.Outcome(ctx, attempt); return err })
}

// start starts the service again.
func (b *bank) start(chance float64) process {
	b.Helper()
	l := &life{random: b.random, chance: chance}
	var chain app.Chain = b.node
	if b.plant.chain != nil {
		chain = b.plant.chain(b.stage, chain)
	}
	return process{b.casino(mortalChain{chain, l}, mortalStore{b.store, l}), l}
}

// TestPayoutsLandOnce pays many withdrawals through crashes after any step and faults on nearly
// every second call. CASINO_TEST_PAYOUTS is their number, and CASINO_TEST_PAYOUTS_ON=surfpool
// selects the slow runtime.
func TestPayoutsLandOnce(t *testing.T) {
	t.Parallel()
	count := 200
	if text := os.Getenv("CASINO_TEST_PAYOUTS"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	b := newBank(t, planted{}, 6, 1)
	for _, fault := range b.payAll(count) {
		t.Error(fault)
	}
}

// openMax is how many withdrawals of a player may be open at once.
const openMax = 5

// payAll pays count withdrawals, in waves of as many as may be open, and returns errors.
func (b *bank) payAll(count int) (faults []error) {
	b.Helper()
	owed := map[wallet.Address]map[money.Token]uint64{}
	destinations := []wallet.Address{b.fresh(), b.fresh(), b.fresh(), b.fresh(), b.fresh(), b.fresh()}
	deaths, wrong, attempts := 0, 0, 0
	var wave []string
	for i := range count {
		terms := b.tokens()[b.random.IntN(3)]
		to := destinations[b.random.IntN(len(destinations))]
		amount := money.Amount(1_000_000 + b.random.Int64N(1_000_000))
		wave = append(wave, b.withdraws(b.players[i%len(b.players)], terms, amount, string(to)))
		if owed[to] == nil {
			owed[to] = map[money.Token]uint64{}
		}
		owed[to][terms.Mint] += arrives(terms, amount)
		if len(wave) < openMax*len(b.players) && i < count-1 {
			continue
		}
		died, failed := b.drain(wave, 0.45)
		deaths, wrong = deaths+died, wrong+failed
		for _, id := range wave {
			w := b.stands(id)
			if attempts += w.Attempt; w.Status != withdrawal.Completed {
				return append(faults, fmt.Errorf("withdrawal %s is %s after all: %s", id, w.Status, w.Reason))
			}
		}
		wave = nil
	}
	for to, tokens := range owed {
		for mint, units := range tokens {
			if got := b.received(to, b.terms(mint)); got != units {
				faults = append(faults, fmt.Errorf("%s was owed %d of %s and got %d", to, units, b.terms(mint).Symbol, got))
			}
		}
	}
	b.Logf("%d payouts: %d crashes, %d faults met, %d transactions signed", count, deaths, wrong, attempts)
	if deaths < count/5 || wrong < count {
		faults = append(faults, errors.New("too quiet a run to prove anything"))
	}
	return append(faults, b.balanced()...)
}

// drain runs the worker, through crashes and restarts, until everything is paid or it takes too
// long.
func (b *bank) drain(ids []string, share float64) (deaths, wrong int) {
	b.Helper()
	b.proxy.Spoil(b.randomly(share))
	defer b.proxy.Spoil(nil)
	service := b.start(deathChance)
	worker := service.Payouts.PayoutWorker()
	for step := range 400 * len(ids) {
		_, err := worker.Step(b.Context())
		switch {
		case service.life.dead:
			deaths++
			service = b.start(deathChance)
			worker = service.Payouts.PayoutWorker()
			b.slots(b.random.IntN(400))
		case err != nil && !fault.Is(err, fault.External):
			b.Fatalf("step %d: %v", step, err)
		case err != nil:
			wrong++
		}
		b.slots(b.random.IntN(4))
		if step%50 == 49 && b.allEnded(ids) {
			break
		}
		if step == 200*len(ids) {
			b.proxy.Spoil(b.randomly(share / 3)) // a time with fewer faults, or some payouts never end
		}
	}
	return deaths, wrong
}

func (b *bank) allEnded(ids []string) bool {
	for _, id := range ids {
		if b.stands(id).Status != withdrawal.Completed {
			return false
		}
	}
	return true
}

// randomly spoils a share of the calls, each by one of the faults.
func (b *bank) randomly(share float64) func(validator.Call) *validator.Reply {
	random := rand.New(rand.NewPCG(b.random.Uint64(), 3)) // used by the proxy only, because it is called from other goroutines
	return func(c validator.Call) *validator.Reply {
		if random.Float64() >= share {
			return nil
		}
		return validator.Faults[random.IntN(len(validator.Faults))].Do(c)
	}
}
