package admin_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/deposits"
	"github.com/casino-service/casino/domain/admission"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// judge is a screener whose verdict a test sets for each point.
type judge struct {
	mu       sync.Mutex
	verdicts map[admission.Point]admission.Verdict
	err      error
	asked    []admission.Subject
}

func (*judge) Name() string { return "judge" }

func (*judge) Screens(admission.Point) bool { return true }

func (j *judge) Screen(_ context.Context, s admission.Subject) (admission.Finding, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.asked = append(j.asked, s)
	if s.Agent == "breaks" {
		panic("a defect")
	}
	verdict := j.verdicts[s.Point]
	if verdict == "" {
		verdict = admission.Allow
	}
	return admission.Finding{Verdict: verdict, Evidence: "case 7"}, j.err
}

func (j *judge) says(at admission.Point, v admission.Verdict) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.verdicts[at] = v
}

func (j *judge) fails(with error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.err = with
}

// screenedHouse is a casino with a judge.
type screenedHouse struct{ *apptest.House }

// screened opens a casino with a screener and two admins.
func screened(t *testing.T) (h *screenedHouse, by *judge, ada, ben app.Caller) {
	by = &judge{verdicts: map[admission.Point]admission.Verdict{}}
	h = &screenedHouse{apptest.Open(t, func(d *app.Deps) { d.Screeners = append(d.Screeners, by) })}
	return h, by, h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
}

// overrule has two admins admit what a key names.
func (h *screenedHouse) overrule(first, second app.Caller, key string) {
	h.T.Helper()
	asked := apptest.OK(h.Admin.OverruleAdmission(h.Ctx, first, key, "checked"))(h.T)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, second, apptest.Consent(asked.ID)))(h.T)
}

// decisions returns what the audit log says of a key, the oldest first.
func (h *screenedHouse) decisions(key string) (texts []string) {
	h.T.Helper()
	for _, r := range h.AuditRecords() {
		if r.Action == audit.AdmissionDecided && r.Target == key {
			texts = append(texts, r.After)
		}
	}
	return texts
}

func keyOf(at admission.Point, name string) string {
	w := apptest.Caller(name).Wallet
	return admission.Subject{Point: at, Wallet: w, Address: string(w)}.Key()
}

// TestSignInsAreScreened refuses a wallet's sign-in until two persons admit it. Admins always
// sign in.
func TestSignInsAreScreened(t *testing.T) {
	t.Parallel()
	h, by, ada, ben := screened(t)
	login := apptest.Login("alice", h.Clock.Now())
	login.Remote, login.AgentCode = netip.MustParseAddr("192.0.2.7"), ""
	key := keyOf(admission.SignIn, "alice")
	by.fails(errors.New("no route"))
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, login)), fault.Unavailable, "outcome", "none")
	apptest.Equal(t, "alarms", h.CountAlarms("a screener fails, so nothing that it is asked about is admitted"), 1)
	by.fails(nil)
	broken := login
	broken.AgentCode = "breaks"
	h.EnsureAgent("breaks")
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, broken)), fault.Unavailable)
	for _, verdict := range []admission.Verdict{admission.Review, admission.Deny, admission.Deny} {
		by.says(admission.SignIn, verdict)
		apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, login)), fault.Forbidden, "reason", string(verdict))
	}
	apptest.Equal(t, "decisions, a repeated one once", strings.Join(h.decisions(key), "\n"), "review signin; judge review case 7\ndeny signin; judge deny case 7")
	apptest.Refused(t, apptest.ErrorOf(h.Store.Player(h.Ctx, apptest.Caller("alice").Wallet)), fault.NotFound)
	if last := by.asked[len(by.asked)-1]; last.Remote != login.Remote || last.Wallet != apptest.Caller("alice").Wallet {
		t.Errorf("asked about %+v", last)
	}
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("ada", h.Clock.Now())))(t)

	apptest.Refused(t, apptest.ErrorOf(h.Admin.OverruleAdmission(h.Ctx, apptest.Caller("alice"), key, "me")), fault.AdminForbidden)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.OverruleAdmission(h.Ctx, ada, "access:nobody", "who")), fault.NotFound)
	apptest.Refused(t, apptest.ErrorOf(h.Admin.OverruleAdmission(h.Ctx, ada, key, "")), fault.Invalid)
	asked := apptest.OK(h.Admin.OverruleAdmission(h.Ctx, ada, key, "checked"))(t)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, ada, apptest.Consent(asked.ID))), fault.Forbidden)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, login)), fault.Forbidden)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.ID)))(t)
	by.says(admission.SignIn, admission.Review) // another finding than the overruled one
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, login)), fault.Forbidden, "reason", "review")
	by.says(admission.SignIn, admission.Deny)
	apptest.OK(h.Accounts.SignIn(h.Ctx, login))(t)
	if last := h.decisions(key); !strings.Contains(last[len(last)-1], "overruled allow") || !strings.Contains(last[len(last)-1], "checked") {
		t.Errorf("the admission is recorded as %q", last)
	}
	apptest.Refused(t, apptest.ErrorOf(h.Admin.OverruleAdmission(h.Ctx, ada, key, "again")), fault.InvalidState, "status", "allow")
	h.CheckAudit()
}

// TestAdminsDontAdmitThemselves refuses both persons' votes about their own wallet.
func TestAdminsDontAdmitThemselves(t *testing.T) {
	t.Parallel()
	h, by, ada, ben := screened(t)
	carol := apptest.Login("carol", h.Clock.Now())
	by.says(admission.SignIn, admission.Deny)
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, carol)), fault.Forbidden)
	key := keyOf(admission.SignIn, "carol")
	asked := apptest.OK(h.Admin.OverruleAdmission(h.Ctx, ada, key, "checked"))(t)
	own := h.NewAdmin("carol", "finance")
	apptest.Refused(t, apptest.ErrorOf(h.Admin.OverruleAdmission(h.Ctx, own, key, "mine")), fault.Forbidden)
	apptest.Refused(t, apptest.ErrorOf(h.Approvals.DecideApproval(h.Ctx, own, apptest.Consent(asked.ID))), fault.Forbidden)
	apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.ID)))(t)
}

// TestBetsAreScreenedByTheirAddress refuses bets from an address, keeps the answer for a minute,
// and takes them again once two persons say so.
func TestBetsAreScreenedByTheirAddress(t *testing.T) {
	t.Parallel()
	h, by, ada, ben := screened(t)
	alice := h.NewPlayer("alice", 100_000)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t) // without an address nothing is asked
	alice.Remote = netip.MustParseAddr("192.0.2.7")
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	by.says(admission.Play, admission.Deny)
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	moved := alice
	moved.Remote = netip.MustParseAddr("2001:db8::7")
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, moved, apptest.Dice(100))), fault.Forbidden, "reason", "deny")
	h.Clock.Advance(time.Minute)
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.Forbidden)
	h.CheckUnchanged(func() { // the answer is known, and recorded once
		apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.Forbidden)
	})
	h.overrule(ada, ben, keyOf(admission.Play, "alice"))
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	h.Clock.Advance(time.Minute)
	by.fails(errors.New("no route"))
	apptest.Refused(t, apptest.ErrorOf(h.Play.Play(h.Ctx, alice, apptest.Dice(100))), fault.Unavailable)
}

// TestDepositsAreScreened leaves a deposit pending while the screener fails, moves it to review
// when it is refused, and credits it only by two persons. A claim and the watcher agree.
func TestDepositsAreScreened(t *testing.T) {
	t.Parallel()
	h, by, ada, ben := screened(t)
	alice, bob := h.SignIn("alice"), h.SignIn("bob")
	by.fails(errors.New("no route"))
	late := h.Chain.Pay("alice", money.SOL, 10_000)
	h.Chain.Finalize()
	apptest.Equal(t, "while it fails", apptest.OK(h.Deposits.Deposit(h.Ctx, alice, late, apptest.SOL))(t).Claim.Status, deposit.Pending)
	by.fails(nil)
	apptest.OK(h.Deposits.DepositWorker().Step(h.Ctx))(t)
	apptest.Equal(t, "then", h.Balance("alice"), 10_000)

	by.says(admission.Deposit, admission.Review)
	for name, who := range map[string]app.Caller{"alice": alice, "bob": bob} {
		signature := h.Chain.Pay(name, money.SOL, 5_000)
		h.Chain.Finalize()
		if name == "alice" {
			apptest.Equal(t, "refused", apptest.OK(h.Deposits.Deposit(h.Ctx, who, signature, apptest.SOL))(t).Claim.Status, deposit.Review)
		}
		h.RunWatcher(h.Deposits.DepositWatcher())
		before := h.Balance(name)
		asked := apptest.OK(h.Deposits.ResolveDeposit(h.Ctx, ada, deposits.ResolveRequest{Signature: signature, Token: apptest.SOL, Wallet: string(who.Wallet), Reason: "checked"}))(t)
		if asked.Approval == nil || h.Balance(name) != before {
			t.Fatalf("one person credits a refused deposit of %s: %+v", name, asked)
		}
		apptest.OK(h.Approvals.DecideApproval(h.Ctx, ben, apptest.Consent(asked.Approval.ID)))(t)
		apptest.Equal(t, "by two persons", h.Balance(name), before+5_000)
	}
	h.CheckSolvent()
	h.CheckAudit()
}

// TestPayoutsAreScreened asks again before a payout is signed. A refused or unanswered one isn't
// signed until two persons say so, and a denied request takes no money.
func TestPayoutsAreScreened(t *testing.T) {
	t.Parallel()
	h, by, ada, ben := screened(t)
	alice := h.NewPlayer("alice", 20_000)
	h.Chain.Give(string(alice.Wallet), money.SOL, apptest.RentExempt)
	by.says(admission.Withdrawal, admission.Deny)
	apptest.Refused(t, apptest.ErrorOf(h.Payouts.Withdraw(h.Ctx, alice, apptest.RequestOf(alice, 1_000))), fault.Forbidden, "reason", "deny")
	apptest.Equal(t, "balance", h.Balance("alice"), 20_000)
	by.says(admission.Withdrawal, admission.Review)
	by.says(admission.Payout, admission.Deny)
	w := h.RequestWithdrawal(alice, 1_000)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t)
	worker := h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	got := h.StoredWithdrawal(w.ID)
	if got.Status != withdrawal.Approved || got.Attempt != 0 || !strings.Contains(got.Reason, "screener") {
		t.Fatalf("a refused payout is %s with %d attempts: %q", got.Status, got.Attempt, got.Reason)
	}
	apptest.Equal(t, "alarms", h.CountAlarms("payout waits because a screener doesn't allow it"), 1)
	by.says(admission.Payout, admission.Allow)
	by.fails(errors.New("no route"))
	if faults := h.RunPayouts(worker); len(faults) == 0 || !fault.Is(faults[0], fault.Unavailable) || h.StoredWithdrawal(w.ID).Attempt != 0 {
		t.Fatalf("while the screener fails: %v", faults)
	}
	by.fails(nil)
	by.says(admission.Payout, admission.Deny)
	key := keyOf(admission.Payout, "alice")
	h.overrule(ada, ben, key)
	h.PassPayouts(worker)
	h.Chain.Finalize()
	h.PassPayouts(worker)
	h.CheckPaid(w, 1)
	texts := strings.Join(h.decisions(key), "\n")
	for _, part := range []string{"deny withdrawal", "review withdrawal " + w.ID, "deny payout " + w.ID, "allow payout " + w.ID + "; judge deny case 7; overruled allow"} {
		if !strings.Contains(texts, part) {
			t.Errorf("the log lacks %q: %s", part, texts)
		}
	}
}

// TestScreenersAreToldTheAgent checks that a screener knows the player's agent at each point, so
// that an agent's rules hold for its players' deposits and payouts too.
func TestScreenersAreToldTheAgent(t *testing.T) {
	t.Parallel()
	h, by, ada, _ := screened(t)
	h.EnsureAgent("east")
	alice := h.NewPlayerOf("east", "alice", 20_000)
	h.Chain.Give(string(alice.Wallet), money.SOL, apptest.RentExempt)
	alice.Remote = netip.MustParseAddr("192.0.2.7")
	apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
	w := h.RequestWithdrawal(alice, 1_000)
	apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(w.ID)))(t)
	h.PassPayouts(h.Payouts.PayoutWorker())
	asked := map[admission.Point]string{}
	for _, s := range by.asked {
		if s.Wallet == alice.Wallet {
			asked[s.Point] = s.Agent
		}
	}
	for _, point := range admission.Points() {
		apptest.Equal(t, string(point), asked[point], "east")
	}
}

// forgedOverrulings is an audit log in which an overruling was changed to cover other findings.
type forgedOverrulings struct{ ports.AuditLog }

func (l forgedOverrulings) Records(ctx context.Context, f ports.AuditFilter, page ports.Page) (ports.AuditPage, error) {
	found, err := l.AuditLog.Records(ctx, f, page)
	for i := range found.Records {
		if r := &found.Records[i]; r.Action == audit.AdmissionOverruled {
			r.Before = strings.Replace(r.Before, "review", "deny", 2)
		}
	}
	return found, err
}

// TestAForgedOverrulingAdmitsNobody changes an overruling in the database.
func TestAForgedOverrulingAdmitsNobody(t *testing.T) {
	t.Parallel()
	by := &judge{verdicts: map[admission.Point]admission.Verdict{admission.SignIn: admission.Review}}
	h := &screenedHouse{apptest.Open(t, func(d *app.Deps) {
		d.Screeners, d.Authenticator = append(d.Screeners, by), fakes.Authenticator{}
	})}
	ada, ben := h.NewAdmin("ada", "finance"), h.NewAdmin("ben", "finance")
	apptest.Refused(t, apptest.ErrorOf(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Now()))), fault.Forbidden)
	h.overrule(ada, ben, keyOf(admission.SignIn, "alice"))
	apptest.OK(h.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Now())))(t)
	h.Clock.Advance(time.Second)
	by.says(admission.SignIn, admission.Deny)
	forged := h.Remade(func(d *app.Deps) { d.Store.AuditLog = forgedOverrulings{d.Store.AuditLog} })
	apptest.Refused(t, apptest.ErrorOf(forged.Accounts.SignIn(h.Ctx, apptest.Login("alice", h.Clock.Now()))), fault.Forbidden, "reason", "deny")
}

// TestRefusedPayoutsAreRecordedOnce passes over two refused payouts many times, and repeats an
// accepted request while the screener fails.
func TestRefusedPayoutsAreRecordedOnce(t *testing.T) {
	t.Parallel()
	h, by, ada, _ := screened(t)
	alice := h.NewPlayer("alice", 20_000)
	h.Chain.Give(string(alice.Wallet), money.SOL, apptest.RentExempt)
	by.says(admission.Payout, admission.Deny)
	request := apptest.RequestOf(alice, 1_000)
	request.Idempotency.Key, request.Idempotency.Fingerprint = "once", "the same"
	first := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request))(t)
	by.fails(errors.New("no route"))
	again := apptest.OK(h.Payouts.Withdraw(h.Ctx, alice, request))(t)
	apptest.Equal(t, "repeated while the screener fails", again.Withdrawal.ID, first.Withdrawal.ID)
	by.fails(nil)
	second := h.RequestWithdrawal(alice, 1_000)
	for _, id := range []string{first.Withdrawal.ID, second.ID} {
		apptest.OK(h.Payouts.ApproveWithdrawal(h.Ctx, ada, apptest.Approving(id)))(t)
	}
	worker := h.Payouts.PayoutWorker()
	h.PassPayouts(worker)
	before := len(h.decisions(keyOf(admission.Payout, "alice")))
	for range 5 {
		h.PassPayouts(worker)
	}
	apptest.Equal(t, "decisions after more passes", len(h.decisions(keyOf(admission.Payout, "alice"))), before)
}

// filed is a judge with a file.
type filed struct {
	judge
	file ports.ScreenerFile
}

func (f *filed) Files() []ports.ScreenerFile {
	f.mu.Lock()
	defer f.mu.Unlock()
	return []ports.ScreenerFile{f.file}
}

func (f *filed) replace(content string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.file = ports.ScreenerFile{Name: "country-rules", Content: content, SHA256: sha256.Sum256([]byte(content))}
}

// TestFilesOfScreenersAreRecorded records what a file said at the start and after each
// replacement, with what it said before, and asks again about players who were admitted.
func TestFilesOfScreenersAreRecorded(t *testing.T) {
	t.Parallel()
	by := &filed{judge: judge{verdicts: map[admission.Point]admission.Verdict{}}}
	by.replace("deny US")
	h := apptest.Open(t, func(d *app.Deps) { d.Screeners = append(d.Screeners, by) })
	var step func(context.Context) (bool, error)
	for _, w := range h.Workers() {
		if w.Name == "screeners' files" {
			step = w.Step
		}
	}
	alice := h.NewPlayer("alice", 100_000)
	alice.Remote = netip.MustParseAddr("192.0.2.7")
	for _, row := range []struct {
		content string
		asked   int
	}{{"deny US", 1}, {"deny US", 0}, {"deny US, KP", 1}, {"deny US, KP", 0}} { // the answer is known until the file changes
		by.replace(row.content)
		apptest.OK(step(h.Ctx))(t)
		by.asked = nil
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
		apptest.Equal(t, "questions", len(by.asked), row.asked)
	}
	var said []string
	for _, r := range h.AuditRecords() {
		if r.Action == audit.AdmissionFileRead {
			apptest.Equal(t, "target", r.Target, "country-rules")
			said = append(said, r.Before+" -> "+r.After)
		}
	}
	first, second := "sha256="+hexOf("deny US")+" deny US", "sha256="+hexOf("deny US, KP")+" deny US, KP"
	apptest.Equal(t, "records", strings.Join(said, "\n"), " -> "+first+"\n"+first+" -> "+second)
}

func hexOf(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }
