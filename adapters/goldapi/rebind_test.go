package goldapi_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/ports"
)

// TestAnOpenRoundStaysWithItsAgent binds a player to another agent between a bet and its
// win: the round and its win belong to the old agent, the next round to the new one.
func TestAnOpenRoundStaysWithItsAgent(t *testing.T) {
	t.Parallel()
	for name, newStore := range map[string]func(*testing.T) Store{"memory": inMemory, "SQLite": onSQLite} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, newStore, generous, nil)
			h.agent("acme", agent.Active)
			h.agent("rival", agent.Active)
			boss := h.enter("boss", 0)
			h.grant(boss.address)
			g := h.enterAs("alice", 100_000_000, "acme").launch()
			user := string(g.address)
			h.taken(callback(user, "one", "debit", "10", "0"))
			_, err := h.casino.Admin.Rebind(t.Context(), app.Caller{Wallet: boss.address}, user, "rival", "moved")
			must(t, err)
			h.taken(callback(user, "one", "credit", "0", "25"))
			h.taken(callback(user, "two", "debit_credit", "5", "1"))
			for code, want := range map[string][2]int64{"acme": {10_000_000, 25_000_000}, "rival": {5_000_000, 1_000_000}} {
				rounds := h.roundsOf(code)
				if len(rounds.Rounds) != 1 || int64(rounds.Rounds[0].Wager) != want[0] || int64(rounds.Rounds[0].Payout) != want[1] {
					t.Errorf("%s's rounds: %+v", code, rounds.Rounds)
				}
				sums, err := h.store.Sums(t.Context(), ports.FigureFilter{Agent: code}, ports.Grouping{})
				must(t, err)
				if len(sums) != 1 || sums[0].Cell.Wagered.String() != fmt.Sprint(want[0]) || sums[0].Cell.Paid.String() != fmt.Sprint(want[1]) {
					t.Errorf("%s's figures: %+v", code, sums)
				}
			}
			h.audited()
		})
	}
}

// overtaken is a store in which something happens just before the next commit.
type overtaken struct {
	Store
	before func()
}

func (o *overtaken) Commit(ctx context.Context, item player.Item) (player.Receipt, error) {
	if before := o.before; before != nil {
		o.before = nil
		before()
	}
	return o.Store.Commit(ctx, item)
}

// TestABetIsOfOneAgent binds the player to another agent after a bet's agent was read and
// before it is committed: the bet is not taken, and the provider's retry is answered under
// the new agent.
func TestABetIsOfOneAgent(t *testing.T) {
	t.Parallel()
	store := &overtaken{Store: inMemory(t)}
	h := open(t, func(*testing.T) Store { return store }, generous, nil)
	h.agent("acme", agent.Active)
	boss := h.enter("boss", 0)
	h.grant(boss.address)
	g := h.enter("alice", 100_000_000).launch()
	store.before = func() {
		_, err := h.casino.Admin.Rebind(t.Context(), app.Caller{Wallet: boss.address}, string(g.address), "acme", "moved")
		must(t, err)
	}
	bet := callback(string(g.address), "one", "debit", "10", "0")
	if answer := h.post(bet); answer.HTTP != http.StatusServiceUnavailable || g.balance() != 100_000_000 {
		t.Errorf("overtaken: %+v, balance %d", answer, g.balance())
	}
	h.taken(bet)
	if rounds := h.roundsOf("acme").Rounds; len(rounds) != 1 || g.balance() != 90_000_000 {
		t.Errorf("asked again: %+v, balance %d", rounds, g.balance())
	}
	h.audited()
}

// taken posts a callback that must be accepted.
func (h *house) taken(body string) {
	h.Helper()
	if answer := h.post(body); answer.Status != 1 {
		h.Errorf("%s: %+v", body, answer)
	}
}

func (h *house) roundsOf(code string) ports.RoundPage {
	h.Helper()
	page, err := h.store.Rounds(h.Context(), ports.RoundFilter{Agent: code}, ports.Page{Number: 1, Limit: 10})
	must(h.T, err)
	return page
}
