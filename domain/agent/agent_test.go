package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
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

// A blocked agent's players can't play; the code stays taken.
func ExampleAgent_Open() {
	a := agent.Agent{ID: "a1", Code: "acme", Name: "Acme", Status: agent.Active}
	fmt.Println(a.Check(), a.Open())
	a.Status = agent.Blocked
	fmt.Println(a.Check(), a.Open())
	// Output:
	// <nil> true
	// <nil> false
}

func TestAnAgentAtItsBounds(t *testing.T) {
	t.Parallel()
	networks := make([]netip.Prefix, 65)
	for i := range networks {
		networks[i] = netip.MustParsePrefix("192.0.2.7/32")
	}
	for name, row := range map[string]struct {
		change func(*agent.Agent)
		want   bool
	}{
		"a code of 64":           {func(a *agent.Agent) { a.Code = strings.Repeat("a", 64) }, true},
		"a code of one":          {func(a *agent.Agent) { a.Code = "a" }, true},
		"a name of 80":           {func(a *agent.Agent) { a.Name = strings.Repeat("ü", 80) }, true},
		"a name of one":          {func(a *agent.Agent) { a.Name = "ü" }, true},
		"a name with a blank":    {func(a *agent.Agent) { a.Name = "a b" }, true},
		"a name with a ~":        {func(a *agent.Agent) { a.Name = "~" }, true},
		"a name with a delete":   {func(a *agent.Agent) { a.Name = "a\x7f" }, false},
		"a name with a U+0080":   {func(a *agent.Agent) { a.Name = "a\u0080" }, true},
		"an RTP of 0":            {func(a *agent.Agent) { a.RTP = 0 }, true},
		"an RTP of 100":          {func(a *agent.Agent) { a.RTP = 100_00 }, true},
		"a share of 0":           {func(a *agent.Agent) { a.Share = 0 }, true},
		"a share below 0":        {func(a *agent.Agent) { a.Share = -1 }, false},
		"64 networks":            {func(a *agent.Agent) { a.IPAllowlist = networks[:64] }, true},
		"65 networks":            {func(a *agent.Agent) { a.IPAllowlist = networks }, false},
		"a network of half":      {func(a *agent.Agent) { a.IPAllowlist = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/1")} }, true},
		"no memo":                {func(a *agent.Agent) { a.Memo = "" }, true},
		"a memo of 500":          {func(a *agent.Agent) { a.Memo = strings.Repeat("x", 500) }, true},
		"blocked":                {func(a *agent.Agent) { a.Status = agent.Blocked }, true},
		"another house, blocked": {func(a *agent.Agent) { a.Code, a.Status = agent.House, agent.Blocked }, false},
	} {
		a := sound()
		row.change(&a)
		if err := a.Check(); (err == nil) != row.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheHouseAsStoresHaveIt(t *testing.T) {
	t.Parallel()
	got, epoch := agent.HouseAgent(), time.Unix(0, 0)
	if got.ID != "house" || got.Code != "house" || got.Name != "House" || got.Status != agent.Active || got.RTP != agent.RTPDefault ||
		!got.CreatedAt.Equal(epoch) || !got.UpdatedAt.Equal(epoch) || got.Share != 0 {
		t.Errorf("%+v", got)
	}
	for percent, want := range map[agent.Percent]string{0: "0.00", 5: "0.05", 99: "0.99", 100: "1.00", 95_50: "95.50", 100_00: "100.00"} {
		if got := percent.String(); got != want {
			t.Errorf("%d is %q, want %q", int(percent), got, want)
		}
	}
}

func TestFundsAtTheirEdges(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		balance int64
		by      money.Total
		want    int64
		ok      bool
	}{
		"to the largest":    {1, money.TotalOf(money.Max - 1), math.MaxInt64, true},
		"one above":         {1, money.TotalOf(money.Max), 1, false},
		"to zero":           {5, money.TotalOfInt(-5), 0, true},
		"below zero by one": {5, money.TotalOfInt(-6), -1, true},
		"to the smallest":   {0, money.TotalOf(money.Max).Neg(), -math.MaxInt64, true},
		"one below":         {-1, money.TotalOf(money.Max).Neg(), -1, false},
	} {
		got, ok := agent.Funds{Balance: row.balance, Reserved: 3}.Moved(row.by)
		if got != (agent.Funds{Balance: row.want, Reserved: 3}) || ok != row.ok {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
	exact := agent.Funds{Balance: -40, Reserved: 10, CreditLimit: 50}
	if err := exact.Check(); err != nil || !exact.Covers(0) || exact.Covers(1) {
		t.Errorf("at the end of the credit limit: %v", err)
	}
	exact.Balance--
	if err := exact.Check(); !fault.Is(err, fault.InsufficientAgentFunds) {
		t.Errorf("beyond it: %v", err)
	}
}

// TestFundsAgainstBigIntegers computes free funds and bookings with unbounded integers.
func TestFundsAgainstBigIntegers(t *testing.T) {
	t.Parallel()
	amounts := rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(0, int64(money.Max)))
	rapid.Check(t, func(t *rapid.T) {
		f := agent.Funds{
			Balance:  amounts.Draw(t, "balance") * int64(1-2*rapid.IntRange(0, 1).Draw(t, "owed")),
			Reserved: money.Amount(amounts.Draw(t, "reserved")), CreditLimit: money.Amount(amounts.Draw(t, "limit")),
		}
		free := new(big.Int).Sub(big.NewInt(f.Balance), big.NewInt(int64(f.Reserved)))
		free.Add(free, big.NewInt(int64(f.CreditLimit)))
		if f.Free().Big().Cmp(free) != 0 || (f.Check() == nil) != (free.Sign() >= 0) {
			t.Fatalf("%+v has %v free, %v", f, f.Free(), f.Check())
		}
		bet := amounts.Draw(t, "bet")
		reserved := new(big.Int).Add(big.NewInt(int64(f.Reserved)), big.NewInt(bet))
		if want := free.Cmp(big.NewInt(bet)) >= 0 && reserved.IsInt64(); f.Covers(money.Amount(bet)) != want {
			t.Fatalf("%+v covers %d: %v", f, bet, !want)
		}
		by := amounts.Draw(t, "by") * int64(1-2*rapid.IntRange(0, 1).Draw(t, "out"))
		sum := new(big.Int).Add(big.NewInt(f.Balance), big.NewInt(by))
		moved, ok := f.Moved(money.TotalOfInt(by))
		if want := new(big.Int).Abs(sum).IsInt64(); ok != want || ok && big.NewInt(moved.Balance).Cmp(sum) != 0 {
			t.Fatalf("%+v moved by %d is %+v, %v", f, by, moved, ok)
		}
	})
}

func TestImpossibleFunds(t *testing.T) {
	t.Parallel()
	if err := (agent.Funds{Balance: -1}).Check(); !fault.Is(err, fault.InsufficientAgentFunds) {
		t.Errorf("an account that owes without a limit: %v", err)
	}
	for _, f := range []agent.Funds{{Reserved: -1}, {CreditLimit: -1}} {
		if f.Check() == nil || fault.Is(f.Check(), fault.InsufficientAgentFunds) {
			t.Errorf("%+v: %v", f, f.Check())
		}
	}
}

// An agent's debt may grow to its credit limit, including pending bets.
func ExampleFunds_Covers() {
	f := agent.Funds{Balance: 100, Reserved: 30, CreditLimit: 50}
	fmt.Println(f.Free(), f.Covers(120), f.Covers(121))
	// Output: 120 true false
}
