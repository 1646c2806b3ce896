package player_test

import (
	"errors"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/test/fakes"
)

// TestRefusedBetsSayWhatTheyWereDecidedOn has a bet and an opening refused in every way for
// which the pair is known.
func TestRefusedBetsSayWhatTheyWereDecidedOn(t *testing.T) {
	t.Parallel()
	play := func(v player.View, change func(*bet.Placed)) error {
		o := order(t, money.Ratio{Num: 2, Den: 1})
		change(&o.Placed)
		_, err := player.Play(v, o, spare(3), "server's", "a1")
		return err
	}
	open := func(v player.View, change func(*bet.Placed)) error {
		opening, err := bet.NewOpening(fakes.Ladder(), ladderOf("rungs", 4), 1_000)
		if err != nil {
			t.Fatal(err)
		}
		opening.ID, opening.Wallet, opening.Terms, opening.Bankroll, opening.At = "o1", alice, terms(), money.TotalOf(1<<40), at
		change(&opening.Placed)
		_, err = player.OpenRound(v, player.OpenRequest{Opening: opening, Voiding: voiding()})
		return err
	}
	for name, row := range map[string]struct {
		view  func(*player.View)
		place func(*bet.Placed)
		want  fault.Kind
		only  string // "play" or "open"
	}{
		"the pair is used up": {view: func(v *player.View) { v.Pair.Nonce = 1 << 62 }, want: fault.InvalidState},
		"frozen":              {view: func(v *player.View) { v.Player.Protection.Frozen = true }, want: fault.PlayerFrozen},
		"excluded":            {view: func(v *player.View) { v.Player.Protection.Excluded = true }, want: fault.PlayerExcluded},
		"of a blocked agent":  {view: func(v *player.View) { v.AgentBlocked = true }, want: fault.BlockedAgent},
		"switched off":        {view: func(v *player.View) { v.GameDisabled = true }, want: fault.GameDisabled},
		"paused":              {view: func(v *player.View) { v.Control.Pauses = []control.PlayPause{{}} }, want: fault.Maintenance},
		"above a limit": {view: func(v *player.View) {
			v.Player.Protection = known().Player.Protection
			for i := range v.Player.Protection.Limits {
				v.Player.Protection.Limits[i].Amount = 0
			}
		}, want: fault.LimitExceeded},
		"too early": {view: func(v *player.View) { v.Player.Protection.LastRound = at }, place: func(p *bet.Placed) { p.Pace = time.Minute },
			want: fault.RateLimited},
		"too many open": {view: func(v *player.View) { v.OpenRounds = manyOpen(bet.OpenMax) }, want: fault.TooManyOpen, only: "open"},
		"too large":     {place: func(p *bet.Placed) { p.Terms.MinWager, p.Terms.MaxWager = 1, 1 }, want: fault.WagerOutOfRange},
		"no capital":    {place: func(p *bet.Placed) { p.Bankroll = money.Total{} }, want: fault.WagerOutOfRange},
		"no room":       {place: func(p *bet.Placed) { p.Bankroll = money.TotalOf(2) }, want: fault.WagerOutOfRange},
		"no money":      {view: func(v *player.View) { v.Balances[money.SOL] = 1 }, want: fault.InsufficientFunds},
	} {
		for kind, decide := range map[string]func(player.View, func(*bet.Placed)) error{"play": play, "open": open} {
			if row.only != "" && row.only != kind {
				continue
			}
			v := known()
			v.Player.Protection.Limits = nil
			pairedView(&v)
			v.Control = &control.State{Ledger: "l1", Epoch: v.Pair.Epoch}
			v.Exposed = &bet.Exposed{}
			if row.view != nil {
				row.view(&v)
			}
			var placed bet.Placed
			err := decide(v, func(p *bet.Placed) {
				if row.place != nil {
					row.place(p)
				}
				placed = *p
			})
			var refused *refusal.Refused
			if !fault.Is(err, row.want) || !errors.As(err, &refused) {
				t.Errorf("%s, %s: %v (%T)", name, kind, err, err)
				continue
			}
			if refused.Ledger != "l1" || refused.Epoch != v.Pair.Epoch || refused.Commitment != v.Pair.Commitment || refused.Nonce != v.Pair.Nonce ||
				refused.Balance != v.Balances[money.SOL] || refused.OpenRounds != int64(len(v.OpenRounds)) || !refused.At.Equal(placed.At) ||
				refused.MinWager != placed.Terms.MinWager || refused.MaxWager != placed.Terms.MaxWager || refused.MaxPayout != placed.Terms.MaxPayout {
				t.Errorf("%s, %s: %+v", name, kind, refused)
			}
			if short := row.want == fault.WagerOutOfRange; refused.Allow(1_000) == short && refused.CouldPay > 0 {
				t.Errorf("%s, %s: the figures admit it: %v, %+v", name, kind, !short, refused.Figures)
			}
		}
	}
	stale := known()
	pairedView(&stale)
	stale.Control = &control.State{Epoch: stale.Pair.Epoch + 1}
	for kind, err := range map[string]error{
		"play": play(stale, func(*bet.Placed) {}), "for its caller": player.Refuse(stale, errors.New("?"), bet.Placed{}),
	} {
		if errors.As(err, new(*refusal.Refused)) || !fault.Is(err, fault.InvalidToken) {
			t.Errorf("%s, of an earlier epoch: %v", kind, err)
		}
	}
}
