package fakes

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// payout is what a payout's bytes hold.
type payout struct {
	ID          string
	Number      int
	Token       money.Token
	Amount      money.Amount
	Destination string
	Height      uint64 // at which it was signed
	Memo        string

	// What it did when it landed.
	fee, rent money.Amount
	failure   string
}

// Sign serves ports.Payer.
func (c *Chain) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Sign")
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	p := payout{ID: w.ID, Number: w.Attempt + 1, Token: terms.Mint, Amount: w.Amount, Destination: w.Destination, Height: c.height, Memo: w.Memo()}
	if err := c.payable(p); err != nil {
		return withdrawal.Attempt{}, err
	}
	if !c.affords(p) {
		return withdrawal.Attempt{}, fault.New(fault.External, "the treasury can't make this payout at the moment")
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return withdrawal.Attempt{}, err
	}
	return answer(withdrawal.Attempt{
		WithdrawalID: w.ID, Number: p.Number, Signature: Signature(string(raw)), Transaction: raw,
		Blockhash:       string(Mint(fmt.Sprintf("block %d", c.height))),
		LastValidHeight: c.height + ChainBlockhash, Slot: c.height,
	}, lost)
}

// payable refuses payouts that can never work.
func (c *Chain) payable(p payout) error {
	if _, err := wallet.Parse(p.Destination); err != nil || c.Reserved(p.Destination) || c.occupied[p.Destination] {
		return fault.New(fault.InvalidDestination, "destination: can't be paid").With("field", "destination")
	}
	if p.Amount < 1 || p.Token == money.SOL && c.held[holder{p.Destination, money.SOL}]+uint64(p.Amount) < uint64(ChainMinimum) {
		return fault.New(fault.AmountOutOfRange, "amount: is too small to keep the destination's account alive").With("field", "amount")
	}
	return nil
}

// rentOf is what the destination's token account costs, nothing when it has one.
func (c *Chain) rentOf(p payout) money.Amount {
	if _, opened := c.held[holder{p.Destination, p.Token}]; opened || p.Token == money.SOL {
		return 0
	}
	return ChainAccountRent
}

func (c *Chain) affords(p payout) bool {
	lamports := uint64(ChainFee + c.rentOf(p))
	if p.Token == money.SOL {
		lamports += uint64(p.Amount)
	} else if c.held[holder{house, p.Token}] < uint64(p.Amount) {
		return false
	}
	return c.held[holder{house, money.SOL}] >= lamports
}

// Send serves ports.Payer. Bytes that land too late, or twice, or without a fee
// to pay, are dropped as a chain drops them.
func (c *Chain) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := read(attempt)
	if err != nil {
		return err
	}
	lost, err := c.enter(ctx, "Send")
	if err != nil {
		return err
	}
	c.land(p, attempt.Signature)
	if lost {
		return errUnreachable
	}
	return nil
}

func read(attempt withdrawal.Attempt) (payout, error) {
	var p payout
	if err := json.Unmarshal(attempt.Transaction, &p); err != nil || Signature(string(attempt.Transaction)) != attempt.Signature {
		return p, fmt.Errorf("fakes: attempt %d of %s: the stored transaction is another one", attempt.Number, attempt.WithdrawalID)
	}
	return p, nil
}

func (c *Chain) land(p payout, signature string) {
	_, twice := c.landed[signature]
	sol := holder{house, money.SOL}
	if twice || c.height > p.Height+ChainBlockhash || c.held[sol] < uint64(ChainFee) {
		return
	}
	p.fee = ChainFee
	from, to := holder{house, p.Token}, holder{p.Destination, p.Token}
	gained := map[money.Token]int64{}
	if c.affords(p) {
		p.rent = c.rentOf(p)
		c.held[from] -= uint64(p.Amount)
		c.held[to] += uint64(p.Amount)
		gained[p.Token] -= int64(p.Amount)
	} else {
		p.failure = "the treasury holds too little"
	}
	c.held[sol] -= uint64(p.fee + p.rent)
	gained[money.SOL] -= int64(p.fee + p.rent)
	after := [2]uint64{c.held[from], c.held[to]}
	before := after
	if p.failure == "" {
		before[0], before[1] = after[0]+uint64(p.Amount), after[1]-uint64(p.Amount)
	}
	seen := c.observation(signature, p.Token, [2]string{house, p.Destination}, before, after)
	seen.Signers, seen.Failed = []string{house}, p.failure != ""
	c.keep(signature, &landed{height: c.height, seen: seen, gained: gained, payout: &p, memo: p.Memo})
}

// Outcome serves ports.Payer.
func (c *Chain) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := read(attempt)
	if err != nil {
		return withdrawal.Outcome{}, err
	}
	lost, err := c.enter(ctx, "Fate")
	if err != nil {
		return withdrawal.Outcome{}, err
	}
	found, ok := c.landed[attempt.Signature]
	switch {
	case !ok && c.final(p.Height+ChainBlockhash+1):
		return answer(withdrawal.Outcome{Status: withdrawal.Dead, Slot: c.height - ChainFinality}, lost)
	case !ok:
		return answer(withdrawal.Outcome{}, lost)
	case !c.final(found.height):
		return answer(withdrawal.Outcome{Status: withdrawal.Landed}, lost)
	}
	outcome := withdrawal.Outcome{
		Status: withdrawal.Finalized, Cost: withdrawal.Cost{Fee: found.payout.fee, Rent: found.payout.rent}, Reason: found.payout.failure,
	}
	if outcome.Reason != "" {
		outcome.Status = withdrawal.Errored
	}
	return answer(outcome, lost)
}
