package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

func TestInvalidDepositTransactions(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{deps: func(d *app.Deps) {
		least := tokens[0]
		least.MinDeposit = 1_000
		d.Tokens = token.NewBook(least, tokens[1])
	}})
	for name, row := range map[string]struct {
		body  object
		code  string
		field any
	}{
		"no token":        {object{"amount": 1}, "INVALID_PARAMETER", "token"},
		"no amount":       {object{"token": sol}, "INVALID_PARAMETER", "amount"},
		"nothing":         {object{"token": sol, "amount": 0}, "INVALID_PARAMETER", "amount"},
		"a fraction":      {object{"token": sol, "amount": 1.5}, "INVALID_PARAMETER", "amount"},
		"more":            {object{"token": sol, "amount": 5_000, "to": "me"}, "INVALID_PARAMETER", "to"},
		"another token":   {object{"token": string(fakes.Mint("other")), "amount": 5_000}, "TOKEN_NOT_ACCEPTED", nil},
		"below the least": {object{"token": sol, "amount": 999}, "AMOUNT_OUT_OF_RANGE", "amount"},
	} {
		got := h.post("alice", "/deposit/transaction", row.body).is(http.StatusBadRequest, row.code)
		if got.at("details", "field") != row.field {
			t.Errorf("%s: %s", name, got.text)
		}
	}
	got := h.post("treasury", "/deposit/transaction", object{"token": sol, "amount": 5_000}).is(http.StatusBadRequest, "DEPOSIT_REJECTED")
	if got.at("details", "reason") != "treasury_signed" {
		t.Errorf("the treasury: %s", got.text)
	}
	h.chain.SetUnreachable(true)
	h.post("alice", "/deposit/transaction", object{"token": sol, "amount": 5_000}).is(http.StatusBadGateway, "EXTERNAL_ERROR")
}

// TestDepositTransactionsAreLimited per wallet and minute, separately from its claims and
// from other wallets.
func TestDepositTransactionsAreLimited(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{deps: func(d *app.Deps) { d.Limiter = fakes.NewLimiter(d.Clock) }})
	body := object{"token": sol, "amount": 5_000}
	for range 60 {
		h.post("alice", "/deposit/transaction", body).ok(http.StatusOK)
	}
	refused := h.post("alice", "/deposit/transaction", body).is(http.StatusTooManyRequests, "RATE_LIMITED")
	if refused.header.Get("Retry-After") != "60" {
		t.Errorf("wait %q", refused.header.Get("Retry-After"))
	}
	h.post("bob", "/deposit/transaction", body).ok(http.StatusOK)
	h.funded("alice", sol, money.Amount(70_000))
}

// TestTheBalanceOnChain is what the wallet holds, null while the chain doesn't answer, and limited
// per wallet, separately from transactions to sign.
func TestTheBalanceOnChain(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{deps: func(d *app.Deps) { d.Limiter = fakes.NewLimiter(d.Clock) }})
	const path = "/account/chain-balance?token="
	h.chain.Fund(fakes.Wallet("alice"), money.SOL, 70_000)
	if got := h.get("alice", path+sol).ok(http.StatusOK); got.integer("balance") != 70_000 || got.at("token") != sol {
		t.Errorf("alice has 70,000: %s", got.text)
	}
	if got := h.get("bob", path+sol).ok(http.StatusOK); got.integer("balance") != 0 {
		t.Errorf("bob has nothing: %s", got.text)
	}
	h.get("alice", path+string(fakes.Mint("other"))).is(http.StatusBadRequest, "TOKEN_NOT_ACCEPTED")
	h.chain.SetUnreachable(true)
	for range 59 {
		if got := h.get("alice", path+sol).ok(http.StatusOK); got.at("balance") != nil {
			t.Fatalf("without the chain: %s", got.text)
		}
	}
	h.get("alice", path+sol).is(http.StatusTooManyRequests, "RATE_LIMITED")
	h.chain.SetUnreachable(false)
	h.post("alice", "/deposit/transaction", object{"token": sol, "amount": 5_000}).ok(http.StatusOK)
}

// TestTransactionsAreFiltered by type, state, token and time, and never show another wallet's.
func TestTransactionsAreFiltered(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{})
	h.funded("alice", sol, money.Amount(70_000))
	h.funded("bob", sol, money.Amount(80_000))
	h.post("alice", "/withdraw", object{"amount": 6_000, "token": sol, "destination": address("alice")}).ok(http.StatusCreated)
	for query, want := range map[string]int64{
		"": 2, "type=deposit": 1, "type=withdrawal": 1, "status=pending": 1, "status=credited": 1, "type=deposit&status=pending": 0,
		"token=" + sol: 2, "token=" + string(tokens[1].Mint): 0, "to=1": 0, "from=1": 2,
	} {
		if got := h.get("alice", "/account/transactions?"+query).ok(http.StatusOK); got.integer("total") != want {
			t.Errorf("%s: %s", query, got.text)
		}
	}
	h.get("alice", "/account/transactions?wallet="+address("bob")).is(http.StatusBadRequest, "INVALID_PARAMETER")
}
