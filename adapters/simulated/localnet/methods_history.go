package localnet

import (
	"github.com/gagliardetto/solana-go"
)

// statusesMax and pageMax bound one call.
const (
	statusesMax = 256
	pageMax     = 1000
)

// confirmationsOf returns a transaction's confirmations and status.
func (c *Chain) confirmationsOf(e *entry) (confirmations *uint64, status level) {
	status = c.commitmentOf(e.slot)
	if status != finalized {
		count := c.slotAt(processed) - e.slot
		confirmations = &count
	}
	return confirmations, status
}

// resultOf returns the older format of an error.
func resultOf(err *transactionError) map[string]any {
	if err != nil {
		return map[string]any{"Err": err}
	}
	return map[string]any{"Ok": nil}
}

// getSignatureStatuses returns null for an unknown signature. Without
// searchTransactionHistory, everything that landed over recentBlocks slots ago is unknown.
func (c *Chain) getSignatureStatuses(p params) (any, error) {
	var asked []string
	if err := p.readParam(0, true, &asked); err != nil {
		return nil, err
	}
	if len(asked) > statusesMax {
		return nil, invalidParams("Too many inputs provided; max %d", statusesMax)
	}
	var wanted struct {
		Search bool `json:"searchTransactionHistory"`
	}
	if err := p.readParam(1, false, &wanted); err != nil {
		return nil, err
	}
	slot := c.slotAt(processed)
	statuses := make([]any, len(asked))
	for i, text := range asked {
		signature, err := parseSignature(text)
		if err != nil {
			return nil, err
		}
		e, found := c.history.findEntry(signature)
		if !found || !wanted.Search && e.slot+recentBlocks < slot {
			continue
		}
		confirmations, status := c.confirmationsOf(e)
		statuses[i] = map[string]any{
			"slot": e.slot, "confirmations": confirmations, "err": e.err, "status": resultOf(e.err), "confirmationStatus": status,
		}
	}
	return contextualAt(slot, statuses), nil
}

// getSignaturesForAddress lists the transactions of an address, newest first, from before
// one signature down to, but not including, another.
func (c *Chain) getSignaturesForAddress(p params) (any, error) {
	key, err := p.readAddress(0)
	if err != nil {
		return nil, err
	}
	var wanted struct {
		view
		Before *string `json:"before"`
		Until  *string `json:"until"`
		Limit  *int    `json:"limit"`
	}
	if err := p.readParam(1, false, &wanted); err != nil {
		return nil, err
	}
	limit := pageMax
	if wanted.Limit != nil {
		limit = *wanted.Limit
	}
	if limit < 1 || limit > pageMax {
		return nil, invalidParams("Invalid limit; max %d", pageMax)
	}
	slot, err := c.settledSlot(wanted.view)
	if err != nil {
		return nil, err
	}
	start, known, err := c.history.signaturePosition(wanted.Before, len(c.history.entries))
	if err != nil {
		return nil, err
	}
	list := []any{}
	if !known {
		return list, nil
	}
	end, _, err := c.history.signaturePosition(wanted.Until, -1)
	if err != nil {
		return nil, err
	}
	touching := c.history.touching[key]
	for i := len(touching) - 1; i >= 0 && len(list) < limit && touching[i] > end; i-- {
		if e := c.history.entries[touching[i]]; touching[i] < start && e.slot <= slot {
			list = append(list, c.signatureInfo(e))
		}
	}
	return list, nil
}

// signaturePosition returns the position of an optional signature. For an unknown one it
// returns otherwise and known false.
func (h history) signaturePosition(text *string, otherwise int) (position int, known bool, err error) {
	if text == nil {
		return otherwise, true, nil
	}
	signature, err := parseSignature(*text)
	if err != nil {
		return 0, false, err
	}
	if at, found := h.signatures[signature]; found {
		return at, true, nil
	}
	return otherwise, false, nil
}

// signatureInfo shows a transaction in a list of signatures.
func (c *Chain) signatureInfo(e *entry) map[string]any {
	return map[string]any{
		"signature": e.signature, "slot": e.slot, "err": e.err, "memo": e.memo, "blockTime": c.timeline.unixTime(e.slot),
		"confirmationStatus": c.commitmentOf(e.slot),
	}
}

// getTransaction returns a transaction that has the requested commitment, else null.
func (c *Chain) getTransaction(p params) (any, error) {
	var text string
	if err := p.readParam(0, true, &text); err != nil {
		return nil, err
	}
	signature, err := parseSignature(text)
	if err != nil {
		return nil, err
	}
	var wanted struct {
		view
		Encoding string  `json:"encoding"`
		Version  *uint64 `json:"maxSupportedTransactionVersion"`
	}
	if err := p.readParam(1, false, &wanted); err != nil {
		// The older form of the call passes only the encoding.
		if p.readParam(1, false, &wanted.Encoding) != nil {
			return nil, err
		}
	}
	slot, err := c.settledSlot(wanted.view)
	if err != nil {
		return nil, err
	}
	e, found := c.history.findEntry(signature)
	if !found || e.slot > slot {
		return nil, nil
	}
	t, err := decodeTransaction(e.bytes)
	if err != nil {
		return nil, err
	}
	if t.isVersioned() && wanted.Version == nil {
		return nil, &rpcError{Code: codeUnsupportedVersion, Message: unsupportedVersionWords}
	}
	shown, err := t.encodeAs(wanted.Encoding)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{
		"slot": e.slot, "blockTime": c.timeline.unixTime(e.slot), "transaction": shown, "meta": e.transactionMeta(),
	}
	if wanted.Version != nil {
		answer["version"] = "legacy"
		if t.isVersioned() {
			answer["version"] = 0
		}
	}
	return answer, nil
}

// transactionMeta returns the reported effects of a transaction.
func (e *entry) transactionMeta() map[string]any {
	inner := e.inner
	if inner == nil {
		inner = []innerSet{}
	}
	logs := e.logs
	if logs == nil {
		logs = []string{}
	}
	return map[string]any{
		"err": e.err, "status": resultOf(e.err), "fee": e.fee, "computeUnitsConsumed": e.units, "logMessages": logs,
		"innerInstructions": inner, "preBalances": e.pre.lamports, "postBalances": e.post.lamports,
		"preTokenBalances": e.pre.tokens, "postTokenBalances": e.post.tokens, "rewards": []any{},
		"loadedAddresses": map[string][]solana.PublicKey{"readonly": {}, "writable": {}},
	}
}
