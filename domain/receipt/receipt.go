// Package receipt signs blocks for players. A receipt proves later that the service
// committed its answer to a request.
//
// A receipt is the signed header of a block with the audit path of a leaf. It is signed as
// text, so that Ed25519 and SHA-256 are enough to verify it.
package receipt

import (
	"strings"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
)

// version is the first line of every signed text.
const version = "casino receipt 1"

// Text returns the signed text of a block: a line for the version, one for the ledger's id,
// and the text of the header, whose SHA-256 is the block's hash.
func Text(ledger string, block hashchain.Header) string {
	return version + "\nledger: " + ledger + "\n" + block.Text()
}

// Parse parses the result of Text. Any other form is a fault of kind Invalid.
func Parse(text string) (ledger string, block hashchain.Header, err error) {
	rest, found := strings.CutPrefix(text, version+"\nledger: ")
	ledger, header, ended := strings.Cut(rest, "\n")
	if !found || !ended || ledger == "" {
		return "", hashchain.Header{}, fault.Field("receipt", "must be the signed text of a block")
	}
	block, err = hashchain.ParseHeader(header)
	return ledger, block, err
}

// Receipt proves that the service committed a leaf in a block.
type Receipt struct {
	hashchain.Inclusion
	checkpoint.Signed
}

// Open verifies the receipt and returns its ledger: one of the keys signed the text, the
// text has the block's header, and the block has the leaf. The fault is InvalidSignature,
// or Invalid for a malformed text.
func (r Receipt) Open(keys ...checkpoint.Key) (ledger string, err error) {
	if err := r.Signed.Verify(keys...); err != nil {
		return "", err
	}
	ledger, block, err := Parse(r.Text)
	switch {
	case err != nil:
		return "", err
	case block != r.Header:
		return "", fault.New(fault.InvalidSignature, "the receipt's text states another block")
	case !r.Valid():
		return "", fault.New(fault.InvalidSignature, "the receipt's block does not have the leaf")
	}
	return ledger, nil
}
