package settings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

var providerTerms = []token.Terms{{Mint: money.SOL, Decimals: 9}}

func connected() Provider {
	return Provider{
		ProviderURL: "https://provider.example/api", ProviderAgentCode: "agent", ProviderAgentToken: "token-of-ours-123",
		ProviderAgentSecret: "secret-of-theirs-123", ProviderToken: string(money.SOL), ProviderScale: -1,
		ProviderNetWinCap: 1, ProviderIPs: []string{"192.0.2.7", "2001:db8::/32"},
	}
}

func TestProviderIsPlanned(t *testing.T) {
	t.Parallel()
	var found faults
	if plan := (Provider{}).planProvider(providerTerms, &found); plan.Connected() || found.err() != nil {
		t.Errorf("without a URL there is a provider: %+v, %v", plan, found.err())
	}
	plan := connected().planProvider(providerTerms, &found)
	if err := found.err(); err != nil {
		t.Fatal(err)
	}
	if !plan.Connected() || plan.Scale != 9 || len(plan.Networks) != 2 || plan.Connecting().AgentToken != "token-of-ours-123" {
		t.Errorf("planned %+v", plan)
	}
	for _, printed := range []string{fmt.Sprintf("%v %+v %#v", plan, plan, plan), fmt.Sprintf("%v %+v", connected(), connected())} {
		if strings.Contains(printed, "of-ours") || strings.Contains(printed, "of-theirs") {
			t.Errorf("a secret shows: %s", printed)
		}
	}
}

// TestAllPlayersHaveACap reads the caps of settings, stated or not.
func TestAllPlayersHaveACap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ player, stated, want int64 }{
		{100, 0, 300}, {100, 250, 250}, {100, 5_000, 5_000}, {int64(money.Max), 0, int64(money.Max) / 3 * 3},
	} {
		p := connected()
		p.ProviderNetWinCap, p.ProviderHourCap = c.player, c.stated
		var found faults
		if plan := p.planProvider(providerTerms, &found); found.err() != nil || int64(plan.Caps.Connection) != c.want {
			t.Errorf("%+v: the cap is %d, %v", c, plan.Caps.Connection, found.err())
		}
	}
}

func TestProviderFaultsNameTheirSetting(t *testing.T) {
	t.Parallel()
	for setting, spoil := range map[string]func(*Provider){
		"CASINO_PROVIDER_URL":          func(p *Provider) { p.ProviderURL = "http://provider.example/api" },
		"CASINO_PROVIDER_AGENT_SECRET": func(p *Provider) { p.ProviderAgentSecret = "short" },
		"CASINO_PROVIDER_TOKEN":        func(p *Provider) { p.ProviderToken = "" },
		"CASINO_PROVIDER_SCALE":        func(p *Provider) { p.ProviderScale = 19 },
		"CASINO_PROVIDER_LAUNCH_HOSTS": func(p *Provider) { p.ProviderLaunchHosts = []string{"https://games.example"} },
		"CASINO_PROVIDER_IPS":          func(p *Provider) { p.ProviderIPs = []string{"0.0.0.0/0"} },
		"CASINO_PROVIDER_NET_WIN_CAP":  func(p *Provider) { p.ProviderNetWinCap = 0 },
		"CASINO_PROVIDER_HOUR_CAP":     func(p *Provider) { p.ProviderHourCap = -1 },
	} {
		p := connected()
		spoil(&p)
		var found faults
		p.planProvider(providerTerms, &found)
		if err := found.err(); err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s broken: %v", setting, err)
		}
	}
}
