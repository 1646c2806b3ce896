package agent_test

import (
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
)

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
