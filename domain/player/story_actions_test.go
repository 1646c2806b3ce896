package player_test

import (
	"fmt"
	"strings"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// decide runs the decision of a verb.
func (s *story) decide(verb string, args []string) (player.Change, error) {
	s.Helper()
	switch verb {
	case "arrives": // before the first sign-in: amount
		return player.Change{Postings: []ledger.Posting{{
			Key: ledger.Key{Kind: ledger.Deposit, ID: s.id()},
			Transfers: []ledger.Transfer{{
				Debit: ledger.System(ledger.Chain), Credit: ledger.UnclaimedOf(alice), Token: money.SOL,
				Amount: money.Amount(s.amount(args[0])),
			}},
		}}}, nil
	case "signs-in": // agent
		return player.SignIn(s.view, player.SignInRequest{
			Wallet: alice, Agent: args[0], Login: player.Login{Wallet: alice, Timestamp: int64(s.n)}, First: s.spare(),
			Next: s.spare(), ClientSeed: "server's", AuditID: s.id(), SessionAuditID: s.id(), At: s.now(),
		})
	case "bets": // wager
		return s.bets(game.Dice(), money.Amount(s.amount(args[0])))
	case "bets-broken":
		return s.bets(brokenGame{game.Dice()}, money.Amount(s.amount(args[0])))
	case "rotates": // client seed or "-", expected commitment
		rotation := player.RotationRequest{ServerClientSeed: "server's", Spare: s.spare(), At: s.now()}
		if args[0] != "-" {
			rotation.ClientSeed = args[0]
		}
		if len(args) > 1 {
			rotation.ExpectedCommitment = strings.ReplaceAll(args[1], "present", s.view.Pair.Commitment)
		}
		return player.Rotate(s.view, rotation)
	case "claims": // transaction, status, amount
		ref := deposit.Ref{Signature: args[0], Token: money.SOL}
		fresh := deposit.Claim{ID: s.id(), Wallet: alice, Ref: ref, Status: deposit.Pending, CreatedAt: s.now()}
		verdict := deposit.Verdict{Status: deposit.Status(args[1])}
		if len(args) > 2 {
			verdict.Amount = money.Amount(s.amount(args[2]))
		}
		return player.ClaimDeposit(s.view, fresh, verdict, s.now())
	case "adjusts": // amount, by
		a := player.Adjustment{
			ID: s.id(), Wallet: alice, Token: money.SOL, Amount: s.amount(args[0]), By: wallet.Address(args[1]), At: s.now(),
		}
		return player.Adjust(s.view, a, s.id(), "request")
	}
	return s.decideWithdrawal(verb, args)
}

func (s *story) bets(rules game.Game, wager money.Amount) (player.Change, error) {
	s.Helper()
	order, err := bet.NewOrder(rules, game.Value{}, wager)
	if err != nil {
		s.Fatal(err)
	}
	order.ID, order.Wallet, order.Terms, order.Bankroll, order.At = s.id(), alice, terms(), money.TotalOf(10_000_000), s.now()
	return player.Play(s.view, order, s.spare(), "server's", s.id())
}

// brokenGame is an embedder's game that fails in the draw.
type brokenGame struct{ game.Game }

type brokenPlan struct{ game.Plan }

func (g brokenGame) Plan(config game.Value, wager money.Amount) (game.Plan, error) {
	plan, err := g.Game.Plan(config, wager)
	return brokenPlan{plan}, err
}

func (brokenPlan) Play(game.Draws) game.Result { panic("the table is lost") }

// decideWithdrawal is decide for verbs about withdrawals, which are named by their
// amount.
func (s *story) decideWithdrawal(verb string, args []string) (player.Change, error) {
	s.Helper()
	amount := money.Amount(s.amount(args[0]))
	id := fmt.Sprint("w-", amount)
	decision := func(by string) player.WithdrawalDecision {
		return player.WithdrawalDecision{
			ID: id, By: wallet.Address(by), Policy: rbac.DefaultPolicy(), Terms: terms(), Note: "fine", Reason: "odd",
			AuditID: s.id(), At: s.now(),
		}
	}
	switch verb {
	case "withdraws": // amount, destination
		to := payee
		if len(args) > 1 {
			to = args[1]
		}
		return player.Withdraw(s.view, player.WithdrawalRequest{
			ID: id, Terms: terms(), Amount: amount, Destination: withdrawal.Destination{Address: to}, At: s.now(),
		})
	case "cancels":
		return player.Cancel(s.view, id, s.now())
	case "approves": // amount, by
		return player.Approve(s.view, decision(args[1]))
	case "rejects": // amount, by
		return player.Reject(s.view, decision(args[1]))
	case "signs": // amount, attempt
		return player.Sign(s.view, withdrawal.Attempt{
			WithdrawalID: id, Number: int(s.amount(args[1])), Signature: id + " signed " + args[1],
		}, s.now())
	case "settles": // amount, attempt, fate
		fates := map[string]withdrawal.Outcome{
			"finalized": {Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: 5, Rent: 10}},
			"errored":   {Status: withdrawal.Errored, Cost: withdrawal.Cost{Fee: 5}, Reason: "no account"},
			"dead":      {Status: withdrawal.Dead}, "landed": {Status: withdrawal.Landed}, "unknown": {},
		}
		return player.Settle(s.view, id, int(s.amount(args[1])), fates[args[2]], s.now())
	}
	s.Fatalf("unknown verb %q", verb)
	return player.Change{}, nil
}

// TestLivesOfPlayers shows every decision as a ledger. The draws of the first pair were
// computed independently of this code: rolls of 76.14, 89.84, 88.83, 90.97, 90.71,
// 13.53, 53.85 and 39.89 at the nonces 0 to 7.
