package conformance

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Provider is a connection under test with a provider behind it, of this test
// alone. The functions fail the test themselves.
type Provider struct {
	ports.GameProvider
	// Maker and Game name a game that exists.
	Maker, Game string
	// Host is the one that launch addresses are on.
	Host string
	// Credentials must not be in any error.
	Credentials []string
	// Refuse makes the next call be refused for a reason of the kind.
	Refuse func(kind fault.Kind)
	// Elsewhere makes the next launch return this address.
	Elsewhere func(url string)
	// Garble makes the next calls be answered with an invalid response.
	Garble func()
	// SetUnreachable cuts the provider off and connects it again.
	SetUnreachable func(bool)
	// Play lets a player make a debit and a credit at a moment, in this money, and
	// returns the transaction's id.
	Play func(w wallet.Address, at time.Time, bet, win seamless.Decimal) string
}

// GameProvider is the suite of ports.GameProvider.
func GameProvider(t *testing.T, newProvider func(t *testing.T) Provider) {
	for _, s := range []struct {
		sentence string
		prove    func(t *testing.T, p Provider)
	}{
		{"a launch makes the player known and returns the game's address", launchReturnsAddress},
		{"an address that is not the connection's is External", foreignAddressIsRefused},
		{"a refusal is a fault of its kind", providerRefuses},
		{"a provider that can't be reached or answers badly is External", providerFails},
		{"every game of every maker is listed once in order", makersGamesAreListed},
		{"funds are returned in the provider's money", fundsAreReturned},
		{"the log lists a player's transactions of a span in order", logHasTransactions},
		{"no error holds a credential", noErrorHoldsCredentials},
	} {
		sub(t, s.sentence, func(t *testing.T) {
			s.prove(t, newProvider(t))
		})
	}
}

func (p Provider) launchRequest() ports.LaunchRequest {
	return ports.LaunchRequest{Wallet: alice, Provider: p.Maker, Game: p.Game, Language: "pt"}
}

func launchReturnsAddress(t *testing.T, p Provider) {
	for range 2 { // known the second time
		text, err := p.Launch(t.Context(), p.launchRequest())
		if err != nil {
			t.Fatal(err)
		}
		if address, err := url.Parse(text); err != nil || address.Hostname() != p.Host {
			t.Errorf("launched at %q", text)
		}
	}
}

func foreignAddressIsRefused(t *testing.T, p Provider) {
	for _, address := range []string{
		"", "https://evil.example/play", "https://" + p.Host + "@evil.example/", "https://user@" + p.Host + "/", "//" + p.Host + "/",
		"javascript:alert(1)//" + p.Host, "ftp://" + p.Host + "/", "https://" + p.Host + ".evil.example/", "https://" + p.Host + "/\nx",
		"https://" + p.Host + "/" + strings.Repeat("x", 5000),
	} {
		p.Elsewhere(address)
		if got, err := p.Launch(t.Context(), p.launchRequest()); !fault.Is(err, fault.External) {
			t.Errorf("%.80q is handed on as %.80q, %v", address, got, err)
		}
	}
	if _, err := p.Launch(t.Context(), p.launchRequest()); err != nil {
		t.Errorf("a good address after them: %v", err)
	}
}

func providerRefuses(t *testing.T, p Provider) {
	for _, kind := range []fault.Kind{
		fault.InvalidProvider, fault.InvalidGame, fault.InvalidUser, fault.BlockedAgent, fault.InsufficientAgentFunds,
		fault.Maintenance, fault.External,
	} {
		p.Refuse(kind)
		if _, err := p.Launch(t.Context(), p.launchRequest()); !fault.Is(err, kind) {
			t.Errorf("refused for kind %d: %v", kind, err)
		}
	}
	unknown := p.launchRequest()
	unknown.Game = "no-such-game"
	if _, err := p.Launch(t.Context(), unknown); !fault.Is(err, fault.InvalidGame) {
		t.Errorf("a game that isn't there: %v", err)
	}
}

// everyCall calls each method once.
func (p Provider) everyCall(t *testing.T, visit func(what string, err error)) {
	t.Helper()
	_, err := p.Launch(t.Context(), p.launchRequest())
	visit("Launch", err)
	_, _, err = p.Games(t.Context())
	visit("Games", err)
	_, err = p.Funds(t.Context())
	visit("Funds", err)
	_, err = p.Log(t.Context(), alice, time.Unix(0, 0), time.Unix(60, 0))
	visit("Log", err)
}

func providerFails(t *testing.T, p Provider) {
	p.Garble()
	p.everyCall(t, func(what string, err error) { external(t, what+" garbled", err) })
	p.SetUnreachable(true)
	p.everyCall(t, func(what string, err error) { external(t, what+" unreachable", err) })
}

func makersGamesAreListed(t *testing.T, p Provider) {
	games, unread, err := p.Games(t.Context())
	if err != nil || len(unread) != 0 {
		t.Fatal(unread, err)
	}
	key := func(g seamless.Game) []string { return []string{g.Provider, g.Code} }
	if !slices.IsSortedFunc(games, func(a, b seamless.Game) int { return slices.Compare(key(a), key(b)) }) {
		t.Errorf("not sorted: %+v", games)
	}
	seen := map[[2]string]int{}
	for _, g := range games {
		seen[[2]string{g.Provider, g.Code}]++
		if g.Name == "" || !seamless.ValidCode(g.Type) {
			t.Errorf("%+v lacks something", g)
		}
	}
	if len(seen) != len(games) || seen[[2]string{p.Maker, p.Game}] != 1 {
		t.Errorf("games %+v", games)
	}
}

func fundsAreReturned(t *testing.T, p Provider) {
	funds, err := p.Funds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if read, err := seamless.ParseDecimal("funds", string(funds)); err != nil || read != funds {
		t.Errorf("funds %q: %v", funds, err)
	}
}

func logHasTransactions(t *testing.T, p Provider) {
	begin := time.Date(2026, time.March, 20, 23, 59, 58, 0, time.UTC)
	var ids []string
	for i := range 4 {
		ids = append(ids, p.Play(alice, begin.Add(time.Duration(i)*time.Second), "1.5", "2.25"))
	}
	p.Play(bob, begin.Add(time.Second), "7", "0.01")
	records, err := p.Log(t.Context(), alice, begin.Add(time.Second), begin.Add(3*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range records {
		got = append(got, r.TxnID+" "+string(r.Kind)+" "+string(r.Requested.Bet)+"/"+string(r.Requested.Win)+" "+r.At.Format(time.TimeOnly))
	}
	want := []string{
		ids[1] + " debit 1.5/ 23:59:59", ids[1] + " credit /2.25 23:59:59",
		ids[2] + " debit 1.5/ 00:00:00", ids[2] + " credit /2.25 00:00:00",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the log lists\n%q, want\n%q", got, want)
	}
	if none, err := p.Log(t.Context(), carol, begin, begin.Add(time.Hour)); err != nil || len(none) != 0 {
		t.Errorf("the log of nobody: %v, %v", none, err)
	}
}

func noErrorHoldsCredentials(t *testing.T, p Provider) {
	check := func(what string, err error) {
		for _, credential := range p.Credentials {
			if err != nil && strings.Contains(err.Error(), credential) {
				t.Errorf("%s: the error holds a credential: %v", what, err)
			}
		}
	}
	p.Refuse(fault.External)
	p.everyCall(t, check)
	p.Garble()
	p.everyCall(t, check)
	p.SetUnreachable(true)
	p.everyCall(t, check)
}
