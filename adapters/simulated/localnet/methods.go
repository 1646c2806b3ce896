package localnet

import (
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// method answers one JSON-RPC method; the chain's lock is held.
type method func(*Chain, params) (any, error)

// methods maps the supported methods.
var methods = map[string]method{
	"getLatestBlockhash":                (*Chain).getLatestBlockhash,
	"isBlockhashValid":                  (*Chain).isBlockhashValid,
	"getRecentPrioritizationFees":       (*Chain).getRecentPrioritizationFees,
	"getMinimumBalanceForRentExemption": (*Chain).getMinimumBalanceForRentExemption,

	"getSlot":                (*Chain).getSlot,
	"getBlockHeight":         (*Chain).getBlockHeight,
	"getBlockTime":           (*Chain).getBlockTime,
	"getBlock":               (*Chain).getBlock,
	"getBlocksWithLimit":     (*Chain).getBlocksWithLimit,
	"getEpochInfo":           (*Chain).getEpochInfo,
	"getFirstAvailableBlock": func(*Chain, params) (any, error) { return 0, nil },
	"getHealth":              func(*Chain, params) (any, error) { return "ok", nil },
	"getGenesisHash":         func(c *Chain, _ params) (any, error) { return c.genesis.Hash, nil },

	"getBalance":             (*Chain).getBalance,
	"getAccountInfo":         (*Chain).getAccountInfo,
	"getTokenAccountBalance": (*Chain).getTokenAccountBalance,

	"sendTransaction":         (*Chain).sendTransaction,
	"simulateTransaction":     (*Chain).simulateTransaction,
	"requestAirdrop":          (*Chain).requestAirdrop,
	"getTransaction":          (*Chain).getTransaction,
	"getSignatureStatuses":    (*Chain).getSignatureStatuses,
	"getSignaturesForAddress": (*Chain).getSignaturesForAddress,
}

func (c *Chain) getLatestBlockhash(p params) (any, error) {
	slot, err := c.readViewSlot(p, 0)
	if err != nil {
		return nil, err
	}
	return contextualAt(slot, c.latestBlockhash(slot)), nil
}

// latestBlockhash returns a slot's blockhash and its validity.
func (c *Chain) latestBlockhash(slot uint64) map[string]any {
	return map[string]any{"blockhash": c.blockhashOf(slot), "lastValidBlockHeight": c.timeline.blockHeight(slot) + c.cfg.BlockhashAge}
}

func (c *Chain) isBlockhashValid(p params) (any, error) {
	key, err := p.readAddress(0)
	if err != nil {
		return nil, err
	}
	slot, err := c.readViewSlot(p, 1)
	if err != nil {
		return nil, err
	}
	_, valid := c.blockOf(solana.Hash(key), slot)
	return contextualAt(slot, valid), nil
}

func (c *Chain) getMinimumBalanceForRentExemption(p params) (any, error) {
	var size uint64
	if err := p.readParam(0, true, &size); err != nil {
		return nil, err
	}
	if size > dataMax {
		return nil, invalidParams("an account holds at most %d bytes", dataMax)
	}
	return c.rentExemptMinimum(int(size)), nil
}

// blocksMax is the largest number of blocks that getBlocksWithLimit lists.
const blocksMax = 500_000

// recentBlocks is the number of slots for which fees and statuses are cached.
const recentBlocks = 150

// getRecentPrioritizationFees lists recent blocks with the lowest compute-unit price among
// transactions that locked all the given accounts for writing; 0 if there are none.
func (c *Chain) getRecentPrioritizationFees(p params) (any, error) {
	var named []string
	if err := p.readParam(0, false, &named); err != nil {
		return nil, err
	}
	const addressesMax = 128
	if len(named) > addressesMax {
		return nil, invalidParams("too many inputs provided; max %d", addressesMax)
	}
	locked := make([]solana.PublicKey, len(named))
	for i, text := range named {
		var err error
		if locked[i], err = parseKey(text); err != nil {
			return nil, err
		}
	}
	type priced struct {
		Slot uint64 `json:"slot"`
		Fee  uint64 `json:"prioritizationFee"`
	}
	newest := c.slotAt(processed)
	lowest := make(map[uint64]uint64)
	for i := len(c.history.entries) - 1; i >= 0 && c.history.entries[i].slot+recentBlocks > newest; i-- {
		e := c.history.entries[i]
		if price, priced := lowest[e.slot]; e.locksAll(locked) && (!priced || e.price < price) {
			lowest[e.slot] = e.price
		}
	}
	list := make([]priced, 0, recentBlocks)
	for slot := newest - min(newest, recentBlocks-1); slot <= newest; slot++ {
		if !c.timeline.isSkipped(slot) {
			list = append(list, priced{Slot: slot, Fee: lowest[slot]})
		}
	}
	return list, nil
}

// locksAll reports whether a transaction locked all keys for writing.
func (e *entry) locksAll(keys []solana.PublicKey) bool {
	for _, key := range keys {
		found := false
		for i, own := range e.keys {
			found = found || own == key && e.writable[i]
		}
		if !found {
			return false
		}
	}
	return true
}

func (c *Chain) getSlot(p params) (any, error) {
	slot, err := c.readViewSlot(p, 0)
	return slot, err
}

func (c *Chain) getBlockHeight(p params) (any, error) {
	slot, err := c.readViewSlot(p, 0)
	return c.timeline.blockHeight(slot), err
}

func (c *Chain) getBlockTime(p params) (any, error) {
	var slot uint64
	if err := p.readParam(0, true, &slot); err != nil {
		return nil, err
	}
	if err := c.checkBlock(slot, c.slotAt(confirmed)); err != nil {
		return nil, err
	}
	return c.timeline.unixTime(slot), nil
}

// checkBlock returns the error of a node that has no block in a slot, if blocks exist up to
// newest.
func (c *Chain) checkBlock(slot, newest uint64) error {
	switch {
	case slot > newest:
		return &rpcError{Code: codeBlockNotAvailable, Message: fmt.Sprintf("Block not available for slot %d", slot)}
	case c.timeline.isSkipped(slot):
		return &rpcError{
			Code: codeSlotSkipped, Message: fmt.Sprintf("Slot %d was skipped, or missing due to ledger jump to recent snapshot", slot),
		}
	}
	return nil
}

// getBlock returns a block without its transactions and rewards.
func (c *Chain) getBlock(p params) (any, error) {
	var slot uint64
	asked := struct {
		view
		Transactions string `json:"transactionDetails"`
		Rewards      bool   `json:"rewards"`
	}{Transactions: "full", Rewards: true}
	if err := errors.Join(p.readParam(0, true, &slot), p.readParam(1, false, &asked)); err != nil {
		return nil, err
	}
	if asked.Transactions != "none" || asked.Rewards {
		return nil, invalidParams("transactionDetails must be none and rewards false")
	}
	newest, err := c.settledSlot(asked.view)
	if err != nil {
		return nil, err
	}
	if err := c.checkBlock(slot, newest); err != nil {
		return nil, err
	}
	parent := c.timeline.newestBlock(slot - min(slot, 1))
	return map[string]any{
		"blockhash": c.blockhashOf(slot), "previousBlockhash": c.blockhashOf(parent), "parentSlot": parent,
		"blockHeight": c.timeline.blockHeight(slot), "blockTime": c.timeline.unixTime(slot),
	}, nil
}

// getBlocksWithLimit lists the slots from a start that have a block.
func (c *Chain) getBlocksWithLimit(p params) (any, error) {
	var start uint64
	var limit int
	var at view
	if err := errors.Join(p.readParam(0, true, &start), p.readParam(1, true, &limit), p.readParam(2, false, &at)); err != nil {
		return nil, err
	}
	if limit < 0 || limit > blocksMax {
		return nil, invalidParams("Slot range too large; max %d", blocksMax)
	}
	newest, err := c.settledSlot(at)
	if err != nil {
		return nil, err
	}
	slots := []uint64{}
	for slot := start; slot <= newest && len(slots) < limit; slot++ {
		if !c.timeline.isSkipped(slot) {
			slots = append(slots, slot)
		}
	}
	return slots, nil
}

func (c *Chain) getEpochInfo(p params) (any, error) {
	slot, err := c.readViewSlot(p, 0)
	if err != nil {
		return nil, err
	}
	const slotsInEpoch = 432_000
	return map[string]uint64{
		"absoluteSlot": slot, "blockHeight": c.timeline.blockHeight(slot), "epoch": slot / slotsInEpoch, "slotIndex": slot % slotsInEpoch,
		"slotsInEpoch": slotsInEpoch,
	}, nil
}
