package main

import (
	"encoding/base64"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/screening"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/webhook"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// TestTheExampleAnswersTheService in its protocol, and nobody else.
func TestTheExampleAnswersTheService(t *testing.T) {
	t.Parallel()
	secret := webhook.NewSecret([32]byte{1})
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret.Reveal(), "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(screener(key, judge))
	t.Cleanup(server.Close)
	alice := fakes.Wallet("alice")
	own := admission.Subject{Point: admission.Payout, Wallet: alice, Address: string(alice), ID: "w-1"}
	other := own
	other.Address = string(fakes.Wallet("bob"))
	stale := fakes.NewClock(time.Now().Add(-6 * time.Minute))
	forged := webhook.NewSecret([32]byte{2})
	for name, c := range map[string]struct {
		config screening.RemoteConfig
		clock  ports.Clock
		about  admission.Subject
		want   admission.Finding
	}{
		"an own wallet":    {screening.RemoteConfig{Secret: secret}, system.Default(), own, admission.Finding{Screener: "remote", Verdict: admission.Allow}},
		"another wallet":   {screening.RemoteConfig{Secret: secret}, system.Default(), other, admission.Finding{Screener: "remote", Verdict: admission.Review, Evidence: "paid to another wallet"}},
		"another secret":   {screening.RemoteConfig{Secret: forged}, system.Default(), own, admission.Finding{}},
		"an old recording": {screening.RemoteConfig{Secret: secret}, stale, own, admission.Finding{}},
	} {
		c.config.URL = server.URL
		by, err := screening.NewRemote(c.config, c.clock, system.Default())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := by.Screen(t.Context(), c.about); got != c.want || (err != nil) != (c.want == admission.Finding{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		by.Close()
	}
}
