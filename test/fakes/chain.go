package fakes

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// The fees and settlement times of a Chain, in lamports and blocks.
const (
	ChainFee         money.Amount = 5_000     // a payout's network fee
	ChainAccountRent money.Amount = 2_039_280 // for the token account of a first payment in a token
	ChainMinimum     money.Amount = 890_880   // the minimum of an account in SOL
	ChainFinality                 = 31        // blocks until one is finalized
	ChainBlockhash                = 150       // blocks for which a signed payout can land
)

// ChainFault is a failure of one call to a Chain.
type ChainFault uint8

// The faults.
const (
	// NoFault lets a call through, for scripts such as "the third one fails".
	NoFault ChainFault = iota
	// Unreachable: the call never arrives; nothing happens.
	Unreachable
	// AnswerLost: the call is carried out, its answer is lost.
	AnswerLost
)

// Chain is a small blockchain with its adapter: tests make deposits and blocks, payouts land when
// they are sent. Its treasury is Wallet("treasury"). It implements every port to the chain.
type Chain struct {
	mu       sync.Mutex
	terms    map[money.Token]token.Terms
	mints    map[money.Token]token.Mint // those that differ from their terms
	height   uint64
	held     map[holder]uint64
	occupied map[string]bool // addresses that belong to a program
	landed   map[string]*landed
	order    []string    // signatures in the order they landed
	made     int         // number of deposits, for their names
	clock    ports.Clock // of block times
	pruned   uint64      // transactions below this height are forgotten
	down     bool
	script   map[string][]ChainFault
	memos    map[string]ports.Memo
}

// holder is an owner's account of a token.
type holder struct {
	owner string
	token money.Token
}

// landed is a transaction in a block.
type landed struct {
	height uint64
	seen   deposit.Observation
	gained map[money.Token]int64 // by the treasury
	payout *payout
	memo   string
	made   time.Time
}

var (
	_ ports.DepositReader       = (*Chain)(nil)
	_ ports.DepositTransactions = (*Chain)(nil)
	_ ports.DepositHistory      = (*Chain)(nil)
	_ ports.TreasuryHistory     = (*Chain)(nil)
	_ ports.Mints               = (*Chain)(nil)
	_ ports.Payer               = (*Chain)(nil)
	_ ports.ChainProbe          = (*Chain)(nil)
	_ ports.Memos               = (*Chain)(nil)
	_ ports.HouseAddresses      = (*Chain)(nil)
)

// NewChain returns a chain that accepts the tokens and on which all accounts are empty.
func NewChain(tokens ...token.Terms) *Chain {
	c := &Chain{
		terms: map[money.Token]token.Terms{}, height: 1_000, held: map[holder]uint64{}, occupied: map[string]bool{},
		mints: map[money.Token]token.Mint{}, landed: map[string]*landed{}, script: map[string][]ChainFault{}, memos: map[string]ports.Memo{}, clock: NewClock(Start),
	}
	for _, t := range tokens {
		c.terms[t.Mint] = t
	}
	return c
}

// house is the treasury, which signs payouts.
var house = string(Wallet("treasury"))

// Fund creates money at an address, finalized at once: a player before
// a deposit, or the treasury.
func (c *Chain) Fund(address wallet.Address, of money.Token, amount money.Amount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[holder{string(address), of}] += uint64(amount)
}

// Drain removes all that the treasury holds of a token.
func (c *Chain) Drain(of money.Token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.held, holder{house, of})
}

// Occupy makes an address a program's account, which can't be paid.
func (c *Chain) Occupy(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.occupied[address] = true
}

// Held returns the current balance of an address, finalized or not.
func (c *Chain) Held(address string, of money.Token) money.Amount {
	c.mu.Lock()
	defer c.mu.Unlock()
	return money.Amount(c.held[holder{address, of}])
}

// Deposit lands a transaction in which the wallet pays the treasury, and returns
// its signature. It costs the wallet no fee. Paying more than the wallet holds is
// a mistake of the test and panics.
func (c *Chain) Deposit(from wallet.Address, of money.Token, amount money.Amount) string {
	return c.deposit(from, of, uint64(amount), true)
}

// WrappedDeposit lands a payment of SOL that the wallet wrapped, to the treasury's account
// of wrapped SOL.
func (c *Chain) WrappedDeposit(from wallet.Address, amount money.Amount) string {
	signature := c.Deposit(from, money.SOL, amount)
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := &c.landed[signature].seen
	seen.Lamports = nil
	for i, owner := range [2]string{string(from), house} {
		change := deposit.TokenChange{
			Account: accountOf(owner, "wrapped SOL"), Mint: money.SOL, Program: token.SPL, Decimals: 9, OwnerPre: owner, OwnerPost: owner,
		}
		if change.Pre = uint64(amount); i == 1 {
			change.Pre, change.Post = 0, uint64(amount)
		}
		seen.Tokens = append(seen.Tokens, change)
	}
	return signature
}

// FailedDeposit lands a failed transaction, which moved nothing.
func (c *Chain) FailedDeposit(from wallet.Address, of money.Token) string {
	return c.deposit(from, of, 0, false)
}

func (c *Chain) deposit(from wallet.Address, of money.Token, amount uint64, good bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	signature := Signature(fmt.Sprintf("deposit %d", c.made))
	if held := c.held[holder{string(from), of}]; held < amount {
		panic(fmt.Sprintf("fakes: %s holds %d and deposits %d", from, held, amount))
	}
	c.transfer(signature, from, of, amount, good)
	return signature
}

// transfer lands a payment to the treasury. The wallet must hold the amount. The caller holds the
// lock.
func (c *Chain) transfer(signature string, from wallet.Address, of money.Token, amount uint64, good bool) {
	before := [2]uint64{c.held[holder{string(from), of}], c.held[holder{house, of}]}
	after := [2]uint64{before[0] - amount, before[1] + amount}
	c.held[holder{string(from), of}], c.held[holder{house, of}] = after[0], after[1]
	seen := c.observation(signature, of, [2]string{string(from), house}, before, after)
	seen.Signers, seen.Failed = []string{string(from)}, !good
	c.keep(signature, &landed{height: c.height, seen: seen, gained: map[money.Token]int64{of: int64(amount)}})
}

// observation returns two owners' balances as the chain reports them.
func (c *Chain) observation(signature string, of money.Token, owners [2]string, before, after [2]uint64) deposit.Observation {
	seen := deposit.Observation{Signature: signature, Found: true}
	terms := c.terms[of]
	for i, owner := range owners {
		if of == money.SOL {
			seen.Lamports = append(seen.Lamports, deposit.LamportChange{Address: owner, Pre: before[i], Post: after[i]})
			continue
		}
		seen.Tokens = append(seen.Tokens, deposit.TokenChange{
			Account: accountOf(owner, of), Mint: of, Program: terms.Program, Decimals: terms.Decimals,
			OwnerPre: owner, OwnerPost: owner, Pre: before[i], Post: after[i],
		})
	}
	return seen
}

// accountOf names an owner's account of a token.
func accountOf(owner string, of money.Token) string {
	return string(Mint("account of " + owner + " for " + string(of)))
}

// Advance adds empty blocks.
func (c *Chain) Advance(blocks uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.height += blocks
}

// Finalize adds blocks until all landed transactions are finalized.
func (c *Chain) Finalize() { c.Advance(ChainFinality) }

// Expire adds blocks until no payout signed so far can land, and the last of these blocks is
// finalized.
func (c *Chain) Expire() { c.Advance(ChainBlockhash + ChainFinality + 1) }

// SetUnreachable makes every call fail, until it is called with false.
func (c *Chain) SetUnreachable(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = down
}

// Script sets the faults of the next calls of a method, by its name in the ports ("Send"), one
// fault per call. Later calls succeed.
func (c *Chain) Script(method string, faults ...ChainFault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.script[method] = append(c.script[method], faults...)
}

// enter begins a call under the lock: it returns an error if the call never arrives, and whether
// its answer is lost.
func (c *Chain) enter(ctx context.Context, method string) (lost bool, err error) {
	next := NoFault
	if queued := c.script[method]; len(queued) > 0 {
		next, c.script[method] = queued[0], queued[1:]
	}
	if err := ctx.Err(); err != nil {
		return false, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	if c.down || next == Unreachable {
		return false, errUnreachable
	}
	return next == AnswerLost, nil
}

var errUnreachable = fault.New(fault.External, "the chain can't be reached at the moment")

// answer ends a call whose answer may be lost.
func answer[V any](value V, lost bool) (V, error) {
	if lost {
		var none V
		return none, errUnreachable
	}
	return value, nil
}

// final reports whether a block at the height is finalized. The caller holds the lock.
func (c *Chain) final(height uint64) bool { return height+ChainFinality <= c.height }

// Observe implements ports.DepositReader.
func (c *Chain) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	if err := deposit.CheckSignature(signature); err != nil {
		return deposit.Observation{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Observe")
	if err != nil {
		return deposit.Observation{}, err
	}
	found, ok := c.landed[signature]
	switch {
	case !ok:
		return answer(deposit.Observation{Signature: signature}, lost)
	case !c.final(found.height):
		return answer(deposit.Observation{Signature: signature, Found: true}, lost)
	}
	seen := found.seen
	seen.Finalized, seen.Slot = true, found.height
	return answer(seen, lost)
}

// Treasury implements ports.DepositReader.
func (c *Chain) Treasury(terms token.Terms) (deposit.Treasury, error) {
	where := deposit.Treasury{Owner: house, WrappedSOL: accountOf(house, "wrapped SOL")}
	if terms.Program != token.System {
		where.TokenAccount = accountOf(house, terms.Mint)
	}
	return where, nil
}

// Genesis implements ports.ChainProbe.
func (c *Chain) Genesis(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Genesis")
	if err != nil {
		return "", err
	}
	return answer(string(Mint("genesis")), lost)
}

// Holding implements ports.ChainProbe.
func (c *Chain) Holding(ctx context.Context, terms token.Terms) (money.Amount, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Holding")
	if err != nil {
		return 0, err
	}
	held := int64(c.held[holder{house, terms.Mint}])
	for _, t := range c.landed {
		if !c.final(t.height) {
			held -= t.gained[terms.Mint]
		}
	}
	return answer(money.Amount(max(held, 0)), lost)
}

// Healthy implements ports.ChainProbe.
func (c *Chain) Healthy(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Healthy")
	if err == nil && lost {
		err = errUnreachable
	}
	return err
}

// Heights implements ports.ChainHeights.
func (c *Chain) Heights(ctx context.Context) (ports.Heights, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Heights")
	if err == nil && lost {
		err = errUnreachable
	}
	if err != nil {
		return ports.Heights{}, err
	}
	return ports.Heights{LastValid: c.height + ChainBlockhash, Finalized: c.height - min(c.height, ChainFinality)}, nil
}

// Head implements ports.ChainHead: slots are heights, and the time is the clock's.
func (c *Chain) Head(ctx context.Context) (slot uint64, made time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Head")
	if err == nil && lost {
		err = errUnreachable
	}
	if err != nil {
		return 0, time.Time{}, err
	}
	return c.height - min(c.height, ChainFinality), c.clock.Now().Truncate(time.Second), nil
}

// Key implements ports.Memos.
func (c *Chain) Key() (address string, key ed25519.PublicKey) {
	return house, wallet.Address(house).PublicKey()
}

// SignMemo implements ports.Memos.
func (c *Chain) SignMemo(ctx context.Context, text string) (ports.SignedMemo, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "SignMemo")
	if err != nil {
		return ports.SignedMemo{}, err
	}
	signed := fmt.Sprintf("memo at %d: %s", c.height, text)
	return answer(ports.SignedMemo{Signature: Signature(signed), Transaction: []byte(text), LastValidHeight: c.height + ChainBlockhash}, lost)
}

// SendMemo implements ports.Memos.
func (c *Chain) SendMemo(ctx context.Context, m ports.SignedMemo) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "SendMemo")
	if err != nil {
		return err
	}
	if _, twice := c.memos[m.Signature]; !twice && c.height <= m.LastValidHeight {
		c.memos[m.Signature] = ports.Memo{Text: string(m.Transaction), By: house, Slot: c.height, At: c.clock.Now().Truncate(time.Second)}
	}
	if lost {
		return errUnreachable
	}
	return nil
}

// Memos returns the texts of all memos that landed, sorted.
func (c *Chain) Memos() (texts []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.memos {
		texts = append(texts, m.Text)
	}
	slices.Sort(texts)
	return texts
}

// ReadMemo implements ports.Memos.
func (c *Chain) ReadMemo(ctx context.Context, signature string) (ports.Memo, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "ReadMemo")
	if err != nil {
		return ports.Memo{}, err
	}
	memo, landed := c.memos[signature]
	if !landed || !c.final(memo.Slot) {
		return ports.Memo{}, fault.New(fault.NotFound, "no finalized transaction %s with one memo", signature)
	}
	return answer(memo, lost)
}

// TreasuryAddress implements ports.HouseAddresses.
func (c *Chain) TreasuryAddress() string { return house }

// Reserved implements ports.HouseAddresses.
func (c *Chain) Reserved(address string) bool {
	if address == house || address == string(money.SOL) || address == accountOf(house, "wrapped SOL") {
		return true
	}
	for mint := range c.terms {
		if address == string(mint) || address == accountOf(house, mint) {
			return true
		}
	}
	return false
}

// SetMint makes a token's mint differ from its terms, for example by an extension; the zero Mint
// means a missing mint.
func (c *Chain) SetMint(of money.Token, mint token.Mint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mints[of] = mint
}

// Mint implements ports.Mints.
func (c *Chain) Mint(ctx context.Context, terms token.Terms) (token.Mint, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Mint")
	if err != nil {
		return token.Mint{}, err
	}
	if changed, ok := c.mints[terms.Mint]; ok {
		return answer(changed, lost)
	}
	known, ok := c.terms[terms.Mint]
	switch {
	case terms.Program == token.System:
		return answer(token.Mint{Program: token.System, Decimals: 9}, lost)
	case !ok:
		return answer(token.Mint{}, lost)
	}
	return answer(token.Mint{Program: known.Program, Decimals: known.Decimals}, lost)
}
