package player

import (
	"strconv"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Funding is an admin's booking of an agent's prepaid account: the agent's payment
// (positive) or a repayment (negative).
type Funding struct {
	ID     string
	Ref    agent.FundsRef
	Amount int64
	// Balance is the account's balance after it.
	Balance int64
	Reason  string
	By      wallet.Address
	At      time.Time
}

// FundingRequest is an admin's request for a booking, with the rules checked under lock.
type FundingRequest struct {
	Funding
	Terms  token.Terms
	Policy rbac.Policy
	// ApprovalID is the id for an approval request, which a booking above the threshold
	// becomes.
	ApprovalID string
	AuditID    string
	RequestID  string
}

// RequestFunding books the funds or, for a credit above the token's threshold, makes an
// approval request. Credits to all agents within a day count together. Its item has no
// wallet; its view needs the admin's role, the account and the votes of VotesNeed{By,
// At}.
func RequestFunding(v View, w FundingRequest) (Change, error) {
	if err := w.Policy.Check(v.Roles[w.By], rbac.BalancesWrite); err != nil {
		return Change{}, err
	}
	if v.Roles[w.By].AgentCode != "" {
		return Change{}, fault.New(fault.Forbidden, "an agent's own admins can't book its prepaid funds")
	}
	// Whatever would refuse the second approval refuses the request.
	change, err := Fund(v, w.Funding, w.AuditID, w.RequestID)
	if err != nil || w.Amount < 0 {
		return change, err
	}
	if err := v.Roles[w.By].CheckAge(w.At); err != nil {
		return Change{}, err
	}
	credit := Adjustment{ID: w.ID, Token: w.Ref.Token, Amount: w.Amount, By: w.By, At: w.At}
	if !v.creditNeedsTwo(credit, w.Terms) {
		return change, nil
	}
	request := approval.Request{Kind: approval.AgentFunds, Token: w.Ref.Token, Amount: w.Amount, Reason: w.Reason}
	asked, err := approval.New(w.ApprovalID, request, w.Ref.Agent, v.Roles[w.By], w.Policy, w.At)
	if err != nil {
		return Change{}, err
	}
	return Change{Approval: &asked, Audit: []audit.Record{{
		ID: w.AuditID, Action: audit.ApprovalRequested, By: w.By, Target: asked.ID, After: describeRequest(request) + " to " + w.Ref.Agent,
		At: w.At, RequestID: w.RequestID,
	}}}, nil
}

// Fund books an agent's prepaid account: adjustment ↔ agent. A debit beyond the
// account's credit limit is InsufficientAgentFunds.
func Fund(v View, f Funding, auditID, requestID string) (Change, error) {
	before := v.Funds[f.Ref]
	after, ok := before.Moved(money.TotalOfInt(f.Amount))
	if !ok {
		return Change{}, fault.New(fault.AmountOutOfRange, "amount: the account's balance would exceed the largest possible amount").With("field", "amount")
	}
	if err := after.Check(); err != nil {
		return Change{}, err
	}
	f.Balance = after.Balance
	from, to, amount := ledger.System(ledger.Adjustment), ledger.AgentOf(f.Ref.Agent), money.Amount(f.Amount)
	if f.Amount < 0 {
		from, to, amount = to, from, money.Amount(-f.Amount)
	}
	var votes []Vote
	if f.Amount > 0 {
		votes = v.creditVotes(f.ID, "", f.Ref.Token, amount, f.At, f.By)
	}
	return Change{
		Funding: &f, Votes: votes,
		Postings: []ledger.Posting{{
			Key:       ledger.Key{Kind: ledger.Funding, ID: f.ID},
			Transfers: []ledger.Transfer{{Debit: from, Credit: to, Token: f.Ref.Token, Amount: amount}},
		}},
		Audit: []audit.Record{{
			ID: auditID, Action: audit.AgentFunded, By: f.By, Target: f.Ref.Agent,
			Before: signedAmountOf(before.Balance, f.Ref.Token), After: signedAmountOf(after.Balance, f.Ref.Token) + ": " + f.Reason,
			At: f.At, RequestID: requestID,
		}},
	}, nil
}

// FundApproved carries out a booking that two persons approved.
func FundApproved(v View, a approval.Approval, id, auditID, requestID string) (Change, error) {
	if v.Roles[a.DecidedBy].AgentCode != "" {
		return Change{}, fault.New(fault.Forbidden, "an agent's own admins can't book its prepaid funds")
	}
	f := Funding{
		ID: id, Ref: agent.FundsRef{Agent: a.Agent, Token: a.Token}, Amount: a.Amount, Reason: a.Reason, By: a.By, At: a.DecidedAt,
	}
	change, err := Fund(v, f, auditID, requestID)
	if err != nil {
		return Change{}, err
	}
	change.Votes = v.creditVotes(id, "", a.Token, money.Amount(a.Amount), a.DecidedAt, a.By, a.DecidedBy)
	return change, nil
}

// CreditLimit is a new credit limit of an agent's account.
type CreditLimit struct {
	Ref    agent.FundsRef
	Amount money.Amount
}

// CreditLimitRequest is an admin's request for a credit limit.
type CreditLimitRequest struct {
	CreditLimit
	By        wallet.Address
	Policy    rbac.Policy
	AuditID   string
	RequestID string
	At        time.Time
}

// SetCreditLimit sets an agent's credit limit. The admin needs roles:write and, to raise
// it, a role old enough to credit. A limit below the present debt and reservations is
// InvalidState. Its item has no wallet; its view needs the admin's role and the account.
func SetCreditLimit(v View, w CreditLimitRequest) (Change, error) {
	if err := w.Policy.Check(v.Roles[w.By], rbac.RolesWrite); err != nil {
		return Change{}, err
	}
	before := v.Funds[w.Ref]
	if w.Amount > before.CreditLimit {
		if err := v.Roles[w.By].CheckAge(w.At); err != nil {
			return Change{}, err
		}
	}
	after := before
	after.CreditLimit = w.Amount
	if after.Check() != nil {
		return Change{}, fault.New(fault.InvalidState, "creditLimit: is below the account's present debt and reservations").
			With("status", "exceeded").With("field", "creditLimit")
	}
	limit := func(f agent.Funds) string {
		return "credit limit " + strconv.FormatInt(int64(f.CreditLimit), 10) + " " + string(w.Ref.Token)
	}
	return Change{CreditLimit: &w.CreditLimit, Audit: []audit.Record{{
		ID: w.AuditID, Action: audit.CreditLimitChanged, By: w.By, Target: w.Ref.Agent, Before: limit(before), After: limit(after),
		At: w.At, RequestID: w.RequestID,
	}}}, nil
}

// TopUp is the operator's own payment into the treasury on chain. Reference is the
// transaction's signature, or another unique name.
type TopUp struct {
	Token     money.Token
	Amount    money.Amount
	Reference string
	// Again counts the bookings under the reference that were corrected before.
	Again int
	// Evidence says how the payment was checked, for the audit log; may be empty.
	Evidence string
	AuditID  string
	At       time.Time
}

// TopUpKey returns the key of the posting of a top-up after some corrected ones under its
// reference.
func TopUpKey(token money.Token, reference string, again int) ledger.Key {
	scope := string(token)
	if again > 0 {
		scope += "#" + strconv.Itoa(again+1)
	}
	return ledger.Key{Kind: ledger.TopUp, Scope: scope, ID: reference}
}

// BookCapital books a top-up: chain → capital. Its item has no wallet.
func BookCapital(t TopUp) (Change, error) { return t.bookFrom(ledger.System(ledger.Chain)), nil }

// bookFrom returns the change that books the top-up from an account.
func (t TopUp) bookFrom(source ledger.Account) Change {
	return Change{
		Postings: []ledger.Posting{{
			Key: TopUpKey(t.Token, t.Reference, t.Again),
			Transfers: []ledger.Transfer{{
				Debit: source, Credit: ledger.System(ledger.Capital), Token: t.Token, Amount: t.Amount,
			}},
		}},
		Audit: []audit.Record{{
			ID: t.AuditID, Action: audit.CapitalBooked, Target: t.Reference, After: amountOf(t.Amount, t.Token) + t.Evidence, At: t.At,
		}},
	}
}

// Outlay is a transfer of the operator's own money that the treasury signed.
type Outlay struct {
	treasury.Movement
	By      wallet.Address // empty for the command line
	Reason  string
	AuditID string
	At      time.Time
}

// BookOutlay books everything that a movement took: capital → chain, and fees → chain
// for its cost. Its item has no wallet.
func BookOutlay(o Outlay) (Change, error) {
	var change Change
	for _, paid := range o.Payments {
		change.Postings = append(change.Postings, ledger.Posting{
			Key: ledger.Key{Kind: ledger.Sweep, Scope: string(paid.Token), ID: o.Signature},
			Transfers: []ledger.Transfer{{
				Debit: ledger.System(ledger.Capital), Credit: ledger.System(ledger.Chain), Token: paid.Token, Amount: paid.Amount,
			}},
		})
	}
	change.Audit = []audit.Record{{
		ID: o.AuditID, Action: audit.MovementAccepted, By: o.By, Target: o.Signature, After: o.Reason, At: o.At,
	}}
	return withCost(change, o.Signature, withdrawal.Cost{Fee: o.Fee, Rent: o.Rent}), nil
}

// ReclaimCapital books a top-up that was first recorded as a deposit: unclaimed →
// capital. The sender must never have signed in: a player's deposit belongs to the
// player. Its item needs Unclaimed and the deposit claim.
func ReclaimCapital(v View, t TopUp) (Change, error) {
	claim := v.Deposits[deposit.Ref{Signature: t.Reference, Token: t.Token}]
	switch {
	case v.Player.Known() || claim.Status != deposit.Credited:
		return Change{}, fault.New(fault.InvalidState, "the transaction is not an unclaimed deposit").With("status", string(claim.Status))
	case claim.Amount != t.Amount:
		return Change{}, fault.New(fault.AmountOutOfRange, "the transaction brought %d, not %d", claim.Amount, t.Amount)
	}
	change := t.bookFrom(ledger.UnclaimedOf(v.Player.Wallet))
	taken := claim.Judged(deposit.Rejected, deposit.Capital, t.At)
	change.Deposit = &taken
	return change, nil
}
