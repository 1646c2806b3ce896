package memory

import (
	"errors"
	"fmt"

	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
)

// check holds a change against what the store must never come to hold. What it
// refuses is a defect of a decision; it runs before anything is kept, so that a
// change is kept whole or not at all.
func (s *Store) check(item player.Item, before, after player.View, c player.Change) error {
	if item.Wallet == "" && (c.Player != nil || c.Pair != nil || c.Round != nil || c.Withdrawal != nil ||
		c.Deposit != nil || c.Adjustment != nil || c.Login != nil || c.Launch != nil || c.Seamless != nil || c.Routes != nil) {
		return errors.New("an item without a wallet changes a player")
	}
	if !declared(item.Needs, before, c) {
		return errors.New("it changes what it did not ask to see")
	}
	if !made(item.Claims, c) {
		return errors.New("it claims an id and makes nothing under it")
	}
	for _, rule := range []func(before, after player.View, c player.Change) error{
		s.checkOwner, s.checkPair, s.checkRound, s.checkLines, s.checkAttempt, s.checkApproval, s.checkAudit, s.checkSeamless, s.checkRoutes,
		s.checkPostings,
	} {
		if err := rule(before, after, c); err != nil {
			return err
		}
	}
	return nil
}

// made says that an item whose claim is the row of a thing makes that thing.
func made(claims []player.Claim, c player.Change) bool {
	for _, claim := range claims {
		switch {
		case claim.Kind == player.RoundID && (c.Round == nil || c.Round.ID != claim.ID),
			claim.Kind == player.WithdrawalID && (c.Withdrawal == nil || c.Withdrawal.ID != claim.ID),
			claim.Kind == player.AdjustmentID && (c.Adjustment == nil || c.Adjustment.ID != claim.ID):
			return false
		}
	}
	return true
}

// checkOwner says that one wallet's item changes nobody else's things.
func (s *Store) checkOwner(before, _ player.View, c player.Change) error {
	w := before.Player.Wallet
	switch {
	case c.Player != nil && c.Player.Wallet != w,
		c.Login != nil && c.Login.Wallet != w,
		c.Round != nil && c.Round.Wallet != w,
		c.Withdrawal != nil && c.Withdrawal.Wallet != w,
		c.Deposit != nil && c.Deposit.Wallet != w,
		c.Adjustment != nil && c.Adjustment.Wallet != w,
		c.Launch != nil && c.Launch.Wallet != w,
		c.Seamless != nil && c.Seamless.Wallet != w,
		c.ProviderRound != nil && c.ProviderRound.Wallet != w:
		return errors.New("it changes another wallet")
	}
	return nil
}

// checkPair says that pairs only go forward: the nonce of the active one rises,
// and the next one follows it in the change that retires it.
func (s *Store) checkPair(before, after player.View, c player.Change) error {
	old, next := before.Pair, after.Pair
	switch {
	case c.Pair == nil && c.Retired == nil:
		return nil
	case c.Pair == nil:
		return errors.New("a pair retires without another")
	case next.Verify() != nil:
		return next.Verify()
	case next.ID == old.ID:
		if c.Retired != nil || next.Nonce < old.Nonce || next.Commitment != old.Commitment ||
			next.ClientSeed != old.ClientSeed || next.ClientSource != old.ClientSource ||
			next.Next.ID != old.Next.ID || next.Next.Commitment != old.Next.Commitment {
			return errors.New("the active pair changes otherwise than by its nonce")
		}
		return nil
	case old.ID != "" && (c.Retired == nil || c.Retired.ID != old.ID || c.Retired.Commitment != old.Commitment ||
		c.Retired.Rounds < old.Nonce || c.Retired.Verify() != nil ||
		next.ID != old.Next.ID || next.Commitment != old.Next.Commitment):
		return errors.New("another pair follows than the one committed to")
	case old.ID == "" && (c.Retired != nil || s.pairs[next.ID] || s.commitments[next.Commitment]):
		return errors.New("a pair or a commitment is used twice")
	case s.pairs[next.Next.ID] || s.commitments[next.Next.Commitment] ||
		next.ID == next.Next.ID || next.Commitment == next.Next.Commitment:
		return errors.New("a pair or a commitment is used twice")
	}
	return nil
}

// checkRound says that a round takes the next nonce of the active pair and that
// the balance it tells is the one booked.
func (s *Store) checkRound(before, after player.View, c player.Change) error {
	if c.Round == nil {
		return nil
	}
	r := c.Round
	taken := after.Pair.Nonce
	if c.Retired != nil {
		taken = c.Retired.Rounds
	}
	switch {
	case s.claims[claimName{player.RoundID, "", r.ID}].Wallet != "":
		return fmt.Errorf("round %q is there already", r.ID)
	case c.Pair == nil || r.PairID != before.Pair.ID || r.Commitment != before.Pair.Commitment ||
		r.ClientSeed != before.Pair.ClientSeed || r.ClientSource != before.Pair.ClientSource:
		return fmt.Errorf("round %q is not of the active pair", r.ID)
	case r.Nonce != before.Pair.Nonce || taken != r.Nonce+1 || s.nonces[nonce{r.PairID, r.Nonce}]:
		return fmt.Errorf("round %q takes nonce %d, %d is next", r.ID, r.Nonce, before.Pair.Nonce)
	case r.Balance != after.Balances[r.Token]:
		return fmt.Errorf("round %q tells balance %d, %d is booked", r.ID, r.Balance, after.Balances[r.Token])
	}
	return nil
}

// checkLines says that every line of an account has an id of its own and that
// what it is about is fixed.
func (s *Store) checkLines(before, _ player.View, c player.Change) error {
	if w := c.Withdrawal; w != nil {
		old, ok := before.Withdrawals[w.ID]
		if !ok && s.has(w.ID) {
			return fmt.Errorf("transaction %q is there already", w.ID)
		}
		if ok && (old.Token != w.Token || old.Amount != w.Amount || old.Fee != w.Fee || old.Destination != w.Destination ||
			!old.CreatedAt.Equal(w.CreatedAt)) {
			return fmt.Errorf("withdrawal %q becomes another", w.ID)
		}
	}
	if d := c.Deposit; d != nil {
		old, ok := before.Deposits[d.Ref]
		if !ok && s.has(d.ID) {
			return fmt.Errorf("transaction %q is there already", d.ID)
		}
		if ok && (old.ID != d.ID || !old.CreatedAt.Equal(d.CreatedAt)) {
			return fmt.Errorf("claim %q becomes another", d.ID)
		}
	}
	if c.Adjustment != nil && s.has(c.Adjustment.ID) {
		return fmt.Errorf("transaction %q is there already", c.Adjustment.ID)
	}
	return nil
}

func (s *Store) checkAttempt(_, after player.View, c player.Change) error {
	if a := c.Attempt; a != nil {
		if after.Withdrawals[a.WithdrawalID].Attempt != a.Number || a.Number != len(s.attempts[a.WithdrawalID])+1 ||
			s.signatures[a.Signature] {
			return fmt.Errorf("attempt %d of withdrawal %q is there already", a.Number, a.WithdrawalID)
		}
	}
	if c.DeadAttempt != 0 && (c.Withdrawal == nil || c.DeadAttempt > len(s.attempts[c.Withdrawal.ID])) {
		return fmt.Errorf("attempt %d is not there", c.DeadAttempt)
	}
	return nil
}

func (s *Store) checkAudit(_, _ player.View, c player.Change) error {
	own := map[string]bool{}
	for _, record := range c.Audit {
		if s.records[record.ID] || own[record.ID] {
			return fmt.Errorf("audit record %q is there already", record.ID)
		}
		own[record.ID] = true
	}
	return nil
}

// checkPostings says that every key is new, that the book will take them all,
// and that a withdrawal's hold has its amount while it is open and nothing
// afterwards. It walks the transfers as Book.Post does, since a book can't take
// one of several postings back.
func (s *Store) checkPostings(_, after player.View, c player.Change) error {
	type holding struct {
		account ledger.Account
		token   money.Token
	}
	balances, keys := map[holding]money.Total{}, map[ledger.Key]bool{}
	move := func(a ledger.Account, token money.Token, by func(money.Total) money.Total) error {
		h := holding{a, token}
		if _, ok := balances[h]; !ok {
			balances[h] = s.book.Balance(a, token)
		}
		balances[h] = by(balances[h])
		if _, ok := balances[h].Amount(); !ok && a.Kind.Liability() {
			return fmt.Errorf("%v would come to %v", a, balances[h])
		}
		return nil
	}
	for _, posting := range c.Postings {
		if _, ok := s.book.Posted(posting.Key); ok || keys[posting.Key] {
			return fmt.Errorf("posting %v is booked already", posting.Key)
		}
		if len(posting.Transfers) == 0 {
			return fmt.Errorf("posting %v moves nothing", posting.Key)
		}
		keys[posting.Key] = true
		for _, t := range posting.Transfers {
			debit := func(total money.Total) money.Total { return total.SubAmount(t.Amount) }
			credit := func(total money.Total) money.Total { return total.AddAmount(t.Amount) }
			if err := errors.Join(move(t.Debit, t.Token, debit), move(t.Credit, t.Token, credit)); err != nil {
				return err
			}
		}
	}
	if w := c.Withdrawal; w != nil {
		h := holding{ledger.HoldOf(w.ID), w.Token}
		if _, moved := balances[h]; !moved {
			balances[h] = s.book.Balance(h.account, h.token)
		}
	}
	for h, total := range balances {
		if h.account.Kind != ledger.Hold {
			continue
		}
		w := after.Withdrawals[h.account.Owner]
		if held := total.Sign() > 0; held != w.Status.Open() || held && total != money.TotalOf(w.Held()) {
			return fmt.Errorf("%v holds %v of a withdrawal of %d that is %s", h.account, total, w.Held(), w.Status)
		}
	}
	return nil
}
