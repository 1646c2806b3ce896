package goldapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/casino-service/casino/adapters/goldapi"
	"github.com/casino-service/casino/adapters/simulated/provider"
	"github.com/casino-service/casino/domain/fault"
)

func TestLaunchHosts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	client := newClient(t, s, func(c *goldapi.Config) { c.LaunchHosts = []string{"games.example", "*.cdn.example", ".Maker.example"} })
	for host, allowed := range map[string]bool{
		"games.example": true, "GAMES.example": true, "a.cdn.example": true, "a.b.CDN.example": true, "eu.maker.example": true,
		"cdn.example": false, "evilcdn.example": false, "a.cdn.example.evil": false, "sub.games.example": false, ".cdn.example": false, "127.0.0.1": false,
	} {
		s.Script("game_launch", provider.Behaviour{Body: `{"status":1,"launch_url":` + quoted("https://"+host+"/play") + `}`})
		url, err := client.Launch(t.Context(), cherries())
		if allowed {
			if err != nil || url != "https://"+host+"/play" {
				t.Errorf("%s: %q, %v", host, url, err)
			}
			continue
		}
		var shown *fault.Error
		if !errors.As(err, &shown) || shown.Kind != fault.External || strings.Contains(shown.Message, host) || strings.Contains(shown.Message, "CASINO_") {
			t.Errorf("%s: the player is shown %v", host, shown)
		}
		if err == nil || !strings.Contains(err.Error(), host) || !strings.Contains(err.Error(), "CASINO_PROVIDER_LAUNCH_HOSTS") {
			t.Errorf("%s: the log lacks the host or the setting: %v", host, err)
		}
	}
}

func TestLaunchHostsThatCannotMatchAreRefused(t *testing.T) {
	t.Parallel()
	for host, instead := range map[string]string{
		"https://games.example": `"games.example"`, "games.example:443": `"games.example"`, "games.example/play": `"games.example"`,
		" games.example": `"games.example"`, "https://*.cdn.example:443/": `"*.cdn.example"`, "": "*.example.com", "*": "*.example.com",
		"*.com": "*.example.com", "games.*.example": "*.example.com", "*cdn.example": "*.example.com", "[::1]:443": `"::1"`,
	} {
		if err := goldapi.CheckLaunchHost(host); err == nil || !strings.Contains(err.Error(), "write ") || !strings.Contains(err.Error(), instead) {
			t.Errorf("%q: %v", host, err)
		}
		if _, err := goldapi.New(goldapi.Config{URL: "https://x.example", AgentCode: "a", AgentToken: "t", LaunchHosts: []string{host}}); err == nil {
			t.Errorf("%q is accepted", host)
		}
	}
	for _, host := range []string{"games.example", "localhost", "127.0.0.1", "::1", "*.cdn.example", ".cdn.example"} {
		if err := goldapi.CheckLaunchHost(host); err != nil {
			t.Error(err)
		}
	}
}
