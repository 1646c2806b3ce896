package deposits_test

import (
	"errors"
	"testing"

	"github.com/golang/mock/gomock"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/mocks"
)

// claimMocks has a finalized payment of alice's that is claimed, and a casino with mocks of
// claims, players and transactions.
type claimMocks struct {
	*apptest.Mocks
	of           *apptest.House
	deposits     *mocks.MockDeposits
	players      *mocks.MockPlayers
	transactions *mocks.MockTransactions
	alice        app.Caller
	signature    string
}

func newClaimMocks(t *testing.T) *claimMocks {
	t.Helper()
	h, control := openWatched(t), gomock.NewController(t)
	c := &claimMocks{
		deposits: mocks.NewMockDeposits(control), players: mocks.NewMockPlayers(control), transactions: mocks.NewMockTransactions(control),
		alice: h.SignIn("alice"), signature: h.Chain.Pay("alice", money.SOL, 5_000),
	}
	h.Chain.Finalize()
	c.of, c.Mocks = h.Mocked(func(d *app.Deps) {
		d.Store.Deposits, d.Store.Players, d.Store.Transactions = c.deposits, c.players, c.transactions
	})
	return c
}

func (c *claimMocks) claim(signature, mint string) error {
	return apptest.ErrorOf(c.of.Deposits.Deposit(c.of.Ctx, c.alice, signature, mint))
}

func (c *claimMocks) readsClaim() *gomock.Call {
	return c.deposits.EXPECT().Claim(gomock.Any(), c.alice.Wallet, gomock.Any()).DoAndReturn(c.of.Store.Claim)
}

func (c *claimMocks) takes(purpose string) *gomock.Call {
	return c.Limiter.EXPECT().Take(gomock.Any(), purpose+":"+string(c.alice.Wallet), gomock.Any()).Return(limit.Decision{Allowed: true}, nil)
}

func (c *claimMocks) countsOpen() *gomock.Call {
	return c.transactions.EXPECT().Transactions(gomock.Any(), gomock.Any(), gomock.Any()).DoAndReturn(c.of.Store.Transactions)
}

// An unreadable claim, or a claim in a token that isn't accepted, reads no claim or
// balance, uses no limit and calls no node.
func TestMalformedClaimsCallNoPort(t *testing.T) {
	t.Parallel()
	c := newClaimMocks(t)
	for name, r := range map[string][2]string{
		"no signature":     {"?", apptest.SOL},
		"no token":         {c.signature, "?"},
		"an unknown token": {c.signature, string(fakes.Mint("other"))},
		"a closing token":  {c.signature, string(apptest.ClosingTerms.Mint)},
	} {
		if err := c.claim(r[0], r[1]); err == nil {
			t.Errorf("a claim with %s was taken", name)
		}
	}
}

// The limiter is called before open claims are counted, then the chain is read, and then
// the claim is committed.
func TestClaimsAreLimitedCountedObservedAndCommitted(t *testing.T) {
	t.Parallel()
	c := newClaimMocks(t)
	gomock.InOrder(c.readsClaim(), c.takes("claim"), c.countsOpen(), c.Observe(), c.Commit())
	if err := c.claim(c.signature, apptest.SOL); err != nil {
		t.Fatal(err)
	}
	// A credited claim is answered from the store alone.
	gomock.InOrder(c.readsClaim(), c.players.EXPECT().Balances(gomock.Any(), c.alice.Wallet).DoAndReturn(c.of.Store.Balances))
	if err := c.claim(c.signature, apptest.SOL); err != nil {
		t.Fatal(err)
	}
}

// A failed step of a claim is the last one: no later step is called, and it isn't repeated.
func TestAFailedStepEndsTheClaim(t *testing.T) {
	t.Parallel()
	for name, expect := range map[string]func(c *claimMocks) []*gomock.Call{
		"the claim can't be read": func(c *claimMocks) []*gomock.Call {
			return []*gomock.Call{c.deposits.EXPECT().Claim(gomock.Any(), gomock.Any(), gomock.Any()).Return(deposit.Claim{}, apptest.ErrUnknown)}
		},
		"the limiter refuses": func(c *claimMocks) []*gomock.Call {
			return []*gomock.Call{c.readsClaim(), c.Limiter.EXPECT().Take(gomock.Any(), gomock.Any(), gomock.Any()).Return(limit.Decision{}, nil)}
		},
		"the limiter is away": func(c *claimMocks) []*gomock.Call {
			return []*gomock.Call{c.readsClaim(), c.Limiter.EXPECT().Take(gomock.Any(), gomock.Any(), gomock.Any()).Return(limit.Decision{}, apptest.ErrUnknown)}
		},
		"too many are open": func(c *claimMocks) []*gomock.Call {
			full := ports.TransactionPage{PageInfo: ports.PageInfo{Total: deposit.OpenMax}}
			return []*gomock.Call{c.readsClaim(), c.takes("claim"), c.transactions.EXPECT().Transactions(gomock.Any(), gomock.Any(), gomock.Any()).Return(full, nil)}
		},
		"the chain can't be asked": func(c *claimMocks) []*gomock.Call {
			return []*gomock.Call{c.readsClaim(), c.takes("claim"), c.countsOpen(), c.Reader.EXPECT().Observe(gomock.Any(), c.signature).Return(deposit.Observation{}, apptest.ErrChain)}
		},
		"the commit has no answer": func(c *claimMocks) []*gomock.Call {
			return []*gomock.Call{c.readsClaim(), c.takes("claim"), c.countsOpen(), c.Observe(), c.LoseCommit()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClaimMocks(t)
			gomock.InOrder(expect(c)...)
			if err := c.claim(c.signature, apptest.SOL); err == nil {
				t.Error("the claim was taken")
			}
		})
	}
}

// A deposit in review is decided with a role only. Without one nothing is read, called or
// committed.
func TestDepositsAreResolvedWithARoleOnly(t *testing.T) {
	t.Parallel()
	c := newClaimMocks(t)
	for _, who := range []app.Caller{c.alice, c.of.NewAdmin("rob", "readonly")} {
		apptest.Refused(t, apptest.ErrorOf(c.of.Deposits.ResolveDeposit(c.of.Ctx, who, resolve(c.signature, "alice", "is theirs"))), fault.AdminForbidden)
		apptest.Refused(t, apptest.ErrorOf(c.of.Deposits.AssignUnclaimed(c.of.Ctx, who, deposits.AssignRequest{})), fault.AdminForbidden)
	}
}

// The watcher moves its cursor after crediting all earlier deposits, but not if a credit's
// outcome is unknown.
func TestTheWatcherMovesItsCursorLast(t *testing.T) {
	t.Parallel()
	h, cursors := openWatched(t), mocks.NewMockDepositCursors(gomock.NewController(t))
	h.SignIn("alice")
	for range 2 {
		h.Chain.Pay("alice", money.SOL, 5_000)
	}
	h.Chain.Finalize()
	mocked, m := h.Mocked(func(d *app.Deps) { d.Store.DepositCursors = cursors })
	cursors.EXPECT().Cursor(gomock.Any(), gomock.Any()).DoAndReturn(h.Store.Cursor).AnyTimes()
	watcher := mocked.Deposits.DepositWatcher()
	gomock.InOrder(m.Observe(), m.LoseCommit())
	err, steps := error(nil), 0
	for ; err == nil && steps < 4; steps++ { // a step handles one token
		_, err = watcher.Step(h.Ctx)
	}
	if !errors.Is(err, apptest.ErrUnknown) {
		t.Fatal(err)
	}
	moves := cursors.EXPECT().Advance(gomock.Any(), money.SOL, gomock.Any(), gomock.Any(), gomock.Len(0)).DoAndReturn(h.Store.Advance)
	gomock.InOrder(m.Observe(), m.Commit(), m.Observe(), m.Commit(), moves)
	cursors.EXPECT().Advance(gomock.Any(), gomock.Not(money.SOL), gomock.Any(), gomock.Any(), gomock.Any()).DoAndReturn(h.Store.Advance).AnyTimes()
	mocked.RunWatcher(mocked.Deposits.DepositWatcher())
	apptest.Equal(t, "balance", h.Balance("alice"), 10_000)
}
