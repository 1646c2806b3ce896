package corrections_test

import (
	"os"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/corrections"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/stores"
)

// TestMain runs every test on memory and on SQLite.
func TestMain(m *testing.M) { os.Exit(stores.Everywhere(m)) }

// house is a casino with alice, who has 1,000, and three admins.
type house struct {
	*apptest.House
	alice, ada, ben, cora app.Caller
}

func newHouse(h *apptest.House) *house {
	return &house{h, h.NewPlayer("alice", 1_000), h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance"), h.NewAdmin("cora", "finance")}
}

func open(t *testing.T, options ...func(*app.Deps)) *house {
	return newHouse(apptest.Open(t, options...))
}

// adjusts books an adjustment of alice's balance by ada.
func (h *house) adjusts(amount int64) string {
	h.T.Helper()
	return apptest.OK(h.Admin.AdjustBalance(h.Ctx, h.ada, apptest.Gift("alice", amount)))(h.T).Adjustment.ID
}

func request(id string) corrections.AdjustmentRequest {
	return corrections.AdjustmentRequest{ID: id, Reason: "a mistake"}
}

// asks requests the correction of an adjustment.
func (h *house) asks(by app.Caller, id string) approval.Approval {
	h.T.Helper()
	return apptest.OK(h.Corrections.RequestAdjustment(h.Ctx, by, request(id)))(h.T).Approval
}

func (h *house) approves(by app.Caller, asked approval.Approval) approvals.ApprovalResult {
	h.T.Helper()
	return apptest.OK(h.Approvals.DecideApproval(h.Ctx, by, apptest.Consent(asked.ID)))(h.T)
}

// line returns the line of alice's account with an id.
func (h *house) line(id string) ports.Transaction {
	h.T.Helper()
	for _, l := range apptest.OK(h.Accounts.AccountTransactions(h.Ctx, h.alice, ports.TransactionFilter{}, ports.Page{Number: 1, Limit: 50}))(h.T).Transactions {
		if l.ID == id {
			return l
		}
	}
	h.T.Fatalf("alice has no transaction %q", id)
	return ports.Transaction{}
}

// total returns the ledger's total of an account in SOL.
func (h *house) total(account ledger.Account) string {
	h.T.Helper()
	for _, b := range apptest.OK(h.Store.Totals(h.Ctx))(h.T) {
		if b.Account == account && string(b.Token) == apptest.SOL {
			return b.Amount.String()
		}
	}
	return "0"
}
