package sqlstore

import (
	"errors"
	"maps"
	"slices"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
)

// holdings is one wallet in a batch: what its items may see, after the items
// before them.
type holdings struct {
	view  player.View
	needs player.Needs // of all its items together
	// stored are the tokens of which the player's balance has a row.
	stored []money.Token
	// held are the balances of its withdrawals' holds.
	held map[string]money.Amount
	// pairs are the states of the seed pairs that are stored, by id.
	pairs map[string]storedPair
	// rows are the transactions that are stored, by id.
	rows map[string]transaction
	// protection is the stored text of what restricts the player.
	protection string
	// broken is why its view can't be made; its items fail with it.
	broken error
}

type storedPair struct {
	state pairState
	nonce int64
}

// newHoldings returns a wallet of which nothing is read yet. Most items look at a
// balance and a seed pair, so that other maps are made when something is put there.
func newHoldings(w wallet.Address) *holdings {
	return &holdings{
		view: player.View{Player: player.Player{Wallet: w}, Balances: map[money.Token]money.Amount{}},
		held: map[string]money.Amount{}, pairs: map[string]storedPair{},
	}
}

// found notes a stored balance of the player's.
func (h *holdings) found(token money.Token, amount money.Amount) {
	h.view.Balances[token] = amount
	h.stored = append(h.stored, token)
}

func put[K comparable, V any](in *map[K]V, key K, value V) {
	if *in == nil {
		*in = map[K]V{}
	}
	(*in)[key] = value
}

// want adds what one more item needs.
func (h *holdings) want(n player.Needs) {
	h.needs.Tokens = union(h.needs.Tokens, n.Tokens)
	h.needs.Withdrawals = union(h.needs.Withdrawals, n.Withdrawals)
	h.needs.Deposits = union(h.needs.Deposits, n.Deposits)
	h.needs.Roles = union(h.needs.Roles, n.Roles)
	h.needs.Launches = union(h.needs.Launches, n.Launches)
	h.needs.Seamless = union(h.needs.Seamless, n.Seamless)
	h.needs.Routes = union(h.needs.Routes, n.Routes)
	h.needs.Approvals = union(h.needs.Approvals, n.Approvals)
	h.needs.Pair, h.needs.Draw = h.needs.Pair || n.Pair, h.needs.Draw || n.Draw
	h.needs.Open = h.needs.Open || n.Open
	h.needs.Unclaimed = h.needs.Unclaimed || n.Unclaimed
}

func union[T comparable](all, more []T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// see is the view of one item: what it asked for and nothing that a neighbour
// asked for, so that no decision depends on who shares its batch.
func (h *holdings) see(n player.Needs) player.View {
	v := player.View{Player: h.view.Player, AgentBlocked: h.view.AgentBlocked}
	v.Balances = only(h.view.Balances, n.Tokens)
	v.Withdrawals = only(h.view.Withdrawals, n.Withdrawals)
	v.Deposits = only(h.view.Deposits, n.Deposits)
	v.Roles = only(h.view.Roles, n.Roles)
	v.Launches = only(h.view.Launches, n.Launches)
	v.Seamless = only(h.view.Seamless, n.Seamless)
	v.Routes = only(h.view.Routes, n.Routes)
	v.Approvals = only(h.view.Approvals, n.Approvals)
	if n.Pair || n.Draw {
		v.Pair = h.view.Pair
	}
	if !n.Pair {
		v.Pair.Next = fairness.NextSeed{}
	}
	if n.Open {
		v.OpenWithdrawals, v.OpenDeposits = h.view.OpenWithdrawals, h.view.OpenDeposits
	}
	if n.Unclaimed {
		v.Unclaimed = maps.Clone(h.view.Unclaimed)
	}
	return v
}

func only[K comparable, V any](all map[K]V, keys []K) map[K]V {
	if len(keys) == 0 {
		return nil
	}
	some := make(map[K]V, len(keys))
	for _, key := range keys {
		if value, ok := all[key]; ok {
			some[key] = value
		}
	}
	return some
}

// after returns the view and the holds after a change, or what is wrong with
// the change: it moves what its item did not declare, leaves its claim untaken,
// or breaks a rule of Apply.
func (h *holdings) after(e *entry, c player.Change) (player.View, map[string]money.Amount, error) {
	if err := errors.Join(ofWallet(e.item.Wallet, c), h.declared(e.item, c), goesForward(h.view.Pair, c), takesOwnRows(e.item, c),
		h.checkApproval(e.item, c.Approval), checkYeses(e.item.Wallet, c.Yeses)); err != nil {
		return player.View{}, nil, err
	}
	next, err := player.Apply(h.view, c)
	if err != nil {
		return player.View{}, nil, wrap("apply", err)
	}
	if c.Round != nil && next.Balances[c.Round.Token] != c.Round.Balance {
		return player.View{}, nil, defect("round %s says balance %d, its transfers make %d",
			c.Round.ID, c.Round.Balance, next.Balances[c.Round.Token])
	}
	if err := playsOn(next, c); err != nil {
		return player.View{}, nil, err
	}
	held, err := h.holdsAfter(c.Postings)
	if err == nil {
		err = h.settles(c, held)
	}
	return next, held, err
}

// settles checks that a withdrawal stays what it was asked as, and that the hold
// has its amount while it is open and nothing afterwards.
func (h *holdings) settles(c player.Change, held map[string]money.Amount) error {
	if c.Withdrawal == nil {
		if !maps.Equal(held, h.held) || c.Attempt != nil || c.DeadAttempt != 0 {
			return defect("a hold or an attempt moved without its withdrawal")
		}
		return nil
	}
	w := c.Withdrawal
	if a := c.Attempt; a != nil && (a.WithdrawalID != w.ID || a.Number != w.Attempt) {
		return defect("attempt %d of withdrawal %s is not its withdrawal's", a.Number, a.WithdrawalID)
	}
	if old, ok := h.view.Withdrawals[w.ID]; ok && (old.Token != w.Token || old.Amount != w.Amount || old.Fee != w.Fee ||
		old.Destination != w.Destination || !old.CreatedAt.Equal(w.CreatedAt)) {
		return defect("withdrawal %s becomes another", w.ID)
	}
	due := money.Amount(0)
	if w.Status.Open() {
		due = w.Held()
	}
	if held[w.ID] != due {
		return defect("withdrawal %s is %s and its hold has %d of %d", w.ID, w.Status, held[w.ID], w.Held())
	}
	return nil
}

// ofWallet checks that a change makes things of its item's wallet only.
func ofWallet(w wallet.Address, c player.Change) error {
	foreign := ""
	switch {
	case c.Player != nil && c.Player.Wallet != w:
		foreign = "player"
	case c.Round != nil && c.Round.Wallet != w:
		foreign = "round"
	case c.Withdrawal != nil && c.Withdrawal.Wallet != w:
		foreign = "withdrawal"
	case c.Deposit != nil && c.Deposit.Wallet != w:
		foreign = "deposit"
	case c.Adjustment != nil && c.Adjustment.Wallet != w:
		foreign = "adjustment"
	case c.Launch != nil && c.Launch.Wallet != w:
		foreign = "launch"
	case c.Seamless != nil && c.Seamless.Wallet != w:
		foreign = "provider's transaction"
	case c.ProviderRound != nil && c.ProviderRound.Wallet != w:
		foreign = "provider's round"
	}
	if foreign != "" {
		return defect("a %s of another wallet in an item of %q", foreign, w)
	}
	if w == "" && (c.Pair != nil || c.Login != nil) {
		return defect("a seed pair or a login of no wallet")
	}
	return nil
}

// declared holds a change against what its item declared: what was not loaded
// under the lock can't be written from memory.
func (h *holdings) declared(item *player.Item, c player.Change) error {
	n := item.Needs
	switch {
	case c.Pair != nil && !n.Pair && h.view.Player.Known() && (!n.Draw || c.Pair.ID != h.view.Pair.ID):
		return defect("a change of the seed pair was not declared")
	case c.Deposit != nil && !slices.Contains(n.Deposits, c.Deposit.Ref):
		return defect("a change of deposit %s was not declared", c.Deposit.ID)
	case c.Launch != nil && !slices.Contains(n.Launches, c.Launch.Connection):
		return defect("a change of the launch at %s was not declared", c.Launch.Connection)
	case c.Seamless != nil && c.Seamless.Kind == seamless.Credit && !slices.Contains(n.Seamless, c.Seamless.Ref):
		return defect("provider transaction %s was not declared", c.Seamless.TxnID)
	}
	for _, r := range c.Routes {
		if _, known := h.view.Routes[r.ID]; known && !slices.Contains(n.Routes, r.ID) {
			return defect("a change of route %s was not declared", r.ID)
		}
	}
	for _, id := range touchedWithdrawals(c) {
		_, known := h.view.Withdrawals[id]
		if known && !slices.Contains(n.Withdrawals, id) {
			return defect("a change of withdrawal %s was not declared", id)
		}
	}
	for _, p := range c.Postings {
		if len(p.Transfers) == 0 || p.Key.Kind == "" || p.Key.ID == "" {
			return defect("posting %v of %d transfers", p.Key, len(p.Transfers))
		}
		for _, t := range p.Transfers {
			for _, a := range [...]ledger.Account{t.Debit, t.Credit} {
				if (a.Kind == ledger.Player && !n.Unclaimed && !slices.Contains(n.Tokens, t.Token)) ||
					(a.Kind == ledger.Unclaimed && !n.Unclaimed) {
					return defect("a transfer of %v in %s was not declared", a, t.Token)
				}
			}
		}
	}
	return nil
}

func touchedWithdrawals(c player.Change) []string {
	var ids []string
	if c.Withdrawal != nil {
		ids = append(ids, c.Withdrawal.ID)
	}
	if c.Attempt != nil {
		ids = append(ids, c.Attempt.WithdrawalID)
	}
	return ids
}

// takesOwnRows checks that an item whose claim is a thing's own row makes that thing.
func takesOwnRows(item *player.Item, c player.Change) error {
	for _, own := range item.Claims {
		made := true
		switch own.Kind {
		case player.RoundID:
			made = c.Round != nil && c.Round.ID == own.ID
		case player.WithdrawalID:
			made = c.Withdrawal != nil && c.Withdrawal.ID == own.ID
		case player.AdjustmentID:
			made = c.Adjustment != nil && c.Adjustment.ID == own.ID
		}
		if !made {
			return defect("the change did not make the %s %q that it claimed", own.Kind, own.ID)
		}
	}
	return nil
}

// holdsAfter returns the balances of the holds after the postings.
func (h *holdings) holdsAfter(postings []ledger.Posting) (map[string]money.Amount, error) {
	held, cloned := h.held, false
	for _, p := range postings {
		for _, t := range p.Transfers {
			if t.Debit.Kind != ledger.Hold && t.Credit.Kind != ledger.Hold {
				continue
			}
			if !cloned {
				held, cloned = maps.Clone(h.held), true
			}
			ok := true
			if t.Debit.Kind == ledger.Hold {
				held[t.Debit.Owner], ok = held[t.Debit.Owner].Sub(t.Amount)
			}
			if ok && t.Credit.Kind == ledger.Hold {
				held[t.Credit.Owner], ok = held[t.Credit.Owner].Add(t.Amount)
			}
			if !ok {
				return nil, defect("posting %v: a hold can't move %d", p.Key, t.Amount)
			}
		}
	}
	return held, nil
}
