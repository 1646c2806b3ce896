package fakes

import (
	"context"
	"fmt"
	"sync"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

// The fake chain's pace and prices.
const (
	// SlotsToFinal is how many slots after landing a transaction is final.
	SlotsToFinal = 32
	// BlockhashSlots is for how many slots a signed payout can land.
	BlockhashSlots = 150
	// NetworkFee is what each transaction costs its payer, in lamports.
	NetworkFee money.Amount = 5_000
)

// Chain is a chain in memory that tests fund and move: deposits are made with
// Pay, time passes with Advance, and Fail scripts what goes wrong. It serves
// ports.DepositReader, Payer, ChainProbe and HouseAddresses, and is safe for
// concurrent use. Token accounts are named "<owner>/<mint>".
type Chain struct {
	mu           sync.Mutex
	treasury     string
	slot         uint64
	serial       int
	balances     map[holding]uint64
	transactions map[string]*landed
	failures     map[Call][]error
}

type holding struct {
	owner string
	token money.Token
}

type landed struct {
	slot        uint64
	observation deposit.Observation
}

// Call names a call of the chain for Fail.
type Call string

// The calls that can be made to fail.
const (
	CallObserve Call = "observe"
	CallSign    Call = "sign"
	CallSend    Call = "send"
	CallFate    Call = "fate"
	CallHolding Call = "holding"
	CallHealthy Call = "healthy"
)

// NewChain returns an empty chain whose treasury is the wallet of the name
// "treasury".
func NewChain() *Chain {
	return &Chain{
		treasury: string(Wallet("treasury")), slot: 1_000, balances: map[holding]uint64{},
		transactions: map[string]*landed{}, failures: map[Call][]error{},
	}
}

// Fund gives an owner so much more of a token, out of nowhere.
func (c *Chain) Fund(owner string, token money.Token, amount money.Amount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.balances[holding{owner, token}] += uint64(amount)
}

// Balance returns what an owner holds.
func (c *Chain) Balance(owner string, token money.Token) money.Amount {
	c.mu.Lock()
	defer c.mu.Unlock()
	return money.Amount(c.balances[holding{owner, token}])
}

// Pay lands a transfer from an owner, who signs it, to the treasury and returns
// its signature; the owner pays the fee in SOL. It fails when the owner can't
// pay, and then nothing landed.
func (c *Chain) Pay(from string, token money.Token, amount money.Amount) (signature string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cost := map[money.Token]uint64{money.SOL: uint64(NetworkFee)}
	cost[token] += uint64(amount)
	for token, units := range cost {
		if c.balances[holding{from, token}] < units {
			return "", fmt.Errorf("fakes: %s can't pay %d of %s", from, units, token)
		}
	}
	c.serial++
	signature = Signature(fmt.Sprintf("payment %d", c.serial))
	c.balances[holding{from, money.SOL}] -= uint64(NetworkFee)
	c.transactions[signature] = &landed{slot: c.slot, observation: c.move(signature, from, c.treasury, token, uint64(amount))}
	return signature, nil
}

// move books a transfer and returns what the chain tells of it.
func (c *Chain) move(signature, from, to string, token money.Token, units uint64) deposit.Observation {
	obs := deposit.Observation{Signature: signature, Found: true, Signers: []string{from}}
	for _, side := range []struct {
		owner string
		apply func(uint64) uint64
	}{
		{from, func(held uint64) uint64 { return held - units }},
		{to, func(held uint64) uint64 { return held + units }},
	} {
		key := holding{side.owner, token}
		pre := c.balances[key]
		c.balances[key] = side.apply(pre)
		if token == money.SOL {
			obs.Lamports = append(obs.Lamports, deposit.LamportChange{Address: side.owner, Pre: pre, Post: c.balances[key]})
			continue
		}
		obs.Tokens = append(obs.Tokens, deposit.TokenChange{
			Account: tokenAccount(side.owner, token), Mint: token, Program: splProgram, Decimals: fakeDecimals,
			OwnerPre: side.owner, OwnerPost: side.owner, Pre: pre, Post: c.balances[key],
		})
	}
	return obs
}

// Every token of the fake chain but SOL is of this kind.
const (
	splProgram   = token.SPL
	fakeDecimals = 6
)

func tokenAccount(owner string, token money.Token) string { return owner + "/" + string(token) }

// Advance lets so many slots pass.
func (c *Chain) Advance(slots uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slot += slots
}

// Finalize lets enough slots pass for everything that landed to be final.
func (c *Chain) Finalize() { c.Advance(SlotsToFinal) }

// Fail makes the next calls of a kind fail, in order; a nil error lets its call
// through.
func (c *Chain) Fail(call Call, errs ...error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures[call] = append(c.failures[call], errs...)
}

// scripted takes the next scripted outcome of a call.
func (c *Chain) scripted(call Call) error {
	script := c.failures[call]
	if len(script) == 0 {
		return nil
	}
	c.failures[call] = script[1:]
	return script[0]
}

// Observe tells of a transaction that landed.
func (c *Chain) Observe(_ context.Context, signature string) (deposit.Observation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.scripted(CallObserve); err != nil {
		return deposit.Observation{}, err
	}
	found, ok := c.transactions[signature]
	if !ok {
		return deposit.Observation{Signature: signature}, nil
	}
	obs := found.observation
	obs.Finalized = c.slot >= found.slot+SlotsToFinal
	return obs, nil
}

// Treasury returns where deposits of a token arrive.
func (c *Chain) Treasury(terms token.Terms) (deposit.Treasury, error) {
	treasury := deposit.Treasury{Owner: c.treasury, WrappedSOL: tokenAccount(c.treasury, money.SOL)}
	if terms.Program != token.System {
		treasury.TokenAccount = tokenAccount(c.treasury, terms.Mint)
	}
	return treasury, nil
}

// Sign makes an attempt that can land for BlockhashSlots slots.
func (c *Chain) Sign(_ context.Context, w withdrawal.Withdrawal, _ token.Terms) (withdrawal.Attempt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.scripted(CallSign); err != nil {
		return withdrawal.Attempt{}, err
	}
	c.serial++
	signature := Signature(fmt.Sprintf("payout %d of %s", c.serial, w.ID))
	return withdrawal.Attempt{
		WithdrawalID: w.ID, Number: w.Attempt + 1, Signature: signature,
		Transaction: fmt.Appendf(nil, "%s %d %s", w.Token, w.Amount, w.Destination),
		Blockhash:   Signature("blockhash")[:43], LastValidHeight: c.slot + BlockhashSlots, Slot: c.slot,
	}, nil
}

// Send lands an attempt that can still land, once.
func (c *Chain) Send(_ context.Context, attempt withdrawal.Attempt) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.scripted(CallSend); err != nil {
		return err
	}
	if _, done := c.transactions[attempt.Signature]; done || c.slot > attempt.LastValidHeight {
		return nil
	}
	var mint money.Token
	var units uint64
	var destination string
	if _, err := fmt.Sscanf(string(attempt.Transaction), "%s %d %s", &mint, &units, &destination); err != nil {
		return fmt.Errorf("fakes: not a transaction of this chain: %w", err)
	}
	fee := holding{c.treasury, money.SOL}
	if c.balances[fee] < uint64(NetworkFee) {
		return fault.New(fault.External, "the treasury can't pay the fee")
	}
	c.balances[fee] -= uint64(NetworkFee)
	obs := deposit.Observation{Signature: attempt.Signature, Found: true, Failed: true, Signers: []string{c.treasury}}
	if c.balances[holding{c.treasury, mint}] >= units {
		obs = c.move(attempt.Signature, c.treasury, destination, mint, units)
	}
	c.transactions[attempt.Signature] = &landed{slot: c.slot, observation: obs}
	return nil
}

// Fate tells what became of an attempt; here nothing is ever uncertain.
func (c *Chain) Fate(_ context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.scripted(CallFate); err != nil {
		return withdrawal.Outcome{}, err
	}
	found, ok := c.transactions[attempt.Signature]
	cost := withdrawal.Cost{Fee: NetworkFee}
	switch {
	case !ok && c.slot > attempt.LastValidHeight+SlotsToFinal:
		return withdrawal.Outcome{Fate: withdrawal.Dead}, nil
	case !ok:
		return withdrawal.Outcome{Fate: withdrawal.Unknown}, nil
	case c.slot < found.slot+SlotsToFinal:
		return withdrawal.Outcome{Fate: withdrawal.Landed}, nil
	case found.observation.Failed:
		return withdrawal.Outcome{Fate: withdrawal.Errored, Cost: cost, Reason: "the treasury did not hold enough"}, nil
	}
	return withdrawal.Outcome{Fate: withdrawal.Finalized, Cost: cost}, nil
}

// Genesis returns the fake chain's own genesis hash.
func (c *Chain) Genesis(context.Context) (string, error) { return string(Mint("genesis")), nil }

// Holding returns what the treasury holds of a token.
func (c *Chain) Holding(_ context.Context, terms token.Terms) (money.Amount, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.scripted(CallHolding); err != nil {
		return 0, err
	}
	return money.Amount(c.balances[holding{c.treasury, terms.Mint}]), nil
}

// Healthy returns nil unless a failure was scripted.
func (c *Chain) Healthy(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.scripted(CallHealthy)
}

// TreasuryAddress returns the wallet deposits are sent to.
func (c *Chain) TreasuryAddress() string { return c.treasury }

// Reserved reports whether the address is the treasury.
func (c *Chain) Reserved(address string) bool { return address == c.treasury }
