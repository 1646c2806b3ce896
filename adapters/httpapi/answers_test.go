package httpapi_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/app/reports"
	"github.com/casino-service/casino/domain/catalog"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

var update = flag.Bool("update", false, "rewrite testdata/answers.golden, and what is published of events")

// TestAnswersAreAsRecorded sends requests to every endpoint and compares each response,
// byte by byte, with the recorded one. A difference is a change of the API. To accept it:
// go test ./adapters/httpapi -run AsRecorded -update.
func TestAnswersAreAsRecorded(t *testing.T) {
	t.Parallel()
	r := newRecording(t)
	r.publicAnswers()
	r.playerAnswers()
	r.siteAgentAnswers()
	r.providerAnswers()
	r.moneyAnswers()
	r.adminAnswers()
	r.lists()
	r.reports()
	r.refusals()
	r.posts("bob", "/account/cool-off", object{"until": r.clock.Now().Add(2 * time.Hour).UnixMilli()}, http.StatusOK)
	r.gets("", "/")
	r.gets("", "/public/feed") // only the headers: a recorder is not a connection
	r.gets("bob", "/events")
	r.gets("boss", "/admin/events?limit=2&types=agent.created,funds.booked")
	r.gets("bob", "/account/session")
	r.gets("", "/public/solvency")
	r.note("/account/solvency", question{method: http.MethodGet, path: "/account/solvency", as: "bob"}).ok(http.StatusNotFound)
	r.does("", http.MethodPost, "/public/games/{gameType}/return", "dragontower", object{"config": object{"picks": []int{3, 0, 1}}}, http.StatusOK)
	r.webhookAnswers()
	r.demoAnswers()
	r.exampleAnswers()
	r.gets("", "/public/limits")
	r.gets("", "/public/provider-games")
	r.crashAnswers()
	r.areLikeExamples()
	for _, line := range httpapi.Routes() {
		if name := line.Method + " " + line.Path; !r.asked[name] && !isCallback(line.Path) {
			t.Errorf("%s has no recorded answer", name)
		}
	}
	const golden = "testdata/answers.golden"
	text := r.text.String()
	if *update {
		r.must(os.WriteFile(golden, []byte(text), 0o600))
	}
	kept, err := os.ReadFile(golden)
	r.must(err)
	if string(kept) == text {
		return
	}
	want, have := strings.Split(string(kept), "\n"), strings.Split(text, "\n")
	for i := range max(len(want), len(have)) {
		if i >= len(want) || i >= len(have) || want[i] != have[i] {
			t.Fatalf("%s:%d differs:\nrecorded %s\nanswered %s", golden, i+1, line(want, i), line(have, i))
		}
	}
}

func line(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return "(nothing)"
}

// recording is a casino with a provider of games and an agent with its own site, and all
// its responses.
type recording struct {
	*house
	text  strings.Builder
	names *strings.Replacer
	asked map[string]bool
	// members holds the members of accepted bodies and of their answers.
	members map[string]map[string]bool
	drawn   map[string]string
	sites   *fakes.Sites
	site    *fakes.AgentSite
}

const recordedSite = "https://acme.example/api"

// recordedScale is the scale of the provider's and the agent's money.
const recordedScale seamless.Scale = 3

type recordedLaunches struct{ ports.GameProvider }

func (recordedLaunches) Launch(_ context.Context, order ports.LaunchRequest) (string, error) {
	return "https://games.example/" + order.Game + "/" + order.Language, nil
}

func newRecording(t *testing.T) *recording {
	t.Helper()
	sites := fakes.NewSites()
	h := openHouse(t, setup{config: manyLogins, deps: func(d *app.Deps) {
		d.Provider = &app.ProviderConnection{
			Code: "gold", Games: recordedLaunches{}, Token: money.SOL, Scale: recordedScale, Sites: sites,
			Caps: player.ProviderCaps{NetWin: money.Max, WithoutDebit: 1_000_000, Connection: money.Max},
		}
	}})
	pairs := []string{sol, "{sol}", usd, "{usd}"}
	for _, name := range []string{"alice", "bob", "boss", "finn", "fay", "olga", "carl", "treasury"} {
		pairs = append(pairs, address(name), "{"+name+"}")
	}
	pairs = append(pairs, h.chain.TreasuryAddress(), "{treasury}")
	for _, admin := range [][2]string{{"boss", rbac.Superadmin}, {"finn", "finance"}, {"fay", "finance"}, {"olga", "ops"}} {
		h.role(admin[0], admin[1], "")
	}
	h.clock.Advance(rbac.MinAge)
	_, err := h.store.RegisterGames(t.Context(), []catalog.Game{{
		Code: "fruits", Provider: "MAKER", Name: "Fruits", Type: "slot", Banner: "https://games.example/fruits.png", Enabled: true,
		UpdatedAt: h.clock.Now(),
	}})
	h.must(err)
	r := &recording{house: h, names: strings.NewReplacer(pairs...), asked: map[string]bool{}, members: map[string]map[string]bool{}, drawn: map[string]string{}}
	r.sites = sites
	return r
}

var (
	shownOnce = regexp.MustCompile(`eyJ[A-Za-z0-9_.-]+|ag[ts]_[0-9a-f]{64}|whsec_[A-Za-z0-9+/]{43}=`)
	// drawn matches ids, seeds and hashes; each is recorded as a number.
	drawn = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}`)
	// placed matches positions of events, which differ between stores.
	placed = regexp.MustCompile(`"(id|sequence|cursor|nextCursor)":"(\d+\.\d+\.\d+[.0-9]*|AQ[A-Za-z0-9_-]{12,})"`)
	// documents are long and have tests of their own.
	documents = []string{"/openapi.json", "/docs", "/docs/{asset}", "/public/games", "/public/log/{epoch}/checkpoint", "/public/log/{epoch}/tile/{level}/{index}"}
)

// note records the response to a request of a route.
func (r *recording) note(route string, q question) reply {
	r.Helper()
	answer := r.ask(q)
	r.asked[q.method+" "+route] = true
	r.sawMembers(q, route, answer)
	who := "nobody"
	if q.as != "" {
		who = q.as
	}
	fmt.Fprintf(&r.text, "%s %s by %s\n", q.method, r.plain(q.path), who)
	fmt.Fprintf(&r.text, "%d", answer.status)
	for _, name := range []string{"Content-Type", "Content-Disposition", "Idempotent-Replayed", "Allow", "Retry-After"} {
		if value := answer.header.Get(name); value != "" {
			fmt.Fprintf(&r.text, " %s=%q", name, value)
		}
	}
	text := string(answer.text)
	for _, path := range documents {
		if route == path {
			text = text[:min(len(text), 400)] + "…"
		}
	}
	fmt.Fprintf(&r.text, "\n%s\n\n", strings.ReplaceAll(r.plain(text), "\r\n", "\n"))
	return answer
}

// plain replaces addresses and random values in a text by names.
func (r *recording) plain(text string) string {
	text = shownOnce.ReplaceAllString(placed.ReplaceAllString(r.names.Replace(text), `"$1":"{placed}"`), "{shown once}")
	return drawn.ReplaceAllStringFunc(text, func(found string) string {
		if r.drawn[found] == "" {
			r.drawn[found] = fmt.Sprintf("{%d}", len(r.drawn)+1)
		}
		return r.drawn[found]
	})
}

func (r *recording) gets(as, path string) reply {
	r.Helper()
	route, _, _ := strings.Cut(path, "?")
	return r.note(route, question{method: http.MethodGet, path: path, as: as}).ok(http.StatusOK)
}

func (r *recording) posts(as, path string, body any, status int) reply {
	r.Helper()
	return r.note(path, question{method: http.MethodPost, path: path, as: as, body: body}).ok(status)
}

// does sends a body to a route with a variable in its path.
func (r *recording) does(as, method, route, value string, body any, status int) reply {
	r.Helper()
	before, rest, _ := strings.Cut(route, "{")
	_, after, _ := strings.Cut(rest, "}")
	return r.note(route, question{method: method, path: before + url.PathEscape(value) + after, as: as, body: body}).ok(status)
}

func (r *recording) publicAnswers() {
	for _, path := range []string{"/health", "/wallet-address", "/public/whitelabel", "/public/games", "/public/tokens",
		"/public/checkpoints", "/openapi.json", "/docs"} {
		r.gets("", path)
	}
	r.does("", http.MethodGet, "/docs/{asset}", "swagger-ui.css", nil, http.StatusOK)
	r.posts("", "/public/verify", object{
		"gameType": "dice", "serverSeed": strings.Repeat("0a", 32), "clientSeed": "abc", "nonce": 3,
	}, http.StatusOK)
}

// demoAnswers records a deposit by a demo wallet, built and sent.
func (r *recording) demoAnswers() {
	r.Helper()
	r.gets("", "/dev/wallets")
	r.does("", http.MethodPost, "/dev/wallets/{name}/sign", "alice", object{"message": "hello"}, http.StatusOK)
	r.chain.Fund(fakes.Wallet("finn"), money.SOL, 80_000)
	built := r.posts("finn", "/deposit/transaction", object{"token": sol, "amount": 80_000}, http.StatusOK)
	r.does("", http.MethodPost, "/dev/wallets/{name}/send", "finn", object{"transaction": built.text_("transaction")}, http.StatusOK)
}

func (r *recording) playerAnswers() {
	signed := r.posts("", "/auth/login", r.login("alice"), http.StatusOK)
	r.tokens["alice"] = signed.text_("token")
	r.gets("alice", "/balance")
	r.posts("alice", "/deposit", object{"signature": r.paid("alice", sol, 50_000_000), "token": sol}, http.StatusOK)
	r.chain.Fund(fakes.Wallet("alice"), money.SOL, 70_000)
	waiting := r.chain.Deposit(fakes.Wallet("alice"), money.SOL, 70_000)
	r.posts("alice", "/deposit", object{"signature": waiting, "token": sol}, http.StatusAccepted)
	r.chain.Finalize()
	for i, game := range []object{{"gameType": "dice"}, {"gameType": "slots"}, {"gameType": "dice"}} {
		game["wager"], game["token"] = 10_000+i, sol
		r.posts("alice", "/play", game, http.StatusOK)
		r.clock.Advance(time.Second)
	}
	bet := question{method: http.MethodPost, path: "/play", as: "alice", header: map[string]string{"Idempotency-Key": "once"},
		body: object{"gameType": "dice", "wager": 20_000, "token": sol}}
	r.note("/play", bet).ok(http.StatusOK)
	again := r.note("/play", bet).ok(http.StatusOK)
	r.does("alice", http.MethodGet, "/history/{id}", again.text_("round", "id"), nil, http.StatusOK)
	r.gets("alice", "/seed")
	r.posts("alice", "/seed/rotate", object{"clientSeed": "my own"}, http.StatusOK)
	r.does("alice", http.MethodGet, "/history/{id}", again.text_("round", "id"), nil, http.StatusOK)
	r.gets("alice", "/seed/history")
	r.gets("", "/recent-bets")
	own := r.posts("alice", "/withdraw", object{"amount": 5_000, "token": sol, "destination": address("alice")}, http.StatusCreated)
	r.does("alice", http.MethodPost, "/withdraw/{id}/cancel", own.text_("withdrawal", "id"), nil, http.StatusOK)
	limits := object{"limits": []object{{"kind": "loss", "period": "day", "token": sol, "amount": 40_000_000}}}
	r.note("/account/limits", question{method: http.MethodPut, path: "/account/limits", as: "alice", body: limits}).ok(http.StatusOK)
	r.gets("alice", "/account/limits")
	r.note("/account/limits/confirm", question{method: http.MethodPost, path: "/account/limits/confirm", as: "alice"}).ok(http.StatusConflict)
	r.posts("alice", "/legacy/launch", object{"gameCode": "fruits", "userCode": address("alice")}, http.StatusOK)
	r.stepAnswers()
}

// stepAnswers records step-by-step play: a round opened, continued, repeated, refused and
// ended.
func (r *recording) stepAnswers() {
	r.gets("alice", "/rounds")
	r.posts("alice", "/rounds", object{"gameType": "mines", "wager": 10_000, "token": sol, "config": object{"mines": 25}}, http.StatusBadRequest)
	opened := r.posts("alice", "/rounds", object{"gameType": "dragontower", "wager": 10_000, "token": sol}, http.StatusCreated)
	steps := func(step int, action object, status int) {
		r.Helper()
		r.does("alice", http.MethodPost, "/rounds/{id}/steps", opened.text_("round", "id"), object{"step": step, "action": action}, status)
	}
	climb := object{"type": "climb", "tile": 0}
	steps(0, climb, http.StatusOK)
	r.gets("alice", "/rounds")
	steps(0, climb, http.StatusOK)
	steps(0, object{"type": "climb", "tile": 1}, http.StatusConflict)
	steps(1, object{"type": "hit"}, http.StatusBadRequest)
	r.note("", question{method: http.MethodPost, path: "/seed/rotate", as: "alice"}).ok(http.StatusConflict)
	steps(1, object{"type": "cashOut"}, http.StatusOK)
	steps(2, climb, http.StatusConflict)
	r.does("alice", http.MethodGet, "/history/{id}", opened.text_("round", "id"), nil, http.StatusOK)
}

// crashAnswers records a bet on the shared crash that is cashed out by hand, in each state of its
// round.
func (r *recording) crashAnswers() {
	h := crashHouse{r.house, r.casino.Crash.Driver()}
	r.funded("carl", sol, 1_000_000)
	r.note("/crash", question{method: http.MethodGet, path: "/crash"}).ok(http.StatusNotFound)
	r.gets("", "/crash/rounds")
	bet := question{method: http.MethodPost, path: "/crash/bets", as: "carl", body: object{"wager": 20_000, "token": sol, "cashOut": json.Number("50.0")}, header: map[string]string{"Idempotency-Key": "crash"}}
	var placed reply
	flying := h.flight(3*time.Second, func() {
		bet.header["Idempotency-Key"] += "h"
		placed = r.ask(bet).ok(http.StatusCreated)
	})
	r.note("/crash/bets", bet).ok(http.StatusCreated)
	r.gets("carl", "/crash/bet")
	h.at(flying, 2000)
	r.posts("carl", "/crash/cashout", object{"bet": placed.text_("bet", "id")}, http.StatusOK)
	r.posts("carl", "/crash/cashout", object{"bet": placed.text_("bet", "id")}, http.StatusOK)
	r.gets("", "/crash")
	r.gets("", "/crash/stream") // only the headers
	h.until(crash.Settled)
	r.posts("carl", "/crash/cashout", object{"bet": placed.text_("bet", "id")}, http.StatusOK)
	r.gets("carl", "/crash/bet")
	r.gets("", "/crash")
	r.gets("", "/crash/rounds?limit=1")
	r.does("", http.MethodGet, "/crash/rounds/{number}", strconv.FormatInt(flying.Number, 10), nil, http.StatusOK)
	r.does("carl", http.MethodGet, "/history/{id}", placed.text_("bet", "id"), nil, http.StatusOK)
	h.until(crash.Betting)
	r.clock.Advance(time.Second)
	r.gets("", "/crash")
}

func (r *recording) siteAgentAnswers() {
	made := r.posts("boss", "/admin/legacy/agents", object{"agentCode": "acme", "agentName": "Acme", "rtp": 96.5, "percent": 12,
		"siteEndpoint": recordedSite, "ipAllowlist": []string{"192.0.2.0/24", "198.51.100.7"}, "memo": nil}, http.StatusCreated)
	id := made.text_("agent", "id")
	r.does("boss", http.MethodPost, "/admin/legacy/agents/{id}/funds", id, object{"token": sol, "amount": 900_000_000, "reason": "wire 7"}, http.StatusOK)
	r.does("boss", http.MethodPost, "/admin/legacy/agents/{id}/funds", id, object{"token": sol, "amount": 2_000_000_000, "reason": "wire 8"}, http.StatusAccepted)
	r.does("boss", http.MethodPut, "/admin/legacy/agents/{id}/credit-limit", id, object{"token": sol, "creditLimit": 5_000}, http.StatusOK)
	r.does("olga", http.MethodPatch, "/admin/legacy/agents/{id}", id, object{"memo": "=calls on Mondays"}, http.StatusOK)
	rotated := r.does("boss", http.MethodPost, "/admin/legacy/agents/{id}/credentials", id, nil, http.StatusOK)
	r.site = fakes.NewAgentSite("acme", rotated.text_("secret"), recordedScale)
	r.sites.Set(recordedSite, r.site)
	other := r.post("olga", "/admin/legacy/agents", object{"agentCode": "rival", "agentName": "Rival"}).ok(http.StatusCreated)
	r.does("olga", http.MethodDelete, "/admin/legacy/agents/{id}", other.text_("agent", "id"), nil, http.StatusNoContent)
	r.gets("olga", "/admin/legacy/agents")
	r.gets("olga", "/admin/metrics/revenue-share?days=2")
	r.does("olga", http.MethodPatch, "/admin/provider-games/{gameCode}", "slots", object{"enabled": false}, http.StatusOK)
}

func (r *recording) webhookAnswers() {
	const all = "/admin/legacy/agents/{id}/webhooks"
	made := r.does("boss", http.MethodPost, all, "house", object{"url": "https://hooks.example.com/", "types": []string{"casino.round.settled", "funds.booked"}}, http.StatusCreated)
	one := func(method, rest string, body any, status int) {
		r.Helper()
		path := "/admin/legacy/agents/house/webhooks/" + made.text_("webhook", "id") + strings.ReplaceAll(rest, "{deadLetterId}", "none")
		r.note(all+"/{webhookId}"+rest, question{method: method, path: path, as: "boss", body: body}).ok(status)
	}
	one(http.MethodGet, "", nil, http.StatusOK)
	one(http.MethodPatch, "", object{"state": "disabled", "types": []string{}, "from": ""}, http.StatusOK)
	one(http.MethodPost, "/secret", nil, http.StatusOK)
	r.does("boss", http.MethodGet, all, "house", nil, http.StatusOK)
	one(http.MethodGet, "/dead-letters", nil, http.StatusOK)
	one(http.MethodPost, "/dead-letters/{deadLetterId}/send", nil, http.StatusNotFound)
	one(http.MethodDelete, "", nil, http.StatusNoContent)
}

// callback is a message of the provider.
func (r *recording) callback(name, kind, txn string, bet, win seamless.Decimal) {
	r.Helper()
	_, err := r.casino.Providers.ProviderTransact(r.Context(), kernel.ProviderCall{
		UserCode: address(name), TxnID: txn, Kind: kind, GameType: "slot", Provider: "MAKER", Game: "fruits", Bet: bet, Win: win,
	})
	r.must(err)
}

func (r *recording) providerAnswers() {
	login := r.login("bob")
	login.AgentCode = "acme"
	signed := r.posts("", "/auth/login", login, http.StatusOK)
	r.tokens["bob"] = signed.text_("token")
	r.site.Pay(wallet.Address(address("bob")), 80_000)
	r.posts("bob", "/legacy/launch", object{"gameCode": "fruits", "userCode": address("bob"), "language": "en"}, http.StatusOK)
	r.callback("alice", "credit", "loose-1", "0", "2000")
	r.callback("alice", "credit", "loose-2", "0", "3000")
	r.callback("alice", "debit_credit", "round-1", "20", "30")
	r.callback("bob", "debit", "bet-1", "20", "0")
	r.site.Refuse(seamless.Credit, "INTERNAL_ERROR")
	r.callback("bob", "credit", "bet-1", "0", "25")
	_, err := r.casino.Sites.DeliveryWorker().Step(r.Context())
	r.must(err)
	reviews := r.gets("boss", "/admin/provider-reviews?limit=1").at("reviews").([]any)
	r.does("boss", http.MethodPost, "/admin/provider-reviews/{id}", reviews[0].(object)["id"].(string),
		object{"pay": true, "reason": "checked"}, http.StatusOK)
	r.gets("boss", "/admin/provider-routes")
	routes := r.gets("boss", "/admin/provider-routes?status=open&agentCode=acme").at("routes").([]any)
	r.does("boss", http.MethodPost, "/admin/provider-routes/{id}", routes[0].(object)["id"].(string),
		object{"action": "close", "reason": "paid by hand"}, http.StatusOK)
}

func (r *recording) moneyAnswers() {
	withdraw := func(amount int) string {
		r.clock.Advance(time.Second)
		made := r.post("alice", "/withdraw", object{"amount": amount, "token": sol, "destination": address("alice")}).ok(http.StatusCreated)
		return made.text_("withdrawal", "id")
	}
	first, second := withdraw(6_000), withdraw(7_000)
	r.gets("alice", "/account/transactions")
	r.gets("alice", "/account/transactions?type=withdrawal&status=pending&limit=1")
	r.gets("alice", "/account/chain-balance?token="+sol)
	r.does("olga", http.MethodGet, "/admin/players/{wallet}", address("alice"), nil, http.StatusOK)
	r.posts("fay", "/admin/withdraw/approve", object{"id": first, "note": "known"}, http.StatusOK)
	r.does("olga", http.MethodGet, "/admin/withdrawals/{id}", first, nil, http.StatusOK)
	r.posts("fay", "/admin/withdraw/reject", object{"id": second, "reason": "=cmd"}, http.StatusOK)
	balance := "/admin/balances/{user}"
	adjusted := r.does("finn", http.MethodPatch, balance, address("alice"), object{"token": sol, "amount": -300, "reason": "a mistake"}, http.StatusOK)
	correct := r.does("finn", http.MethodPost, "/admin/transactions/{id}/correct", adjusted.text_("transaction", "id"), object{"reason": "wrong player"}, http.StatusAccepted)
	r.does("fay", http.MethodPost, "/admin/approvals/{id}", correct.text_("approval", "id"), object{"approve": true}, http.StatusOK)
	r.gets("alice", "/account/transactions?type=adjustment")
	r.posts("finn", "/admin/capital/correct", object{"token": sol, "reference": "capital " + sol, "reason": "a player's"}, http.StatusAccepted)
	asked := r.does("finn", http.MethodPatch, balance, address("alice"), object{"token": sol, "amount": 2_000_000_000, "reason": "a jackpot"}, http.StatusAccepted)
	r.does("olga", http.MethodGet, balance, address("alice"), nil, http.StatusOK)
	r.does("fay", http.MethodPost, "/admin/approvals/{id}", asked.text_("approval", "id"), object{"approve": false}, http.StatusOK)
	r.chain.Fund(fakes.Wallet("exchange"), money.SOL, 9_000)
	r.chain.Deposit(fakes.Wallet("exchange"), money.SOL, 9_000)
	r.chain.Finalize()
	r.watch()
	r.gets("olga", "/admin/unclaimed")
	r.posts("finn", "/admin/unclaimed/assign", object{"wallet": address("exchange"), "to": address("alice"), "token": sol, "amount": 9_000,
		"reason": "withdrew from the exchange", "evidence": "receipt 7"}, http.StatusOK)
	shared := r.shared("alice", "bob")
	r.post("alice", "/deposit", object{"signature": shared, "token": sol}).ok(http.StatusAccepted)
	r.posts("finn", "/admin/deposits/resolve", object{"signature": shared, "token": sol, "wallet": address("alice"), "reason": "she called"}, http.StatusOK)
	third := r.shared("alice", "bob")
	r.post("alice", "/deposit", object{"signature": third, "token": sol}).ok(http.StatusAccepted)
	r.posts("finn", "/admin/deposits/resolve", object{"signature": third, "token": sol, "reason": "stolen"}, http.StatusOK)
	r.posts("finn", "/admin/payouts/pause", object{"reason": "odd payouts"}, http.StatusOK)
	r.gets("olga", "/admin/payouts")
	left := r.posts("alice", "/rounds", object{"gameType": "dragontower", "wager": 10_000, "token": sol}, http.StatusCreated)
	r.does("olga", http.MethodPost, "/admin/rounds/{id}/end", left.text_("round", "id"), object{"reason": "it holds scarce room"}, http.StatusOK)
	r.posts("finn", "/admin/payouts/resume", object{"reason": "fine"}, http.StatusAccepted)
	r.note("/admin/admission/overrule", question{method: http.MethodPost, path: "/admin/admission/overrule", as: "finn", body: object{"key": "access:nobody", "reason": "checked"}}).ok(http.StatusNotFound)
	r.posts("boss", "/admin/play/pause", object{"gameType": "dice", "agentCode": "house", "reason": "odd wins"}, http.StatusOK)
	r.gets("olga", "/admin/play")
	r.posts("boss", "/admin/play/resume", object{"gameType": "dice", "agentCode": "house", "reason": "verified"}, http.StatusOK)
}

func (r *recording) adminAnswers() {
	r.gets("olga", "/admin/me")
	r.gets("olga", "/admin/overview")
	r.gets("olga", "/admin/metrics/ggr-daily?days=2")
	r.gets("olga", "/admin/metrics/rtp?days=2")
	open := r.gets("olga", "/admin/alarms?state=open").at("alarms").([]any)
	r.does("olga", http.MethodPost, "/admin/alarms/{id}/acknowledge", open[0].(object)["id"].(string), object{"note": "The provider was called.", "clear": true}, http.StatusOK)
	of := "/admin/players/{wallet}"
	limits := []object{{"kind": "loss", "period": "day", "token": sol, "amount": 90_000_000}}
	r.does("olga", http.MethodPut, of+"/limits", address("alice"), object{"limits": limits, "reason": "asked by phone"}, http.StatusOK)
	r.does("olga", http.MethodGet, of+"/limits", address("alice"), nil, http.StatusOK)
	r.does("olga", http.MethodPost, of+"/freeze", address("alice"), object{"frozen": true, "reason": "a dispute"}, http.StatusOK)
	r.does("olga", http.MethodPost, of+"/freeze", address("alice"), object{"frozen": false, "reason": "settled"}, http.StatusOK)
	r.does("olga", http.MethodPost, of+"/exclusion", address("bob"), object{"permanent": true, "reason": "asked by phone"}, http.StatusOK)
	r.does("boss", http.MethodPut, of+"/agent", address("alice"), object{"agentCode": "acme", "reason": "moved"}, http.StatusOK)
	until := r.clock.Now().Add(48 * time.Hour).UnixMilli()
	r.posts("alice", "/account/exclusion", object{"until": until}, http.StatusOK)
	roles := "/admin/roles/{wallet}"
	r.does("boss", http.MethodPut, roles, address("bob"), object{"role": "operator", "agentCode": "acme"}, http.StatusOK)
	r.does("boss", http.MethodGet, roles, address("olga"), nil, http.StatusOK)
	r.gets("boss", "/admin/roles")
	r.does("boss", http.MethodDelete, roles, address("bob"), nil, http.StatusNoContent)
	r.note("/admin/whitelabel", question{method: http.MethodPatch, path: "/admin/whitelabel", as: "boss", body: object{"title": "Lucky"}}).ok(http.StatusOK)
}

func (r *recording) lists() {
	for _, path := range []string{"/history", "/history?limit=2", "/history?page=3&limit=1", "/history?gameType=fruits", "/seed/history?limit=1", "/account/transactions?limit=2"} {
		next := r.gets("alice", path).text_("nextCursor")
		if next != "" && !strings.Contains(path, "page") {
			separator := "?"
			if strings.Contains(path, "?") {
				separator = "&"
			}
			r.gets("alice", path+separator+"cursor="+url.QueryEscape(next))
		}
	}
	for _, path := range []string{"/admin/games", "/admin/games?token=" + sol + "&limit=2", "/admin/transactions", "/admin/transactions?type=withdrawal&status=rejected",
		"/admin/players", "/admin/players?agentCode=acme", "/admin/audit", "/admin/audit?action=payouts.paused", "/admin/provider-games", "/admin/provider-games?enabled=false",
		"/admin/provider-reviews", "/admin/approvals", "/admin/alarms?state=cleared", "/admin/metrics/rtp", "/admin/games?page=9223372036854775807"} {
		r.gets("boss", path)
	}
	for _, path := range []string{"/admin/games", "/admin/games?wallet=" + address("alice"), "/admin/transactions", "/admin/audit?by=" + address("olga"), "/admin/alarms", "/admin/metrics/ggr-daily?days=3",
		"/admin/players", "/admin/approvals", "/admin/unclaimed", "/admin/provider-games", "/admin/provider-reviews", "/admin/provider-routes",
		"/admin/legacy/agents", "/admin/roles", "/admin/metrics/rtp", "/admin/metrics/revenue-share"} {
		route, _, _ := strings.Cut(path, "?")
		r.note(route, question{method: http.MethodGet, path: path, as: "boss", header: map[string]string{"Accept": "text/csv"}}).ok(http.StatusOK)
	}
}

// reports records the kinds, and a run of each, as JSON and as CSV.
func (r *recording) reports() {
	r.gets("boss", "/admin/reports")
	today := r.clock.Now().UTC().Format(time.DateOnly)
	for _, kind := range reports.Kinds() {
		body := object{}
		for name, value := range map[string]any{"from": today, "to": today, "by": "month", "token": sol, "agentCode": "house", "atLeast": 1} {
			if slices.Contains(kind.Parameters, name) {
				body[name] = value
			}
		}
		for _, header := range []map[string]string{nil, {"Accept": "text/csv"}} {
			r.note("/admin/reports/{kind}", question{method: http.MethodPost, path: "/admin/reports/" + kind.Name, as: "boss", body: body, header: header}).ok(http.StatusOK)
		}
	}
}

// refusals records errors common to all endpoints; their messages may change.
func (r *recording) refusals() {
	csv := map[string]string{"Accept": "text/csv"}
	r.note("", question{method: http.MethodGet, path: "/admin/games?page=1", as: "boss", header: csv}).ok(http.StatusBadRequest)
	r.note("", question{method: http.MethodGet, path: "/admin/games?color=red", as: "boss"}).ok(http.StatusBadRequest)
	r.note("", question{method: http.MethodGet, path: "/nowhere"}).ok(http.StatusNotFound)
	r.note("", question{method: http.MethodPut, path: "/play"}).ok(http.StatusMethodNotAllowed)
	r.note("", question{method: http.MethodGet, path: "/balance"}).ok(http.StatusUnauthorized)
	r.note("", question{method: http.MethodPost, path: "/play", as: "alice", body: object{"gameType": "dice", "x": 1}}).ok(http.StatusBadRequest)
	r.note("/auth/logout", question{method: http.MethodPost, path: "/auth/logout", as: "alice"}).ok(http.StatusNoContent)
	r.note("", question{method: http.MethodPost, path: "/play", as: "alice", body: object{}}).ok(http.StatusUnauthorized)
}

// isCallback reports whether a path is of a provider's protocol, which has its own bodies
// and answers.
func isCallback(path string) bool {
	return strings.HasPrefix(path, "/gold_api") || strings.HasPrefix(path, "/hub88")
}
