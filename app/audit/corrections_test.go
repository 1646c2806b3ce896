package audit_test

import (
	"slices"
	"strings"
	"testing"

	appaudit "github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/corrections"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
)

// openCorrected opens a casino with a corrected adjustment and corrected capital.
func openCorrected(t *testing.T) *house {
	t.Helper()
	h := open(t)
	h.NewPlayer("alice", 1_000)
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	id := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("alice", 70)))(t).Adjustment.ID
	apptest.OK(h.Treasury.BookCapital(h.Ctx, money.SOL, 700, "paper"))(t)
	asked := apptest.OK(h.Corrections.RequestAdjustment(h.Ctx, ada, corrections.AdjustmentRequest{ID: id, Reason: "odd"}))(t)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.Approval.ID)))(t)
	asked = apptest.OK(h.Corrections.RequestCapital(h.Ctx, ada, corrections.CapitalRequest{Token: apptest.SOL, Reference: "paper", Reason: "odd"}))(t)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.Approval.ID)))(t)
	return h
}

// firstCorrection changes the first correction of a kind of posting.
func firstCorrection(of ledger.KeyKind, change func(b *ports.Block, p *ledger.Posting)) func([]ports.Block) []ports.Block {
	return apptest.ChangeFirstBlock(func(b *ports.Block) bool {
		at := slices.IndexFunc(b.Postings, func(p ledger.Posting) bool {
			original, ok := p.Key.Corrected()
			return ok && original.Kind == of
		})
		if at >= 0 {
			change(b, &b.Postings[at])
		}
		return at >= 0
	})
}

func TestAuditFindsForgedCorrections(t *testing.T) {
	t.Parallel()
	h := openCorrected(t)
	h.CheckAudit()
	again := func(b *ports.Block, p *ledger.Posting) {
		second := *p
		second.Key.ID = "another"
		b.Postings = append(b.Postings, second)
	}
	for name, c := range map[string]struct {
		change func([]ports.Block) []ports.Block
		want   string
	}{
		"another amount": {firstCorrection(ledger.Adjust, func(_ *ports.Block, p *ledger.Posting) { p.Transfers[0].Amount-- }), "does not reverse posting"},
		"the same direction": {firstCorrection(ledger.TopUp, func(_ *ports.Block, p *ledger.Posting) {
			p.Transfers[0].Debit, p.Transfers[0].Credit = p.Transfers[0].Credit, p.Transfers[0].Debit
		}), "does not reverse posting"},
		"another token":   {firstCorrection(ledger.TopUp, func(_ *ports.Block, p *ledger.Posting) { p.Transfers[0].Token = "usd" }), "does not reverse posting"},
		"another account": {firstCorrection(ledger.TopUp, func(_ *ports.Block, p *ledger.Posting) { p.Transfers[0].Credit = ledger.System(ledger.Fees) }), "does not reverse posting"},
		"one more transfer": {firstCorrection(ledger.TopUp, func(_ *ports.Block, p *ledger.Posting) {
			p.Transfers = append(p.Transfers, p.Transfers[0])
		}), "does not reverse posting"},
		"a second one": {firstCorrection(ledger.TopUp, again), "is the second one of posting (top_up"},
		"a link to nothing": {firstCorrection(ledger.TopUp, func(_ *ports.Block, p *ledger.Posting) {
			p.Key.Scope += "x"
		}), "paperx\"), which was not booked"},
		"a link to a bet": {firstCorrection(ledger.TopUp, func(_ *ports.Block, p *ledger.Posting) {
			p.Key = ledger.Key{Kind: ledger.Round, ID: "1"}.Correction(p.Key.ID)
		}), "which can't be corrected"},
		"a correction of nothing at all": {firstCorrection(ledger.TopUp, func(_ *ports.Block, p *ledger.Posting) { p.Key.Scope = "" }), "which can't be corrected"},
		"a row about another entry": {firstCorrection(ledger.Adjust, func(b *ports.Block, _ *ledger.Posting) {
			for _, e := range b.Events {
				for i := range e.Fields {
					if e.Kind == event.Adjustment && e.Fields[i].Name == "reference" {
						e.Fields[i].Value = "another"
					}
				}
			}
		}), `says that it corrects "another", which was not booked`},
		"no row": {firstCorrection(ledger.Adjust, func(b *ports.Block, _ *ledger.Posting) {
			b.Events = slices.DeleteFunc(b.Events, func(e event.Event) bool { return e.Kind == event.Adjustment })
		}), "corrects an adjustment without a row"},
	} {
		if got := h.AuditFindings(apptest.Resealed(c.change)); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, found:\n%s", name, c.want, got)
		}
	}
}

// An audit that continues an earlier one knows what was booked and corrected before.
func TestContinuedAuditsProveCorrections(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.NewPlayer("alice", 1_000)
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	id := apptest.OK(h.Admin.AdjustBalance(h.Ctx, ada, apptest.Gift("alice", 70)))(t).Adjustment.ID
	var left [][2][]byte
	first := appaudit.NewAuditor(h.Store, h.Games, nil).LeaveTo(func(key, value []byte) error {
		left = append(left, [2][]byte{slices.Clone(key), slices.Clone(value)})
		return nil
	})
	apptest.Equal(t, "findings", len(apptest.OK(first.Run(h.Ctx))(t).Findings), 0)
	asked := apptest.OK(h.Corrections.RequestAdjustment(h.Ctx, ada, corrections.AdjustmentRequest{ID: id, Reason: "odd"}))(t)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.Approval.ID)))(t)
	continued := func(change func([]ports.Block) []ports.Block) string {
		t.Helper()
		forged := apptest.Forged{AuditStore: h.Store}
		if change != nil {
			forged = apptest.Resealed(change)
			forged.AuditStore = h.Store
		}
		report := apptest.OK(appaudit.NewAuditor(forged, h.Games, nil).Since(func(visit func(key, value []byte) error) error {
			for _, r := range left {
				if err := visit(r[0], r[1]); err != nil {
					return err
				}
			}
			return nil
		}).Run(h.Ctx))(t)
		return strings.Join(report.Findings, "\n")
	}
	apptest.Equal(t, "findings of the next", continued(nil), "")
	if got := continued(firstCorrection(ledger.Adjust, func(_ *ports.Block, p *ledger.Posting) { p.Transfers[0].Amount-- })); !strings.Contains(got, "does not reverse posting") {
		t.Errorf("another amount: found:\n%s", got)
	}
}
