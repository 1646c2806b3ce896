package httpapi_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/sharedcrash"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
)

// crashHouse is a casino with a driver of the shared crash that the test steps.
type crashHouse struct {
	*house
	driver *sharedcrash.Driver
}

func newCrashHouse(t *testing.T, names ...string) crashHouse {
	t.Helper()
	return newCrashHouseWith(t, setup{}, names...)
}

func newCrashHouseWith(t *testing.T, s setup, names ...string) crashHouse {
	t.Helper()
	h := openHouse(t, s)
	for _, name := range names {
		h.funded(name, sol, 100_000_000)
	}
	return crashHouse{h, h.casino.Crash.Driver()}
}

// round returns the newest round, the zero Round before the first.
func (h crashHouse) round() crash.Round {
	h.Helper()
	rounds, err := h.casino.Crash.Rounds(h.Context(), "", 0, 1)
	h.must(err)
	return append(rounds, crash.Round{})[0]
}

// step lets a moment pass, and each worker make a step.
func (h crashHouse) step() {
	h.Helper()
	h.clock.Advance(50 * time.Millisecond)
	_, err := h.driver.Step(h.Context())
	h.must(err)
	_, err = h.casino.Crash.AnswersWorker().Step(h.Context())
	h.must(err)
}

// until drives until the newest round has a status. Slots pass as they are needed.
func (h crashHouse) until(status crash.Status) crash.Round {
	h.Helper()
	for range 10_000 {
		h.step()
		r := h.round()
		if r.Status == status {
			return r
		}
		if r.Status == crash.Closed {
			h.slots.Pass(1)
		}
	}
	h.Fatalf("the round is still %s", h.round().Status)
	return crash.Round{}
}

// ends returns when the curve of a flying round ends.
func (h crashHouse) ends(r crash.Round) time.Time {
	h.Helper()
	hash, err := h.store.CrashHash(h.Context(), r.Chain, r.Number)
	h.must(err)
	ends, err := r.EndsAt(hash)
	h.must(err)
	return ends
}

// flight plays rounds until one flies for at least as long, with the bets of place in it.
func (h crashHouse) flight(least time.Duration, place func()) crash.Round {
	h.Helper()
	for range 15 {
		h.until(crash.Betting)
		place()
		if r := h.until(crash.Flying); h.ends(r).Sub(r.StartedAt) >= least {
			return r
		}
		h.until(crash.Settled)
	}
	h.Fatal("no round flies long enough")
	return crash.Round{}
}

// at sets the clock to a moment after the curve's start.
func (h crashHouse) at(r crash.Round, ms int64) {
	h.Helper()
	h.clock.Advance(r.StartedAt.Add(time.Duration(ms) * time.Millisecond).Sub(h.clock.Now()))
	_, err := h.casino.Crash.AnswersWorker().Step(h.Context())
	h.must(err)
}

func crashBet(wager int, cashOut string) string {
	if cashOut != "" {
		cashOut = `,"cashOut":` + cashOut
	}
	return fmt.Sprintf(`{"wager":%d,"token":%q%s}`, wager, sol, cashOut)
}

// TestTheSharedCrashIsPlayedOverHTTP plays rounds with a bet cashed out by hand, one by
// itself and one that loses, and reads them everywhere.
func TestTheSharedCrashIsPlayedOverHTTP(t *testing.T) {
	t.Parallel()
	h := newCrashHouse(t, "alice", "bob", "carol")
	h.get("", "/crash").is(http.StatusNotFound, "NOT_FOUND")
	var hand, auto, lost reply
	r := h.flight(6*time.Second, func() {
		now := h.get("", "/crash").ok(http.StatusOK)
		if opened, closes := now.integer("round", "openedAt"), now.integer("round", "closesAt"); closes-opened != 5000 || now.integer("bettingMs") != 5000 {
			t.Errorf("the betting of %s is %d ms", now.text, closes-opened)
		}
		hand = h.post("alice", "/crash/bets", crashBet(1_000_000, "2.5")).ok(http.StatusCreated)
		auto = h.post("bob", "/crash/bets", crashBet(1_000_001, "1.13")).ok(http.StatusCreated)
		lost = h.post("carol", "/crash/bets", crashBet(1_000_000, "")).ok(http.StatusCreated)
	})
	if text := string(lost.text); !strings.Contains(text, `"cashOut":50.00`) || strings.Contains(text, "cashedOut") {
		t.Errorf("a bet without a choice: %s", text)
	}
	own := h.get("alice", "/crash/bet").ok(http.StatusOK)
	if own.at("bet", "id") != hand.at("bet", "id") {
		t.Errorf("%s is not the bet of %s", own.text, hand.text)
	}
	if open := h.get("alice", "/rounds").ok(http.StatusOK); string(open.text) != `{"rounds":[]}` {
		t.Errorf("a bet on the shared crash is among the open rounds: %s", open.text)
	}
	if flying := h.get("", "/crash").ok(http.StatusOK); flying.at("round", "hash") != nil || flying.at("round", "point") != nil || flying.at("round", "closesAt") != nil {
		t.Errorf("a flying round shows %s", flying.text)
	}
	h.at(r, 2500)
	out := h.post("alice", "/crash/cashout", object{"bet": hand.at("bet", "id")}).ok(http.StatusOK)
	if out.integer("bet", "receivedAt") != r.StartedAt.Add(2500*time.Millisecond).UnixMilli() || !strings.Contains(string(out.text), `"cashedOut":1.16,`) {
		t.Errorf("cashed out after 2,500 ms: %s", out.text)
	}
	again := h.post("alice", "/crash/cashout", object{"bet": hand.at("bet", "id")}).ok(http.StatusOK)
	if again.header.Get("Idempotent-Replayed") != "true" || string(again.text) != string(out.text) {
		t.Errorf("sent again: %v %s", again.header, again.text)
	}
	r = h.until(crash.Settled)
	number := fmt.Sprint(r.Number)
	shown := h.get("", "/crash/rounds/"+number).ok(http.StatusOK)
	h.rootIs(r, shown)
	for _, want := range []string{`"cashedOut":1.16,"multiplier":1.16,"payout":1160000}`, `"cashOut":1.13,"multiplier":1.13,"payout":1130001}`, `"multiplier":0,"payout":0}`} {
		if !strings.Contains(string(shown.text), want) {
			t.Errorf("the round's bets lack %s: %s", want, shown.text)
		}
	}
	if old := h.get("", "/crash/rounds/"+number+"?chain="+r.Chain).ok(http.StatusOK); string(old.text) != string(shown.text) {
		t.Errorf("by the chain's name: %s", old.text)
	}
	if list := h.get("", "/crash/rounds?limit=1").ok(http.StatusOK); !strings.Contains(string(list.text), `"hash":"`+r.Hash+`"`) {
		t.Errorf("the newest round is %s", list.text)
	}
	for who, bet := range map[string]reply{"alice": hand, "bob": auto, "carol": lost} {
		found := h.get(who, "/history/"+bet.text_("bet", "id")).ok(http.StatusOK)
		if found.at("round", "rules") != crash.Rules || found.at("round", "provider") != "casino" || found.at("round", "serverSeedHash") != nil ||
			found.at("round", "clientSeedSource") != nil || found.at("round", "nonce") != nil || found.integer("round", "config", "round") != r.Number {
			t.Errorf("the settled bet of %s is %s", who, found.text)
		}
		if mine := h.get(who, "/crash/bet").ok(http.StatusOK); string(mine.text) != "{}" {
			t.Errorf("after the result %s has the bet %s", who, mine.text)
		}
	}
	if events := h.get("alice", "/history").ok(http.StatusOK); !strings.Contains(string(events.text), `"actions":[{"type":"cashOut"`) {
		t.Errorf("the cash-out is missing in %s", events.text)
	}
	h.noWallets(shown.text, h.get("", "/crash").text, h.get("", "/crash/rounds").text)
}

// rootIs computes the root of the round's closing commit from the public bets.
func (h crashHouse) rootIs(r crash.Round, shown reply) {
	h.Helper()
	var body api.CrashRoundResponse
	h.must(json.Unmarshal(shown.text, &body))
	var bets []crash.Bet
	for _, b := range body.Bets {
		auto, err := strconv.ParseUint(strings.ReplaceAll(string(b.CashOut), ".", ""), 10, 64) // two decimals
		h.must(err)
		bets = append(bets, crash.Bet{ID: b.ID, Token: money.Token(b.Token), Wager: money.Amount(b.Wager), Auto: auto})
	}
	if !slices.IsSortedFunc(bets, func(a, b crash.Bet) int { return strings.Compare(a.ID, b.ID) }) {
		h.Errorf("not in the order of ids: %s", shown.text)
	}
	if root := fmt.Sprintf("bets: %d\nroot: %x\n", len(bets), crash.Root(r.Chain, r.Number, bets)); !strings.HasSuffix(r.Closing, root) {
		h.Errorf("the public bets give %q, the closing commit is %q", root, r.Closing)
	}
	if hash := fmt.Sprintf("%x", sha256.Sum256([]byte(r.Hash))); shown.at("round", "previousHash") != hash {
		h.Errorf("the hash leads to %s in %s", hash, shown.text)
	}
}

// noWallets fails the test if a text has a player's wallet.
func (h crashHouse) noWallets(texts ...[]byte) {
	h.Helper()
	for _, text := range texts {
		for _, name := range []string{"alice", "bob", "carol"} {
			if strings.Contains(string(text), address(name)) {
				h.Errorf("the wallet of %s is in %s", name, text)
			}
		}
	}
}

// bodyWithLateEnd is a body whose end comes later.
type bodyWithLateEnd struct {
	text *strings.Reader
	wait func()
}

func (b *bodyWithLateEnd) Read(into []byte) (int, error) {
	if b.text.Len() == 1 && b.wait != nil {
		b.wait()
		b.wait = nil
	}
	n, err := b.text.Read(into[:min(len(into), max(1, b.text.Len()-1))])
	return n, err
}

// cashOutSlowly sends a cash-out whose last byte comes after wait.
func (h crashHouse) cashOutSlowly(as, body string, wait func()) *httptest.ResponseRecorder {
	r := h.request(question{method: http.MethodPost, path: "/crash/cashout", as: as, body: body})
	r.Body = io.NopCloser(&bodyWithLateEnd{strings.NewReader(body), wait})
	answer := httptest.NewRecorder()
	h.api.ServeHTTP(answer, r)
	return answer
}

// TestACashOutCountsFromItsLastByte: one that was begun before the crash and completed after it
// is late; so is one too long to be read ahead. What a complete one waits for doesn't count.
func TestACashOutCountsFromItsLastByte(t *testing.T) {
	t.Parallel()
	h := newCrashHouse(t, "alice", "bob", "carol")
	bets := map[string]string{}
	r := h.flight(3*time.Second, func() {
		for _, who := range []string{"alice", "bob", "carol"} {
			bets[who] = h.post(who, "/crash/bets", crashBet(1_000_000, "")).ok(http.StatusCreated).text_("bet", "id")
		}
	})
	over := h.ends(r).Sub(r.StartedAt).Milliseconds()
	h.at(r, 1000)
	part := h.cashOutSlowly("carol", fmt.Sprintf(`{"bet":%q}`, bets["carol"]), func() { h.at(r, 2000) })
	if want := fmt.Sprintf(`"receivedAt":%d`, r.StartedAt.UnixMilli()+2000); part.Code != http.StatusOK || !strings.Contains(part.Body.String(), want) {
		t.Errorf("completed after 2,000 ms: %d %s", part.Code, part.Body)
	}
	h.at(r, over-1)
	slow := h.cashOutSlowly("alice", fmt.Sprintf(`{"bet":%q}`, bets["alice"]), func() { h.at(r, over) })
	if slow.Code != http.StatusConflict {
		t.Errorf("completed after the crash: %d %s", slow.Code, slow.Body)
	}
	h.at(r, over-1)
	long := h.cashOutSlowly("bob", fmt.Sprintf(`{"bet":%q%s}`, bets["bob"], strings.Repeat(" ", 2000)), func() { h.at(r, over) })
	if long.Code != http.StatusConflict {
		t.Errorf("a long one, completed after the crash: %d %s", long.Code, long.Body)
	}
}

// slowSessions takes its time to verify a token.
type slowSessions struct {
	ports.SessionTokens
	wait func()
}

func (s *slowSessions) Verify(bearer string) (ports.Session, error) {
	if s.wait != nil {
		s.wait()
	}
	return s.SessionTokens.Verify(bearer)
}

// TestACashOutDoesNotWaitForItsAuthentication: what a complete request waits for doesn't count,
// and its round isn't settled meanwhile.
func TestACashOutDoesNotWaitForItsAuthentication(t *testing.T) {
	t.Parallel()
	sessions := &slowSessions{}
	h := newCrashHouseWith(t, setup{deps: func(d *app.Deps) { sessions.SessionTokens, d.Sessions = d.Sessions, sessions }}, "alice")
	var bet string
	r := h.flight(2*time.Second, func() {
		bet = h.post("alice", "/crash/bets", crashBet(1_000_000, "")).ok(http.StatusCreated).text_("bet", "id")
	})
	over := h.ends(r).Sub(r.StartedAt).Milliseconds()
	h.at(r, over-1)
	sessions.wait = func() {
		for range 100 {
			h.step()
		}
		if now := h.round(); now.Status != crash.Crashed || now.Paying {
			t.Errorf("while a cash-out waits its round is %s, paying %v", now.Status, now.Paying)
		}
	}
	out := h.post("alice", "/crash/cashout", object{"bet": bet}).ok(http.StatusOK)
	sessions.wait = nil
	if out.integer("bet", "receivedAt") != r.StartedAt.UnixMilli()+over-1 {
		t.Errorf("received at %d after the start: %s", out.integer("bet", "receivedAt")-r.StartedAt.UnixMilli(), out.text)
	}
	h.until(crash.Settled)
	if won := h.get("alice", "/history/"+bet).ok(http.StatusOK); won.integer("round", "payout") <= 1_000_000 {
		t.Errorf("the bet was paid %s", won.text)
	}
}

// TestBetsAndCashOutsThatAreRefused gives each refusal with its text.
func TestBetsAndCashOutsThatAreRefused(t *testing.T) {
	t.Parallel()
	h := newCrashHouse(t, "alice", "bob")
	h.must(h.store.Initialize(t.Context(), ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "the ledger"}))
	refuses := func(got reply, status int, code, field, message string) {
		t.Helper()
		if got.is(status, code); got.at("details", "field") != nil && got.text_("details", "field") != field || got.text_("message") != message {
			t.Errorf("%s: %s, want %q about %q", got.what, got.text, message, field)
		}
	}
	const outOfRange = "cashOut: must be a number from 1.01 to 1000000 with at most two decimals, without exponent"
	refuses(h.post("alice", "/crash/bets", crashBet(1_000_000, "")), http.StatusNotFound, "NOT_FOUND", "", "the shared crash has no round yet")
	h.until(crash.Betting)
	for _, cashOut := range []string{"1", "1.00", "1.005", "1.010", "0", "-2", "1e2", "2.5e0", `"2"`, "1000000.01", "18446744073709551717", "true", "[]", "{}"} {
		refuses(h.post("alice", "/crash/bets", crashBet(1_000_000, cashOut)), http.StatusBadRequest, "INVALID_PARAMETER", "cashOut", outOfRange)
	}
	refuses(h.post("alice", "/crash/bets", crashBet(1_000_000, "100.01")), http.StatusBadRequest, "INVALID_PARAMETER", "cashOut", "cashOut: must be from 1.01 to 100")
	h.post("alice", "/crash/bets", object{"wager": 0, "token": sol}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("wager")
	h.post("alice", "/crash/bets", object{"wager": 1_000_000, "token": sol, "round": 1}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("round")
	h.post("alice", "/crash/bets", object{"wager": minimum - 1, "token": sol}).is(http.StatusBadRequest, "WAGER_OUT_OF_RANGE")
	h.post("alice", "/crash/bets", object{"wager": 100_000_001, "token": sol}).is(http.StatusBadRequest, "INSUFFICIENT_USER_FUNDS")
	h.post("alice", "/crash/bets", object{"wager": 1_000_000, "token": address("nobody")}).is(http.StatusBadRequest, "TOKEN_NOT_ACCEPTED")
	keyed := question{method: http.MethodPost, path: "/crash/bets", as: "alice", body: crashBet(1_000_000, "2"), header: map[string]string{"Idempotency-Key": "k1", "Prefer": "receipt"}}
	placed := h.ask(keyed).ok(http.StatusCreated)
	if placed.at("receipt", "leaf", "kind") != "round.open" {
		t.Errorf("the receipt is %s", placed.text)
	}
	bet := placed.text_("bet", "id")
	replayed := h.ask(keyed).ok(http.StatusCreated)
	if replayed.header.Get("Idempotent-Replayed") != "true" || replayed.text_("bet", "id") != bet || replayed.integer("balance") != placed.integer("balance") {
		t.Errorf("the bet again: %s, before %s", replayed.text, placed.text)
	}
	keyed.body = crashBet(1_000_000, "2.00") // another text is another request
	h.ask(keyed).is(http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	twice := h.post("alice", "/crash/bets", crashBet(1_000_000, "")).is(http.StatusConflict, "INVALID_STATE")
	if twice.at("details", "status") != "bet" {
		t.Errorf("a second bet: %s", twice.text)
	}
	cashOut := func(as string, of any) reply { return h.post(as, "/crash/cashout", object{"bet": of}) }
	early := cashOut("alice", bet).is(http.StatusConflict, "INVALID_STATE")
	if early.at("details", "status") != "betting" {
		t.Errorf("before the start: %s", early.text)
	}
	for _, forged := range []string{"none", bet + "0", strings.ToUpper(bet), "00000000-0000-7000-8000-000000000000", "../" + bet, "'; --", strings.Repeat("x", 5000)} {
		cashOut("alice", forged).is(http.StatusNotFound, "NOT_FOUND")
	}
	refuses(cashOut("bob", bet), http.StatusNotFound, "NOT_FOUND", "", fmt.Sprintf("no bet %q on the shared crash", bet))
	for _, wrong := range []any{nil, "", 7, object{}} {
		cashOut("alice", wrong).is(http.StatusBadRequest, "INVALID_PARAMETER").names("bet")
	}
	h.post("", "/crash/bets", crashBet(1_000_000, "")).is(http.StatusUnauthorized, "MISSING_AUTH")
	h.post("", "/crash/cashout", object{"bet": bet}).is(http.StatusUnauthorized, "MISSING_AUTH")
	h.post("alice", "/rounds/"+bet+"/steps", object{"step": 0, "action": object{"type": "cashOut"}}).is(http.StatusConflict, "INVALID_STATE")
	h.until(crash.Flying)
	closed := h.post("bob", "/crash/bets", crashBet(1_000_000, "")).is(http.StatusConflict, "INVALID_STATE")
	if closed.at("details", "status") != "closed" {
		t.Errorf("after the close: %s", closed.text)
	}
	h.until(crash.Settled)
	ended := cashOut("alice", bet).is(http.StatusConflict, "INVALID_STATE")
	if ended.at("details", "status") != "ended" {
		t.Errorf("after the result: %s", ended.text)
	}
	cashOut("bob", bet).is(http.StatusNotFound, "NOT_FOUND")
	for _, path := range []string{"/crash/rounds/0", "/crash/rounds/01", "/crash/rounds/-1", "/crash/rounds/x", "/crash/rounds/99", "/crash/rounds/9223372036854775808", "/crash/rounds/1?chain=none", "/crash/rounds?chain=none"} {
		h.get("", path).is(http.StatusNotFound, "NOT_FOUND")
	}
	for path, field := range map[string]string{"/crash/rounds?before=0": "before", "/crash/rounds?limit=101": "limit", "/crash/rounds?chain=": "chain", "/crash?x=1": "x", "/crash/rounds/1?before=1": "before"} {
		h.get("", path).is(http.StatusBadRequest, "INVALID_PARAMETER").names(field)
	}
}

// TestAnEndedSessionNeitherBetsNorCashesOut: also where the request would be refused anyway.
func TestAnEndedSessionNeitherBetsNorCashesOut(t *testing.T) {
	t.Parallel()
	h := newCrashHouse(t, "alice")
	var bet string
	r := h.flight(3*time.Second, func() {
		bet = h.post("alice", "/crash/bets", crashBet(1_000_000, "")).ok(http.StatusCreated).text_("bet", "id")
	})
	h.at(r, 1000)
	h.post("alice", "/auth/logout", nil).ok(http.StatusNoContent)
	h.post("alice", "/crash/cashout", object{"bet": bet}).is(http.StatusUnauthorized, "INVALID_TOKEN")
	h.post("alice", "/crash/cashout", object{"bet": "none"}).is(http.StatusUnauthorized, "INVALID_TOKEN")
	h.post("alice", "/crash/bets", crashBet(1_000_000, "")).is(http.StatusUnauthorized, "INVALID_TOKEN")
	h.until(crash.Settled)
	h.until(crash.Betting)
	h.post("alice", "/crash/bets", crashBet(1_000_000, "")).is(http.StatusUnauthorized, "INVALID_TOKEN")
}

// TestManyCashOutsOfOneBetPayOnce sends a cash-out twelve times at once.
func TestManyCashOutsOfOneBetPayOnce(t *testing.T) {
	t.Parallel()
	h := newCrashHouse(t, "alice")
	var bet string
	r := h.flight(3*time.Second, func() {
		bet = h.post("alice", "/crash/bets", crashBet(1_000_000, "")).ok(http.StatusCreated).text_("bet", "id")
	})
	h.at(r, 2000)
	answers := make([]reply, 12)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i] = h.post("alice", "/crash/cashout", object{"bet": bet}) })
	}
	wait.Wait()
	first := 0
	for _, got := range answers {
		if got.ok(http.StatusOK); got.header.Get("Idempotent-Replayed") == "" {
			first++
		}
		if got.text_("bet", "id") != bet || string(got.text) != string(answers[0].text) {
			t.Errorf("answered %s and %s", answers[0].text, got.text)
		}
	}
	if first != 1 {
		t.Errorf("%d answers are first ones", first)
	}
	h.until(crash.Settled)
	if balance := h.balance("alice", sol); balance != 100_000_000-1_000_000+1_120_000 {
		t.Errorf("after a cash-out at 1.12 alice has %d", balance)
	}
}
