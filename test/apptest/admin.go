package apptest

import (
	"errors"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/approvals"
	"github.com/casino-service/casino/app/play"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// Gift is an adjustment of a named player's SOL.
func Gift(name string, amount int64) admin.AdjustmentRequest {
	return admin.AdjustmentRequest{User: string(fakes.Wallet(name)), Token: SOL, Amount: amount, Reason: "a gift"}
}

// CreateAcme creates the agent acme and returns it.
func (h *House) CreateAcme() agent.Agent {
	h.T.Helper()
	made, _, err := h.Admin.CreateAgent(h.Ctx, h.NewAdmin("olga", "ops"), "acme", admin.AgentRequest{Name: new("Acme"), Share: new(agent.Percent(30_00))})
	if err != nil {
		h.T.Fatal(err)
	}
	return made
}

// NewPlayerOf signs in a new player of an agent, with a deposit.
func (h *House) NewPlayerOf(agent, name string, amount money.Amount) app.Caller {
	h.T.Helper()
	request := Login(name, h.Clock.Now())
	request.AgentCode = agent
	OK(h.Accounts.SignIn(h.Ctx, request))(h.T)
	signature := h.Chain.Pay(name, money.SOL, amount)
	h.Chain.Finalize()
	OK(h.Deposits.Deposit(h.Ctx, Caller(name), signature, SOL))(h.T)
	return Caller(name)
}

// Dice is a bet on dice.
func Dice(wager int64) play.PlayRequest {
	return play.PlayRequest{GameType: "dice", Wager: wager, Token: SOL}
}

// StoredAlarms returns every alarm, newest first.
func (h *House) StoredAlarms(f ports.AlarmFilter) []alarm.Alarm {
	h.T.Helper()
	return OK(h.Store.Alarms(h.Ctx, f, ports.Page{Number: 1, Limit: ports.PageMax}))(h.T).Alarms
}

// Consent approves a request of another admin.
func Consent(id string) approvals.ApprovalDecision {
	return approvals.ApprovalDecision{ID: id, Approve: true}
}

// TwoPersonsAbove sets the threshold of SOL.
func TwoPersonsAbove(amount money.Amount) func(*app.Deps) {
	return func(d *app.Deps) {
		terms := SOLTerms
		terms.TwoPersonAbove = amount
		d.Tokens = token.NewBook(terms, ClosingTerms)
	}
}

// FreezePlayer freezes a player, or releases them.
func (h *House) FreezePlayer(name string, frozen bool) {
	h.T.Helper()
	OK(h.Accounts.SetFrozen(h.Ctx, Caller("olga"), Address(name), "under review", frozen))(h.T)
}

// Address returns the wallet of a name as text.
func Address(name string) string { return string(fakes.Wallet(name)) }

// AuditRecords returns every audit record, oldest first.
func (h *House) AuditRecords() (all []audit.Record) {
	h.T.Helper()
	if err := h.Store.Blocks(h.Ctx, func(b ports.Block) error { all = append(all, b.Audit...); return nil }); err != nil {
		h.T.Fatal(err)
	}
	return all
}

// Funding returns a booking of an agent's payment.
func Funding(of agent.Agent, amount money.Amount) admin.FundingRequest {
	return admin.FundingRequest{AgentID: of.ID, Token: SOL, Amount: int64(amount), Reason: "a wire"}
}

// DailyLimit limits a player's wagers or losses in SOL per day.
func DailyLimit(kind protection.Kind, amount money.Amount) []protection.LimitRequest {
	return []protection.LimitRequest{{Kind: kind, Period: protection.Day, Token: money.SOL, Amount: amount}}
}

// ChangeControls changes the control state from outside the casino.
func (h *House) ChangeControls(change func(*control.State)) {
	h.T.Helper()
	record := audit.Record{ID: h.Deps.Entropy.ID(), Action: audit.PlayPaused, Target: "play", At: h.Clock.Now()}
	err := h.Store.ChangeControl(h.Ctx, func(now control.State) (control.State, *audit.Record, error) {
		change(&now)
		return now, &record, nil
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// BeginEpoch begins the next epoch and opens the service.
func (h *House) BeginEpoch() {
	h.T.Helper()
	record := audit.Record{ID: h.Deps.Entropy.ID(), Action: audit.EpochBegun, Target: "ledger", At: h.Clock.Now()}
	_, err := h.Store.BeginEpoch(h.Ctx, nil, func(now control.State) (control.State, *audit.Record, error) {
		next := now.Next(h.Clock.Advance(time.Second), 0)
		next.Restored = nil
		return next, &record, nil
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// ErrAway reports a service that can't be reached.
var ErrAway = errors.New("away")
