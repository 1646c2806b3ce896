package hub88_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/hub88"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

// TestStatuses sends messages in their order; each has the published status and the balance
// after it, in 1/100,000 of a currency unit.
func TestStatuses(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous)
	a, b, s := h.enter("alice", 10_000_000, true), h.enter("bob", 5_000_000, true), h.enter("stranger", 5_000_000, false)
	const stays = -1 // no balance in the answer
	for i, row := range []struct {
		what, path, user string
		m                message
		status           string
		balance          int64
	}{
		{"who the player is", "/user/info", a, message{"token": "-", "game_code": "-"}, "RS_OK", stays},
		{"who a stranger is", "/user/info", s, nil, "RS_ERROR_INVALID_TOKEN", stays},
		{"the balance", "/user/balance", a, nil, "RS_OK", 1_000_000},
		{"the balance in another's session", "/user/balance", a, message{"token": h.peer.tokens[b]}, "RS_ERROR_INVALID_TOKEN", stays},
		{"a bet", "/transaction/bet", a, bet("b1", 150_000), "RS_OK", 850_000},
		{"the bet again", "/transaction/bet", a, bet("b1", 150_000), "RS_OK", 850_000},
		{"the bet with another amount", "/transaction/bet", a, bet("b1", 150_001), "RS_ERROR_DUPLICATE_TRANSACTION", 850_000},
		{"the bet by another player", "/transaction/bet", b, bet("b1", 150_000), "RS_ERROR_DUPLICATE_TRANSACTION", 500_000},
		{"the bet's id as a win's", "/transaction/win", a, win("b1", "b1", 1), "RS_ERROR_WRONG_SYNTAX", stays},
		{"the bet's id as another win's", "/transaction/win", a, win("b1", "b0", 1), "RS_ERROR_DUPLICATE_TRANSACTION", 850_000},
		{"a win", "/transaction/win", a, win("w1", "b1", 200_000), "RS_OK", 1_050_000},
		{"the win again", "/transaction/win", a, win("w1", "b1", 200_000), "RS_OK", 1_050_000},
		{"the win of another bet", "/transaction/win", a, win("w1", "b2", 200_000), "RS_ERROR_DUPLICATE_TRANSACTION", 1_050_000},
		{"a second win of the bet", "/transaction/win", a, win("w2", "b1", 0), "RS_OK", 1_050_000},
		{"a win without a bet", "/transaction/win", a, win("w3", "b9", 1), "RS_ERROR_TRANSACTION_DOES_NOT_EXIST", 1_050_000},
		{"a win of another player's bet", "/transaction/win", b, win("w3", "b1", 1), "RS_ERROR_TRANSACTION_DOES_NOT_EXIST", 500_000},
		{"a win in an expired session", "/transaction/win", a, with(win("w4", "b1", 50_000), message{"token": "gone"}), "RS_OK", 1_100_000},
		{"too large a bet", "/transaction/bet", a, bet("b3", 1_100_001), "RS_ERROR_NOT_ENOUGH_MONEY", 1_100_000},
		{"a bet beyond any money", "/transaction/bet", a, bet("b4", 1<<62), "RS_ERROR_NOT_ENOUGH_MONEY", 1_100_000},
		{"a free bet", "/transaction/bet", a, with(bet("b5", 70_000), message{"is_free": true}), "RS_OK", 1_100_000},
		{"a bet in another currency", "/transaction/bet", a, with(bet("b6", 1), message{"currency": "USD"}), "RS_ERROR_WRONG_CURRENCY", stays},
		{"a bet on an unknown game", "/transaction/bet", a, with(bet("b6", 1), message{"game_code": "nothing"}), "RS_ERROR_INVALID_GAME", 1_100_000},
		{"a bet in no session", "/transaction/bet", a, with(bet("b7", 1), message{"token": "x"}), "RS_ERROR_INVALID_TOKEN", stays},
		{"a bet of a stranger", "/transaction/bet", s, bet("b7", 1), "RS_ERROR_INVALID_TOKEN", stays},
		{"a bet without an amount", "/transaction/bet", a, with(bet("b7", 1), message{"amount": "-"}), "RS_ERROR_WRONG_SYNTAX", stays},
		{"a bet of a text", "/transaction/bet", a, with(bet("b7", 1), message{"amount": "1"}), "RS_ERROR_WRONG_TYPES", stays},
		{"a bet of a fraction", "/transaction/bet", a, with(bet("b7", 1), message{"amount": 1.5}), "RS_ERROR_WRONG_TYPES", stays},
		{"a negative bet", "/transaction/bet", a, with(bet("b7", 1), message{"amount": -1}), "RS_ERROR_WRONG_TYPES", stays},
		{"a bet without an id", "/transaction/bet", a, with(bet("", 1), nil), "RS_ERROR_WRONG_SYNTAX", stays},
		{"a win without its bet's id", "/transaction/win", a, with(win("w7", "", 1), nil), "RS_ERROR_WRONG_SYNTAX", stays},
		{"no user", "/user/balance", "", nil, "RS_ERROR_WRONG_SYNTAX", stays},
		{"the rollback of the bet after its win", "/transaction/rollback", a, rollback("u1", "b1"), "RS_OK", 1_250_000},
		{"the rollback again", "/transaction/rollback", a, rollback("u1", "b1"), "RS_OK", 1_250_000},
		{"a rollback of it under another id", "/transaction/rollback", a, rollback("u2", "b1"), "RS_OK", 1_250_000},
		{"the rollback of something else", "/transaction/rollback", a, rollback("u1", "w1"), "RS_ERROR_DUPLICATE_TRANSACTION", 1_250_000},
		{"a rollback of the rollback", "/transaction/rollback", a, rollback("u3", "u1"), "RS_ERROR_DUPLICATE_TRANSACTION", 1_250_000},
		{"a rollback by another player", "/transaction/rollback", b, rollback("u4", "w1"), "RS_ERROR_DUPLICATE_TRANSACTION", 500_000},
		{"a rollback of itself", "/transaction/rollback", a, rollback("u4", "u4"), "RS_ERROR_WRONG_SYNTAX", stays},
		{"the bet after its rollback", "/transaction/bet", a, bet("b1", 150_000), "RS_ERROR_TRANSACTION_ROLLED_BACK", 1_250_000},
		{"a win after its bet's rollback", "/transaction/win", a, win("w8", "b1", 5), "RS_ERROR_TRANSACTION_DOES_NOT_EXIST", 1_250_000},
		{"the rollback of the win", "/transaction/rollback", a, rollback("u5", "w1"), "RS_OK", 1_050_000},
		{"a rollback before its bet, in an expired session", "/transaction/rollback", a, with(rollback("u6", "b8"), message{"token": "gone"}), "RS_OK", 1_050_000},
		{"the bet when it comes", "/transaction/bet", a, bet("b8", 1), "RS_ERROR_TRANSACTION_ROLLED_BACK", 1_050_000},
		{"the rollback of a refused bet", "/transaction/rollback", a, rollback("u7", "b3"), "RS_OK", 1_050_000},
		{"a bet of everything", "/transaction/bet", a, bet("b9", 1_050_000), "RS_OK", 0},
		{"a win to take back", "/transaction/win", a, win("w9", "b9", 10), "RS_OK", 10},
		{"it is spent", "/transaction/bet", a, bet("b10", 1), "RS_OK", 9},
		{"the rollback of a win that was spent", "/transaction/rollback", a, rollback("u8", "w9"), "RS_ERROR_NOT_ENOUGH_MONEY", 9},
		{"the bet is returned", "/transaction/rollback", a, rollback("u9", "b10"), "RS_OK", 10},
		{"the rollback of the win, once there is money", "/transaction/rollback", a, rollback("u8", "w9"), "RS_OK", 0},
		{"a rollback without its reference", "/transaction/rollback", a, rollback("u10", ""), "RS_ERROR_WRONG_SYNTAX", stays},
	} {
		got := h.send(row.path, h.call(row.user, row.m))
		if got.HTTP != http.StatusOK || got.Status != row.status || (got.Balance == nil) != (row.balance == stays) ||
			got.Balance != nil && *got.Balance != row.balance || got.Request == "" && row.status != "RS_ERROR_WRONG_TYPES" {
			t.Errorf("%d. %s: HTTP %d %+v, want %s %d", i, row.what, got.HTTP, got, row.status, row.balance)
		}
	}
	h.clock.Advance(25 * time.Hour)
	if got := h.send("/transaction/bet", h.call(b, bet("b11", 1))); got.Status != "RS_ERROR_TOKEN_EXPIRED" {
		t.Errorf("a bet in yesterday's session: %+v", got)
	}
	for _, kind := range []alarm.Kind{alarm.ProviderConflict, alarm.ProviderRollback} {
		if !strings.Contains(h.log.String(), kind.Message()) {
			t.Errorf("no alarm %q", kind.Message())
		}
	}
	h.audited()
}

// TestSignatures: nothing is read, and nothing moves, without Hub88's signature of exactly
// the body.
func TestSignatures(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous)
	a := h.enter("alice", 10_000_000, true)
	body := []byte(`{"user":"` + a + `","token":"` + h.peer.tokens[a] + `","request_uuid":"q"}`)
	good := signed(theirs(), body)
	if got := h.post("/user/balance", body, good); got.Status != "RS_OK" {
		t.Fatalf("the second implementation's signature: %+v", got)
	}
	for what, signature := range map[string]string{
		"none": "", "no base64": "~", "of our key": signed(ours(), body), "of another body": signed(theirs(), append(body, ' ')),
		"cut": good[:len(good)-4],
	} {
		if got := h.post("/user/balance", body, signature); got.HTTP != http.StatusOK || got.Status != "RS_ERROR_INVALID_SIGNATURE" || got.User != "" {
			t.Errorf("a signature %s: %+v", what, got)
		}
	}
	if got := h.post("/user/balance", []byte("[]"), signed(theirs(), []byte("[]"))); got.Status != "RS_ERROR_WRONG_TYPES" {
		t.Errorf("a list: %+v", got)
	}
	if got := h.post("/user/balance", []byte("{"), signed(theirs(), []byte("{"))); got.Status != "RS_ERROR_WRONG_SYNTAX" {
		t.Errorf("half an object: %+v", got)
	}
	if got := h.post("/user/nothing", body, good); got.HTTP != http.StatusNotFound {
		t.Errorf("an unknown call: %+v", got)
	}
	large := []byte(strings.Repeat(" ", 65<<10))
	if got := h.post("/user/balance", large, signed(theirs(), large)); got.HTTP != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %+v", got)
	}
}

// TestGuessesAreCounted: an address without a signature is shut out after ten calls.
func TestGuessesAreCounted(t *testing.T) {
	t.Parallel()
	h := open(t, inMemory, generous)
	for i := range 12 {
		want := http.StatusOK
		if i >= 10 {
			want = http.StatusTooManyRequests
		}
		if got := h.post("/user/balance", []byte("{}"), "x"); got.HTTP != want || got.Status != "RS_ERROR_INVALID_SIGNATURE" {
			t.Errorf("guess %d: %+v", i, got)
		}
	}
}

func TestKeysAreChecked(t *testing.T) {
	t.Parallel()
	good := keys(t)
	for what, k := range map[string]hub88.Keys{
		"none": {}, "no private key": {Public: good.Public}, "no public key": {Private: good.Private},
		"our own public key": {Private: good.Private, Public: &good.Private.PublicKey},
	} {
		if _, err := hub88.NewHandler(hub88.HandlerConfig{
			Wallet: open(t, inMemory, generous).casino.Providers, Keys: k, Currency: "EUR", Now: fakes.NewClock(fakes.Start).Now, Limiter: fakes.NewLimiter(fakes.NewClock(fakes.Start)),
		}); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}

func TestClientConformance(t *testing.T) {
	t.Parallel()
	codes := map[fault.Kind]int{fault.InvalidProvider: 401, fault.InvalidGame: 404, fault.GameDisabled: 403, fault.External: 500}
	conformance.GameProvider(t, func(t *testing.T) conformance.Provider {
		p := newPeer(t)
		return conformance.Provider{
			GameProvider: p.client(fakes.NewClock(fakes.Start)), Maker: "Caleta-Gaming", Game: "clt_dragonrising", Host: "127.0.0.1", LaunchOnly: true,
			Kinds:          []fault.Kind{fault.InvalidProvider, fault.InvalidGame, fault.GameDisabled, fault.External},
			Refuse:         func(kind fault.Kind) { p.set(func() { p.code = codes[kind] }) },
			Elsewhere:      func(url string) { p.set(func() { p.body = `{"url":` + quoted(url) + `}` }) },
			Garble:         func() { p.set(func() { p.garble = true }) },
			SetUnreachable: func(cut bool) { p.set(func() { p.cut = cut }) },
		}
	})
}
