package chaos_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/test/fakes"
)

// steppersOf are the players of a casino who play step by step.
type steppersOf struct {
	*party
	steppers []*stepper
	kills    atomic.Int64 // so far
}

// stepper is a player who plays step by step, one request after the other, and so can predict
// every answer.
type stepper struct {
	*signedIn
	of      *steppersOf
	luck    *rand.Rand
	wager   int64
	balance int64
	open    []*held // oldest first
	ended   []*held // with seeds that aren't revealed yet
	answers []sent  // since the last kill that the player knows of
	kills   int64   // that it knows of
	turns   int
	tally   tallied
}

// held is a round with every answer to it.
type held struct {
	game   string
	id     string
	wager  int64
	stake  int64
	states []api.Stepped
}

func (h *held) last() *api.OpenRound { return h.states[len(h.states)-1].Open }

// sent is a request that was answered, and the answer.
type sent struct {
	what   string
	ask    func(context.Context, *client.Client) (api.Stepped, error)
	answer api.Stepped
}

// playedInSteps are the games that players open, each with some configs.
var playedInSteps = []struct {
	game    string
	configs []any
}{
	{"mines", []any{nil, map[string]any{"mines": 5}, map[string]any{"mines": 1}, map[string]any{"mines": 3, "maxMultiplier": 2}}},
	{"dragontower", []any{nil, map[string]any{"difficulty": "medium"}, map[string]any{"difficulty": "expert"}}},
	{"hilo", []any{nil, map[string]any{"maxMultiplier": 5}}},
	{"videopoker", []any{nil}},
	{"blackjack", []any{nil}},
}

// smallWager is the first stake of most of them.
const smallWager = 10_000

// enter signs a player in. Every third one stakes so much that it often lacks money for a further
// stake.
func (w *steppersOf) enter(n int, luck uint64, funds int64, casino mortal) {
	w.Helper()
	s := &stepper{
		signedIn: &signedIn{name: fmt.Sprint("stepper ", n)}, of: w, luck: rand.New(rand.NewPCG(luck, 0)), wager: smallWager, balance: funds,
	}
	if n%3 == 2 {
		s.wager = funds / 5
	}
	noError(w, s.signIn(w.Context(), casino.reach(), ""))
	w.steppers = append(w.steppers, s)
}

// play plays until stop is closed, and comes back after each kill.
func (s *stepper) play(stop <-chan struct{}) {
	for !s.of.Failed() {
		select {
		case <-stop:
			return
		default:
		}
		if s.of.kills.Load() != s.kills {
			s.comesBack()
		}
		switch {
		case len(s.open) == 0 && s.luck.IntN(8) == 0, s.luck.IntN(40) == 0:
			s.rotate()
		case len(s.open) < bet.OpenMax && s.luck.IntN(3) == 0, len(s.open) == 0:
			s.begin()
		default:
			s.step(s.open[s.luck.IntN(len(s.open))])
		}
	}
}

// insists sends a request until its answer is known; false means that it was refused, by one of
// the codes.
func (s *stepper) insists(what string, ask func(context.Context, *client.Client) (api.Stepped, error), codes ...string) (answer api.Stepped, ok bool) {
	s.turns++
	ok = s.of.insistAs(s.signedIn, s.turns, what+" of "+s.name, func(ctx context.Context, c *client.Client) (err error) {
		answer, err = ask(ctx, c)
		return err
	}, codes...)
	if ok {
		if answer.Replayed { // it was done, and its answer was lost
			s.tally.Lost++
		}
		s.answers = append(s.answers, sent{what, ask, answer})
		if s.luck.IntN(6) == 0 {
			s.again(s.answers[len(s.answers)-1])
		}
	}
	return answer, ok
}

// again repeats an answered request, and expects its first answer.
func (s *stepper) again(first sent) {
	s.turns++
	var second api.Stepped
	if !s.of.insistAs(s.signedIn, s.turns, first.what+" of "+s.name+" again", func(ctx context.Context, c *client.Client) (err error) {
		second, err = first.ask(ctx, c)
		return err
	}) {
		return
	}
	s.tally.Again++
	if was, is := jsonOf(first.answer), jsonOf(second); was != is || !second.Replayed {
		s.of.Errorf("%s of %s was answered\n%s\nand again (replayed %v)\n%s", first.what, s.name, was, second.Replayed, is)
	}
}

func (s *stepper) begin() {
	chosen := playedInSteps[s.luck.IntN(len(playedInSteps))]
	wager := min(s.wager, max(smallWager, s.balance/5))
	request := api.PlayRequest{
		GameType: chosen.game, Wager: wager, Token: sol, Config: chosen.configs[s.luck.IntN(len(chosen.configs))],
		IdempotencyKey: fmt.Sprint(s.name, "/", s.turns),
	}
	opened, ok := s.insists("opening "+chosen.game, func(ctx context.Context, c *client.Client) (api.Stepped, error) {
		return c.OpenRound(ctx, request)
	}, "INSUFFICIENT_USER_FUNDS", "WAGER_OUT_OF_RANGE") // the house affords nothing while it counts the open rounds
	if !ok {
		s.tally.Refused++
		return
	}
	s.tally.Rounds++
	h := &held{game: chosen.game, wager: wager}
	s.open = append(s.open, h)
	s.takes(h, opened)
}

// step takes an action that is offered, and sometimes another one at a step that was taken.
func (s *stepper) step(h *held) {
	if before := len(h.states) - 2; before >= 0 && s.luck.IntN(12) == 0 {
		s.otherwise(h, before)
	}
	request := api.StepRequest{Step: h.last().Step, Action: s.chooses(h.last())}
	answer, ok := s.insists(fmt.Sprint("step ", request.Step, " in ", h.game), func(ctx context.Context, c *client.Client) (api.Stepped, error) {
		return c.Step(ctx, h.id, request)
	}, "INSUFFICIENT_USER_FUNDS")
	if !ok {
		s.tally.Refused++
		return
	}
	s.tally.Steps++
	s.takes(h, answer)
}

// otherwise takes an action other than the one taken at a step.
func (s *stepper) otherwise(h *held, step int) {
	if _, ok := s.insists("another step", func(ctx context.Context, c *client.Client) (api.Stepped, error) {
		return c.Step(ctx, h.id, api.StepRequest{Step: step, Action: map[string]any{"type": "cashOut", "in": "another way"}})
	}, "IDEMPOTENCY_CONFLICT"); ok {
		s.of.Errorf("%s took step %d of round %s twice", s.name, step, h.id)
	}
	s.tally.Conflicts++
}

// takes checks an answer against the player's balance, and keeps it.
func (s *stepper) takes(h *held, answer api.Stepped) {
	staked, paid, id := int64(0), int64(0), ""
	switch {
	case answer.Open != nil:
		staked, id = answer.Open.Stake-h.stake, answer.Open.ID
		if answer.Open.Step != len(h.states) || answer.Open.Wager != h.wager {
			s.of.Errorf("%s: state %d of a round is %s", s.name, len(h.states), jsonOf(answer))
		}
	default:
		staked, paid, id = answer.Ended.Wager-h.stake, answer.Ended.Payout, answer.Ended.ID
	}
	if h.id == "" {
		h.id = id
	}
	s.balance += paid - staked
	h.stake += staked
	if len(h.states) > 0 && staked > 0 {
		s.tally.Further++
	}
	if answer.Balance != s.balance || staked < 0 || id != h.id {
		s.of.Errorf("%s has %d after staking %d and winning %d: %s", s.name, s.balance, staked, paid, jsonOf(answer))
	}
	h.states = append(h.states, answer)
	if answer.Ended != nil {
		s.open = slices.DeleteFunc(s.open, func(o *held) bool { return o == h })
		s.ended = append(s.ended, h)
	}
}

// comesBack makes the requests of a client that lost its connection, and repeats all requests
// answered since it last did so.
func (s *stepper) comesBack() {
	s.kills = s.of.kills.Load()
	var rounds []api.OpenRound
	var balances []api.Balance
	s.turns++
	if !s.of.insistAs(s.signedIn, s.turns, "what is open of "+s.name, func(ctx context.Context, c *client.Client) (err error) {
		if rounds, err = c.OpenRounds(ctx); err == nil {
			balances, err = c.Balance(ctx, api.BalanceParams{})
		}
		return err
	}) {
		return
	}
	known := make([]api.OpenRound, len(s.open))
	for i, h := range s.open {
		known[i] = *h.last()
	}
	if is, want := jsonOf(rounds), jsonOf(known); is != want {
		s.of.Errorf("%s has the open rounds\n%s\nand finds\n%s", s.name, want, is)
	}
	for _, b := range balances {
		if b.Token == sol && b.Balance != s.balance {
			s.of.Errorf("%s has %d and finds %d", s.name, s.balance, b.Balance)
		}
	}
	for _, first := range s.answers {
		s.again(first)
	}
	s.answers = nil
}

// rotate requests the seeds of all ended rounds. While a round is open they aren't revealed.
func (s *stepper) rotate() {
	s.turns++
	key, waits := fmt.Sprint(s.name, "/rotation ", s.turns), len(s.open) > 0
	var rotated api.Rotated
	revealed := s.of.insistAs(s.signedIn, s.turns, "a rotation of "+s.name, func(ctx context.Context, c *client.Client) (err error) {
		rotated, err = c.RotateSeed(ctx, api.RotateRequest{IdempotencyKey: key})
		return err
	}, "INVALID_STATE")
	if revealed == waits && !s.of.Failed() {
		s.of.Errorf("%s has %d rounds open: revealed %v", s.name, len(s.open), revealed)
	}
	if !revealed {
		return
	}
	s.tally.Rotations++
	if int(rotated.Revealed.Rounds) != len(s.ended) {
		s.of.Errorf("%s ended %d rounds, the pair has %d", s.name, len(s.ended), rotated.Revealed.Rounds)
	}
	for nonce, h := range byNonce(s.ended) {
		if err := h.folds(rotated.Revealed, int64(nonce)); err != nil {
			s.of.Errorf("round %s of %s: %v", h.id, s.name, err)
		}
		s.tally.Folded++
	}
	s.ended = nil
}

// finish ends open rounds, and gets the seeds revealed.
func (s *stepper) finish() {
	for len(s.open) > 0 && !s.of.Failed() {
		s.step(s.open[0])
	}
	s.rotate()
	s.comesBack()
}

// chooses takes one of the offered actions, with members that its schema allows.
func (s *stepper) chooses(open *api.OpenRound) any {
	var choices []struct {
		Action map[string]any `json:"action"`
		Fields struct {
			Properties map[string]struct {
				Enum     []any `json:"enum"`
				Maximum  int   `json:"maximum"`
				MaxItems int   `json:"maxItems"`
			} `json:"properties"`
		} `json:"fields"`
		Stake int64 `json:"stake"`
	}
	if err := json.Unmarshal(open.Choices, &choices); err != nil {
		s.of.Errorf("%v: %s", err, open.Choices)
		return nil
	}
	choice := choices[s.luck.IntN(len(choices))]
	for _, other := range choices {
		if other.Stake > 0 && other.Stake <= s.balance && s.luck.IntN(2) == 0 {
			choice = other
		}
	}
	if choice.Stake > s.balance && s.luck.IntN(4) > 0 { // mostly it checks its balance
		choice = choices[0]
	}
	for name, field := range choice.Fields.Properties {
		switch {
		case len(field.Enum) > 0:
			choice.Action[name] = field.Enum[s.luck.IntN(len(field.Enum))]
		case field.MaxItems > 0:
			choice.Action[name] = s.luck.Perm(field.MaxItems)[:s.luck.IntN(field.MaxItems+1)]
		default:
			choice.Action[name] = s.luck.IntN(field.Maximum + 1)
		}
	}
	return choice.Action
}

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// credit gives the players their money.
func (w *steppersOf) credit(casino mortal, funds int64) {
	w.Helper()
	admin := casino.admin()
	for _, s := range w.steppers {
		if _, err := admin.AdjustBalance(w.Context(), string(fakes.Wallet(s.name)), api.AdjustRequest{Token: sol, Amount: funds, Reason: "money to play with"}); err != nil {
			w.Fatal(err)
		}
	}
}
