package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var (
	alice = fakes.Wallet("alice")
	bob   = fakes.Wallet("bob")
	carol = fakes.Wallet("carol")
	admin = fakes.Wallet("admin")
	other = fakes.Wallet("other admin")
	usd   = fakes.Mint("usd")
)

// world is a store with a clock, ids and seeds for making items.
type world struct {
	testing.TB
	on      engine
	where   string
	store   *sqlstore.Store
	writer  *sqlstore.Writer
	clock   *fakes.Clock
	entropy *fakes.Entropy
	// run names one of several processes on one file.
	run string
	// looks is the owner's pool that number and sound keep.
	looks *ownersPool
}

// ownersPool is a pool of the owner, opened when it is first used.
type ownersPool struct {
	mu sync.Mutex
	db *sql.DB
}

func (w *world) id() string { return w.entropy.ID() }

// salt is a source of bytes for encryption: a counter, which never repeats.
type salt struct {
	mu sync.Mutex
	n  uint64
}

func (s *salt) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range p {
		if i%8 == 0 {
			s.n++
		}
		p[i] = byte(s.n >> (8 * (i % 8)))
	}
	return len(p), nil
}

func newSealer(t testing.TB) ports.Sealer {
	t.Helper()
	secret := make([]byte, 32)
	for i := range secret {
		secret[i] = byte(i * 7)
	}
	ring, err := sealer.ParseKeys([]string{"k1:" + hex.EncodeToString(secret)})
	if err != nil {
		t.Fatal(err)
	}
	return sealer.New(ring, &salt{})
}

// unwrapped leaves the write connection unchanged.
func unwrapped(c driver.Connector) driver.Connector { return c }

// newWorld opens an empty store with a writer that runs until the test ends.
func newWorld(t testing.TB, on engine, o sqlstore.WriterOptions) *world {
	w := idleWorld(t, on, o, unwrapped)
	w.start(w.writer)
	return w
}

// idleWorld opens an empty store with a writer that only steps when the test calls it.
func idleWorld(t testing.TB, on engine, o sqlstore.WriterOptions, through func(driver.Connector) driver.Connector) *world {
	t.Helper()
	return worldAt(t, on, on.fresh(t), o, through)
}

// worldAt returns an idle world on an empty database.
func worldAt(t testing.TB, on engine, where string, o sqlstore.WriterOptions, through func(driver.Connector) driver.Connector) *world {
	t.Helper()
	w := &world{
		TB: t, on: on, where: where,
		clock: fakes.NewClock(fakes.Start), entropy: fakes.NewEntropy(1), looks: &ownersPool{},
	}
	w.open(o, through)
	return w
}

func (w *world) open(o sqlstore.WriterOptions, through func(driver.Connector) driver.Connector) {
	w.Helper()
	store, err := w.on.open(w.Context(), w.where, newSealer(w), through)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = store.Close() })
	w.Cleanup(func() { w.writer.Release() })
	if o.ID == "" {
		o.ID = w.id()
	}
	w.store, w.writer = store, w.must(store.Writer(o))
}

func (w *world) must(writer *sqlstore.Writer, err error) *sqlstore.Writer {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
	return writer
}

// start runs the writer until the test ends, before its store is closed.
func (w *world) start(writer *sqlstore.Writer) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.Context()))
	done := make(chan error, 1)
	go func() { done <- writer.Run(ctx) }()
	w.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			w.Errorf("the writer ended with %v", err)
		}
	})
}

func (w *world) now() time.Time {
	return w.clock.Advance(time.Millisecond).Truncate(time.Microsecond)
}

func (w *world) spare() fairness.Spare {
	return fairness.Spare{ID: w.id(), Seed: fairness.NewServerSeed(w.entropy.Seed())}
}

// commit commits an item that must succeed.
func (w *world) commit(item player.Item) player.Receipt {
	w.Helper()
	receipt, err := w.writer.Commit(context.WithoutCancel(w.Context()), item)
	if err != nil {
		w.Fatalf("commit %v: %v", item.Keys, err)
	}
	return receipt
}

// together submits the items to the idle writer at once and lets it take one step, with all of
// them in one batch, in this order. It returns the answers in the same order.
func (w *world) together(items ...player.Item) ([]player.Receipt, []error) {
	w.Helper()
	receipts, errs := make([]player.Receipt, len(items)), make([]error, len(items))
	var all sync.WaitGroup
	for i, item := range items {
		queued := w.writer.Waiting()
		all.Go(func() {
			receipts[i], errs[i] = w.writer.Commit(context.WithoutCancel(w.Context()), item)
		})
		for w.writer.Waiting() == queued {
			pauseALittle()
		}
	}
	w.step()
	all.Wait()
	return receipts, errs
}

func (w *world) step() {
	w.Helper()
	worked, err := w.writer.Step(w.Context())
	if err != nil || !worked {
		w.Fatalf("step: worked %v, %v", worked, err)
	}
}

func terms(mint money.Token) token.Terms {
	return token.Terms{
		Mint: mint, Symbol: "TOK", Decimals: 6, Program: token.SPL, MinDeposit: 1, MinWager: 1, MaxWager: money.Max,
		MaxPayout: money.Max, MinWithdrawal: 1, MaxWithdrawal: money.Max, TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson,
		PayoutCap: money.Max, PayoutCapPerHour: money.Max, BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
}

func (w *world) login(who wallet.Address) player.Item {
	at := w.now()
	millis := at.UnixMilli()
	signIn := player.SignInRequest{
		Wallet: who, Agent: player.HouseAgent,
		Login: player.Login{Wallet: who, Timestamp: millis, KeepUntil: at.Add(3 * time.Minute)},
		First: w.spare(), Next: w.spare(), ClientSeed: "of the server", AuditID: w.id(), SessionAuditID: w.id(), At: at,
	}
	return player.Item{
		Wallet: who, At: at,
		Keys:   []player.UniqueKey{{Kind: player.LoginKey, Scope: string(who), ID: strconv.FormatInt(millis, 10)}},
		Needs:  player.Needs{Unclaimed: true},
		Decide: func(v player.View) (player.Change, error) { return player.SignIn(v, signIn) },
	}
}

// credit returns an item that credits a finalized deposit of a transaction.
func (w *world) credit(who wallet.Address, transaction string, mint money.Token, amount money.Amount) player.Item {
	at := w.now()
	ref := deposit.Ref{Signature: fakes.Signature(transaction), Token: mint}
	fresh := deposit.Claim{ID: w.id(), Wallet: who, Ref: ref, Status: deposit.Pending, CreatedAt: at, UpdatedAt: at}
	verdict := deposit.Verdict{Status: deposit.Credited, Amount: amount}
	return player.Item{
		Wallet: who, At: at,
		Keys:   []player.UniqueKey{{Kind: player.DepositKey, Scope: string(mint), ID: ref.Signature}},
		Needs:  player.Needs{Tokens: []money.Token{mint}, Deposits: []deposit.Ref{ref}, Open: true},
		Decide: func(v player.View) (player.Change, error) { return player.ClaimDeposit(v, fresh, verdict, at) },
	}
}

// brokenDice is dice with a draw that panics.
type brokenDice struct{ game.Game }

type brokenPlan struct{ game.Plan }

func (g brokenDice) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := g.Game.Plan(config, wager)
	return brokenPlan{plan}, err
}

func (brokenPlan) Play(game.Draws) game.Result { panic("the table is lost") }

func (w *world) play(who wallet.Address, wager money.Amount) player.Item {
	return w.playOf(game.Dice(), who, money.SOL, wager)
}

func (w *world) playOf(rules game.Game, who wallet.Address, mint money.Token, wager money.Amount) player.Item {
	return w.playAs(w.id(), rules, who, mint, wager)
}

// playAs returns an item that plays a round with this id.
func (w *world) playAs(id string, rules game.Game, who wallet.Address, mint money.Token, wager money.Amount) player.Item {
	at := w.now()
	order, err := bet.NewOrder(rules, game.Value{}, wager)
	if err != nil {
		w.Error(err)
	}
	order.ID, order.Wallet, order.Terms, order.Bankroll, order.At = id, who, terms(mint), money.TotalOf(money.Max), at
	spare, auditID := w.spare(), w.id()
	_, retires := rules.(brokenDice)
	return player.Item{
		Wallet: who, At: at, Keys: []player.UniqueKey{{Kind: player.RoundKey, ID: order.ID}},
		Needs: player.Needs{Tokens: []money.Token{mint}, Draw: !retires, Pair: retires},
		Decide: func(v player.View) (player.Change, error) {
			return player.Play(v, order, spare, "of the server", auditID)
		},
	}
}

func (w *world) rotate(who wallet.Address, clientSeed string) player.Item {
	rotation := player.RotationRequest{ClientSeed: clientSeed, ServerClientSeed: "of the server", Spare: w.spare(), At: w.now()}
	return player.Item{
		Wallet: who, At: rotation.At, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
		Needs:  player.Needs{Pair: true, ClientSeeds: []string{clientSeed}},
		Decide: func(v player.View) (player.Change, error) { return player.Rotate(v, rotation) },
	}
}

func (w *world) withdraw(who wallet.Address, amount money.Amount) player.Item {
	request := player.WithdrawalRequest{
		ID: w.id(), Terms: terms(money.SOL), Amount: amount,
		Destination: withdrawal.Destination{Address: string(fakes.Wallet("destination"))}, At: w.now(),
	}
	return player.Item{
		Wallet: who, At: request.At, Keys: []player.UniqueKey{{Kind: player.WithdrawalKey, ID: request.ID}},
		Needs:  player.Needs{Tokens: []money.Token{money.SOL}, Open: true},
		Decide: func(v player.View) (player.Change, error) { return player.Withdraw(v, request) },
	}
}

// cancel returns an item that cancels a pending withdrawal.
func (w *world) cancel(who wallet.Address, id string) player.Item {
	at := w.now()
	return player.Item{
		Wallet: who, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
		Needs:  player.Needs{Tokens: []money.Token{money.SOL}, Withdrawals: []string{id}},
		Decide: func(v player.View) (player.Change, error) { return player.Cancel(v, id, at) },
	}
}

func (w *world) adjust(who wallet.Address, amount int64) player.Item {
	return w.adjustAs(w.id(), who, amount)
}

// adjustAs returns an adjustment with this id.
func (w *world) adjustAs(id string, who wallet.Address, amount int64) player.Item {
	a := player.Adjustment{
		ID: id, Wallet: who, Token: money.SOL, Amount: amount, Reason: "goodwill", By: admin, At: w.now(),
	}
	auditID := w.id()
	return player.Item{
		Wallet: who, At: a.At, Keys: []player.UniqueKey{{Kind: player.AdjustmentKey, ID: a.ID}},
		Needs:  player.Needs{Tokens: []money.Token{money.SOL}},
		Decide: func(v player.View) (player.Change, error) { return player.Adjust(v, a, auditID, "req") },
	}
}

// keyed replaces the item's own claim by a client's key.
func keyed(item player.Item, key, fingerprint string) player.Item {
	item.Keys = []player.UniqueKey{{
		Kind: player.IdempotencyKey, Scope: string(item.Wallet), ID: key, Fingerprint: fingerprint,
	}}
	return item
}

// posts returns an item with a decision that only books the transfers.
func (w *world) posts(who wallet.Address, id string, transfers ...ledger.Transfer) player.Item {
	return player.Item{
		Wallet: who, At: w.now(), Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: w.id()}},
		Needs: player.Needs{Unclaimed: true},
		Decide: func(player.View) (player.Change, error) {
			key := ledger.Key{Kind: ledger.TopUp, ID: id}
			return player.Change{Postings: []ledger.Posting{{Key: key, Transfers: transfers}}}, nil
		},
	}
}

// beside opens the database as its owner.
func (w *world) beside() *sql.DB {
	w.Helper()
	db, err := w.on.beside(w.where)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = db.Close() })
	return db
}

// reading calls do with a pool of the owner. A server's is kept until the test ends: a new session
// first fills its caches of the schema, which takes longer than most queries. A file's is not,
// because tests replace files. If the kept sessions are gone, do is called with new ones.
func (w *world) reading(do func(db *sql.DB) error) error {
	w.Helper()
	if w.looks == nil || !w.on.numbered {
		db := w.beside()
		return errors.Join(do(db), db.Close())
	}
	w.looks.mu.Lock()
	defer w.looks.mu.Unlock()
	if w.looks.db != nil {
		if w.looks.db.Ping() == nil {
			return do(w.looks.db)
		}
		_ = w.looks.db.Close()
	}
	w.looks.db = w.beside()
	return do(w.looks.db)
}

// number returns the result of a query of one number.
func (w *world) number(query string, args ...any) (n int64) {
	w.Helper()
	if err := w.reading(func(db *sql.DB) error { return db.QueryRow(w.on.query(query), args...).Scan(&n) }); err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	return n
}

// balance returns a wallet's native SOL.
func (w *world) balance(who wallet.Address) money.Amount {
	w.Helper()
	return money.Amount(w.number(`SELECT coalesce(sum(amount), 0) FROM balances
		WHERE wallet = (SELECT w.key FROM players AS w WHERE w.wallet = ?) AND kind = 'player' AND token = ?`, string(who), string(money.SOL)))
}

// signIn signs wallets in and gives each some native SOL.
func (w *world) signIn(lamports money.Amount, who ...wallet.Address) {
	w.Helper()
	for _, one := range who {
		w.commit(w.login(one))
		w.commit(w.credit(one, fmt.Sprint("funds of ", one), money.SOL, lamports))
	}
}

// pauseALittle lets other goroutines run while a test waits for them.
func pauseALittle() { runtime.Gosched() }
