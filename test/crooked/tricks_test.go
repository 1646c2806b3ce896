package crooked_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
)

// honest lets the service answer.
func honest(_ *house, e *exchange) { e.pass() }

// asking changes what is asked of the service.
func asking(call string, change func(h *house, e *exchange)) trick {
	return func(h *house, e *exchange) {
		if e.is(call) {
			change(h, e)
		}
		e.pass()
	}
}

// answering changes what the service answered.
func answering(calls []string, change func(h *house, e *exchange)) trick {
	return func(h *house, e *exchange) {
		e.pass()
		if e.is(calls...) && e.status < http.StatusMultipleChoices {
			change(h, e)
		}
	}
}

// rounds changes each round, at play and in the history.
func rounds(change func(h *house, round object)) trick {
	return answering([]string{"POST /play", "GET /history/"}, func(h *house, e *exchange) {
		e.got.within("round", func(round object) { change(h, round) })
	})
}

// declining doesn't take the bets that it chooses by what they will pay: of each nonce the first.
func declining(decline func(h *house, e *exchange), choose func(h *house, e *exchange, pays float64) bool) trick {
	return func(h *house, e *exchange) {
		if e.is("POST /play") {
			first := h.mark("asked "+e.sent.text("expectedServerSeedHash")+decimal(e.sent.number("expectedNonce")), 1) == 0
			if again := h.mark("key "+e.header.Get("Idempotency-Key"), 0) > 0; again || first && choose(h, e, h.pays(e)) {
				h.mark("key "+e.header.Get("Idempotency-Key"), 1)
				decline(h, e)
				return
			}
		}
		e.pass()
	}
}

// above chooses the bets that pay more than a multiple of their wagers.
func above(multiple float64) func(*house, *exchange, float64) bool {
	return func(_ *house, _ *exchange, pays float64) bool { return pays > multiple }
}

// unsure chooses a part of the winners and a part of the losers.
func unsure(winners, losers float64) func(*house, *exchange, float64) bool {
	return func(_ *house, _ *exchange, pays float64) bool {
		return rand.Float64() < map[bool]float64{true: winners, false: losers}[pays > 1]
	}
}

// at chooses the bet at one nonce of each pair.
func at(nonce int64) func(*house, *exchange, float64) bool {
	return func(_ *house, e *exchange, _ float64) bool { return e.sent.number("expectedNonce") == nonce }
}

// vanish doesn't answer: it says that it is busy, for as long as the player asks.
func vanish(_ *house, e *exchange) {
	e.refuse(http.StatusServiceUnavailable, object{
		"error": textOf("Unavailable"), "code": textOf("UNAVAILABLE"), "message": textOf("busy"), "details": textOf(object{}), "requestId": textOf("r"),
	})
}

// signedRefusal refuses as if the house couldn't afford the bet, with a change to what it signs.
func signedRefusal(change func(*refusal.Refused)) func(*house, *exchange) {
	return func(h *house, e *exchange) {
		plan, _ := planOf(e.sent)
		wager := money.Amount(e.sent.number("wager"))
		most, _ := wager.Times(plan.MaxMultiplier())
		h.mu.Lock()
		balance := h.balances[e.wallet]
		h.mu.Unlock()
		refused := &refusal.Refused{
			Refusal: fault.New(fault.WagerOutOfRange, "wager: could pay more than the house can afford at the moment"), Ledger: h.ledger, Epoch: 1, At: h.now(),
			Decided: refusal.Decided{
				Commitment: e.sent.text("expectedServerSeedHash"), Nonce: e.sent.number("expectedNonce"), Balance: money.Amount(balance),
				Figures: bet.Figures{
					MinWager: money.Amount(h.limits.MinWager), MaxWager: money.Amount(h.limits.MaxWager), MaxPayout: money.Amount(h.limits.MaxPayout),
					Room: max(1, most-1), CouldPay: most,
				},
			},
		}
		if change != nil {
			change(refused)
		}
		body, err := jsontext.AppendFormat(nil, textOf(e.sent), jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
		must(err)
		order := refusal.Order{
			Digest: refusal.Digest("/play", e.header.Get("Idempotency-Key"), string(body)), Game: e.sent.text("gameType"), Wager: wager, Token: money.Token(e.sent.text("token")),
		}
		signed, err := h.keys.Sign(refused.Statement(wallet.Address(e.wallet), order, "WAGER_OUT_OF_RANGE"))
		must(err)
		e.refuse(http.StatusBadRequest, object{
			"error": textOf("Wager out of range"), "code": textOf("WAGER_OUT_OF_RANGE"), "message": textOf(refused.Error()), "details": textOf(object{}), "requestId": textOf("r"),
			"receipt": textOf(shownStatement(signed)),
		})
	}
}

func shownStatement(s checkpoint.Signed) map[string]string {
	return map[string]string{"statement": s.Text, "kid": s.Key, "signature": base64.StdEncoding.EncodeToString(s.Signature)}
}

// unsignedRefusal refuses without a signature.
func unsignedRefusal(h *house, e *exchange) {
	signedRefusal(nil)(h, e)
	delete(e.got, "receipt")
}

// forget takes from a bet which pair and nonce it is for, so that the service takes any.
func forget(e *exchange) {
	delete(e.sent, "expectedServerSeedHash")
	delete(e.sent, "expectedNonce")
}

// halving takes half of the wager, where that is allowed.
func halving(h *house, e *exchange) {
	if half := e.sent.number("wager") / 2; half >= h.limits.MinWager {
		e.sent.set("wager", half)
	}
}

// losing turns a coin so that the bet loses.
func losing(h *house, e *exchange) {
	if e.sent.text("gameType") != "coinflip" || h.pays(e) <= 1 {
		return
	}
	side := "tails"
	if config := objectOf(e.sent["config"]); config["side"] != nil && config.text("side") == "tails" {
		side = "heads"
	}
	e.sent.within("config", func(config object) { config.set("side", side) })
}

// bounding bounds rounds of mines lower, and shows that this was asked for.
func bounding(h *house, e *exchange) {
	asked := e.sent["config"]
	if e.is("POST /rounds") && string(asked) == `{"mines":3}` {
		e.sent.set("config", jsontext.Value(`{"mines":3,"maxMultiplier":1.5}`))
	}
	e.pass()
	if e.is("POST /rounds", "POST /rounds/") && e.status < http.StatusMultipleChoices {
		e.got.within("round", func(round object) {
			if string(round["asked"]) == `{"mines":3,"maxMultiplier":1.5000}` {
				round["asked"] = jsontext.Value(`{"mines":3}`)
			}
		})
	}
}

// exploding opens a tile with a mine where the player cashes out.
func exploding(h *house, e *exchange) {
	if e.sent["action"] != nil && strings.Contains(string(e.sent["action"]), `"cashOut"`) {
		h.mu.Lock()
		round := h.open[strings.Split(e.call, "/")[2]]
		h.mu.Unlock()
		if round != nil && round.text("gameType") == "mines" {
			of := h.seedOf(e.wallet, round.text("serverSeedHash"))
			for tile := range 25 {
				action := fmt.Sprintf(`{"type":"open","tile":%d}`, tile)
				_, taken := parts(round["actions"])
				answer, err := verifier.Verify(games(), verifier.RoundInputs{
					GameType: "mines", Config: round["config"], ServerSeed: of.server, ClientSeed: of.client, Nonce: round.number("nonce"),
					Actions: textOf(append(slices.Clone(taken), jsontext.Value(action))),
				})
				if err == nil && strings.Trim(answer.Multiplier, "0.") == "" {
					e.sent["action"] = jsontext.Value(action)
					break
				}
			}
		}
	}
	e.pass()
}

// jumping takes a bet of its own at a nonce, in the player's name, before the player's: the two
// change their places.
func jumping(nonce int64) trick {
	return asking("POST /play", func(h *house, e *exchange) {
		if e.sent.number("expectedNonce") == nonce && h.mark("jumped", 1) == 0 {
			other := *e
			other.header = e.header.Clone()
			other.header.Del("Idempotency-Key")
			other.sent = object{"gameType": textOf("dice"), "token": e.sent["token"], "wager": textOf(h.limits.MinWager)}
			h.askInstead(&other)
		}
		forget(e)
	})
}

// voiding shows wins as void rounds.
func voiding(_ *house, round object) {
	if round["outcome"].Kind() != 'n' && round.number("payout") > round.number("wager") {
		round["outcome"], round["multiplier"] = jsontext.Value("null"), jsontext.Value("1")
		round["payout"] = round["wager"]
	}
}

// swapping reveals another seed, and rewrites the history by it.
func swapping(h *house, e *exchange) {
	e.pass()
	seed := strings.Repeat("ab", 32)
	hash := sha256.Sum256([]byte(seed))
	switch {
	case e.is("POST /seed/rotate"):
		e.got.within("revealed", func(of object) {
			of.set("serverSeed", seed)
			of.set("serverSeedHash", hex.EncodeToString(hash[:]))
		})
	case e.is("GET /history/"):
		e.got.within("round", func(round object) {
			round.set("serverSeed", seed)
			round.set("serverSeedHash", hex.EncodeToString(hash[:]))
			drawn, err := verifier.Verify(games(), verifier.RoundInputs{
				GameType: round.text("gameType"), Rules: round.text("rules"), Config: round["config"], ServerSeed: seed, ClientSeed: round.text("clientSeed"),
				Nonce: round.number("nonce"),
			})
			must(err)
			round["outcome"], round["multiplier"] = drawn.Outcome, jsontext.Value(drawn.Multiplier)
		})
	}
}

// ownSeed begins pairs with a client seed of the house's, and shows the player's.
func ownSeed(h *house, e *exchange) {
	chosen := ""
	if e.is("POST /seed/rotate") {
		chosen = e.sent.text("clientSeed")
		e.sent.set("clientSeed", strings.Repeat("7", 32))
		if h.mark("own", 1) > 0 { // the service takes no client seed twice
			e.sent.set("clientSeed", fmt.Sprintf("%032x", h.mark("own", 0)))
		}
	}
	e.pass()
	show := func(of object) {
		if of["clientSeed"] != nil {
			h.mu.Lock()
			defer h.mu.Unlock()
			if chosen != "" {
				h.seeds["chosen "+of.text("serverSeedHash")] = pair{client: chosen}
			}
			if was, known := h.seeds["chosen "+of.text("serverSeedHash")]; known {
				of.set("clientSeed", was.client)
			}
		}
	}
	for _, name := range []string{"seed", "revealed", "round"} {
		if name == "revealed" {
			chosen = ""
		}
		e.got.within(name, show)
	}
	if e.is("GET /seed") {
		show(e.got)
	}
}

// understating states that it owes a part of what a player has, nothing for none.
func understating(divisor money.Amount) trick {
	return answering([]string{"GET /account/solvency"}, func(h *house, e *exchange) {
		h.mu.Lock()
		balance := h.balances[e.wallet]
		h.mu.Unlock()
		token, now, key := money.Token(h.token), h.now(), []byte("the house's")
		debts := map[wallet.Address]solvency.Owed{wallet.Address(strings.Repeat("1", 31) + "2"): {Available: 5}}
		if divisor > 0 {
			debts[wallet.Address(e.wallet)] = solvency.Owed{Available: money.Amount(balance) / divisor}
		}
		made, err := solvency.NewLedger(token, key, now, debts)
		must(err)
		salt := solvency.Salt(key, wallet.Address(e.wallet), now)
		stated := checkpoint.Statement{Purpose: solvency.Purpose, Ledger: h.ledger, Epoch: 1, At: now, Heads: h.headsOf(e.wallet), Facts: solvency.Facts([]solvency.Stated{
			{Token: token, Root: made.Root(), Leaves: made.Size(), Treasury: strings.Repeat("1", 31) + "3"},
		})}
		signed, err := h.keys.Sign(stated)
		must(err)
		proofs := []any{}
		if proof, found := solvency.Prove(token, made.Roots, 0, made.Chunks[0], solvency.Owner(wallet.Address(e.wallet), salt)); found {
			proofs = append(proofs, map[string]any{
				"token": token, "index": proof.Index, "available": proof.Available, "held": 0, "staked": 0, "unclaimed": 0,
				"path": base64.StdEncoding.EncodeToString(solvency.EncodeNodes(proof.Path)),
			})
		}
		e.got = object{"signed": textOf(shownStatement(signed)), "wallet": textOf(e.wallet), "salt": textOf(salt.String()), "proofs": textOf(proofs)}
	})
}

// editing changes the database when a pair is revealed, before its rounds are read again.
func editing(statements ...string) trick {
	return answering([]string{"POST /seed/rotate"}, func(h *house, e *exchange) {
		if n := h.mark("rotated", 1); n == 1 {
			h.edit(statements...)
		}
	})
}
