package httpapi

import (
	"context"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// adminRound is a round with whose it is.
type adminRound struct {
	roundBody `json:",inline"`
	Wallet    string `json:"wallet"`
	AgentCode string `json:"agentCode"`
}

func adminRoundOf(r app.RoundWithSeed) adminRound {
	return adminRound{roundBody: roundWithSeed(r), Wallet: string(r.Wallet), AgentCode: r.Agent}
}

func (a *API) adminGames(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	if r.csvWanted() {
		f.wholeList()
	}
	filter := ports.RoundFilter{
		Wallet: f.wallet(), GameType: f.text("gameType"), Token: f.token(), Agent: f.text("agentCode"),
		From: f.time("from"), To: f.time("to"),
	}
	if f.err != nil {
		return answer{}, f.err
	}
	if r.csvWanted() {
		return listSheet(a, r, "games", roundColumns, func(ctx context.Context, page ports.Page) ([]app.RoundWithSeed, string, error) {
			found, err := a.casino.AdminRounds(ctx, r.caller, filter, page)
			return found.Rounds, found.Next, err
		}, roundCells)
	}
	found, err := a.casino.AdminRounds(r.context(), r.caller, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Rounds   []adminRound `json:"rounds"`
		listInfo `json:",inline"`
	}{each(found.Rounds, adminRoundOf), listOf(wanted, found.PageInfo)}), nil
}

var roundColumns = []string{"id", "createdAt", "wallet", "agentCode", "gameType", "rules", "token", "wager", "payout", "multiplier",
	"config", "outcome", "serverSeedHash", "serverSeed", "clientSeed", "clientSeedSource", "nonce", "provider"}

func roundCells(r app.RoundWithSeed) []string {
	b := adminRoundOf(r)
	source, nonce := "", ""
	if r.Source == "" {
		source, nonce = r.ClientSource.String(), number(r.Nonce)
	}
	return []string{
		cell(b.ID), moment(r.At), cell(b.Wallet), cell(b.AgentCode), cell(b.GameType), cell(r.Rules),
		cell(b.Token), number(b.Wager), number(b.Payout), string(b.Multiplier), cell(string(b.Config)), cell(string(b.Outcome)),
		cell(r.Commitment), cell(r.ServerSeed), cell(r.ClientSeed), source, nonce, cell(b.Provider),
	}
}

var transactionColumns = []string{"id", "createdAt", "updatedAt", "wallet", "type", "direction", "status", "token", "amount",
	"destination", "signature", "reason"}

func transactionCells(t ports.Transaction) []string {
	b := adminTransactionOf(t)
	amount := ""
	if b.Amount != nil {
		amount = number(*b.Amount)
	}
	return []string{
		cell(b.ID), moment(t.CreatedAt), moment(t.UpdatedAt), cell(b.Wallet), string(b.Type), b.Direction, b.Status, cell(b.Token),
		amount, cell(t.Destination), cell(t.Signature), cell(t.Reason),
	}
}

type auditBody struct {
	ID        string       `json:"id"`
	Action    audit.Action `json:"action"`
	By        *string      `json:"by"`
	Target    string       `json:"target"`
	Before    *string      `json:"before"`
	After     *string      `json:"after"`
	CreatedAt int64        `json:"createdAt"`
	RequestID *string      `json:"requestId"`
}

func auditOf(r audit.Record) auditBody {
	return auditBody{
		ID: r.ID, Action: r.Action, By: orNull(string(r.By)), Target: r.Target, Before: orNull(r.Before), After: orNull(r.After),
		CreatedAt: millis(r.At), RequestID: orNull(r.RequestID),
	}
}

var auditColumns = []string{"id", "createdAt", "action", "by", "target", "before", "after", "requestId"}

func auditCells(r audit.Record) []string {
	return []string{
		cell(r.ID), moment(r.At), cell(string(r.Action)), cell(string(r.By)), cell(r.Target), cell(r.Before), cell(r.After), cell(r.RequestID),
	}
}

func (a *API) auditLog(r *request) (answer, error) {
	f := r.filters()
	wanted := f.page()
	if r.csvWanted() {
		f.wholeList()
	}
	filter := ports.AuditFilter{
		By: f.address("by"), Target: f.text("target"), Action: audit.Action(f.text("action")), From: f.time("from"), To: f.time("to"),
	}
	if f.err != nil {
		return answer{}, f.err
	}
	if r.csvWanted() {
		return listSheet(a, r, "audit", auditColumns, func(ctx context.Context, page ports.Page) ([]audit.Record, string, error) {
			found, err := a.casino.AuditRecords(ctx, r.caller, filter, page)
			return found.Records, found.Next, err
		}, auditCells)
	}
	found, err := a.casino.AuditRecords(r.context(), r.caller, filter, wanted.Page)
	if err != nil {
		return answer{}, err
	}
	return ok(struct {
		Records  []auditBody `json:"records"`
		listInfo `json:",inline"`
	}{each(found.Records, auditOf), listOf(wanted, found.PageInfo)}), nil
}

// address reads a wallet's address under any name, empty when left out.
func (f *filters) address(name string) wallet.Address {
	text, given := f.query[name]
	if _, err := wallet.Parse(text); given && err != nil {
		f.fail(badAddress(name))
	}
	return wallet.Address(text)
}
