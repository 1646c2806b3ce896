package httpapi_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/edwards25519"
	"github.com/mr-tron/base58"

	"github.com/casino-service/casino/adapters/httpapi"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/test/fakes"
)

func (h *house) loginWith(body any) reply {
	h.Helper()
	return h.ask(question{method: http.MethodPost, path: "/auth/login", body: body})
}

func sign(name, message string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(fakes.Key(name), []byte(message)))
}

func TestForgedLogins(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins})
	now := h.clock.Now()
	alice, at := string(fakes.Wallet("alice")), now.UnixMilli()
	message := wallet.LoginMessage(fakes.Wallet("alice"), at)
	for name, row := range map[string]struct {
		timestamp int64
		signature string
		code      string
	}{
		"by another key":                 {at, sign("bob", message), "INVALID_SIGNATURE"},
		"over another wallet":            {at, sign("alice", wallet.LoginMessage(fakes.Wallet("bob"), at)), "INVALID_SIGNATURE"},
		"over another time":              {at, sign("alice", wallet.LoginMessage(fakes.Wallet("alice"), at+1)), "INVALID_SIGNATURE"},
		"with a space after it":          {at, sign("alice", message+" "), "INVALID_SIGNATURE"},
		"with a line end after it":       {at, sign("alice", message+"\n"), "INVALID_SIGNATURE"},
		"with another prefix":            {at, sign("alice", strings.ToUpper(message)), "INVALID_SIGNATURE"},
		"all zero":                       {at, base64.StdEncoding.EncodeToString(make([]byte, 64)), "INVALID_SIGNATURE"},
		"malleated by the group's order": {at, malleated(sign("alice", message)), "INVALID_SIGNATURE"},
		"in seconds":                     {at / 1000, sign("alice", wallet.LoginMessage(fakes.Wallet("alice"), at/1000)), "STALE_TIMESTAMP"},
		"too old":                        {stamp(now, -2*time.Minute-time.Millisecond), "", "STALE_TIMESTAMP"},
		"too far ahead":                  {stamp(now, time.Minute+time.Millisecond), "", "STALE_TIMESTAMP"},
		"at the end of time":             {1<<63 - 1, "", "STALE_TIMESTAMP"},
		"at the beginning of time":       {0, "", "STALE_TIMESTAMP"},
		"as an off-chain message":        {at - 5, sign("alice", offchain(wallet.LoginMessage(fakes.Wallet("alice"), at-5))), ""},
		"off chain, over another time":   {at, sign("alice", offchain(wallet.LoginMessage(fakes.Wallet("alice"), at+1))), "INVALID_SIGNATURE"},
		"just within the past":           {stamp(now, -2*time.Minute+time.Millisecond), "", ""},
		"just within the near future":    {stamp(now, time.Minute), "", ""},
	} {
		if row.signature == "" {
			row.signature = sign("alice", wallet.LoginMessage(fakes.Wallet("alice"), row.timestamp))
		}
		got := h.loginWith(object{"wallet": alice, "timestamp": row.timestamp, "signature": row.signature})
		status := http.StatusUnauthorized
		if row.code == "" {
			status = http.StatusOK
		}
		if got.is(status, row.code); t.Failed() {
			t.Fatal(name)
		}
		if status == http.StatusUnauthorized && got.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: WWW-Authenticate is %q", name, got.header.Get("WWW-Authenticate"))
		}
		if row.code == "STALE_TIMESTAMP" && got.integer("details", "serverTime") != at {
			t.Errorf("%s: the server's time is missing: %s", name, got.text)
		}
	}
}

// offchain is the text as hardware wallets sign it.
func offchain(text string) string {
	return "\xffsolana offchain\x00\x00" + string([]byte{byte(len(text)), 0}) + text
}

func stamp(now time.Time, by time.Duration) int64 { return now.Add(by).UnixMilli() }

// malleated adds the group's order to the scalar of a signature: the same point
// equation, another text.
func malleated(signature string) string {
	raw, _ := base64.StdEncoding.DecodeString(signature)
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	scalar := slices.Clone(raw[32:])
	slices.Reverse(scalar)
	sum := new(big.Int).Add(new(big.Int).SetBytes(scalar), order).FillBytes(make([]byte, 32))
	slices.Reverse(sum)
	return base64.StdEncoding.EncodeToString(append(slices.Clone(raw[:32]), sum...))
}

func TestInvalidWallets(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins})
	alice := string(fakes.Wallet("alice"))
	raw := fakes.Wallet("alice").PublicKey()
	wallets := map[string]string{
		"31 bytes": base58.Encode(raw[:31]), "33 bytes": base58.Encode(append(slices.Clone(raw), 1)),
		"lower case": strings.ToLower(alice), "with a 0": "0" + alice[1:], "with an O": "O" + alice[1:], "with an I": "I" + alice[1:],
		"with an l": "l" + alice[1:], "a space before": " " + alice, "a space after it": alice + " ", "empty": "",
		"a look-alike": "А" + alice[1:], "a leading 1": "1" + alice, "huge": strings.Repeat("1", 60_000),
		"off the curve": offCurve(t),
	}
	for i, encoded := range smallOrder {
		bytes, err := hex.DecodeString(encoded)
		h.must(err)
		wallets[fmt.Sprintf("of small order, %d", i)] = base58.Encode(bytes)
	}
	at := h.clock.Now().UnixMilli()
	for name, w := range wallets {
		// An all-zero signature verifies for many messages under such keys.
		got := h.loginWith(object{"wallet": w, "timestamp": at, "signature": base64.StdEncoding.EncodeToString(make([]byte, 64))})
		if got.is(http.StatusBadRequest, "INVALID_PARAMETER").names("wallet"); t.Failed() {
			t.Fatal(name)
		}
	}
	h.loginWith(`{"wallet":"`+alice+`\u0000","timestamp":1,"signature":""}`).is(http.StatusBadRequest, "INVALID_PARAMETER")
}

// smallOrder are the encodings, canonical or not, of the eight points of small order.
var smallOrder = []string{
	"0100000000000000000000000000000000000000000000000000000000000000",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0000000000000000000000000000000000000000000000000000000000000080",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
	"0100000000000000000000000000000000000000000000000000000000000080",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
}

func offCurve(t *testing.T) string {
	t.Helper()
	for n := range byte(255) {
		candidate := make([]byte, 32)
		candidate[0] = n
		if _, err := new(edwards25519.Point).SetBytes(candidate); err != nil {
			return base58.Encode(candidate)
		}
	}
	t.Fatal("every candidate is on the curve")
	return ""
}

func TestInvalidSignatures(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins})
	login := h.login("alice")
	raw, err := base64.StdEncoding.DecodeString(login.Signature)
	h.must(err)
	for name, signature := range map[string]string{
		"hex": hex.EncodeToString(raw), "base58": base58.Encode(raw), "base64url": base64.URLEncoding.EncodeToString(append([]byte{0xfb, 0xff}, raw[2:]...)),
		"unpadded": strings.TrimRight(login.Signature, "="), "a line end after it": login.Signature + "\n",
		"a line end inside": login.Signature[:40] + "\n" + login.Signature[40:], "a line end for a character": login.Signature[:87] + "\n",
		"a tail that isn't canonical": login.Signature[:85] + string(login.Signature[85]+1) + "==",
		"63 bytes":                    base64.StdEncoding.EncodeToString(raw[:63]), "65 bytes": base64.StdEncoding.EncodeToString(append(slices.Clone(raw), 0)), "empty": "",
	} {
		got := h.loginWith(object{"wallet": login.Wallet, "timestamp": login.Timestamp, "signature": signature})
		if got.is(http.StatusBadRequest, "INVALID_PARAMETER").names("signature"); t.Failed() {
			t.Fatal(name)
		}
	}
	h.loginWith(object{"wallet": login.Wallet, "timestamp": login.Timestamp, "signature": strings.Repeat("A", 1<<20)}).
		is(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
}

func TestInvalidTimestamps(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins})
	login := h.login("alice")
	for _, timestamp := range []string{`"1773480413589"`, "1.5", "1e12", "-1", "9223372036854775808", "null", "true", "[]", "{}", "-0", "1773480413589.0"} {
		body := fmt.Sprintf(`{"wallet":%q,"timestamp":%s,"signature":%q}`, login.Wallet, timestamp, login.Signature)
		if h.loginWith(body).is(http.StatusBadRequest, "INVALID_PARAMETER").names("timestamp"); t.Failed() {
			t.Fatal(timestamp)
		}
	}
	for _, missing := range []string{"wallet", "timestamp", "signature"} {
		body := object{"wallet": login.Wallet, "timestamp": login.Timestamp, "signature": login.Signature}
		delete(body, missing)
		h.loginWith(body).is(http.StatusBadRequest, "INVALID_PARAMETER").names(missing)
	}
	h.loginWith(object{}).names("wallet") // the interface's order
	h.loginWith(object{"wallet": login.Wallet, "timestamp": login.Timestamp, "signature": login.Signature, "role": "superadmin"}).
		is(http.StatusBadRequest, "INVALID_PARAMETER").names("role")
}

// TestALoginWorksOnce sends one message many times at once, over two instances with one
// store.
func TestALoginWorksOnce(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins})
	other, err := httpapi.New(h.casino, httpapi.Config{Limiter: fakes.NewLimiter(h.clock)})
	h.must(err)
	instances := []http.Handler{h.api, other}
	login := h.login("alice")
	var group sync.WaitGroup
	codes := make([]string, 8)
	for i := range codes {
		sent := h.request(question{method: http.MethodPost, path: "/auth/login", body: login})
		group.Go(func() { codes[i] = fmt.Sprint(h.serveBy(instances[i%2], sent).status) })
	}
	group.Wait()
	slices.Sort(codes)
	if codes[0] != "200" || codes[1] != "401" {
		t.Errorf("one login message gave %v", codes)
	}
	h.loginWith(login).is(http.StatusUnauthorized, "REPLAYED_LOGIN")
}

func TestUnknownAgents(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{config: manyLogins})
	login := h.login("alice")
	login.AgentCode = "nobody"
	h.loginWith(login).is(http.StatusBadRequest, "INVALID_AGENT")
	login.AgentCode = strings.Repeat("a", 65)
	h.loginWith(login).is(http.StatusBadRequest, "INVALID_PARAMETER").names("agentCode")
	login.AgentCode = ""
	h.loginWith(login).ok(http.StatusOK) // a refusal doesn't use up the login
	h.clock.Advance(time.Second)
	known := h.login("alice")
	known.AgentCode = "nobody" // ignored: a known player can always sign in
	h.loginWith(known).ok(http.StatusOK)
}
