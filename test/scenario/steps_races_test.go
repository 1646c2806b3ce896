package scenario_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/audit"
	"github.com/casino-service/casino/app/payouts"
	"github.com/casino-service/casino/app/play"
	approunds "github.com/casino-service/casino/app/rounds"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

const stepRacesEach = 24

// TestStepsRace lets an action in an open round meet another request on another instance of the
// service over one database, many times, each time with another player.
func TestStepsRace(t *testing.T) {
	t.Parallel()
	for name, race := range map[string]func(*climber, int){
		"another action": stepMeetsAnother, "the same action": stepMeetsItself, "a rotation": stepMeetsRotation,
		"an exclusion": stepMeetsExclusion, "a withdrawal": stepMeetsWithdrawal, "abandonment": stepMeetsAbandonment,
		"the end of the pair": stepMeetsEndOfPair, "an opening": stepMeetsOpening,
	} {
		for engine, open := range engines {
			t.Run(name+" on "+engine, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, open)
				for n := range stepRacesEach {
					race(h.climber(n), n)
				}
				h.proved()
			})
		}
	}
}

// climber is a player with 200 of 300 left and an open round with a stake of 100.
type climber struct {
	*house
	who  app.Caller
	open bet.Open
}

const climberFunds, climberStake = 300, 100

func (h *house) climber(n int) *climber {
	h.Helper()
	c := &climber{house: h, who: h.player(fmt.Sprint("climber ", n), "")}
	h.fund(c.who, money.SOL, climberFunds)
	c.open = c.opens()
	return c
}

func (c *climber) order() play.PlayRequest {
	return play.PlayRequest{
		GameType: "ladder", Wager: climberStake, Token: string(money.SOL), Config: game.Object(game.Member{Name: "doubles", Value: game.Bool(true)}),
	}
}

func (c *climber) opens() bet.Open {
	c.Helper()
	opened, err := c.Rounds.OpenRound(c.Context(), c.who, c.order())
	c.must(err)
	return *opened.Open
}

// takes returns an action in the round as the player saw it when it was opened.
func (c *climber) takes(action game.Value, result *approunds.StepResult) func(*app.Casino) error {
	return func(casino *app.Casino) (err error) {
		*result, err = casino.Rounds.Step(c.Context(), c.who, approunds.StepRequest{RoundID: c.open.ID, Action: action, Fingerprint: action.String()})
		return err
	}
}

// ends cashes every open round out, and expects this balance then.
func (c *climber) ends(want int64) {
	c.Helper()
	c.cashOut(c.who)
	if got := c.balanceOf(c.who); got != want {
		c.Fatalf("%s has %d, want %d", c.who.Wallet, got, want)
	}
}

// only expects no error but one of a kind, and reports whether there was no error.
func (c *climber) only(err error, kind fault.Kind) bool {
	c.Helper()
	if err != nil && !fault.Is(err, kind) {
		c.Fatal(err)
	}
	return err == nil
}

// sameAnswer expects the first answer to an action again.
func (c *climber) sameAnswer(first, again approunds.StepResult) {
	c.Helper()
	same := first.Balance == again.Balance && (first.Open == nil) == (again.Open == nil) && (first.Round == nil) == (again.Round == nil)
	if same && first.Open != nil {
		same = first.Open.ID == again.Open.ID && first.Open.Stake == again.Open.Stake && first.Open.Actions.Equal(again.Open.Actions) &&
			first.Open.Shown.Equal(again.Open.Shown) && first.Open.Choices.Equal(again.Open.Choices)
	}
	if same && first.Round != nil {
		same = first.Round.ID == again.Round.ID && first.Round.Payout == again.Round.Payout && first.Round.Outcome.Equal(again.Round.Outcome)
	}
	if !same || !again.Replayed {
		c.Fatalf("answered %+v and again %+v", first, again)
	}
}

// revealed reports whether the seed of the player's round is revealed.
func (c *climber) revealed() bool {
	c.Helper()
	page, err := c.Play.SeedHistory(c.Context(), c.who, ports.Page{Limit: 10})
	c.must(err)
	return slices.ContainsFunc(page.Pairs, func(r fairness.Revealed) bool { return r.ID == c.open.PairID })
}

// stepMeetsAnother checks that one of two actions at a step is taken and the other is a conflict;
// repeated, each gets the same answer.
func stepMeetsAnother(c *climber, n int) {
	actions := [2]game.Value{fakes.Double, fakes.CashOut}
	var results [2]approunds.StepResult
	first, second := c.takes(actions[0], &results[0]), c.takes(actions[1], &results[1])
	errs := c.meet(first, second)
	won := 0
	if errs[0] != nil {
		won = 1
	}
	if errs[won] != nil || !fault.Is(errs[1-won], fault.IdempotencyConflict) || results[won].Replayed {
		c.Fatal(errs)
	}
	for _, casino := range []*app.Casino{c.Casino, c.other} {
		var again approunds.StepResult
		c.must(c.takes(actions[won], &again)(casino))
		c.sameAnswer(results[won], again)
		c.only(c.takes(actions[1-won], &again)(casino), fault.IdempotencyConflict)
	}
	c.ends(climberFunds)
}

// stepMeetsItself checks that an action sent to both instances is taken once, and both return its
// result.
func stepMeetsItself(c *climber, n int) {
	action := []game.Value{fakes.Double, fakes.CashOut}[n%2]
	var results [2]approunds.StepResult
	errs := c.meet(c.takes(action, &results[0]), c.takes(action, &results[1]))
	c.must(errs[0])
	c.must(errs[1])
	if results[0].Replayed {
		results[0], results[1] = results[1], results[0]
	}
	if results[0].Replayed {
		c.Fatal("no instance took the action first")
	}
	c.sameAnswer(results[0], results[1])
	c.ends(climberFunds)
}

// stepMeetsRotation checks that seeds are revealed after the round has ended, and never before.
func stepMeetsRotation(c *climber, n int) {
	action := []game.Value{fakes.Double, fakes.CashOut}[n%2]
	var result approunds.StepResult
	errs := c.meet(c.takes(action, &result), func(casino *app.Casino) error {
		_, err := casino.Play.Rotate(c.Context(), c.who, play.RotateRequest{})
		return err
	})
	c.must(errs[0])
	rotated := c.only(errs[1], fault.InvalidState)
	if rotated && result.Open != nil || rotated != c.revealed() {
		c.Fatalf("rotated %v, revealed %v, the round is %+v", rotated, c.revealed(), result)
	}
	c.ends(climberFunds)
}

// stepMeetsExclusion checks that an excluded player stakes nothing further, and can finish.
func stepMeetsExclusion(c *climber, n int) {
	var result approunds.StepResult
	other := c.opens()
	errs := c.meet(c.takes(fakes.Double, &result), func(casino *app.Casino) error {
		_, err := casino.Accounts.Exclude(c.Context(), c.who, time.Time{}, true)
		return err
	})
	c.must(errs[1])
	c.only(errs[0], fault.PlayerExcluded)
	c.open = other
	if c.only(c.takes(fakes.Double, &result)(c.other), fault.PlayerExcluded) {
		c.Fatal("an excluded player stakes more")
	}
	if _, err := c.Rounds.OpenRound(c.Context(), c.who, c.order()); !fault.Is(err, fault.PlayerExcluded) {
		c.Fatalf("an excluded player opens a round: %v", err)
	}
	c.ends(climberFunds)
}

// stepMeetsWithdrawal checks that the rest is staked or withdrawn, and not both.
func stepMeetsWithdrawal(c *climber, n int) {
	var result approunds.StepResult
	errs := c.meet(c.takes(fakes.Double, &result), func(casino *app.Casino) error {
		_, err := casino.Payouts.Withdraw(c.Context(), c.who, payouts.WithdrawalRequest{
			Amount: climberFunds - climberStake, Token: string(money.SOL), Destination: string(c.who.Wallet),
		})
		return err
	})
	staked, withdrawn := c.only(errs[0], fault.InsufficientFunds), c.only(errs[1], fault.InsufficientFunds)
	switch {
	case staked == withdrawn:
		c.Fatalf("both or neither: %v", errs)
	case staked:
		c.ends(climberFunds)
	default:
		c.ends(climberStake)
	}
}

// stepMeetsAbandonment checks that the round continues, or has ended for its player.
func stepMeetsAbandonment(c *climber, n int) {
	c.clock.Advance(approunds.AbandonAfter + time.Second)
	var result approunds.StepResult
	errs := c.meet(c.takes(fakes.Double, &result), func(casino *app.Casino) error {
		worked, err := casino.Rounds.AbandonWorker().Step(c.Context())
		if !worked && err == nil && result.Open == nil {
			return nil // the step came before the worker looked
		}
		return err
	})
	c.must(errs[1])
	taken := c.only(errs[0], fault.InvalidState)
	rounds, err := c.Play.OpenRounds(c.Context(), c.who)
	c.must(err)
	if taken != (len(rounds) == 1) {
		c.Fatalf("taken %v, open %+v", taken, rounds)
	}
	if !taken {
		ended, err := c.Accounts.Round(c.Context(), c.who, c.open.ID)
		c.must(err)
		if ended.Payout != climberStake || ended.Actions.Len() != 1 {
			c.Fatalf("abandoned as %+v", ended)
		}
	}
	c.ends(climberFunds)
}

// stepMeetsEndOfPair checks that an expired pair is revealed once it has no more open rounds.
func stepMeetsEndOfPair(c *climber, n int) {
	c.clock.Advance(fairness.AgeMax)
	action := []game.Value{fakes.Double, fakes.CashOut}[n%2]
	var result approunds.StepResult
	var played play.PlayResult
	errs := c.meet(c.takes(action, &result), func(casino *app.Casino) (err error) {
		played, err = casino.Play.Play(c.Context(), c.who, play.PlayRequest{GameType: "coinflip", Wager: 10, Token: string(money.SOL)})
		return err
	})
	c.must(errs[0])
	c.must(errs[1])
	if result.Open != nil && c.revealed() {
		c.Fatal("the pair of an open round is revealed")
	}
	c.ends(climberFunds - 10 + int64(played.Round.Payout))
	if !c.revealed() {
		c.Fatal("the pair goes on after its time")
	}
}

// stepMeetsOpening checks that a wallet has no more open rounds than allowed, and that one that
// ends makes room for another.
func stepMeetsOpening(c *climber, n int) {
	c.fund(c.who, money.SOL, bet.OpenMax*climberStake)
	for range bet.OpenMax - 2 {
		c.opens()
	}
	opens := func(casino *app.Casino) error {
		_, err := casino.Rounds.OpenRound(c.Context(), c.who, c.order())
		return err
	}
	errs := c.meet(opens, opens)
	if first, second := c.only(errs[0], fault.TooManyOpen), c.only(errs[1], fault.TooManyOpen); first == second {
		c.Fatalf("of two openings for one place: %v", errs)
	}
	var result approunds.StepResult
	errs = c.meet(c.takes(fakes.CashOut, &result), opens)
	c.must(errs[0])
	room := !c.only(errs[1], fault.TooManyOpen)
	if err := opens(c.other); c.only(err, fault.TooManyOpen) != room {
		c.Fatalf("room %v: %v", room, err)
	}
	c.ends(climberFunds + bet.OpenMax*climberStake)
}

// proved checks all stored data, and that all accounts sum up to zero.
func (h *house) proved() {
	h.Helper()
	report, err := audit.NewAuditor(h.store, h.Games, nil).Run(h.Context())
	h.must(err)
	for _, finding := range report.Findings {
		h.Error(finding)
	}
	var sum money.Total
	lines, err := h.store.Totals(h.Context())
	h.must(err)
	for _, line := range lines {
		sum = sum.Add(line.Amount)
	}
	if sum.Sign() != 0 {
		h.Errorf("all accounts add up to %v", sum)
	}
}
