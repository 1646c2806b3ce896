package stream

import (
	"strconv"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/crash"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// Events derives the events of a block's rows, in order. Events of a player depend only
// on rows of that player, so reading only those gives the same events; events of audit
// records concern no player.
func Events(b *Block) []Event {
	d := deriving{block: b, made: make([]Event, 0, 2*len(b.Rows))} // a round has two
	for i := range b.Rows {
		d.row, d.part = &b.Rows[i], 0
		switch row := d.row; {
		case row.Round != nil:
			d.addRound(row.Round)
		case row.Seamless != nil:
			d.addTransaction(row.Seamless)
		case row.Audit != nil:
			d.addRecord(row.Audit)
		case row.Thing != nil && valueChanged(row.Thing):
			d.addThing(row.Thing)
		}
	}
	return d.made
}

// valueChanged reports whether a thing exists and changed.
func valueChanged(t *event.Event) bool {
	return len(t.Fields) > 0 && (t.Was == "" || t.Was != t.Digest())
}

// deriving collects the events of a block.
type deriving struct {
	block *Block
	row   *Row
	part  int
	made  []Event
}

// addEvent adds the next event of the row.
func (d *deriving) addEvent(e Event) {
	e.ID = strconv.Itoa(d.block.Lane) + "." + strconv.FormatInt(d.block.Seq, 10) + "." + strconv.Itoa(d.row.Position)
	if d.part > 0 {
		e.ID += "." + strconv.Itoa(d.part)
	}
	e.Order = Order{Number: d.block.Number, Position: d.row.Position, Part: d.part}
	if e.At.IsZero() {
		e.At = d.block.At
	}
	d.made = append(d.made, e)
	d.part++
}

// findThing returns the thing of a kind and an id among the block's rows.
func (d *deriving) findThing(kind event.Kind, id string) (event.Event, bool) {
	for i := range d.block.Rows {
		if t := d.block.Rows[i].Thing; t != nil && t.Kind == kind && t.ID == id {
			return *t, true
		}
	}
	return event.Event{}, false
}

// addRound adds the end of a round and its change of the balance. For a stepped round
// facts hold the change, because its stakes were taken before.
func (d *deriving) addRound(r *bet.Round) {
	e := Event{Type: RoundSettled, Subject: r.ID, Wallet: r.Wallet, Agent: r.Agent, At: r.At, Data: Settled{*r}}
	if r.Void {
		e.Type = RoundVoid
	}
	d.addEvent(e)
	if by := int64(r.Payout - r.Wager); by != 0 && !r.Stepped() {
		e.Type, e.Data = BalanceChanged, Balance{Token: r.Token, Amount: by, After: r.Balance, Cause: CauseRound, Of: r.ID}
		d.addEvent(e)
	}
}

func (d *deriving) addTransaction(t *seamless.Transaction) {
	e := Event{Type: ProviderTransaction, Subject: t.ID, Wallet: t.Wallet, Agent: t.Agent, At: t.At, Data: Provided{*t}}
	d.addEvent(e)
	if t.Status == seamless.Refused || t.Site != "" {
		return
	}
	if by := int64(t.Paid() - t.Bet); by != 0 {
		e.Type = BalanceChanged
		e.Data = Balance{Token: t.Token, Amount: by, After: t.Balance, Cause: CauseProvider, Of: t.ID, Round: t.RoundID}
		d.addEvent(e)
	}
}

func (d *deriving) addRecord(r *audit.Record) {
	as := recorded[r.Action].as
	if as == "" {
		return
	}
	e := Event{Type: as, Subject: r.Target, At: r.At, Data: Note{*r}}
	switch {
	case ofAgents[as]:
		e.Agent = r.Target
	case as == RoleGranted || as == RoleRevoked:
		role, _ := d.findThing(event.Role, r.Target)
		e.Data = Role{Record: *r, Role: role.Value("role"), Agent: role.Value("agent")}
	}
	d.addEvent(e)
}

// addThing adds the event of a thing or a fact. Other events cover the kinds without a
// case: votes are part of withdrawals or credits, adjustments are changes of balances.
func (d *deriving) addThing(t *event.Event) {
	e := Event{Subject: t.ID, Wallet: t.Wallet}
	switch t.Kind {
	case event.Balance:
		e = d.balanceEvent(t)
	case event.Withdrawal:
		e = d.withdrawalEvent(t)
	case event.Deposit:
		claim := deposit.FromCovered(*t)
		e.Type, e.Data = deposits[claim.Status], Deposit{claim}
	case event.Request:
		asked := approval.FromCovered(*t)
		e.Type, e.Agent, e.Data = ApprovalDecided, asked.Agent, Approval{asked}
		if asked.Status == approval.Open {
			e.Type = ApprovalOpened
		}
	case event.Pair:
		e = d.pairEvent(t)
	case event.Player:
		if t.Was == "" {
			p := player.FromCovered(*t)
			e.Type, e.Agent, e.Data = PlayerCreated, p.Agent, Player{Agent: p.Agent, CreatedAt: p.CreatedAt, Protection: p.Protection}
		}
	case event.Protection:
		e = protectedNow(t)
	case event.Session:
		e.Type, e.Subject, e.Data = SessionStarted, string(t.Wallet), Session{IssuedAt: t.At("issuedAt"), Until: t.At("until")}
	case event.Signout:
		e.Type, e.Subject, e.Data = SessionEnded, string(t.Wallet), SessionsEnd{From: t.At("from")}
	case event.Funding:
		e.Type, e.Agent, e.At = FundsBooked, t.Value("agent"), t.At("at")
		e.Data = Funds{
			ID: t.ID, Agent: t.Value("agent"), Token: money.Token(t.Value("token")), Amount: t.Number("amount"), Balance: t.Number("balance"),
			Reason: t.Value("reason"), By: wallet.Address(t.Value("by")),
		}
	case event.OpenRound:
		e = openRoundEvent(t)
	case event.CrashRound:
		e.Type, e.Data = CrashChanged, CrashRound{crash.FromCovered(*t)}
	case event.Alarm:
		e = alarmEvent(t)
	}
	if e.Type != "" {
		d.addEvent(e)
	}
}

var deposits = map[deposit.Status]Type{
	deposit.Pending: DepositPending, deposit.Review: DepositReview, deposit.Credited: DepositCredited, deposit.Rejected: DepositRejected,
}

// balanceEvent returns the change of a balance in a fact. For an adjustment it includes
// the admin.
func (d *deriving) balanceEvent(t *event.Event) Event {
	change := Balance{
		Token: money.Token(t.Value("token")), Amount: t.Number("amount"), After: money.Amount(t.Number("balance")),
		Cause: Cause(t.Value("cause")), Of: t.Value("of"),
	}
	switch change.Cause {
	case Cause(ledger.Adjust), Cause(ledger.Assign), Cause(ledger.Correct):
		made, _ := d.findThing(event.Adjustment, change.Of)
		change.By, change.Reason = wallet.Address(made.Value("by")), made.Value("reason")
		if change.Cause == Cause(ledger.Correct) {
			change.Corrects = made.Value("reference")
		}
	}
	subject := change.Of
	if change.Cause == Cause(ledger.Claimed) { // its id is the wallet
		subject = string(t.Wallet)
	}
	return Event{Type: BalanceChanged, Subject: subject, Wallet: t.Wallet, Data: change}
}

var withdrawals = map[withdrawal.Status]Type{
	withdrawal.Sending: WithdrawalSending, withdrawal.Completed: WithdrawalCompleted, withdrawal.Rejected: WithdrawalRejected,
	withdrawal.Cancelled: WithdrawalCancelled,
}

func (d *deriving) withdrawalEvent(t *event.Event) Event {
	w := withdrawal.FromCovered(*t)
	e := Event{Type: withdrawals[w.Status], Subject: w.ID, Wallet: w.Wallet, Data: Withdrawal{w}}
	switch w.Status {
	case withdrawal.Pending:
		if e.Type = WithdrawalVoted; t.Was == "" {
			e.Type = WithdrawalRequested
		}
	case withdrawal.Failed:
		if e.Type = WithdrawalFailed; len(w.Approvals) > 0 { // failing removes them
			e.Type = WithdrawalVoted
		}
	case withdrawal.Approved:
		switch _, dead := d.deadAttempt(w); {
		case w.Reason != "":
			e.Type = WithdrawalHindered
		case dead:
			e.Type = WithdrawalExpired
		default:
			e.Type = WithdrawalApproved
		}
	}
	return e
}

// deadAttempt finds the event that marks the withdrawal's newest attempt as dead.
func (d *deriving) deadAttempt(w withdrawal.Withdrawal) (event.Event, bool) {
	for i := range d.block.Rows {
		if t := d.block.Rows[i].Thing; t != nil && w.IsDead(*t) {
			return *t, true
		}
	}
	return event.Event{}, false
}

// pairEvent returns the event of a closed or retired pair, with the pair that follows.
// Next and active pairs have no events of their own.
func (d *deriving) pairEvent(t *event.Event) Event {
	rotated := Rotated{Retired: fairness.FromCovered(*t)}
	as, ends := map[string]Type{fairness.ClosingState: SeedClosed, fairness.RetiredState: SeedRotated}[rotated.Retired.State]
	if !ends {
		return Event{}
	}
	for i := range d.block.Rows {
		next := d.block.Rows[i].Thing
		if next != nil && next.Kind == event.Pair && next.ID == rotated.Retired.Next && next.Value("state") == fairness.ActiveState {
			rotated.Next = fairness.FromCovered(*next)
		}
	}
	return Event{Type: as, Subject: t.ID, Wallet: t.Wallet, Data: rotated}
}

func protectedNow(t *event.Event) Event {
	p := player.FromCovered(*t)
	return Event{
		Type: protected[audit.Action(t.Value("action"))], Subject: string(t.Wallet), Wallet: t.Wallet, Agent: p.Agent,
		Data: Player{
			Agent: p.Agent, CreatedAt: p.CreatedAt, Protection: p.Protection,
			By: wallet.Address(t.Value("by")), From: t.Value("from"), Record: t.ID,
		},
	}
}

// alarmEvent returns the event of an alarm's change.
func alarmEvent(t *event.Event) Event {
	a := alarm.FromCovered(*t)
	e := Event{Type: AlarmRaised, Subject: a.ID, Agent: a.Agent, Data: Alarm{a}}
	switch {
	case !a.Open():
		e.Type = AlarmCleared
	case t.Was != "":
		e.Type = AlarmAcknowledged
	}
	return e
}

// openRoundEvent returns the event of a continuing round. The Round itself announces its
// end.
func openRoundEvent(t *event.Event) Event {
	o, ok := bet.FromCovered(*t)
	if !ok || o.Ended {
		return Event{}
	}
	opened, stepped := RoundOpened, RoundStepped
	if o.IsShared() {
		opened, stepped = CrashBet, CrashCashedOut
	}
	e := Event{Type: stepped, Subject: o.ID, Wallet: o.Wallet, Agent: o.Agent, At: o.TouchedAt, Data: Open{o}}
	if t.Was == "" {
		e.Type = opened
	}
	return e
}
