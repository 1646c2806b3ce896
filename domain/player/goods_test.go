package player_test

import (
	"testing"
	"time"

	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/session"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// lawful is a change that keeps the law, with its item and what that sees.
type lawful struct {
	item player.Item
	view player.View
	c    player.Change
}

// goods are lawful changes of each sort, made anew for each breach.
var goods = map[string]func(t *testing.T) lawful{
	"sign-in": good(stranger, func(v player.View) (player.Change, error) {
		return player.SignIn(v, player.SignInRequest{Wallet: alice, Agent: "north", Login: player.Login{Wallet: alice}, First: spare(1), Next: spare(2), ClientSeed: "s", At: at,
			Session: session.Session{Wallet: alice, IssuedAt: at, Until: at.Add(time.Hour)}, AuditID: "a1", SessionAuditID: "a2"})
	}),
	"renewal": good(outlivedView, renewed),
	"end":     good(nil, func(v player.View) (player.Change, error) { return player.EndSessions(v, "a1", "q1", at) }),
	"rebind": good(nil, func(v player.View) (player.Change, error) {
		return player.Rebind(v, player.RebindRequest{By: boss, Policy: rbac.DefaultPolicy(), Agent: "south", AuditID: "a1", At: at})
	}),
	"rotate": good(pairedView, func(v player.View) (player.Change, error) {
		return player.Rotate(v, player.RotationRequest{ClientSeed: "new", Spare: spare(3), At: at})
	}),
	"repeat": good(pairedView, func(v player.View) (player.Change, error) {
		return player.Rotate(v, player.RotationRequest{ClientSeed: "mine", Spare: spare(3), At: at})
	}),
	"deposit": good(standing(deposit.Pending, ""), func(v player.View) (player.Change, error) { return player.ReceiveDeposit(v, claim(), 300, at) }),
	"claim": good(standing(deposit.Pending, ""), func(v player.View) (player.Change, error) {
		return player.ClaimDeposit(v, claim(), deposit.Verdict{Status: deposit.Review}, at)
	}),
	"adjust": good(nil, func(v player.View) (player.Change, error) {
		return player.Adjust(v, player.Adjustment{ID: "x1", Wallet: alice, Token: money.SOL, Amount: 7, By: boss, At: at}, "a1", "q1")
	}),
	"debit adjust": good(nil, func(v player.View) (player.Change, error) {
		return player.Adjust(v, player.Adjustment{ID: "x1", Wallet: alice, Token: money.SOL, Amount: -7, By: boss, At: at}, "a1", "q1")
	}),
	"fund": good(funded, func(v player.View) (player.Change, error) {
		return player.Fund(v, player.Funding{ID: "f1", Ref: north, Amount: 9, At: at}, "a1", "q1")
	}),
	"unfund": good(funded, func(v player.View) (player.Change, error) {
		return player.Fund(v, player.Funding{ID: "f1", Ref: north, Amount: -9, At: at}, "a1", "q1")
	}),
	"limit": good(funded, func(v player.View) (player.Change, error) {
		return player.SetCreditLimit(v, player.CreditLimitRequest{CreditLimit: player.CreditLimit{Ref: north, Amount: 60}, By: boss, Policy: rbac.DefaultPolicy(), At: at})
	}),
	"ask": good(nil, func(v player.View) (player.Change, error) {
		return player.RequestApproval(v, player.ApprovalRequest{ID: "p1", Request: request().Request, By: finance, Policy: rbac.DefaultPolicy(), At: at})
	}),
	"decide": good(pending, func(v player.View) (player.Change, error) {
		return player.DecideApproval(v, player.ApprovalDecision{ID: "p1", By: boss, Policy: rbac.DefaultPolicy(), At: at}, nil)
	}),
	"withdraw": good(nil, func(v player.View) (player.Change, error) {
		feeTerms := terms()
		feeTerms.NewAccountFee = 50
		return player.Withdraw(v, player.WithdrawalRequest{ID: "w1", Terms: feeTerms, Amount: 600, Destination: withdrawal.Destination{Address: payee}, At: at})
	}),
	"bring back": good(func(v *player.View) { v.Balances = nil }, func(v player.View) (player.Change, error) { return player.BringBack(v, lost()) }),
	"approve": good(holding(withdrawal.Pending), func(v player.View) (player.Change, error) {
		return player.Approve(v, player.WithdrawalDecision{ID: "w1", By: finance, Policy: rbac.DefaultPolicy(), Terms: terms(), At: at})
	}),
	"cancel": good(holding(withdrawal.Pending), func(v player.View) (player.Change, error) { return player.Cancel(v, "w1", at) }),
	"sign": good(holding(withdrawal.Approved), func(v player.View) (player.Change, error) {
		return player.Sign(v, withdrawal.Attempt{WithdrawalID: "w1", Number: 1, Signature: "s1"}, at)
	}),
	"dead": good(holding(withdrawal.Sending), func(v player.View) (player.Change, error) {
		return player.Settle(v, "w1", 2, withdrawal.Outcome{Status: withdrawal.Dead}, at)
	}),
	"launch": good(launched(), func(v player.View) (player.Change, error) {
		return player.Launch(v, player.ProviderLaunch{Connection: "goldapi", Token: money.SOL, Scale: 2, At: at})
	}),
	"bet":     good(launched(), callback(seamless.Debit, "5", "")),
	"refused": good(launched(), callback(seamless.Debit, "500", "")),
	"win": good(launched(func(v *player.View) {
		v.Seamless = map[seamless.Ref]seamless.RoundMatch{spin: {Latest: staked("t0", at)}}
	}), callback(seamless.Credit, "", "7")),
	"asking":    good(launched(prepaid(500, 0)), callback(seamless.Debit, "5", "", forwarded)),
	"delivered": good(launched(prepaid(500, 0)), callback(seamless.Credit, "", "7", forwarded)),
	"answer": good(delivering(seamless.Debit, seamless.Debit, seamless.Asking), func(v player.View) (player.Change, error) {
		return player.SettleDelivery(v, player.DeliveryResponse{DeliveryID: "o1", Sent: seamless.Asking, Site: northSite, Event: seamless.SiteAccepted, At: at,
			Caps: player.ProviderCaps{NetWin: 1_000, WithoutDebit: 1_000, Connection: 1_000}})
	}),
	"round": func(t *testing.T) lawful { return played(t, money.Ratio{Num: 2, Den: 1}) },
	"loss":  func(t *testing.T) lawful { return played(t, money.Ratio{Num: 0, Den: 1}) },
	"void":  func(t *testing.T) lawful { return played(t, money.Ratio{}) },
	"last": func(t *testing.T) lawful {
		return played(t, money.Ratio{Num: 0, Den: 1}, func(v *player.View) { v.Pair.Nonce = fairness.RoundsMax - 1 })
	},
	"open":  good(pairedView, func(v player.View) (player.Change, error) { return opened(v, "rungs", 4) }),
	"climb": good(climbing("rungs", 4), func(v player.View) (player.Change, error) { return stepped(v, fakes.Climb) }),
	"cash":  good(climbing("rungs", 4), func(v player.View) (player.Change, error) { return stepped(v, fakes.CashOut) }),
	"stake": good(climbing("doubles", 1), func(v player.View) (player.Change, error) { return stepped(v, fakes.Double) }),
	"close": good(climbing("rungs", 4), func(v player.View) (player.Change, error) { return voided(v) }),
	"last open": good(func(v *player.View) { pairedView(v); v.Pair.Nonce = fairness.RoundsMax - 1 },
		func(v player.View) (player.Change, error) { return opened(v, "rungs", 4) }),
	"closed":       good(closing, func(v player.View) (player.Change, error) { return stepped(v, fakes.CashOut) }),
	"open renewal": good(func(v *player.View) { climbing("rungs", 4)(v); outlived(v) }, renewed),
	"break":        good(climbing("breaksAt", 1), func(v player.View) (player.Change, error) { return stepped(v, fakes.Climb) }),
}

func renewed(v player.View) (player.Change, error) {
	return player.SignIn(v, player.SignInRequest{Wallet: alice, Login: player.Login{Wallet: alice, Timestamp: at.UnixMilli()}, First: spare(3), Next: spare(4),
		ClientSeed: "s", At: at, SessionAuditID: "a2"})
}

func pairedView(v *player.View) {
	v.Pair = fairness.NewPair(spare(1), spare(2), "mine", at)
	v.Pair.Nonce = 5
}

// outlivedView has a pair of an epoch before the present one.
func outlivedView(v *player.View) {
	pairedView(v)
	v.Control = &control.State{Epoch: 2, EpochAt: at}
}

func played(t *testing.T, multiplier money.Ratio, more ...func(*player.View)) lawful {
	return good(func(v *player.View) {
		pairedView(v)
		for _, change := range more {
			change(v)
		}
	}, func(v player.View) (player.Change, error) {
		return player.Play(v, order(t, multiplier), spare(3), "server's", "a1")
	})(t)
}

func good(view func(*player.View), decide func(player.View) (player.Change, error)) func(t *testing.T) lawful {
	return func(t *testing.T) lawful {
		t.Helper()
		v := known()
		if view != nil {
			view(&v)
		}
		c, err := decide(v)
		if err != nil {
			t.Fatal(err)
		}
		return lawful{seeing(v, c), v, c}
	}
}
