package player

import (
	"time"

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

// ClaimDeposit records a player's deposit claim with its verdict. A Credited verdict
// pays it in the same change; the item must then take the DepositKey. If the balance
// can't hold it, the refusal is AmountOutOfRange and the key stays free. A rejected
// claim may be made again and then counts as open. UpdatedAt is when the present verdict
// was first given, so that claiming again doesn't extend the wait.
func ClaimDeposit(v View, c deposit.Claim, verdict deposit.Verdict, now time.Time) (Change, error) {
	existing, known := v.Deposits[c.Ref]
	switch {
	case existing.Status == deposit.Credited:
		return Change{}, errCredited(existing)
	case verdict.Status == deposit.Pending && existing.Status != deposit.Pending && v.OpenDeposits >= deposit.OpenMax:
		return Change{}, fault.New(fault.TooManyOpen, "%d deposits are already waiting for the chain", v.OpenDeposits)
	case verdict.Status == deposit.Credited:
		return creditDeposit(v, c, ledger.PlayerOf(c.Wallet), v.Balances[c.Token], verdict.Amount, now)
	case known:
		c = existing
	}
	judged := c.Judged(verdict.Status, verdict.Reason, now)
	if known && existing.Status == judged.Status && existing.Reason == judged.Reason {
		judged.UpdatedAt = existing.UpdatedAt
	}
	judged.Amount = verdict.Amount
	return Change{Deposit: &judged, Balance: v.Balances[c.Token]}, nil
}

func errCredited(c deposit.Claim) error {
	return fault.New(fault.InvalidState, "the deposit is already credited").With("status", string(c.Status))
}

// creditDeposit pays a deposit to an account of the wallet.
func creditDeposit(v View, c deposit.Claim, account ledger.Account, before, amount money.Amount, now time.Time) (Change, error) {
	if existing, known := v.Deposits[c.Ref]; known {
		c = existing
	}
	after, ok := before.Add(amount)
	if !ok {
		return Change{}, fault.New(fault.AmountOutOfRange, "the balance of %d can't hold a deposit of %d", before, amount)
	}
	credited, transfers := c.Credit(account, amount, now)
	change := Change{Deposit: &credited, Postings: []ledger.Posting{{Key: credited.Key(), Transfers: transfers}}}
	if account.Kind == ledger.Player {
		change.Balance = after
		change.Player = v.withMeters(v.Player.Protection.AddDeposit(c.Token, amount, now))
	}
	return change, nil
}

// ReceiveDeposit credits a deposit without a claim: to the player, or to the unclaimed
// account of a wallet that never signed in, until its first login. Its item takes the
// DepositKey and needs Unclaimed.
func ReceiveDeposit(v View, c deposit.Claim, amount money.Amount, now time.Time) (Change, error) {
	if existing := v.Deposits[c.Ref]; existing.Status == deposit.Credited {
		return Change{}, errCredited(existing)
	}
	if !v.Player.Known() {
		return creditDeposit(v, c, ledger.UnclaimedOf(c.Wallet), v.Unclaimed[c.Token], amount, now)
	}
	return creditDeposit(v, c, ledger.PlayerOf(c.Wallet), v.Balances[c.Token], amount, now)
}

// DepositDecision is an admin's decision on a deposit in review.
type DepositDecision struct {
	// First is the admin who made the approval request if two persons decide; both have a
	// vote in a credit.
	First     wallet.Address
	By        wallet.Address
	Terms     token.Terms // of a credit's token
	Policy    rbac.Policy
	Reason    string
	AuditID   string
	RequestID string
	At        time.Time
}

// ResolveDeposit credits a deposit to the player by an admin's decision. Its item takes
// the DepositKey. Above the token's threshold one person's decision is refused with
// ErrTwoPersons; its view needs the votes of VotesNeed{Token, By, At}.
func ResolveDeposit(v View, c deposit.Claim, amount money.Amount, r DepositDecision) (Change, error) {
	if err := r.checkDecision(v, c.Wallet); err != nil {
		return Change{}, err
	}
	if !v.Player.Known() || !v.seesPlayer(v.Roles[r.By]) {
		return Change{}, fault.New(fault.NotFound, "no player %s", c.Wallet)
	}
	if err := v.Roles[r.By].CheckAge(r.At); err != nil {
		return Change{}, err
	}
	before := v.Deposits[c.Ref]
	if before.Status == deposit.Credited {
		return Change{}, errCredited(before)
	}
	change, err := creditDeposit(v, c, ledger.PlayerOf(c.Wallet), v.Balances[c.Token], amount, r.At)
	if err != nil {
		return Change{}, err
	}
	credit := Adjustment{ID: change.Deposit.ID, Wallet: c.Wallet, Token: c.Token, Amount: int64(amount), By: r.By, At: r.At}
	if r.First == "" && v.creditNeedsTwo(credit, r.Terms) {
		return Change{}, ErrTwoPersons
	}
	change.Audit = []audit.Record{r.auditRecord(c.Ref, before, *change.Deposit)}
	change.Votes = v.creditVotes(change.Deposit.ID, c.Wallet, c.Token, amount, r.At, decidersOf(r.First, r.By)...)
	return change, nil
}

// DeclineDeposit ends a claim in review: the transaction is no deposit of this player.
func DeclineDeposit(v View, ref deposit.Ref, r DepositDecision) (Change, error) {
	if err := r.checkDecision(v, v.Player.Wallet); err != nil {
		return Change{}, err
	}
	before := v.Deposits[ref]
	if before.Status != deposit.Review {
		return Change{}, fault.New(fault.InvalidState, "the deposit is not in review").With("status", string(before.Status))
	}
	declined := before.Judged(deposit.Rejected, deposit.Declined, r.At)
	return Change{
		Deposit: &declined, Balance: v.Balances[ref.Token], Audit: []audit.Record{r.auditRecord(ref, before, declined)},
	}, nil
}

// DeclineParked records an admin's decision that a parked transaction without a claim is
// no deposit.
func DeclineParked(v View, ref deposit.Ref, r DepositDecision) (Change, error) {
	if err := r.Policy.Check(v.Roles[r.By], rbac.BalancesWrite); err != nil {
		return Change{}, err
	}
	after := deposit.Claim{Status: deposit.Rejected, Reason: string(deposit.Declined)}
	return Change{Audit: []audit.Record{r.auditRecord(ref, deposit.Claim{Status: deposit.Review}, after)}}, nil
}

func (r DepositDecision) checkDecision(v View, owner wallet.Address) error {
	if r.By == owner {
		return fault.New(fault.Forbidden, "admins can't decide on their own deposit")
	}
	return r.Policy.Check(v.Roles[r.By], rbac.BalancesWrite)
}

// ErrTwoPersons is the refusal of a credit by one person that two must decide.
var ErrTwoPersons = fault.New(fault.Forbidden, "the amount is above the threshold: request the approval of a second person")

// decidersOf returns the admins who decided on a credit; first is empty or equal to by
// if only one did.
func decidersOf(first, by wallet.Address) []wallet.Address {
	if first == "" || first == by {
		return []wallet.Address{by}
	}
	return []wallet.Address{first, by}
}

func (r DepositDecision) auditRecord(ref deposit.Ref, before, after deposit.Claim) audit.Record {
	return audit.Record{
		ID: r.AuditID, Action: audit.DepositResolved, By: r.By, Target: ref.Signature,
		Before: describeClaim(before, ref.Token), After: describeClaim(after, ref.Token) + ", reason " + r.Reason, At: r.At, RequestID: r.RequestID,
	}
}

// describeClaim formats a claim for an audit record.
func describeClaim(c deposit.Claim, token money.Token) string {
	if c.Status == "" {
		return ""
	}
	text := string(c.Status) + " " + amountOf(c.Amount, token)
	if c.Wallet != "" {
		text += " of " + string(c.Wallet)
	}
	return text
}

// LostPayout is a payout on chain of a withdrawal that the database lacks: it was
// requested and paid after the backup from which the database was restored.
type LostPayout struct {
	treasury.Movement
	// Requested is the time of the request, if known.
	Requested time.Time
	At        time.Time
}

// BringBack restores the withdrawal of a lost payout as it was requested, so that
// SettleByChain can complete it. The player's balance is held for it; a shortfall
// becomes the player's debt.
func BringBack(v View, lost LostPayout) (Change, error) {
	switch _, known := v.Withdrawals[lost.WithdrawalID]; {
	case known:
		return Change{}, fault.New(fault.InvalidState, "withdrawal %q exists already", lost.WithdrawalID)
	case lost.Failed || len(lost.Payments) != 1:
		return Change{}, fault.New(fault.InvalidState, "transaction %s is not exactly one payment", lost.Signature)
	case !v.Player.Known():
		return Change{}, fault.New(fault.NotFound, "wallet %s has never signed in", v.Player.Wallet)
	}
	paid := lost.Payments[0]
	w := withdrawal.Withdrawal{
		ID: lost.WithdrawalID, Wallet: v.Player.Wallet, Token: paid.Token, Amount: paid.Amount, Destination: paid.Destination,
		Status: withdrawal.Pending, CreatedAt: lost.Requested, UpdatedAt: lost.At,
	}
	held := min(v.Balances[paid.Token], paid.Amount)
	hold := ledger.HoldOf(w.ID)
	var transfers []ledger.Transfer
	if held > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: ledger.PlayerOf(w.Wallet), Credit: hold, Token: paid.Token, Amount: held})
	}
	lacking := paid.Amount - held
	if lacking == 0 {
		return withdrawalChange(w, ledger.Withdraw, transfers, v.Balances[paid.Token]-held), nil
	}
	transfers = append(transfers, ledger.Transfer{Debit: ledger.System(ledger.Owed), Credit: hold, Token: paid.Token, Amount: lacking})
	change := withdrawalChange(w, ledger.Withdraw, transfers, v.Balances[paid.Token]-held)
	debt, fits := v.Player.Protection.Owes(paid.Token).Add(lacking)
	if !fits {
		return Change{}, fault.New(fault.AmountOutOfRange, "the player would owe more than the largest possible amount")
	}
	change.Player = v.withDebt(paid.Token, debt)
	return change, nil
}

// withDebt returns the player's row with a debt in a token.
func (v View) withDebt(token money.Token, debt money.Amount) *Player {
	row := v.Player
	row.Protection = row.Protection.WithDebt(token, debt)
	return &row
}

// repayDebt takes the player's debt in a token from the balance, before a withdrawal. It
// returns the balance afterwards, and nil if there is no debt.
func (v View) repayDebt(withdrawalID string, token money.Token) (balance money.Amount, paid *ledger.Posting, err error) {
	balance = v.Balances[token]
	debt := v.Player.Protection.Owes(token)
	if debt == 0 {
		return balance, nil, nil
	}
	after, ok := balance.Sub(debt)
	if !ok {
		return balance, nil, fault.New(fault.InsufficientFunds,
			"the account owes %d base units, and the balance of %d doesn't cover that", debt, balance).With("owed", int64(debt))
	}
	return after, &ledger.Posting{
		Key: ledger.Key{Kind: ledger.Repayment, ID: withdrawalID},
		Transfers: []ledger.Transfer{{
			Debit: ledger.PlayerOf(v.Player.Wallet), Credit: ledger.System(ledger.Owed), Token: token, Amount: debt,
		}},
	}, nil
}

// owesNothing returns a fault of kind InvalidState if the player has a debt in the
// token, which stops payouts of it.
func (v View) owesNothing(token money.Token) error {
	if debt := v.Player.Protection.Owes(token); debt > 0 {
		return fault.New(fault.InvalidState, "the player owes %d base units of this token", debt).
			With("status", OwingStatus).With("owed", int64(debt))
	}
	return nil
}

// OwingStatus is the status in the refusal to pay a player who has a debt.
const OwingStatus = "owing"
