package player_test

import (
	"math"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/approval"
	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

const northSite = "https://north.example/"

// forwarded makes a callback for a player with money at the agent's site.
func forwarded(c *player.ProviderCallback) { c.Site = northSite }

// prepaid gives the agent's account a balance, with a part reserved.
func prepaid(balance int64, reserved money.Amount) func(*player.View) {
	return func(v *player.View) {
		v.Funds = map[agent.FundsRef]agent.Funds{north: {Balance: balance, Reserved: reserved}}
	}
}

// atSite is a transaction in the form sent to the agent's site.
func atSite(kind seamless.Kind, bet, win seamless.Decimal) seamless.Transaction {
	t := answered(kind, seamless.Requested{Bet: bet, Win: win}, 0, 0, 0)
	t.Site, t.Status, t.RoundID = northSite, seamless.Undecided, ""
	return t
}

func TestBetsAreForwardedToTheAgentsSite(t *testing.T) {
	t.Parallel()
	asks := func(t seamless.Transaction) func(player.View) player.Change {
		return func(v player.View) player.Change {
			moved, ok := v.Player.Protection.AddBet(money.SOL, 500, 0, at)
			return player.Change{Deliveries: []seamless.Delivery{seamless.NewDelivery(t, "t1", seamless.Debit, 500)}, Player: metered(v, moved, ok)}
		}
	}
	refused := func(reason seamless.Reason) func(player.View) player.Change {
		return func(player.View) player.Change {
			t := atSite(seamless.Debit, "5", "")
			t.Status, t.Reason = seamless.Refused, reason
			return player.Change{Seamless: &t}
		}
	}
	poor := func(v *player.View) { v.Balances[money.SOL] = 0 } // the balance is at the site
	run(t, []decided{
		{name: "a bet", view: launched(prepaid(500, 0), poor), decide: callback(seamless.Debit, "5", "", forwarded), want: asks(atSite(seamless.Debit, "5", ""))},
		{name: "a whole round", view: launched(prepaid(700, 200)), decide: callback(seamless.DebitCredit, "5", "7", forwarded),
			want: asks(atSite(seamless.DebitCredit, "5", "7"))},
		{name: "beyond the agent's funds", view: launched(prepaid(699, 200)), decide: callback(seamless.Debit, "5", "", forwarded), want: refused(seamless.AgentFunds)},
		{name: "of a frozen player", view: launched(prepaid(0, 0), func(v *player.View) { v.Player.Protection.Frozen = true }),
			decide: callback(seamless.Debit, "5", "", forwarded), want: refused(seamless.PlayerFrozen)},
		{name: "without the funds in view", view: launched(), decide: callback(seamless.Debit, "5", "", forwarded), refused: fault.InvalidState},
		{name: "of another agent by now", view: launched(prepaid(500, 0), elsewhere),
			decide: callback(seamless.Debit, "5", "", forwarded, func(c *player.ProviderCallback) { c.SiteAgent = "north" }), refused: fault.Unavailable},
	})
}

func TestWinsAreBookedAndDeliveredToTheAgentsSite(t *testing.T) {
	t.Parallel()
	won := func(amount money.Amount) seamless.Transaction {
		t := atSite(seamless.Credit, "", "7")
		t.Status, t.Win, t.RoundID = seamless.Taken, amount, "t1"
		return t
	}
	reviewed := func(reason seamless.Reason) func(player.View) player.Change {
		return func(v player.View) player.Change {
			t, l := won(700), launch(40, 30)
			t.Status, t.Reason, t.RoundID = seamless.Review, reason, ""
			moved, ok := v.Player.Protection.AddBet(money.SOL, 0, 0, at)
			return player.Change{Seamless: &t, Launch: &l, Player: metered(v, moved, ok)}
		}
	}
	bet := staked("t0", at.Add(-time.Minute))
	bet.Site = northSite
	settles := func(v *player.View) {
		v.Seamless = map[seamless.Ref]seamless.RoundMatch{spin: {Exact: bet}}
	}
	run(t, []decided{
		{name: "without a debit", view: launched(prepaid(math.MaxInt64-700, 0)), decide: callback(seamless.Credit, "", "7", forwarded),
			want: func(v player.View) player.Change {
				change := taken(v, won(700), launch(740, 730))
				booked := won(700)
				change.Deliveries = []seamless.Delivery{seamless.NewDelivery(booked, "t1", seamless.Credit, 700)}
				return change
			}},
		{name: "of a debit, to the site that took it", view: launched(prepaid(0, 0), settles), decide: callback(seamless.Credit, "", "7"),
			want: func(v player.View) player.Change {
				t := won(700)
				change := taken(v, t, launch(740, 30))
				next, _ := bet.With(t)
				change.ProviderRound, change.Seamless.RoundID = &next, "t0"
				change.Deliveries = []seamless.Delivery{seamless.NewDelivery(t, "t1", seamless.Credit, 700)}
				return change
			}},
		{name: "more than the agent's account holds", view: launched(prepaid(math.MaxInt64-699, 0)), decide: callback(seamless.Credit, "", "7", forwarded),
			want: reviewed(seamless.BalanceFull)},
		{name: "beyond a cap", view: launched(prepaid(0, 0)), decide: callback(seamless.Credit, "", "7", forwarded,
			func(c *player.ProviderCallback) { c.Caps.NetWin = 739 }), want: reviewed(seamless.OverNetCap)},
		{name: "without the funds in view", view: launched(), decide: callback(seamless.Credit, "", "7", forwarded), refused: fault.InvalidState},
	})
}

// onItsWay is a delivery of 500 that began a minute ago.
func onItsWay(kind, leg seamless.Kind, status seamless.DeliveryStatus) seamless.Delivery {
	t := atSite(kind, "5", "7")
	t.At = at.Add(-time.Minute)
	r := seamless.NewDelivery(t, "o1", leg, 500)
	r.Status = status
	return r
}

func delivering(kind, leg seamless.Kind, status seamless.DeliveryStatus, more ...func(*player.View)) func(*player.View) {
	return launched(append(more, func(v *player.View) {
		v.Deliveries = map[string]seamless.Delivery{"o1": onItsWay(kind, leg, status)}
		if v.Funds == nil {
			prepaid(5_000, 500)(v)
		}
		v.Player.Protection, _ = v.Player.Protection.AddBet(money.SOL, 500, 0, at.Add(-time.Minute))
	})...)
}

// next is the delivery after a response.
func next(r seamless.Delivery, status seamless.DeliveryStatus, balance money.Amount, site string) seamless.Delivery {
	r.Status, r.Balance, r.Site, r.UpdatedAt = status, balance, site, at
	return r
}

func TestResponsesOfAgentsSites(t *testing.T) {
	t.Parallel()
	const moved = "https://moved.example/"
	respond := func(sent seamless.DeliveryStatus, event seamless.DeliveryEvent) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.SettleDelivery(v, player.DeliveryResponse{
				DeliveryID: "o1", Sent: sent, Site: moved, Event: event, Balance: 4_321, Reason: seamless.InsufficientFunds, CreditID: "o2",
				Caps: player.ProviderCaps{NetWin: 1_000, WithoutDebit: 1_000, Connection: 1_000}, At: at,
			})
		}
	}
	becomes := func(from, to seamless.DeliveryStatus, balance money.Amount, site string) func(player.View) player.Change {
		return func(player.View) player.Change {
			return player.Change{Deliveries: []seamless.Delivery{next(onItsWay(seamless.Debit, seamless.Debit, from), to, balance, site)}}
		}
	}
	refused := func(to seamless.DeliveryStatus, balance money.Amount, site string) func(player.View) player.Change {
		return func(v player.View) player.Change {
			delivery := onItsWay(seamless.Debit, seamless.Debit, seamless.Asking)
			t := delivery.Draft()
			t.Status, t.Reason, t.Balance = seamless.Refused, seamless.InsufficientFunds, balance
			back, ok := v.Player.Protection.RemoveBet(money.SOL, 500, at.Add(-time.Minute), at)
			return player.Change{
				Seamless: &t, Deliveries: []seamless.Delivery{next(delivery, to, balance, site)}, Balance: balance, Player: metered(v, back, ok),
			}
		}
	}
	// paid is the booked bet, with the win of a whole round.
	paid := func(kind seamless.Kind, status seamless.Status, reason seamless.Reason, l seamless.Launch) func(player.View) player.Change {
		return func(v player.View) player.Change {
			delivery := onItsWay(kind, seamless.Debit, seamless.Asking)
			t := delivery.Draft()
			t.Status, t.Reason, t.Bet, t.Balance = status, reason, 500, 4_321
			if kind == seamless.DebitCredit {
				t.Win = 700
			}
			round := seamless.Begin(t)
			t.RoundID = "t1"
			played, ok := v.Player.Protection.AddBet(money.SOL, 0, t.Paid(), at.Add(-time.Minute))
			change := player.Change{
				Seamless: &t, ProviderRound: &round, Launch: &l, Postings: t.Postings(), Balance: 4_321, Player: metered(v, played, ok),
				Deliveries: []seamless.Delivery{next(delivery, seamless.Paid, 4_321, moved)},
			}
			if kind == seamless.DebitCredit && status == seamless.Taken {
				change.Deliveries = append(change.Deliveries, seamless.NewDelivery(t, "o2", seamless.Credit, 700))
			}
			return change
		}
	}
	run(t, []decided{
		{name: "accepted: a bet", view: delivering(seamless.Debit, seamless.Debit, seamless.Asking), decide: respond(seamless.Asking, seamless.SiteAccepted),
			want: paid(seamless.Debit, seamless.Taken, "", launch(-460, 30))},
		{name: "accepted: a whole round", view: delivering(seamless.DebitCredit, seamless.Debit, seamless.Asking), decide: respond(seamless.Asking, seamless.SiteAccepted),
			want: paid(seamless.DebitCredit, seamless.Taken, "", launch(240, 30))},
		{name: "accepted: a whole round beyond a cap", view: delivering(seamless.DebitCredit, seamless.Debit, seamless.Asking, func(v *player.View) {
			v.Launches["goldapi"] = launch(900, 30)
		}), decide: respond(seamless.Asking, seamless.SiteAccepted), want: paid(seamless.DebitCredit, seamless.Review, seamless.OverNetCap, launch(400, 30))},
		{name: "accepted: a whole round that the account can't hold", view: delivering(seamless.DebitCredit, seamless.Debit, seamless.Asking, prepaid(math.MaxInt64-699, 500)),
			decide: respond(seamless.Asking, seamless.SiteAccepted), want: paid(seamless.DebitCredit, seamless.Review, seamless.BalanceFull, launch(-460, 30))},
		{name: "refused: a bet", view: delivering(seamless.Debit, seamless.Debit, seamless.Asking), decide: respond(seamless.Asking, seamless.SiteRefused),
			want: refused(seamless.Declined, 4_321, moved)},
		{name: "no response to a bet", view: delivering(seamless.Debit, seamless.Debit, seamless.Asking), decide: respond(seamless.Asking, seamless.NoResponse),
			want: refused(seamless.Unknown, 0, northSite)},
		{name: "a bet that wasn't sent", view: delivering(seamless.Debit, seamless.Debit, seamless.Asking), decide: respond(seamless.Asking, seamless.NotSent),
			want: refused(seamless.Declined, 0, northSite)},
		{name: "accepted late", view: delivering(seamless.Debit, seamless.Debit, seamless.Unknown), decide: respond(seamless.Asking, seamless.SiteAccepted),
			want: becomes(seamless.Unknown, seamless.Reversing, 4_321, moved)},
		{name: "still no response", view: delivering(seamless.Debit, seamless.Debit, seamless.Unknown), decide: respond(seamless.Unknown, seamless.NoResponse),
			want: becomes(seamless.Unknown, seamless.Unknown, 0, northSite)},
		{name: "given back", view: delivering(seamless.Debit, seamless.Debit, seamless.Reversing), decide: respond(seamless.Reversing, seamless.SiteAccepted),
			want: becomes(seamless.Reversing, seamless.Reversed, 4_321, moved)},
		{name: "a response to the bet while it is given back", view: delivering(seamless.Debit, seamless.Debit, seamless.Reversing),
			decide: respond(seamless.Asking, seamless.SiteAccepted), refused: fault.InvalidState},
		{name: "after the end", view: delivering(seamless.Debit, seamless.Debit, seamless.Paid), decide: respond(seamless.Paid, seamless.SiteAccepted), refused: fault.InvalidState},
		{name: "of nothing known", view: launched(), decide: respond(seamless.Asking, seamless.SiteAccepted), refused: fault.NotFound},
	})
}

func TestAdminsDecideDeliveries(t *testing.T) {
	t.Parallel()
	decide := func(by wallet.Address, event seamless.DeliveryEvent, site string) func(player.View) (player.Change, error) {
		return func(v player.View) (player.Change, error) {
			return player.DecideDelivery(v, player.DeliveryDecision{
				DeliveryID: "o1", Event: event, Site: site, By: by, Policy: rbac.DefaultPolicy(), Reason: "called them", AuditID: "a1", RequestID: "q1", At: at,
			})
		}
	}
	decidedTo := func(to seamless.DeliveryStatus, site string) func(player.View) player.Change {
		return func(player.View) player.Change {
			return player.Change{
				Deliveries: []seamless.Delivery{next(onItsWay(seamless.Credit, seamless.Credit, seamless.Rejected), to, 0, site)},
				Audit: []audit.Record{{
					ID: "a1", Action: audit.DeliveryDecided, By: boss, Target: "o1", Before: "rejected at " + northSite,
					After: string(to) + " at " + site + ": called them", At: at, RequestID: "q1",
				}},
			}
		}
	}
	rejected := delivering(seamless.Credit, seamless.Credit, seamless.Rejected)
	scoped := func(agent string) func(*player.View) {
		return func(v *player.View) {
			rejected(v)
			v.Roles[boss] = rbac.Assignment{Wallet: boss, Role: "superadmin", AgentCode: agent}
		}
	}
	run(t, []decided{
		{name: "sent again", view: rejected, decide: decide(boss, seamless.Resend, "https://moved.example/"), want: decidedTo(seamless.Delivering, "https://moved.example/")},
		{name: "closed", view: rejected, decide: decide(boss, seamless.Close, "https://moved.example/"), want: decidedTo(seamless.Closed, northSite)},
		{name: "by the agent's own", view: scoped("north"), decide: decide(boss, seamless.Close, ""), want: decidedTo(seamless.Closed, northSite)},
		{name: "by another agent's", view: scoped("south"), decide: decide(boss, seamless.Close, ""), refused: fault.NotFound},
		{name: "to no site", view: rejected, decide: decide(boss, seamless.Resend, ""), refused: fault.InvalidAgent},
		{name: "that is no decision", view: rejected, decide: decide(boss, seamless.SiteAccepted, ""), refused: fault.InvalidState},
		{name: "of nothing known", decide: decide(boss, seamless.Close, ""), refused: fault.NotFound},
		{name: "without the permission", view: rejected, decide: decide(finance, seamless.Close, ""), refused: fault.AdminForbidden},
	})
}

// TestWhatAForwardedBetDoesToTheFunds applies the changes of a forwarded bet: it is
// reserved while the site is asked, and moves the account once the site took it.
func TestWhatAForwardedBetDoesToTheFunds(t *testing.T) {
	t.Parallel()
	for event, want := range map[seamless.DeliveryEvent]agent.Funds{
		seamless.SiteAccepted: {Balance: 1_700, Reserved: 100}, seamless.SiteRefused: {Balance: 1_500, Reserved: 100}, seamless.NoResponse: {Balance: 1_500, Reserved: 100},
	} {
		v := known()
		launched(prepaid(1_500, 100), func(v *player.View) { v.Seamless = map[seamless.Ref]seamless.RoundMatch{spin: {}} })(&v)
		asked, err := callback(seamless.DebitCredit, "5", "7", forwarded)(v)
		if err != nil {
			t.Fatal(err)
		}
		after, err := player.Apply(v, asked)
		if err != nil {
			t.Fatal(err)
		}
		if got := after.Funds[north]; got != (agent.Funds{Balance: 1_500, Reserved: 600}) || after.Deliveries["t1"].Status != seamless.Asking {
			t.Errorf("while the site is asked: %+v, %+v", got, after.Deliveries)
		}
		settled, err := player.SettleDelivery(after, player.DeliveryResponse{
			DeliveryID: "t1", Sent: seamless.Asking, Site: northSite, Event: event, CreditID: "o2", Caps: player.ProviderCaps{NetWin: 1_000, WithoutDebit: 1_000, Connection: 1_000}, At: at,
		})
		if err != nil {
			t.Fatal(err)
		}
		last, err := player.Apply(after, settled)
		if err != nil {
			t.Fatal(err)
		}
		if got := last.Funds[north]; got != want {
			t.Errorf("after %s: %+v, want %+v", event, got, want)
		}
		if event == seamless.SiteAccepted && (last.Seamless[spin].Exact.ID != "t1" || last.Launches["goldapi"].Net != 240 || len(last.Deliveries) != 2) {
			t.Errorf("after %s: %+v, %+v, %+v", event, last.Seamless, last.Launches, last.Deliveries)
		}
		if v.Funds[north].Reserved != 100 || len(v.Deliveries) != 0 || v.Seamless[spin].Exact.ID != "" {
			t.Errorf("the first view was changed: %+v", v)
		}
	}
}

func TestApplyKeepsVotesAndRequests(t *testing.T) {
	t.Parallel()
	v := known()
	funded(&v)
	v.Player.Wallet = alice
	v.Votes = []player.Vote{{Of: "w0"}}
	v.AgentBlocked = true
	row := player.Player{Wallet: alice, Agent: "south"}
	after, err := player.Apply(v, player.Change{
		Approval: &approval.Approval{ID: "p1", Status: approval.Open}, Votes: []player.Vote{{Of: "w1"}},
		CreditLimit: &player.CreditLimit{Ref: north, Amount: 70}, Player: &row, Rebinding: &player.Rebinding{From: "north", To: "south"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if after.Approvals["p1"].Status != approval.Open || len(after.Votes) != 2 || after.Votes[0].Of != "w0" || after.Votes[1].Of != "w1" {
		t.Errorf("approvals %+v, votes %+v", after.Approvals, after.Votes)
	}
	if got := after.Funds[north]; got != (agent.Funds{Balance: 1_000, Reserved: 100, CreditLimit: 70}) || v.Funds[north].CreditLimit != 50 {
		t.Errorf("funds %+v, before %+v", got, v.Funds[north])
	}
	if after.AgentBlocked || after.Player.Agent != "south" || !v.AgentBlocked {
		t.Errorf("bound to another agent: %+v", after.Player)
	}
	for amount, want := range map[int64]bool{-950: true, -951: false, 1: true} {
		change := booking(amount, finance)
		moved, err := player.Apply(v, change)
		if (err == nil) != want || want && moved.Funds[north].Balance != 1_000+amount {
			t.Errorf("a booking of %d: %+v, %v", amount, moved.Funds, err)
		}
	}
	v.Funds = nil
	if _, err := player.Apply(v, booking(1, finance)); err == nil {
		t.Error("funds moved that are not in the view")
	}
}
