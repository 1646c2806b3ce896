package capture

import (
	"slices"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
)

// checkReceipt verifies the receipt of an answer, which must be of a leaf of the kind. It
// returns that of a round that holds.
func (c *checker) checkReceipt(s *side, l Line, kind string, at finding) *verifier.VerifiedReceipt {
	wallet := c.wallet(s)
	if c.receipts == nil || wallet == "" {
		return nil
	}
	c.countCheck(checkReceipt)
	read, err := c.receipts.Verify(c.line, l.Answered, wallet)
	if err != nil {
		c.addFinding(checkReceipt, at, "%v", err)
		return nil
	}
	ledger, lane, seq := read.Block()
	if c.ledger == "" {
		c.ledger = ledger
	}
	if kind != "pair" { // an answer to a rotation has no balance
		s.block = block{int(lane), seq}
	}
	switch {
	case ledger != c.ledger:
		c.addFinding(checkReceipt, at, "the receipt is of the ledger %s, others are of %s", ledger, c.ledger)
	case read.Kind() != kind:
		c.addFinding(checkReceipt, at, "the receipt proves a leaf of the kind %q, not of %q", read.Kind(), kind)
	case kind == "round":
		return &read
	}
	return nil
}

// wallet returns the wallet of a player, empty if the capture doesn't have it.
func (c *checker) wallet(s *side) string { return c.report.Header.Players[s.number-1] }

// compareReceipt compares a round of the history with the receipt of its answer.
func (c *checker) compareReceipt(r *answered, l Line, at finding) {
	if r.receipt == nil {
		return
	}
	c.countCheck(checkReceipt)
	names, err := r.receipt.Differences(l.Answered)
	if err != nil {
		c.addFinding(checkReceipt, at, "the round of the history can't be compared with its receipt: %v", err)
	}
	for _, name := range names {
		c.addFinding(checkReceipt, at, "the history has another %s than the receipt of line %d", name, r.line)
	}
	r.receipt = nil // to keep less
}

// checkBlocks compares the blocks of all receipts, of all players.
func (c *checker) checkBlocks() {
	if c.receipts == nil {
		c.report.NoReceiptKeys = true
		return
	}
	for _, found := range c.receipts.Contradictions() {
		c.addFinding(checkReceipt, finding{line: found.Second}, "%s: see the receipt of line %d", found.Text, found.First)
	}
	for _, wallet := range c.report.Header.Players {
		if wallet == "" {
			c.report.UnknownWallets++
		}
	}
}

// block is the place of a block in the ledger; the first one of a lane has the number 1.
type block struct {
	lane int
	seq  int64
}

// heldAt is a player's balance after a block.
type heldAt struct {
	block
	balance int64
}

// setBalance notes the balance after a bet or a step, with the block of its receipt.
func (s *side) setBalance(balance int64) {
	s.balance, s.known = balance, true
	if s.block.seq > 0 {
		s.held = append(s.held, heldAt{s.block, balance})
	}
	s.block = block{}
}

// leastHeld returns the least that a player had at some heads, by the answers next to them;
// false before the first answer.
func (s *side) leastHeld(heads []hashchain.Head) (least int64, known bool) {
	newest := map[int]int64{}
	for _, head := range heads {
		newest[head.Lane] = head.Seq
	}
	for i, h := range slices.Backward(s.held) {
		if h.seq > newest[h.lane] {
			continue
		}
		if least = h.balance; i+1 < len(s.held) {
			least = min(least, s.held[i+1].balance)
		}
		return least, true
	}
	return 0, false
}

// checkSolvency checks that a player is counted in what the service says it owes, with no less
// than their own answers show.
func (c *checker) checkSolvency(s *side, l Line) {
	at := finding{player: s.number}
	file, err := verifier.ReadSolvency(l.Answered)
	if err != nil {
		c.addFinding(checkForm, at, "the proof of solvency can't be read: %v", err)
		return
	}
	c.countCheck(checkSolvency)
	made, err := file.Verify(c.keys...)
	if err != nil {
		c.addFinding(checkSolvency, at, "the proof of solvency doesn't hold: %v", err)
		return
	}
	if wallet := c.wallet(s); wallet != "" && string(file.Wallet) != wallet {
		c.addFinding(checkSolvency, at, "the proof of solvency is of the wallet %s, the player has %s", file.Wallet, wallet)
	}
	if c.ledger == "" {
		c.ledger = made.Statement.Ledger
	}
	if made.Statement.Ledger != c.ledger {
		c.addFinding(checkSolvency, at, "the statement is of the ledger %s, others are of %s", made.Statement.Ledger, c.ledger)
	}
	for _, head := range made.Statement.Heads {
		if line, other := c.otherBlock(made.Statement.Ledger, head); other {
			c.addFinding(checkSolvency, at, "two histories: the statement names another block of lane %d, seq %d than the receipt of line %d", head.Lane, head.Seq, line)
		}
	}
	least, known := s.leastHeld(made.Statement.Heads)
	if owed := owedIn(made.Proofs, money.Token(c.report.Header.Token)); known && owed < least {
		c.addFinding(checkSolvency, at, "at %s the service stated that it owes %d to the player, who had %d at least", formatTime(made.Statement.At.UnixMilli()), owed, least)
	}
}

// otherBlock returns the line of a receipt that has another block than a head.
func (c *checker) otherBlock(ledger string, head hashchain.Head) (line int, found bool) {
	if c.receipts == nil {
		return 0, false
	}
	return c.receipts.Other(ledger, int64(head.Lane), head.Seq, head.Hash.String())
}

// owedIn is what is owed in a token by the proofs.
func owedIn(proofs []solvency.Proof, token money.Token) int64 {
	for _, p := range proofs {
		if sum, valid := p.Owed.Sum(); valid && p.Token == token {
			return int64(sum)
		}
	}
	return 0
}
