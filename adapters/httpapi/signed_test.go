package httpapi_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/test/fakes"
)

// TestApprovingWithASignature does the steps of a front end: it reads the withdrawal, lets
// the wallet sign, and approves.
func TestApprovingWithASignature(t *testing.T) {
	t.Parallel()
	h := openHouse(t, setup{deps: func(d *app.Deps) { d.Settings.SignedApprovals = true }})
	h.role("finn", "finance", "")
	h.funded("alice", sol, 100_000)
	id := h.withdrawn("alice", 10_000)
	finn := h.as("finn")
	before := got[api.WithdrawalDetails](h)(finn.AdminWithdrawal(t.Context(), id))
	if !before.SignatureRequired || len(before.Approvals) != 0 || before.Treasury != h.chain.TreasuryAddress() || before.Withdrawal.ID != id {
		t.Errorf("to be approved: %+v", before)
	}
	signed := client.SignApproval(fakes.Key("finn"), before.Treasury, before.Withdrawal, h.clock.Now())
	path, good := "/admin/withdraw/approve", object{"id": id, "timestamp": signed.Timestamp, "signature": signed.Signature}
	with := func(name string, value any) object {
		body := object{}
		for k, v := range good {
			body[k] = v
		}
		if body[name] = value; value == nil {
			delete(body, name)
		}
		return body
	}
	h.post("finn", path, object{"id": id}).is(http.StatusBadRequest, "INVALID_PARAMETER").names("signature")
	h.post("finn", path, with("timestamp", nil)).is(http.StatusBadRequest, "INVALID_PARAMETER").names("timestamp")
	h.post("finn", path, with("signature", nil)).is(http.StatusBadRequest, "INVALID_PARAMETER").names("signature")
	h.post("finn", path, with("signature", strings.Repeat("A", 87)+"=")).is(http.StatusBadRequest, "INVALID_PARAMETER").names("signature")
	h.post("finn", path, with("timestamp", -1)).is(http.StatusBadRequest, "INVALID_PARAMETER").names("timestamp")
	h.post("finn", path, with("timestamp", "now")).is(http.StatusBadRequest, "INVALID_PARAMETER").names("timestamp")
	h.post("finn", path, with("timestamp", signed.Timestamp+1)).is(http.StatusUnauthorized, "INVALID_SIGNATURE")
	h.post("finn", path, with("signature", base64.StdEncoding.EncodeToString(make([]byte, 64)))).is(http.StatusUnauthorized, "INVALID_SIGNATURE")
	stale := client.SignApproval(fakes.Key("finn"), before.Treasury, before.Withdrawal, h.clock.Now().Add(-11*time.Minute))
	h.post("finn", path, object{"id": id, "timestamp": stale.Timestamp, "signature": stale.Signature}).is(http.StatusUnauthorized, "STALE_TIMESTAMP")
	h.post("finn", path, good).ok(http.StatusOK)

	after := got[api.WithdrawalDetails](h)(finn.AdminWithdrawal(t.Context(), id))
	if len(after.Approvals) != 1 || after.Withdrawal.Status != "approved" {
		t.Fatalf("approved: %+v", after)
	}
	given := after.Approvals[0]
	want := "casino-approve:" + before.Treasury + ":" + id + ":" + sol + ":10000:" + before.Withdrawal.Destination + ":"
	if given.By != address("finn") || *given.Signature != signed.Signature || *given.Timestamp != signed.Timestamp || !strings.HasPrefix(*given.Message, want) {
		t.Errorf("shown as %+v", given)
	}
}
