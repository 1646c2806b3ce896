package localnet

import (
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// landed is a landed transaction with its effect, as stored in the journal. Later reports
// are computed from it and the accounts before it, so a journal reads the same even if
// programs change in a later version.
type landed struct {
	Slot   uint64            `json:"slot"`
	Bytes  []byte            `json:"bytes"`
	Fee    uint64            `json:"fee"`
	Units  uint64            `json:"units"`
	Err    *transactionError `json:"err,omitempty"`
	Logs   []string          `json:"logs"`
	Inner  []innerSet        `json:"inner,omitempty"`
	Writes []write           `json:"writes"`
}

// tokenBalance is a reported balance of one token account.
type tokenBalance struct {
	Index   int              `json:"accountIndex"`
	Mint    solana.PublicKey `json:"mint"`
	Amount  tokenAmount      `json:"uiTokenAmount"`
	Owner   solana.PublicKey `json:"owner"`
	Program solana.PublicKey `json:"programId"`
}

// entry is a past transaction.
type entry struct {
	slot      uint64
	signature solana.Signature
	bytes     []byte
	keys      []solana.PublicKey // of the message
	err       *transactionError
	fee       uint64
	units     uint64
	price     uint64 // micro-lamports a compute unit
	logs      []string
	inner     []innerSet
	memo      *string
	writable  []bool
	pre, post balances
}

// balances are the balances of a transaction's accounts at one time.
type balances struct {
	lamports []uint64
	tokens   []tokenBalance
}

// history holds every landed transaction, oldest first, and its indexes.
type history struct {
	entries    []*entry
	signatures map[solana.Signature]int
	digests    map[[32]byte]struct{}
	touching   map[solana.PublicKey][]int
}

func newHistory() history {
	return history{
		signatures: make(map[solana.Signature]int), digests: make(map[[32]byte]struct{}), touching: make(map[solana.PublicKey][]int),
	}
}

// lastSlot returns the slot of the newest transaction.
func (h history) lastSlot() uint64 {
	if len(h.entries) == 0 {
		return 0
	}
	return h.entries[len(h.entries)-1].slot
}

// findEntry returns the transaction with the signature.
func (h history) findEntry(signature solana.Signature) (*entry, bool) {
	at, found := h.signatures[signature]
	if !found {
		return nil, false
	}
	return h.entries[at], true
}

// addEntry appends an entry to the history and its indexes.
func (h *history) addEntry(e *entry, digest [32]byte) {
	at := len(h.entries)
	h.entries = append(h.entries, e)
	h.signatures[e.signature] = at
	h.digests[digest] = struct{}{}
	for _, key := range e.keys {
		h.touching[key] = append(h.touching[key], at)
	}
}

// applyLanded applies a landed transaction: accounts, the collected fee, history.
func (c *Chain) applyLanded(l landed) error {
	t, err := decodeTransaction(l.Bytes)
	if err != nil {
		return fmt.Errorf("a landed transaction can't be read: %w", err)
	}
	if l.Slot < c.history.lastSlot() {
		return fmt.Errorf("a transaction landed in slot %d after one in slot %d", l.Slot, c.history.lastSlot())
	}
	asked, _ := readBudget(t) // valid, because the transaction landed
	e := &entry{
		slot: l.Slot, signature: t.signature(), bytes: t.bytes, keys: t.keys, writable: t.writable, err: l.Err, fee: l.Fee,
		units: l.Units, price: asked.price, logs: l.Logs, inner: l.Inner, memo: memoOf(t),
	}
	latest := bank{chain: c, slot: l.Slot}
	e.pre = latest.readBalances(t.keys)
	settled := l.Slot - min(l.Slot, FinalityDepth+skipEvery)
	for _, w := range l.Writes {
		c.accounts.putAccount(w.Key, w.accountAfter(c.accounts.accountAt(w.Key, l.Slot)), l.Slot, settled)
	}
	e.post = latest.readBalances(t.keys)
	if collector := c.accounts.accountAt(c.genesis.Identity, l.Slot); collector != nil {
		richer := *collector
		richer.lamports += l.Fee
		c.accounts.putAccount(c.genesis.Identity, &richer, l.Slot, settled)
	}
	c.history.addEntry(e, t.messageDigest())
	return nil
}

// readBalances returns the balances of accounts.
func (b bank) readBalances(keys []solana.PublicKey) (held balances) {
	held.lamports, held.tokens = make([]uint64, len(keys)), []tokenBalance{}
	for i, key := range keys {
		stored := b.getAccount(key)
		if stored == nil {
			continue
		}
		held.lamports[i] = stored.lamports
		if h, ok := holdingOf(stored); ok {
			m, _ := mintOf(b.getAccount(h.mint))
			held.tokens = append(held.tokens, tokenBalance{
				Index: i, Mint: h.mint, Owner: h.owner, Program: solana.TokenProgramID, Amount: tokenAmountOf(h.amount, m.decimals),
			})
		}
	}
	return held
}
