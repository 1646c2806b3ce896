package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/test/fakes"
)

// closedDoor is a screener that refuses every sign-in, and notes the addresses.
type closedDoor struct{ from []string }

func (*closedDoor) Name() string { return "door" }

func (*closedDoor) Screens(at admission.Point) bool { return at == admission.SignIn }

func (d *closedDoor) Screen(_ context.Context, s admission.Subject) (admission.Finding, error) {
	d.from = append(d.from, s.Remote.String())
	return admission.Finding{Verdict: admission.Deny, Evidence: "list secret"}, nil
}

// TestScreenersAreOverruledOverHTTP refuses a sign-in without its evidence, shows it to admins, and
// lets two of them admit the wallet.
func TestScreenersAreOverruledOverHTTP(t *testing.T) {
	t.Parallel()
	door := &closedDoor{}
	h := openHouse(t, setup{deps: func(d *app.Deps) { d.Screeners = append(d.Screeners, door) }})
	h.role("ada", "finance", "")
	h.role("ben", "finance", "")
	h.clock.Advance(48 * time.Hour) // roles are old enough
	refused := h.loginWith(h.login("zoe"))
	refused.is(http.StatusForbidden, "FORBIDDEN")
	if refused.text_("details", "reason") != "deny" || strings.Contains(string(refused.text), "secret") || len(door.from) != 1 || door.from[0] == "invalid IP" {
		t.Errorf("refused with %s, asked about %v", refused.text, door.from)
	}
	key := "access:" + string(fakes.Wallet("zoe"))
	found := h.get("ada", "/admin/audit?part=players&action=admission.decided&target="+key).ok(http.StatusOK)
	if got := found.at("records").([]any); len(got) != 1 || got[0].(map[string]any)["after"] != "deny signin; door deny list secret" {
		t.Errorf("the log says %s", found.text)
	}
	asked := h.post("ada", "/admin/admission/overrule", object{"key": key, "reason": "checked"}).ok(http.StatusAccepted)
	if asked.text_("approval", "kind") != "admission" || asked.text_("approval", "request", "admission") != key {
		t.Errorf("waits: %s", asked.text)
	}
	id := asked.text_("approval", "id")
	h.post("ada", "/admin/approvals/"+id, object{"approve": true}).is(http.StatusForbidden, "FORBIDDEN")
	h.post("ben", "/admin/approvals/"+id, object{"approve": true}).ok(http.StatusOK)
	h.loginWith(h.login("zoe")).ok(http.StatusOK)
	h.post("ada", "/admin/admission/overrule", object{"key": key, "reason": "again"}).is(http.StatusConflict, "INVALID_STATE")
}
