package fakes

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// payout is the content of a payout's bytes.
type payout struct {
	ID          string
	Number      int
	Token       money.Token
	Amount      money.Amount
	Destination string
	Height      uint64 // at which it was signed
	Memo        string

	// The costs when it landed.
	fee, rent money.Amount
	failure   string
}

// Sign implements ports.Payer.
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

// rentOf returns the cost of the destination's token account, 0 if it exists.
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

// Send implements ports.Payer. It drops bytes that land too late, or twice, or without a fee to
// pay, as a chain does.
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

// Outcome implements ports.Payer.
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

// Follow makes block times those of a clock; otherwise every block was made at Start.
func (c *Chain) Follow(clock ports.Clock) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clock = clock
}

// Prune makes the nodes forget the transactions so far.
func (c *Chain) Prune() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pruned = c.height + 1
}

// Spend lands a transaction that the treasury signed without a payout worker. It costs ChainFee
// besides the amount.
func (c *Chain) Spend(to wallet.Address, of money.Token, amount money.Amount, memo string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	signature := Signature(fmt.Sprintf("spent %d", c.made))
	c.land(payout{Token: of, Amount: amount, Destination: string(to), Height: c.height, Memo: memo}, signature)
	return signature
}

// Remark lands a deposit with a memo.
func (c *Chain) Remark(from wallet.Address, of money.Token, amount money.Amount, memo string) string {
	signature := c.Deposit(from, of, amount)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.landed[signature].memo = memo
	return signature
}

// Signed implements ports.TreasuryHistory.
func (c *Chain) Signed(ctx context.Context, from treasury.Position, limit int) (ports.TreasuryPage, error) {
	number, repeats := strings.CutPrefix(from.Cursor, again)
	next, err := strconv.ParseUint("0"+number, 10, 31)
	if err != nil {
		return ports.TreasuryPage{}, fault.Field("cursor", "is none of this history")
	}
	if limit < 1 || limit > ports.HistoryMax {
		limit = ports.HistoryMax
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Signed")
	if err != nil {
		return ports.TreasuryPage{}, err
	}
	at := int(next)
	if repeats && at > 0 {
		at--
	}
	page := ports.TreasuryPage{Next: from}
	if from.Cursor == "" && c.pruned > 0 {
		page.Next.Since = c.clock.Now().UTC()
	}
	for looked := 0; at < len(c.order); at++ {
		signature := c.order[at]
		found := c.landed[signature]
		switch {
		case !c.final(found.height):
			return answer(c.signedUpTo(page, at), lost)
		case found.height < c.pruned && from.Cursor == "":
			continue
		case found.height < c.pruned && at >= int(next):
			return ports.TreasuryPage{}, fault.New(fault.External, "the nodes no longer have the treasury's history")
		case looked == limit:
			page.Next.Cursor, page.More = strconv.Itoa(at), true
			return answer(page, lost)
		}
		looked++
		if m, signed := c.read(signature, found); signed {
			page.Movements = append(page.Movements, m)
		}
	}
	return answer(c.signedUpTo(page, at), lost)
}

// signedUpTo ends a page that lists everything. The caller holds the lock.
func (c *Chain) signedUpTo(page ports.TreasuryPage, at int) ports.TreasuryPage {
	page.Next.Cursor = again + strconv.Itoa(at)
	page.Next.Slot, page.Next.At = c.height-ChainFinality, c.clock.Now().UTC().Truncate(time.Second)
	return page
}

func (c *Chain) read(signature string, found *landed) (treasury.Movement, bool) {
	seen := found.seen
	seen.Finalized = true
	m, signed := treasury.Read(treasury.Observed{
		Observation: seen, Slot: found.height, At: found.made, Memo: found.memo,
	}, house)
	if found.payout != nil {
		m.Fee, m.Rent = found.payout.fee, found.payout.rent
	}
	return m, signed
}

// keep adds a transaction to the history. The caller holds the lock.
func (c *Chain) keep(signature string, l *landed) {
	l.made = c.clock.Now().UTC().Truncate(time.Second)
	c.landed[signature], c.order = l, append(c.order, signature)
}

// again marks a cursor from which the newest transaction is listed once more, which nodes that
// list late make necessary.
const again = "again "

// Since implements ports.DepositHistory.
func (c *Chain) Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error) {
	number, repeats := strings.CutPrefix(cursor, again)
	next, err := strconv.ParseUint("0"+number, 10, 31)
	if err != nil {
		return ports.HistoryPage{}, fault.Field("cursor", "is none of this history")
	}
	if limit < 1 || limit > ports.HistoryMax {
		limit = ports.HistoryMax
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Since")
	if err != nil {
		return ports.HistoryPage{}, err
	}
	at := int(next)
	if repeats && at > 0 {
		at--
	}
	var page ports.HistoryPage
	for ; at < len(c.order); at++ {
		found := c.landed[c.order[at]]
		if !c.final(found.height) {
			break
		}
		if _, touched := found.gained[terms.Mint]; !touched {
			continue
		}
		if len(page.Entries) == limit {
			page.Next, page.More = strconv.Itoa(at), true
			return answer(page, lost)
		}
		page.Entries = append(page.Entries, ports.HistoryEntry{Signature: c.order[at], Slot: found.height, Failed: found.seen.Failed})
	}
	page.Next = again + strconv.Itoa(at)
	return answer(page, lost)
}

// unsigned is the content of a deposit's bytes on a Chain.
type unsigned struct {
	From   wallet.Address
	Token  money.Token
	Amount money.Amount
	Height uint64 // of the block with its blockhash
}

// DepositTransaction implements ports.DepositTransactions.
func (c *Chain) DepositTransaction(ctx context.Context, from wallet.Address, terms token.Terms, amount money.Amount) (deposit.Unsigned, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "DepositTransaction")
	if err != nil {
		return deposit.Unsigned{}, err
	}
	raw, err := json.Marshal(unsigned{From: from, Token: terms.Mint, Amount: amount, Height: c.height})
	if err != nil {
		return deposit.Unsigned{}, err
	}
	return answer(deposit.Unsigned{Transaction: raw, LastValidHeight: c.height + ChainBlockhash}, lost)
}

// Pay lands a transaction of DepositTransaction as its wallet signs and sends it, and returns its
// signature. It reports false if it landed already, is too late, is another wallet's, or moves
// more than the wallet holds.
func (c *Chain) Pay(from wallet.Address, transaction []byte) (signature string, landed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	signature = Signature(string(transaction))
	var paid unsigned
	_, twice := c.landed[signature]
	if twice || json.Unmarshal(transaction, &paid) != nil || paid.From != from || c.height > paid.Height+ChainBlockhash ||
		c.held[holder{string(from), paid.Token}] < uint64(paid.Amount) {
		return signature, false
	}
	c.transfer(signature, from, paid.Token, uint64(paid.Amount), true)
	return signature, true
}

// Funds implements ports.DepositTransactions.
func (c *Chain) Funds(ctx context.Context, of wallet.Address, terms token.Terms) (money.Amount, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, err := c.enter(ctx, "Funds")
	if err != nil {
		return 0, err
	}
	return answer(money.Amount(c.held[holder{string(of), terms.Mint}]), lost)
}
