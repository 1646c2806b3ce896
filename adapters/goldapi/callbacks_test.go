package goldapi_test

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/app/providers"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// TestCallbackAttacks is a table of messages in their order; each has the expected
// response and the balance after it, in the provider's money.
func TestCallbackAttacks(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 10_000_000).launch() // 10 units
	bob := h.enter("bob", 5_000_000).launch()
	stranger := h.enter("stranger", 5_000_000) // never launched
	a, b, s := string(alice.address), string(bob.address), string(stranger.address)
	own := func(body, was, becomes string) string { return strings.Replace(body, was, becomes, 1) }
	long := strings.Repeat("9", 60)
	for i, row := range []struct {
		what, body string
		status     int
		balance    string
		message    string
	}{
		{"a debit", callback(a, "t1", "debit", "1.5", "0"), 1, "8.5", ""},
		{"the debit again", callback(a, "t1", "debit", "1.5", "0"), 1, "8.5", ""},
		{"the debit again, written otherwise", callback(a, "t1", "debit", `"1.50"`, "null"), 1, "8.5", ""},
		{"the same id as a credit", callback(a, "t1", "credit", "0", "2"), 1, "10.5", ""},
		{"the credit again", callback(a, "t1", "credit", "9", "2"), 1, "10.5", ""},
		{"the debit again after its credit", callback(a, "t1", "debit", "1.5", "0"), 1, "8.5", ""},
		{"the same key with another amount", callback(a, "t1", "debit", "1.6", "0"), 0, "10.5", "DUPLICATED_TRANSACTION"},
		{"the same key by another user", callback(b, "t1", "debit", "1.5", "0"), 0, "5", "DUPLICATED_TRANSACTION"},
		{"both legs under a used key", callback(a, "t1", "debit_credit", "1.5", "2"), 0, "10.5", "DUPLICATED_TRANSACTION"},
		{"both legs", callback(a, "t2", "debit_credit", "1", "0.25"), 1, "9.75", ""},
		{"one leg of both", callback(a, "t2", "credit", "0", "0.25"), 0, "9.75", "DUPLICATED_TRANSACTION"},
		{"an overdraft", callback(a, "t3", "debit", "9.750001", "0"), 0, "9.75", "INSUFFICIENT_USER_FUNDS"},
		{"an overdraft in a whole round", callback(a, "t4", "debit_credit", "100", "200"), 0, "9.75", "INSUFFICIENT_USER_FUNDS"},
		{"a credit before its debit", callback(a, "t5", "credit", "0", "1"), 1, "10.75", ""},
		{"the debit after its credit", callback(a, "t5", "debit", "2", "0"), 1, "8.75", ""},
		{"the overdraft again though there would be money", callback(a, "t3", "debit", "9.750001", "0"), 0, "9.75", "INSUFFICIENT_USER_FUNDS"},
		{"a bet finer than the scale", callback(a, "t6", "debit", "0.0000001", "0"), 0, "8.75", "INVALID_PARAMETER"},
		{"a win finer than the scale", callback(a, "t7", "credit", "0", "0.0000019"), 1, "8.750001", ""},
		{"a negative bet", callback(a, "t8", "debit", "-1", "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"a negative win", callback(a, "t8", "credit", "0", "-1"), 0, "8.750001", "INVALID_PARAMETER"},
		{"a huge bet", callback(a, "t9", "debit", "1e30", "0"), 0, "8.750001", "INSUFFICIENT_USER_FUNDS"},
		{"a bet of too many digits", callback(a, "t10", "debit", long, "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"a huge exponent", callback(a, "t10", "debit", "1e999999", "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"a bet that is no number", callback(a, "t10", "debit", `{"a":1}`, "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"a missing bet", callback(a, "t10", "debit", "null", "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"an unknown type", callback(a, "t11", "refund", "1", "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"a person's type", callback(a, "t11", "settlement", "1", "9"), 0, "8.750001", "INVALID_PARAMETER"},
		{"no type", callback(a, "t11", "", "1", "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"no id", callback(a, "", "debit", "1", "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"a long id", callback(a, strings.Repeat("x", 129), "debit", "1", "0"), 0, "8.750001", "INVALID_PARAMETER"},
		{"an id with a line end", own(callback(a, "t-x", "debit", "1", "0"), "t-x", `t\nx`), 0, "8.750001", "INVALID_PARAMETER"},
		{"an unknown game", own(callback(a, "t12", "debit", "1", "0"), "cherry-rush", "nothing"), 0, "8.750001", "INVALID_GAME"},
		{"a game of the house", own(callback(a, "t13", "debit", "1", "0"), "cherry-rush", "dice"), 0, "8.750001", "INVALID_GAME"},
		{"another maker's game", own(callback(a, "t14", "debit", "1", "0"), "DEMOSPIN", "OTHER"), 0, "8.750001", "INVALID_GAME"},
		{"no member of the game's type", own(callback(a, "t15", "debit", "1", "0"), `"slot":{`, `"live":{`), 0, "8.750001", "INVALID_PARAMETER"},
		{"who never launched", callback(s, "t16", "debit", "1", "0"), 0, "0", "INVALID_USER"},
		{"a win of who never launched", callback(s, "t16", "credit", "0", "1"), 0, "0", "INVALID_USER"},
		{"an unknown user", callback("11111111111111111111111111111112", "t17", "debit", "1", "0"), 0, "0", "INVALID_USER"},
		{"a user that is no wallet", callback("../../etc", "t17", "debit", "1", "0"), 0, "0", "INVALID_USER"},
		{"no bet and no win", callback(a, "t18", "debit_credit", "0", "0"), 1, "8.750001", ""},
		{"an unknown method", own(callback(a, "t19", "debit", "1", "0"), `"transaction"`, `"withdraw"`), 0, "0", "INVALID_METHOD"},
		{"no JSON", "method=transaction", 0, "0", "INVALID_PARAMETER"},
		{"a list", "[]", 0, "0", "INVALID_PARAMETER"},
		{"a name twice", `{"method":"user_balance","method":"transaction"}`, 0, "0", "INVALID_PARAMETER"},
		{"a deep body", strings.Repeat("[", 20_000), 0, "0", "INVALID_PARAMETER"},
		{"the balance", own(callback(a, "-", "-", "0", "0"), `"transaction"`, `"user_balance"`), 1, "8.750001", ""},
		{"the balance of who never launched", own(callback(s, "-", "-", "0", "0"), `"transaction"`, `"user_balance"`), 0, "0", "INVALID_USER"},
	} {
		got := h.post(row.body)
		if got.HTTP != http.StatusOK || got.Status != row.status || string(got.Balance) != row.balance || got.Message != row.message {
			t.Errorf("%d. %s: %+v, want %d %s %q", i, row.what, got, row.status, row.balance, row.message)
		}
	}
	if got := h.post(callback(a, "t", "debit", "1", `"`+strings.Repeat("x", 64<<10)+`"`)); got.HTTP != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of more than 64 KiB: %+v", got)
	}
	if !strings.Contains(h.log.String(), alarm.ProviderConflict.Message()) {
		t.Error("a key that was used twice raises no alarm")
	}
	if report := h.audited(); report.Transactions == 0 {
		t.Error("the audit saw no transaction")
	}
	if alice.balance() != 8_750_001 || bob.balance() != 5_000_000 || stranger.balance() != 5_000_000 {
		t.Errorf("alice has %d, bob %d, the stranger %d", alice.balance(), bob.balance(), stranger.balance())
	}
}

// TestWinsAreAcceptedWhereBetsAreNot disables the game, the agent and the player in turn.
func TestWinsAreAcceptedWhereBetsAreNot(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	admin := h.enter("admin", 0)
	h.grant(admin.address)
	caller := app.Caller{Wallet: admin.address}
	for what, bar := range map[string]struct {
		reason seamless.Reason
		do     func(g guest)
	}{
		"a disabled game": {seamless.GameDisabled, func(guest) {
			_, err := h.casino.Providers.SwitchGame(h.Context(), caller, "cherry-rush", false, "")
			must(t, err)
		}},
		"a paused game": {seamless.Paused, func(g guest) {
			_, err := h.casino.Play.PausePlay(h.Context(), caller, play.PlayPauseRequest{GameType: "cherry-rush", AgentCode: "acme", Reason: "odd"})
			must(t, err)
			_, err = h.casino.Providers.Launch(h.Context(), app.Caller{Wallet: g.address}, providers.LaunchRequest{GameCode: "cherry-rush", UserCode: string(g.address)})
			if !fault.Is(err, fault.Maintenance) {
				t.Errorf("a paused game is launched: %v", err)
			}
		}},
		"a blocked agent":    {seamless.BlockedAgent, func(guest) { h.agent("acme", agent.Blocked) }},
		"an excluded player": {seamless.PlayerExcluded, func(g guest) { g.protect(func(s *protection.State) { s.Excluded = true }) }},
		"a frozen player":    {seamless.PlayerFrozen, func(g guest) { g.protect(func(s *protection.State) { s.Frozen = true }) }},
	} {
		name := strings.ReplaceAll(what, " ", "-")
		h.agent("acme", agent.Active)
		g := h.enterAs(name, 5_000_000, "acme").launch()
		user := string(g.address)
		first := h.post(callback(user, name+"1", "debit", "1", "0"))
		bar.do(g)
		bet := h.post(callback(user, name+"2", "debit", "1", "0"))
		whole := h.post(callback(user, name+"3", "debit_credit", "1", "9"))
		win := h.post(callback(user, name+"1", "credit", "0", "2"))
		if first.Status != 1 || bet.Status != 0 || bet.Message != string(bar.reason) || string(bet.Balance) != "4" ||
			whole.Status != 0 || win.Status != 1 || string(win.Balance) != "6" {
			t.Errorf("%s: bet %+v, whole round %+v, win %+v", what, bet, whole, win)
		}
		_, err := h.casino.Play.ResumePlay(h.Context(), caller, play.PlayPauseRequest{GameType: "cherry-rush", AgentCode: "acme", Reason: "seen"})
		must(t, err)
		_, err = h.casino.Providers.SwitchGame(h.Context(), caller, "cherry-rush", true, "")
		must(t, err)
	}
	h.audited()
}

// protect changes a player's protection directly in the store.
func (g guest) protect(change func(*protection.State)) {
	g.Helper()
	at := g.clock.Now()
	_, err := g.store.Commit(g.Context(), player.Item{
		Wallet: g.address, At: at, Keys: []player.UniqueKey{{Kind: player.OperationKey, ID: "protect " + string(g.address)}},
		Decide: func(v player.View) (player.Change, error) {
			row := v.Player
			change(&row.Protection)
			return player.Change{Player: &row}, nil
		},
	})
	must(g.T, err)
}

func TestCallbacksAreAuthenticated(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous, nil)
	alice := h.enter("alice", 10_000_000).launch()
	good := callback(string(alice.address), "t1", "debit", "1", "0")
	operators := agent.NewCredentials([32]byte{1}, [32]byte{2})
	wrong := []string{
		strings.Replace(good, agentSecret, agentToken, 1), strings.Replace(good, agentSecret, operators.Secret.Reveal(), 1),
		strings.Replace(good, agentSecret, operators.Token.Reveal(), 1), strings.Replace(good, agentSecret, "", 1),
		strings.Replace(good, agentSecret, agentSecret+"x", 1), strings.Replace(good, agentSecret, agentSecret[1:], 1),
		strings.Replace(good, agentCode, "other-agent", 1), strings.Replace(good, agentCode, "", 1),
		strings.Replace(good, `"agent_secret"`, `"Agent_Secret"`, 1), strings.Replace(good, `"agent_secret"`, `"agent_token"`, 1),
	}
	if got := h.post(callback(string(alice.address), "t0", "debit", "0", "0")); got.HTTP != http.StatusOK {
		t.Fatalf("the right one: %+v", got)
	}
	for i, body := range wrong {
		if got := h.post(body); got.HTTP != http.StatusOK || got.Status != 0 || got.Message != "INVALID_AGENT" || got.Balance != "0" {
			t.Errorf("wrong credentials %d: %+v", i, got)
		}
	}
	if got := h.post(wrong[0]); got.HTTP != http.StatusTooManyRequests {
		t.Errorf("the eleventh wrong one in a minute: %+v", got)
	}
	if got := h.post(good); got.Status != 1 {
		t.Errorf("the right one after eleven wrong ones: %+v", got)
	}
	if alice.balance() != 9_000_000 {
		t.Errorf("alice has %d", alice.balance())
	}
	var foreign atomic.Int32
	elsewhere := open(t, inMemory, generous, func(c *httpapi.Config) {
		c.Callbacks.Networks, c.Callbacks.Foreign = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, func(context.Context) { foreign.Add(1) }
		c.Limits.Public = limit.Rule{Max: 2, Window: time.Minute}
	})
	for range 2 {
		if got := elsewhere.post(good); got.HTTP != http.StatusForbidden || got.Code != "FORBIDDEN" {
			t.Errorf("from an address that isn't allowed: %+v", got)
		}
	}
	if got := elsewhere.post(good); got.HTTP != http.StatusTooManyRequests || foreign.Load() != 3 {
		t.Errorf("once too often, as call %d: %+v", foreign.Load(), got)
	}
	none := open(t, inMemory, generous, func(c *httpapi.Config) { c.Callbacks = httpapi.Callbacks{} })
	if got := none.post(good); got.HTTP != http.StatusNotFound {
		t.Errorf("without a provider: %+v", got)
	}
}

func TestCapsLeadToReview(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, player.ProviderCaps{NetWin: 3_000_000, WithoutDebit: 1_000_000, Connection: generous.Connection}, nil)
	alice := h.enter("alice", 10_000_000).launch()
	a := string(alice.address)
	withoutBet := func(txn, win string) said {
		return h.post(strings.Replace(callback(a, txn, "credit", "0", win), "cherry-rush", "lucky-bells", 1))
	}
	for _, row := range []struct {
		got     said
		balance string
	}{
		{withoutBet("l1", "1"), "11"}, {withoutBet("l2", "0.000001"), "11"}, // beyond the cap of wins without a bet
		{h.post(callback(a, "n1", "debit_credit", "1", "3")), "13"},        // at the net cap
		{h.post(callback(a, "n2", "debit_credit", "1", "1.000001")), "12"}, // beyond it: the bet is accepted
		{h.post(callback(a, "n2", "debit_credit", "1", "1.000001")), "12"}, // repeated
	} {
		if row.got.Status != 1 || string(row.got.Balance) != row.balance {
			t.Errorf("%+v, want the balance %s", row.got, row.balance)
		}
	}
	open, err := h.store.SeamlessTransactions(t.Context(), ports.SeamlessFilter{Open: true}, ports.Page{Number: 1, Limit: 10})
	must(t, err)
	if len(open.Transactions) != 2 || open.Transactions[0].Win != 1_000_001 || open.Transactions[1].Reason != seamless.OverCreditCap {
		t.Errorf("in review: %+v", open.Transactions)
	}
	if n := strings.Count(h.log.String(), alarm.ProviderReview.Message()); n != 2 {
		t.Errorf("%d alarms", n)
	}
	admin := h.enter("admin", 0)
	h.grant(admin.address)
	caller, over := app.Caller{Wallet: admin.address}, open.Transactions[0]
	decision := providers.ReviewDecision{ID: over.ID, Pay: true, Reason: "the provider's log has it"}
	for _, refused := range []struct {
		caller   app.Caller
		decision providers.ReviewDecision
		kind     fault.Kind
	}{
		{app.Caller{Wallet: alice.address}, decision, fault.AdminForbidden}, {caller, providers.ReviewDecision{ID: over.ID}, fault.Invalid},
		{caller, providers.ReviewDecision{ID: "none", Reason: "x"}, fault.NotFound},
	} {
		if _, err := h.casino.Providers.DecideProviderReview(t.Context(), refused.caller, refused.decision); !fault.Is(err, refused.kind) {
			t.Errorf("%+v: %v", refused, err)
		}
	}
	decided, err := h.casino.Providers.DecideProviderReview(t.Context(), caller, decision)
	if err != nil || decided.Balance != 13_000_001 || alice.balance() != 13_000_001 {
		t.Errorf("paid: %+v, %v, alice has %d", decided, err, alice.balance())
	}
	if _, err := h.casino.Providers.DecideProviderReview(t.Context(), caller, decision); !fault.Is(err, fault.InvalidState) {
		t.Errorf("paid twice: %v", err)
	}
	turnedDown, err := h.casino.Providers.DecideProviderReview(t.Context(), caller, providers.ReviewDecision{ID: open.Transactions[1].ID, Reason: "unknown to the provider"})
	if err != nil || turnedDown.Balance != 13_000_001 {
		t.Errorf("turned down: %+v, %v", turnedDown, err)
	}
	left, err := h.casino.Providers.ProviderReviews(t.Context(), caller, ports.Page{Number: 1, Limit: 10})
	if err != nil || len(left.Transactions) != 0 {
		t.Errorf("left: %+v, %v", left, err)
	}
	h.audited()
}
