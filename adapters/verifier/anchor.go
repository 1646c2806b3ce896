package verifier

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// AnchorMemo is the memo of a finalized transaction, and the address that paid its fee. By is
// empty if there is no such transaction, or not one memo in it.
type AnchorMemo struct{ Signature, Text, By string }

var anchorText = regexp.MustCompile("^casino-log-1 casino/([^ /]+)/" + wholePattern + " " + wholePattern + " ([A-Za-z0-9+/]{43}=)$")

// check follows verified receipts to the log that the memo states, and returns findings.
func (m AnchorMemo) check(receipts []VerifiedReceipt, keys ReceiptKeys) (findings []string) {
	if m.By == "" {
		return []string{"anchor: no finalized transaction " + m.Signature + " with one memo"}
	}
	if len(keys[keyName{"anchors", m.By}]) == 0 {
		return []string{"anchor: no key for anchors paid for the memo"}
	}
	found := anchorText.FindStringSubmatch(m.Text)
	if found == nil {
		return []string{"anchor: the memo does not state a log"}
	}
	size, err := strconv.ParseInt(found[3], 10, 64)
	root, err2 := base64.StdEncoding.DecodeString(found[4])
	if err != nil || err2 != nil {
		return []string{"anchor: the memo does not state a log"}
	}
	for _, r := range receipts {
		if err := r.isLogged(found[1], size, hex.EncodeToString(root)); err != nil {
			findings = append(findings, fmt.Sprintf("receipt %d: anchor: %v", r.number, err))
		}
	}
	return findings
}

// isLogged returns nil if the anchored log has the block of a receipt.
func (r VerifiedReceipt) isLogged(ledger string, size int64, root string) error {
	log := r.answer.get("log")
	index, ok := log.get("index").integer()
	path, ok2 := log.get("anchor").get("path").hashes()
	if !ok || !ok2 || index < 0 {
		return errors.New("the answer has no proof for an anchor")
	}
	if ledger != r.head.ledger {
		return errors.New("the memo is of another ledger")
	}
	if rootOf(r.header(), index, size, path) != root {
		return errors.New("the anchored log does not have the block")
	}
	return nil
}
