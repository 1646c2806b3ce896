package settings

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
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

// ofHub88 returns settings of Hub88's protocol, with fresh keys.
func ofHub88(t *testing.T) Provider {
	t.Helper()
	p := connected()
	p.ProviderProtocol, p.ProviderAgentCode, p.ProviderCurrency = "hub88", "42", "EUR"
	p.ProviderAgentToken, p.ProviderAgentSecret = "", ""
	folder := t.TempDir()
	p.ProviderKeyFile, p.ProviderPublicFile = filepath.Join(folder, "own.pem"), filepath.Join(folder, "hub88.pem")
	for i, path := range []string{p.ProviderKeyFile, p.ProviderPublicFile} {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
		if i == 1 {
			block = &pem.Block{Type: "RSA PUBLIC KEY", Bytes: x509.MarshalPKCS1PublicKey(&key.PublicKey)}
		}
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestHub88IsPlanned(t *testing.T) {
	t.Parallel()
	good := ofHub88(t)
	var found faults
	plan := good.planProvider(providerTerms, &found)
	if err := found.err(); err != nil || !plan.Connected() || plan.Client.URL != "" || plan.Hub88.OperatorID != 42 || plan.Hub88.Keys.Private == nil {
		t.Fatalf("planned %+v, %v", plan.Hub88, err)
	}
	if sync, err := good.SyncPlan(); err != nil || sync.Hub88.OperatorID != 42 {
		t.Errorf("a sync's plan: %v", err)
	}
	for setting, spoil := range map[string]func(*Provider){
		"CASINO_PROVIDER_AGENT_CODE":      func(p *Provider) { p.ProviderAgentCode = "agent" },
		"CASINO_PROVIDER_KEY_FILE":        func(p *Provider) { p.ProviderKeyFile = p.ProviderPublicFile },
		"CASINO_PROVIDER_PUBLIC_KEY_FILE": func(p *Provider) { p.ProviderPublicFile += ".gone" },
		"CASINO_PROVIDER_URL":             func(p *Provider) { p.ProviderCurrency = "" },
		"CASINO_PROVIDER_LAUNCH_HOSTS":    func(p *Provider) { p.ProviderLaunchHosts = []string{"https://games.example"} },
	} {
		p := good
		spoil(&p)
		var found faults
		p.planProvider(providerTerms, &found)
		if err := found.err(); err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s broken: %v", setting, err)
		}
	}
}
