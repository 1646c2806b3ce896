package conformance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Provider is a connection under test and its provider, for one test. The functions fail the test
// themselves.
type Provider struct {
	ports.GameProvider
	// Maker and Game name a game that exists.
	Maker, Game string
	// Host is the host of launch URLs.
	Host string
	// Credentials must not be in any error.
	Credentials []string
	// Refuse makes the next call fail with a fault of the kind, one of Kinds if the protocol
	// can't say all.
	Refuse func(kind fault.Kind)
	Kinds  []fault.Kind
	// LaunchOnly reports that the protocol has no funds and no log: both are InvalidProvider.
	LaunchOnly bool
	// Elsewhere makes the next launch return this URL.
	Elsewhere func(url string)
	// Garble makes the next calls return an invalid response.
	Garble func()
	// SetUnreachable disconnects the provider or connects it again.
	SetUnreachable func(bool)
	// Play records a player's debit and credit at a time, in this money, and returns the
	// transaction's id.
	Play func(w wallet.Address, at time.Time, bet, win seamless.Decimal) string
}

// GameProvider is the suite of ports.GameProvider.
func GameProvider(t *testing.T, newProvider func(t *testing.T) Provider) {
	for _, s := range providerCases {
		sub(t, s.sentence, func(t *testing.T) {
			s.prove(t, newProvider(t))
		})
	}
}

var providerCases = []struct {
	sentence string
	prove    func(t *testing.T, p Provider)
}{
	{"a launch makes the player known and returns the game's address", func(t *testing.T, p Provider) {
		for range 2 { // known the second time
			text, err := p.Launch(t.Context(), p.launchRequest())
			ok(t, err)
			if address, err := url.Parse(text); err != nil || address.Hostname() != p.Host {
				t.Errorf("launched at %q", text)
			}
		}
	}},
	{"an address that is not the connection's is External", func(t *testing.T, p Provider) {
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
	}},
	{"a refusal is a fault of its kind", func(t *testing.T, p Provider) {
		kinds := p.Kinds
		if kinds == nil {
			kinds = []fault.Kind{
				fault.InvalidProvider, fault.InvalidGame, fault.InvalidUser, fault.BlockedAgent, fault.InsufficientAgentFunds,
				fault.Maintenance, fault.External,
			}
		}
		for _, kind := range kinds {
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
	}},
	{"a provider that can't be reached or answers badly is External", func(t *testing.T, p Provider) {
		p.Garble()
		p.everyCall(t, func(what string, err error) { external(t, what+" garbled", err) })
		p.SetUnreachable(true)
		p.everyCall(t, func(what string, err error) { external(t, what+" unreachable", err) })
	}},
	{"every game of every maker is listed once in order", func(t *testing.T, p Provider) {
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
			errorIf(t, g.Name == "" || !seamless.ValidCode(g.Type), "%+v lacks something", g)
		}
		if len(seen) != len(games) || seen[[2]string{p.Maker, p.Game}] != 1 {
			t.Errorf("games %+v", games)
		}
	}},
	{"funds are returned in the provider's money", func(t *testing.T, p Provider) {
		funds, err := p.Funds(t.Context())
		if p.LaunchOnly {
			errorIf(t, !fault.Is(err, fault.InvalidProvider), "funds of a protocol without them: %q, %v", funds, err)
			return
		}
		ok(t, err)
		if read, err := seamless.ParseDecimal("funds", string(funds)); err != nil || read != funds {
			t.Errorf("funds %q: %v", funds, err)
		}
	}},
	{"the log lists a player's transactions of a span in order", func(t *testing.T, p Provider) {
		begin := time.Date(2026, time.March, 20, 23, 59, 58, 0, time.UTC)
		if p.LaunchOnly {
			records, err := p.Log(t.Context(), alice, begin, begin.Add(time.Hour))
			errorIf(t, !fault.Is(err, fault.InvalidProvider), "the log of a protocol without one: %v, %v", records, err)
			return
		}
		var ids []string
		for i := range 4 {
			ids = append(ids, p.Play(alice, begin.Add(time.Duration(i)*time.Second), "1.5", "2.25"))
		}
		p.Play(bob, begin.Add(time.Second), "7", "0.01")
		records, err := p.Log(t.Context(), alice, begin.Add(time.Second), begin.Add(3*time.Second))
		ok(t, err)
		var got []string
		for _, r := range records {
			got = append(got, r.TxnID+" "+string(r.Kind)+" "+string(r.Requested.Bet)+"/"+string(r.Requested.Win)+" "+r.At.Format(time.TimeOnly))
		}
		want := []string{
			ids[1] + " debit 1.5/ 23:59:59", ids[1] + " credit /2.25 23:59:59",
			ids[2] + " debit 1.5/ 00:00:00", ids[2] + " credit /2.25 00:00:00",
		}
		errorIf(t, !slices.Equal(got, want), "the log lists\n%q, want\n%q", got, want)
		if none, err := p.Log(t.Context(), carol, begin, begin.Add(time.Hour)); err != nil || len(none) != 0 {
			t.Errorf("the log of an unknown player: %v, %v", none, err)
		}
	}},
	{"no error holds a credential", func(t *testing.T, p Provider) {
		check := func(what string, err error) {
			for _, credential := range p.Credentials {
				errorIf(t, err != nil && strings.Contains(err.Error(), credential),
					"%s: the error holds a credential: %v", what, err)
			}
		}
		p.Refuse(fault.External)
		p.everyCall(t, check)
		p.Garble()
		p.everyCall(t, check)
		p.SetUnreachable(true)
		p.everyCall(t, check)
	}},
}

func (p Provider) launchRequest() ports.LaunchRequest {
	return ports.LaunchRequest{Wallet: alice, Provider: p.Maker, Game: p.Game, Language: "pt"}
}

// everyCall calls each method once.
func (p Provider) everyCall(t *testing.T, visit func(what string, err error)) {
	t.Helper()
	_, err := p.Launch(t.Context(), p.launchRequest())
	visit("Launch", err)
	_, _, err = p.Games(t.Context())
	visit("Games", err)
	if p.LaunchOnly {
		return
	}
	_, err = p.Funds(t.Context())
	visit("Funds", err)
	_, err = p.Log(t.Context(), alice, time.Unix(0, 0), time.Unix(60, 0))
	visit("Log", err)
}

// Site is an adapter to agents' sites under test, with one site.
type Site struct {
	ports.AgentSite
	To    ports.SiteAccess
	Agent *fakes.AgentSite
	// Gone is an endpoint without a site.
	Gone string
}

// AgentSite is the suite of ports.AgentSite. newSite gets an agent with a scale of 3.
func AgentSite(t *testing.T, newSite func(t *testing.T, o *fakes.AgentSite) Site) {
	for _, s := range siteCases {
		sub(t, s.sentence, func(t *testing.T) {
			o := fakes.NewAgentSite("acme", "ags_0123456789abcdef", 3)
			o.Pay(alice, 10_500)
			site := newSite(t, o)
			site.Agent = o
			s.prove(t, site)
		})
	}
}

var siteCases = []struct {
	sentence string
	prove    func(t *testing.T, s Site)
}{
	{"a player's balance is returned in the provider's money", func(t *testing.T, s Site) {
		got, err := s.PlayerBalance(t.Context(), s.To, alice)
		errorIf(t, err != nil || got != "10.5", "the balance is %q, %v", got, err)
	}},
	{"a player whom the site doesn't know is InvalidUser", func(t *testing.T, s Site) {
		got, err := s.PlayerBalance(t.Context(), s.To, bob)
		errorIf(t, !fault.Is(err, fault.InvalidUser), "the balance is %q, %v", got, err)
	}},
	{"a debit takes and a credit gives, and the balance after it is returned", func(t *testing.T, s Site) {
		s.responds(t, message("t1", seamless.Debit, "0.125"), ports.SiteResponse{Accepted: true, Balance: "10.375"})
		s.responds(t, message("t1", seamless.Credit, "3"), ports.SiteResponse{Accepted: true, Balance: "13.375"})
		s.responds(t, message("t2", seamless.Debit, "0"), ports.SiteResponse{Accepted: true, Balance: "13.375"})
	}},
	{"the same message again is answered as the first time", func(t *testing.T, s Site) {
		for range 3 {
			s.responds(t, message("t1", seamless.Debit, "0.5"), ports.SiteResponse{Accepted: true, Balance: "10"})
		}
		errorIf(t, s.Agent.Has(alice) != 10_000, "the site moved %d", s.Agent.Has(alice))
	}},
	{"a refusal is a response with its reason, not an error", func(t *testing.T, s Site) {
		s.responds(t, message("t1", seamless.Debit, "11"), ports.SiteResponse{Balance: "10.5", Reason: seamless.InsufficientFunds})
		s.Agent.Refuse(seamless.Debit, "NO_WAY_"+seamless.Reason(s.Agent.Secret))
		s.responds(t, message("t2", seamless.Debit, "1"), ports.SiteResponse{Balance: "10.5", Reason: seamless.AgentSeamless})
	}},
	{"a site that is too slow or answers outside its protocol is External, even if it carried out the message", func(t *testing.T, s Site) {
		left := s.Agent.Has(alice)
		for i, trouble := range fakes.Troubles() {
			s.Agent.Trouble(func(ports.SiteMessage) fakes.Trouble { return trouble })
			m := message(fmt.Sprint("t", i), seamless.Debit, "0.001")
			if got, err := s.Send(t.Context(), s.To, m); !fault.Is(err, fault.External) {
				t.Errorf("trouble %d: %+v, %v", trouble, got, err)
			}
			if trouble.Acts() {
				left--
			}
			if got := s.Agent.Has(alice); got != left {
				t.Errorf("after trouble %d the player has %d, not %d", trouble, got, left)
			}
			s.Agent.Trouble(nil)
			if got, err := s.Send(t.Context(), s.To, m); err != nil || !got.Accepted {
				t.Errorf("after trouble %d: %+v, %v", trouble, got, err)
			}
			if !trouble.Acts() {
				left--
			}
		}
	}},
	{"a site that doesn't know us is External", func(t *testing.T, s Site) {
		to := s.To
		to.Secret = agent.SecretFrom("ags_another")
		if got, err := s.Send(t.Context(), to, message("t1", seamless.Debit, "1")); !fault.Is(err, fault.External) {
			t.Errorf("with another secret: %+v, %v", got, err)
		}
		if got, err := s.PlayerBalance(t.Context(), to, alice); !fault.Is(err, fault.External) {
			t.Errorf("with another secret: %+v, %v", got, err)
		}
		errorIf(t, s.Agent.Has(alice) != 10_500, "the player has %d", s.Agent.Has(alice))
	}},
	{"a site that can't be reached is AgentSeamless: nothing was sent", func(t *testing.T, s Site) {
		to := s.To
		to.Endpoint = s.Gone
		for range 10 {
			got, err := s.Send(t.Context(), to, message("t1", seamless.Debit, "1"))
			errorIf(t, !fault.Is(err, fault.AgentSeamless), "a site that is gone: %+v, %v", got, err)
		}
		s.responds(t, message("t1", seamless.Debit, "0.5"), ports.SiteResponse{Accepted: true, Balance: "10"})
	}},
	{"no error holds the secret or what a site answered", func(t *testing.T, s Site) {
		for _, trouble := range fakes.Troubles() {
			s.Agent.Trouble(func(ports.SiteMessage) fakes.Trouble { return trouble })
			for _, err := range []error{
				errorOf(s.Send(t.Context(), s.To, message("t", seamless.Debit, "1"))), errorOf(s.PlayerBalance(t.Context(), s.To, alice)),
			} {
				errorIf(t, err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), s.Agent.Secret),
					"trouble %d: %v", trouble, err)
			}
		}
	}},
}

func message(txn string, leg seamless.Kind, amount seamless.Decimal) ports.SiteMessage {
	return ports.SiteMessage{
		Wallet: alice, TxnID: txn, Leg: leg, Provider: "MAKER", Game: "fruits", GameType: "slot", Amount: amount,
	}
}

// responds sends a message and checks the response.
func (s Site) responds(t *testing.T, m ports.SiteMessage, want ports.SiteResponse) {
	t.Helper()
	got, err := s.Send(t.Context(), s.To, m)
	errorIf(t, err != nil || got != want, "%s %s: %+v, %v, want %+v", m.Leg, m.TxnID, got, err, want)
}
