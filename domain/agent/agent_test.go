package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
)

func sound() agent.Agent {
	return agent.Agent{
		ID: "a1", Code: "acme-1", Name: "Acme Ünlimited", Status: agent.Active, RTP: 96_50, Share: 100_00,
		SiteEndpoint: "https://acme.example.com/api", IPAllowlist: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, Memo: "since 2020",
	}
}

func TestInvalidAgents(t *testing.T) {
	t.Parallel()
	if err := sound().Check(); err != nil {
		t.Fatal(err)
	}
	if err := agent.HouseAgent().Check(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*agent.Agent)
		field  string
	}{
		"no code":               {func(a *agent.Agent) { a.Code = "" }, "agentCode"},
		"a code with a slash":   {func(a *agent.Agent) { a.Code = "a/b" }, "agentCode"},
		"a code with a blank":   {func(a *agent.Agent) { a.Code = "a b" }, "agentCode"},
		"a long code":           {func(a *agent.Agent) { a.Code = strings.Repeat("a", 65) }, "agentCode"},
		"no name":               {func(a *agent.Agent) { a.Name = "" }, "agentName"},
		"a long name":           {func(a *agent.Agent) { a.Name = strings.Repeat("ü", 81) }, "agentName"},
		"a name of two lines":   {func(a *agent.Agent) { a.Name = "a\nb" }, "agentName"},
		"a name in bad UTF-8":   {func(a *agent.Agent) { a.Name = "\xff" }, "agentName"},
		"another status":        {func(a *agent.Agent) { a.Status = "closed" }, "status"},
		"an RTP below 0":        {func(a *agent.Agent) { a.RTP = -1 }, "rtp"},
		"an RTP above 100":      {func(a *agent.Agent) { a.RTP = 100_01 }, "rtp"},
		"a share above 100":     {func(a *agent.Agent) { a.Share = 100_01 }, "percent"},
		"a site over http":      {func(a *agent.Agent) { a.SiteEndpoint = "http://acme.example.com" }, "siteEndpoint"},
		"a site in our network": {func(a *agent.Agent) { a.SiteEndpoint = "https://169.254.169.254" }, "siteEndpoint"},
		"everybody's addresses": {func(a *agent.Agent) { a.IPAllowlist = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")} }, "ipAllowlist"},
		"no address":            {func(a *agent.Agent) { a.IPAllowlist = []netip.Prefix{{}} }, "ipAllowlist"},
		"65 addresses":          {func(a *agent.Agent) { a.IPAllowlist = make([]netip.Prefix, 65) }, "ipAllowlist"},
		"a long memo":           {func(a *agent.Agent) { a.Memo = strings.Repeat("x", 501) }, "memo"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := sound()
			c.change(&a)
			var refusal *fault.Error
			if err := a.Check(); !errors.As(err, &refusal) || refusal.Details["field"] != c.field {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestTheHouseStaysOpen(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*agent.Agent){
		"blocked": func(a *agent.Agent) { a.Status = agent.Blocked }, "deleted": func(a *agent.Agent) { a.Deleted = true },
	} {
		house, other := agent.HouseAgent(), sound()
		change(&house)
		change(&other)
		if err := house.Check(); !fault.Is(err, fault.Forbidden) {
			t.Errorf("the house %s: %v", name, err)
		}
		if err := other.Check(); err != nil || other.Open() {
			t.Errorf("another one %s: %v, open %v", name, err, other.Open())
		}
	}
}

func TestNetworks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"192.0.2.7": "192.0.2.7/32", "192.0.2.7/24": "192.0.2.0/24", "2001:db8::1": "2001:db8::1/128", "2001:db8::1/32": "2001:db8::/32",
		"::ffff:192.0.2.7": "192.0.2.7/32", "fe80::1%eth0": "", "": "", "x": "", "192.0.2.7/33": "", "192.0.2": "",
	} {
		got, err := agent.ParseNetwork(text)
		if want == "" && err == nil || want != "" && (err != nil || got.String() != want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}

func TestCredentialsDontShow(t *testing.T) {
	t.Parallel()
	made := agent.NewCredentials([32]byte{1}, [32]byte{2})
	token, secret := made.Token.Reveal(), made.Secret.Reveal()
	if token == secret || len(token) != 68 || !strings.HasPrefix(token, "agt_") || !strings.HasPrefix(secret, "ags_") {
		t.Errorf("made %s and %s", token, secret)
	}
	encoded, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "made", made.Token, "all", made)
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %q %x", made, made, made, made.Token, made.Token, made.Secret), string(encoded), logged.String()} {
		if strings.Contains(text, token[4:]) || strings.Contains(text, secret[4:]) || !strings.Contains(text, "[sealed]") {
			t.Errorf("it shows in %s", text)
		}
	}
	hash := agent.TokenHash(made.Token)
	if len(hash) != 64 || strings.Contains(hash, token[4:]) || !agent.SameToken(agent.SecretFrom(token), hash) ||
		agent.SameToken(made.Secret, hash) || agent.SameToken(made.Token, "") {
		t.Errorf("its hash is %s", hash)
	}
}

// A blocked agent's players can't play; the code stays its own.
func ExampleAgent_Open() {
	a := agent.Agent{ID: "a1", Code: "acme", Name: "Acme", Status: agent.Active}
	fmt.Println(a.Check(), a.Open())
	a.Status = agent.Blocked
	fmt.Println(a.Check(), a.Open())
	// Output:
	// <nil> true
	// <nil> false
}
