package conformance

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

// The wallets and tokens of the stories.
var (
	alice = fakes.Wallet("alice")
	bob   = fakes.Wallet("bob")
	carol = fakes.Wallet("carol")
	admin = fakes.Wallet("admin")
	other = fakes.Wallet("other admin")
	usd   = fakes.Mint("usd")
)

// bench is a store under test with a clock, ids, seeds, and an item for each thing that can
// happen.
type bench struct {
	*testing.T
	Store
	clock   *fakes.Clock
	entropy *fakes.Entropy
	policy  rbac.Policy
	games   *game.Registry
	dice    game.Game
	// drawn is the time in the newest id, in milliseconds, and ids the number of ids.
	drawn, ids atomic.Int64
	// begun holds the time when each wallet's first session was issued.
	begun sync.Map
}

func newBench(t *testing.T, s Store) *bench {
	games, err := fakes.LadderGames()
	ok(t, err)
	clock := fakes.NewClock(fakes.Start)
	if s.Follow != nil {
		s.Follow(clock)
	}
	return &bench{
		T: t, Store: s, clock: clock, entropy: fakes.NewEntropy(1),
		policy: rbac.DefaultPolicy(), games: games, dice: game.Dice(),
	}
}

// now advances the clock by a millisecond and returns the time as the store keeps it.
func (b *bench) now() time.Time {
	step := max(b.TimeStep, time.Microsecond)
	return b.clock.Advance(max(time.Millisecond, step)).Truncate(step)
}

// id returns a new id. If ids contain their time and the clock was set back by up to half a
// minute, it continues from the last one, as ids of adapters/system do.
func (b *bench) id() string {
	if !b.TimedIDs {
		return b.entropy.ID()
	}
	now := b.clock.Now().UnixMilli()
	for before := b.drawn.Load(); before < now || before-now > 30_000; before = b.drawn.Load() {
		if b.drawn.CompareAndSwap(before, now) {
			break
		}
	}
	millis := fmt.Sprintf("%012x", b.drawn.Load())
	return fmt.Sprintf("%s-%s-7000-8000-%012x", millis[:8], millis[8:], b.ids.Add(1))
}

func (b *bench) spare() fairness.Spare {
	return fairness.Spare{ID: b.id(), Seed: fairness.NewServerSeed(b.entropy.Seed())}
}

func terms(mint money.Token) token.Terms {
	t := token.Terms{
		Mint: mint, Symbol: "TOK", Decimals: 6, Program: token.SPL,
		MinDeposit: 1, MinWager: 1, MaxWager: money.Max, MaxPayout: money.Max, MinWithdrawal: 1, MaxWithdrawal: money.Max,
		TwoPersonAbove: 1_000_000, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: money.Max, PayoutCapPerHour: money.Max,
		BankrollShare: money.Ratio{Num: 1, Den: 1},
	}
	if mint == money.SOL {
		t.Symbol, t.Decimals, t.Program = "SOL", 9, token.System
	}
	return t
}

// commit commits an item that must succeed.
func (b *bench) commit(item player.Item) player.Receipt {
	b.Helper()
	receipt, err := b.Commit(background, item)
	b.fatalIf(err != nil, "commit: %v", err)
	b.fatalIf(receipt.Replayed, "commit: replayed from %+v", receipt.Holder)
	if s := receipt.Change.Session; s != nil && receipt.Change.Pair != nil {
		b.begun.LoadOrStore(s.Wallet, s.IssuedAt)
	}
	return receipt
}

// refuse commits an item that must be refused without changing anything.
func (b *bench) refuse(item player.Item, kind fault.Kind) *fault.Error {
	b.Helper()
	before := b.snapshot()
	_, err := b.Commit(background, item)
	b.fatalIf(!fault.Is(err, kind), "commit: %v, want a refusal of kind %d", err, kind)
	b.same("everything", b.snapshot(), before)
	var refusal *fault.Error
	errors.As(err, &refusal)
	return refusal
}

// replay commits an item that must get an earlier one's answer: nothing is decided and nothing
// changes.
func (b *bench) replay(item player.Item) player.Receipt {
	b.Helper()
	before := b.snapshot()
	item.Decide = func(player.View) (player.Change, error) {
		b.Error("a replay was decided anew")
		return player.Change{}, errors.New("decided anew")
	}
	receipt, err := b.Commit(background, item)
	b.fatalIf(err != nil || !receipt.Replayed, "commit again: replayed %v, %v", receipt.Replayed, err)
	b.same("everything", b.snapshot(), before)
	return receipt
}

// unchanged checks that nothing changes by a change that is refused, or whose audit record has
// the id of an earlier record of the action. The refusal must be returned unchanged.
func (b *bench) unchanged(taken audit.Action, change func(record audit.Record, refusal error) error) {
	b.Helper()
	before, record := b.snapshot(), b.recordsOf(taken)[0]
	for _, refusal := range []error{errors.New("no"), fault.New(fault.Forbidden, "not yours").With("status", "x")} {
		err := change(audit.Record{ID: b.id(), Action: taken, By: admin, Target: "x", At: b.now()}, refusal)
		b.errorIf(!errors.Is(err, refusal), "%v came back as %v", refusal, err)
	}
	b.errorIf(change(record, nil) == nil, "two records have one id")
	b.same("everything", b.snapshot(), before)
}

// same compares how two values print, including times, seeds and trees.
func (b *bench) same(what string, got, want any) {
	b.Helper()
	g, w := text(got), text(want)
	b.fatalIf(g != w, "%s:\n got %s\nwant %s", what, g, w)
}

// text returns the form in which values are compared: their fields by name. Stores return times
// in UTC.
func text(value any) string { return fmt.Sprintf("%+v", value) }

// ok stops the case on an error.
func (b *bench) ok(err error) {
	b.Helper()
	ok(b.T, err)
}

// check reports an error and continues.
func (b *bench) check(err error) {
	b.Helper()
	check(b.T, err)
}

// fails reports an error of another kind than the contract's.
func (b *bench) fails(want fault.Kind, err error, what ...any) {
	b.Helper()
	if len(what) > 0 {
		what = append(what, ": ")
	}
	b.errorIf(!fault.Is(err, want), "%sgot %v, want a fault of kind %d", fmt.Sprint(what...), err, want)
}

// errorIf reports a broken contract; fatalIf also stops the case.
func (b *bench) errorIf(broken bool, format string, args ...any) {
	b.Helper()
	errorIf(b.T, broken, format, args...)
}

func (b *bench) fatalIf(broken bool, format string, args ...any) {
	b.Helper()
	fatalIf(b.T, broken, format, args...)
}

// ok stops a test on an error.
func ok(t *testing.T, err error) {
	t.Helper()
	fatalIf(t, err != nil, "%v", err)
}

// check reports an error and continues.
func check(t *testing.T, err error) {
	t.Helper()
	errorIf(t, err != nil, "%v", err)
}

// errorIf reports a broken contract; fatalIf also stops the test.
func errorIf(t *testing.T, broken bool, format string, args ...any) {
	t.Helper()
	if broken {
		t.Errorf(format, args...)
	}
}

func fatalIf(t *testing.T, broken bool, format string, args ...any) {
	t.Helper()
	if broken {
		t.Fatalf(format, args...)
	}
}

// errorOf returns the error of a call that returns a value too.
func errorOf[T any](_ T, err error) error { return err }

// reopen opens a durable store again; others are unchanged.
func (b *bench) reopen() {
	b.Helper()
	if b.Durable {
		b.Store = b.Reopen(b.T)
	}
}

// must returns the value of a read that can't fail in a story.
func must[T any](value T, err error) func(b *bench) T {
	return func(b *bench) T {
		b.Helper()
		b.ok(err)
		return value
	}
}

// balance returns a wallet's native SOL.
func (b *bench) balance(w wallet.Address) money.Amount { return b.balanceOf(w, money.SOL) }

func (b *bench) balanceOf(w wallet.Address, mint money.Token) money.Amount {
	b.Helper()
	for _, line := range must(b.Balances(background, w))(b) {
		if line.Token == mint {
			return line.Amount
		}
	}
	return 0
}

// itemOf returns an item under a unique key.
func itemOf(w wallet.Address, at time.Time, key player.UniqueKey, needs player.Needs, decide player.Decision) player.Item {
	return player.Item{Wallet: w, At: at, Keys: []player.UniqueKey{key}, Needs: needs, Decide: decide}
}

// operation returns the unique key of an item without another name.
func operation(id string) player.UniqueKey {
	return player.UniqueKey{Kind: player.OperationKey, ID: id}
}

// mapped returns the text of each value, in order.
func mapped[T any](all []T, text func(T) string) []string {
	texts := make([]string, len(all))
	for i, thing := range all {
		texts[i] = text(thing)
	}
	return texts
}

// winners runs n calls at once and returns how many succeed. The others must fail with a fault of
// this kind.
func (b *bench) winners(n int, others fault.Kind, work func(i int) error) int {
	b.Helper()
	var won atomic.Int64
	atOnce(n, func(i int) {
		if err := work(i); err == nil {
			won.Add(1)
		} else {
			b.fails(others, err)
		}
	})
	return int(won.Load())
}

// commitAll commits items concurrently, as many as one player may have in flight, until each is
// answered, and returns the receipts.
func (b *bench) commitAll(items []player.Item) []player.Receipt {
	b.Helper()
	receipts, places := make([]player.Receipt, len(items)), make(chan struct{}, inFlight)
	atOnce(len(items), func(i int) {
		places <- struct{}{}
		defer func() { <-places }()
		receipt, err := b.Commit(background, items[i])
		for fault.Is(err, fault.RateLimited) || fault.Is(err, fault.Unavailable) {
			receipt, err = b.Commit(background, items[i])
		}
		receipts[i] = receipt
		b.check(err)
	})
	return receipts
}

// commitLost loses the answer of an item's COMMIT, and commits it until the outcome is known.
func (b *bench) commitLost(item player.Item, carriedOut bool) {
	b.Helper()
	b.LoseCommit(carriedOut)
	for range 3 {
		if _, err := b.Commit(background, item); !fault.Is(err, fault.Unavailable) {
			b.errorIf(err != nil, "lost, carried out %v: %v", carriedOut, err)
			return
		}
	}
}

// login returns an item of a login message signed at this time.
func (b *bench) login(w wallet.Address, millis int64) player.Item {
	return b.loginAs(w, millis, player.HouseAgent)
}

func (b *bench) loginAs(w wallet.Address, millis int64, agent string) player.Item {
	at := b.now()
	signIn := player.SignInRequest{
		Wallet: w, Agent: agent,
		Login:   player.Login{Wallet: w, Timestamp: millis, KeepUntil: at.Add(3 * time.Minute)},
		Session: session.Session{Wallet: w, IssuedAt: at.Truncate(time.Millisecond), Until: at.Add(time.Hour)},
		First:   b.spare(), Next: b.spare(), ClientSeed: "of the server", AuditID: b.id(), SessionAuditID: b.id(), RequestID: "req", At: at,
	}
	return itemOf(w, at, player.UniqueKey{Kind: player.LoginKey, Scope: string(w), ID: strconv.FormatInt(millis, 10)},
		player.Needs{Unclaimed: true, Tallies: true},
		func(v player.View) (player.Change, error) { return player.SignIn(v, signIn) })
}

// signIn signs a wallet in, and credits it with native SOL unless the amount is 0.
func (b *bench) signIn(w wallet.Address, lamports money.Amount) {
	b.Helper()
	b.commit(b.login(w, b.now().UnixMilli()))
	if lamports > 0 {
		b.commit(b.credit(w, b.id(), money.SOL, lamports))
	}
}

// credit returns an item of a deposit claim that is credited.
func (b *bench) credit(w wallet.Address, transaction string, mint money.Token, amount money.Amount) player.Item {
	item := b.claim(w, transaction, mint, deposit.Verdict{Status: deposit.Credited, Amount: amount})
	item.Keys = []player.UniqueKey{{Kind: player.DepositKey, Scope: string(mint), ID: fakes.Signature(transaction)}}
	return item
}

// claim returns an item that records a deposit claim with a verdict.
func (b *bench) claim(w wallet.Address, transaction string, mint money.Token, verdict deposit.Verdict) player.Item {
	at := b.now()
	ref := deposit.Ref{Signature: fakes.Signature(transaction), Token: mint}
	fresh := deposit.Claim{ID: b.id(), Wallet: w, Ref: ref, Status: deposit.Pending, CreatedAt: at, UpdatedAt: at}
	return itemOf(w, at, operation(fresh.ID), player.Needs{Tokens: []money.Token{mint}, Deposits: []deposit.Ref{ref}, Open: true},
		func(v player.View) (player.Change, error) { return player.ClaimDeposit(v, fresh, verdict, at) })
}

// play returns an item of one round of dice in native SOL.
func (b *bench) play(w wallet.Address, wager money.Amount) player.Item {
	return b.playIn(w, money.SOL, wager, b.dice)
}

func (b *bench) playIn(w wallet.Address, mint money.Token, wager money.Amount, rules game.Game) player.Item {
	at := b.now()
	order := must(bet.NewOrder(rules, game.Value{}, wager))(b)
	order.ID, order.Wallet, order.Terms, order.Bankroll, order.At = b.id(), w, terms(mint), money.TotalOf(money.Max), at
	spare, auditID := b.spare(), b.id()
	_, retires := rules.(brokenGame)
	return itemOf(w, at, player.UniqueKey{Kind: player.RoundKey, ID: order.ID},
		player.Needs{Tokens: []money.Token{mint}, Draw: !retires, Pair: retires},
		func(v player.View) (player.Change, error) {
			return player.Play(v, order, spare, "of the server", auditID)
		})
}

// brokenGame is an embedder's game with a draw that fails.
type brokenGame struct{ game.Game }

type brokenPlan struct{ game.Plan }

func (g brokenGame) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := g.Game.Plan(config, wager)
	return brokenPlan{plan}, err
}

func (brokenPlan) Play(game.Draws) game.Result { panic("the table is lost") }

// rotate returns an item of a rotation to the player's client seed.
func (b *bench) rotate(w wallet.Address, clientSeed string) player.Item {
	id, at := b.id(), b.now()
	rotation := player.RotationRequest{ClientSeed: clientSeed, ServerClientSeed: "of the server", Spare: b.spare(), At: at}
	return itemOf(w, at, operation(id), player.Needs{Pair: true, ClientSeeds: []string{clientSeed}},
		func(v player.View) (player.Change, error) { return player.Rotate(v, rotation) })
}

// adjust returns an item of an admin's credit or debit of native SOL.
func (b *bench) adjust(w wallet.Address, amount int64) player.Item {
	return b.adjustAs(player.Manual, w, amount)
}

func (b *bench) adjustAs(kind player.AdjustmentKind, w wallet.Address, amount int64) player.Item {
	adjustment := player.Adjustment{
		ID: b.id(), Kind: kind, Wallet: w, Token: money.SOL, Amount: amount, Reason: "goodwill", By: admin, At: b.now(),
	}
	if original, corrects := kind.Corrects(); corrects {
		return b.correct(player.Adjustment{ID: b.id(), Kind: original, Wallet: w, Token: money.SOL, Amount: -amount})
	}
	auditID := b.id()
	return itemOf(w, adjustment.At, player.UniqueKey{Kind: player.AdjustmentKey, ID: adjustment.ID},
		player.Needs{Tokens: []money.Token{money.SOL}},
		func(v player.View) (player.Change, error) { return player.Adjust(v, adjustment, auditID, "req") })
}

// correct returns an item that reverses an adjustment, which the store needn't have.
func (b *bench) correct(original player.Adjustment) player.Item {
	at, ids := b.now(), player.Correction{ID: b.id(), AuditID: b.id(), RequestID: "req"}
	asked := approval.Approval{By: admin, DecidedBy: other, DecidedAt: at, Request: original.CorrectionRequest("a mistake")}
	item := itemOf(original.Wallet, at, player.UniqueKey{Kind: player.AdjustmentKey, ID: ids.ID}, player.Needs{Tokens: []money.Token{original.Token}},
		func(v player.View) (player.Change, error) { return player.CorrectAdjustment(v, original, asked, ids) })
	item.Keys = append(item.Keys, player.CorrectionKeyOf(original.LedgerKey()))
	return item
}

// keyed replaces the item's first unique key by a client's key.
func (b *bench) keyed(item player.Item, key, fingerprint string) player.Item {
	item.Keys = append([]player.UniqueKey{{
		Kind: player.IdempotencyKey, Scope: string(item.Wallet), ID: key, Fingerprint: fingerprint,
	}}, item.Keys[1:]...)
	return item
}

// grant gives a wallet a founding role.
func (b *bench) grant(w wallet.Address, role string) {
	b.Helper()
	at := b.now()
	record := audit.Record{ID: b.id(), Action: audit.RoleGranted, Target: string(w), After: role, At: at}
	b.ok(b.ChangeRole(background, w, func([]rbac.Assignment) (*rbac.Assignment, audit.Record, error) {
		return &rbac.Assignment{Wallet: w, Role: role, GrantedAt: at, Founding: true}, record, nil
	}))
}

// transfer returns an item with a decision that only books the transfers.
func (b *bench) transfer(w wallet.Address, key ledger.Key, transfers ...ledger.Transfer) player.Item {
	return itemOf(w, b.now(), operation(b.id()),
		player.Needs{Tokens: []money.Token{money.SOL, usd}, Unclaimed: true, Funds: fundsOf(transfers...)},
		func(player.View) (player.Change, error) {
			return player.Change{Postings: []ledger.Posting{{Key: key, Transfers: transfers}}}, nil
		})
}

// fundsOf returns the agents' accounts that transfers change.
func fundsOf(transfers ...ledger.Transfer) (refs []agent.FundsRef) {
	for _, t := range transfers {
		for _, a := range [...]ledger.Account{t.Debit, t.Credit} {
			if a.Kind == ledger.Agent {
				refs = append(refs, agent.FundsRef{Agent: a.Owner, Token: t.Token})
			}
		}
	}
	return refs
}
