package verifier

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
)

// ReceiptKeys are the public keys of the service.
type ReceiptKeys map[keyName][]ed25519.PublicKey

// keyName is the use of a key, and its name among those of the use.
type keyName struct{ use, kid string }

// ReadReceiptKeys reads an answer of GET /public/keys.
func ReadReceiptKeys(text []byte) (ReceiptKeys, error) {
	var file struct {
		Keys []struct {
			Use       string `json:"use"`
			Kid       string `json:"kid"`
			PublicKey string `json:"publicKey"`
		} `json:"keys"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("the keys can't be read: %w", err)
	}
	keys, receipts := ReceiptKeys{}, 0
	for _, k := range file.Keys {
		der, err := base64.StdEncoding.DecodeString(k.PublicKey)
		if err != nil {
			continue
		}
		if parsed, err := x509.ParsePKIXPublicKey(der); err == nil {
			if public, ok := parsed.(ed25519.PublicKey); ok {
				name := keyName{k.Use, k.Kid}
				keys[name] = append(keys[name], public)
				if k.Use == "receipts" {
					receipts++
				}
			}
		}
	}
	if receipts == 0 {
		return nil, errors.New("the keys have none for receipts")
	}
	return keys, nil
}

// ReceiptReport is what was found about receipts.
type ReceiptReport struct {
	Receipts, Verified int
	Findings           []string // in plain words; none if all is well
}

// CheckReceipts verifies receipts of a wallet: one JSON text, or one a line. With a history
// (answers of GET /history or GET /history/{id}, one a line) it compares their rounds; with
// a memo it follows each receipt to the anchored log. Both may be nil. Proofs for the public log
// are checked with log.
func CheckReceipts(receipts, history []byte, keys ReceiptKeys, wallet string, log Log, memo *AnchorMemo) (ReceiptReport, error) {
	var report ReceiptReport
	var verified []VerifiedReceipt
	all := NewReceipts(keys)
	for i, line := range jsonTexts(receipts) {
		report.Receipts++
		read, err := all.Verify(i+1, line, wallet)
		if err != nil {
			report.Findings = append(report.Findings, fmt.Sprintf("receipt %d: %v", i+1, err))
			continue
		}
		report.Verified++
		verified = append(verified, read)
	}
	for _, c := range all.Contradictions() {
		report.Findings = append(report.Findings, fmt.Sprintf("receipts %d and %d: %s", c.First, c.Second, c.Text))
	}
	logged, err := log.check(verified)
	if err != nil {
		return report, err
	}
	report.Findings = append(report.Findings, logged.Findings...)
	if memo != nil {
		report.Findings = append(report.Findings, memo.check(verified, keys)...)
	}
	if history != nil {
		found, err := compareHistory(verified, jsonTexts(history))
		if err != nil {
			return report, err
		}
		report.Findings = append(report.Findings, found...)
	}
	return report, nil
}

// Receipts verifies receipts one after another. Of each it keeps only what shows whether
// their blocks agree.
type Receipts struct {
	keys  ReceiptKeys
	heads []signedHead
}

// NewReceipts returns a verifier of receipts that are signed by one of the keys.
func NewReceipts(keys ReceiptKeys) *Receipts { return &Receipts{keys: keys} }

// Verify verifies an answer with its receipt. The number names it in Contradictions. The error
// says in words what doesn't hold.
func (r *Receipts) Verify(number int, answer []byte, wallet string) (VerifiedReceipt, error) {
	read, err := verifyReceipt(answer, r.keys, wallet)
	read.number = number
	if read.head != nil {
		read.head.number = number
		r.heads = append(r.heads, *read.head)
	}
	return read, err
}

// Other returns the number of a receipt that names another block for this lane and seq.
func (r *Receipts) Other(ledger string, lane, seq int64, hash string) (number int, found bool) {
	i := slices.IndexFunc(r.heads, func(h signedHead) bool {
		return h.ledger == ledger && h.lane == lane && h.seq == seq && h.hash != hash
	})
	if i < 0 {
		return 0, false
	}
	return r.heads[i].number, true
}

// A Contradiction is between the blocks of two receipts, of which Text says what differs.
type Contradiction struct {
	First, Second int
	Text          string
}

// jsonTexts returns the JSON texts of a file: one, or one a line.
func jsonTexts(file []byte) [][]byte {
	if _, err := readObject(file); err == nil {
		return [][]byte{file}
	}
	return slices.DeleteFunc(bytes.Split(file, []byte("\n")), func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })
}

// A signedHead is the header of a block whose signature was verified.
type signedHead struct {
	number         int
	ledger         string
	hash, previous string
	lane, seq      int64
	root           string
	size           int64
}

// A VerifiedReceipt is an answer with its receipt.
type VerifiedReceipt struct {
	number int
	answer jsonNode
	head   *signedHead
}

// Kind returns the kind of the leaf that the receipt proves, "round" of a round that has ended.
func (r VerifiedReceipt) Kind() string {
	return r.answer.get("receipt").get("leaf").get("kind").text
}

// Block returns the place of the receipt's block.
func (r VerifiedReceipt) Block() (ledger string, lane, seq int64) {
	return r.head.ledger, r.head.lane, r.head.seq
}

// header returns the text of the header of the receipt's block.
func (r VerifiedReceipt) header() []byte {
	return []byte(headText.FindStringSubmatch(r.answer.get("receipt").get("text").text)[2])
}

// Differences returns the names of the members that an answer of GET /history/{id} shows
// otherwise than the round of the receipt; "void" where only one of them is void.
func (r VerifiedReceipt) Differences(kept []byte) (names []string, err error) {
	shown, err := readObject(kept)
	if err != nil {
		return nil, err
	}
	return differences(r.answer.get("round"), shown.get("round")), nil
}

// A receiptText is a well-formed receipt.
type receiptText struct {
	text, kid string
	signature []byte
	index     int64
	path      [][]byte
	leaf      jsonNode
}

func readReceipt(n jsonNode) (r receiptText, err error) {
	var m memberReader
	m.check(n.kind == '{', "no receipt")
	r.text, r.kid = m.text(n, "receipt", "text"), m.text(n, "receipt", "kid")
	var ok bool
	r.signature, ok = n.get("signature").bytes(ed25519.SignatureSize)
	m.check(ok, "receipt.signature")
	r.index, ok = n.get("index").integer()
	m.check(ok && r.index >= 0, "receipt.index")
	path, err := base64.StdEncoding.DecodeString(n.get("path").text)
	m.check(n.get("path").kind == '"' && err == nil && len(path)%sha256.Size == 0 && base64.StdEncoding.EncodeToString(path) == n.get("path").text, "receipt.path")
	r.path = slices.Collect(slices.Chunk(path, sha256.Size))
	r.leaf = n.get("leaf")
	m.check(r.leaf.kind == '{', "receipt.leaf")
	return r, m.err
}

// verifyReceipt verifies an answer with its receipt. The head is set once the signature is
// verified.
func verifyReceipt(text []byte, keys ReceiptKeys, wallet string) (verified VerifiedReceipt, err error) {
	if verified.answer, err = readObject(text); err != nil {
		return verified, err
	}
	receipt, err := readReceipt(verified.answer.get("receipt"))
	if err != nil {
		return verified, err
	}
	named := keys[keyName{"receipts", receipt.kid}]
	if len(named) == 0 {
		return verified, errors.New("key: no key for receipts has its name")
	}
	if !slices.ContainsFunc(named, func(k ed25519.PublicKey) bool { return ed25519.Verify(k, []byte(receipt.text), receipt.signature) }) {
		return verified, errors.New("signature: the text is not signed by the key")
	}
	if verified.head = readHead(receipt.text); verified.head == nil {
		return verified, errors.New("text: it is not the signed text of a block")
	}
	leaf, differs, err := encodeLeaf(verified.answer, receipt.leaf, wallet)
	if err != nil {
		return verified, err
	}
	if rootOf(leaf, receipt.index, verified.head.size, receipt.path) != verified.head.root {
		return verified, errors.New("path: the block does not have what the answer says")
	}
	if differs != "" {
		return verified, fmt.Errorf("answer: %s is not what the leaf has", differs)
	}
	return verified, nil
}

const wholePattern, hashPattern = "(0|[1-9][0-9]{0,18})", "([0-9a-f]{64})"

var headText = regexp.MustCompile("^casino receipt 1\nledger: ([^\n]+)\n(casino block 3\nlane: " + wholePattern + "\nseq: " + wholePattern +
	"\nepoch: " + wholePattern + "\nprevious: " + hashPattern + "\ntime: " + wholePattern + "\nroot: " + hashPattern + "\nsize: " + wholePattern + "\n)$")

// readHead reads the signed text of a receipt, nil if it is none.
func readHead(text string) *signedHead {
	found := headText.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	numbers := map[int]int64{3: 0, 4: 0, 5: 0, 7: 0, 9: 0}
	for i := range numbers {
		v, err := strconv.ParseInt(found[i], 10, 64)
		if err != nil {
			return nil
		}
		numbers[i] = v
	}
	hash := sha256.Sum256([]byte(found[2]))
	return &signedHead{
		ledger: found[1], hash: hex.EncodeToString(hash[:]), lane: numbers[3], seq: numbers[4], previous: found[6], root: found[8], size: numbers[9],
	}
}

// rootOf returns the root in hexadecimal to which an audit path leads, "" if it is no path
// of the index.
func rootOf(leaf []byte, index, size int64, path [][]byte) string {
	if index >= size {
		return ""
	}
	node := sha256.Sum256(append([]byte{0}, leaf...))
	for last := size - 1; last > 0; index, last = index/2, last/2 {
		if index%2 == 0 && index == last {
			continue
		}
		if len(path) == 0 {
			return ""
		}
		if index%2 == 1 {
			node = sha256.Sum256(slices.Concat([]byte{1}, path[0], node[:]))
		} else {
			node = sha256.Sum256(slices.Concat([]byte{1}, node[:], path[0]))
		}
		path = path[1:]
	}
	if len(path) > 0 {
		return ""
	}
	return hex.EncodeToString(node[:])
}

// Contradictions finds two headers of one block, and blocks that don't follow the one before.
func (r *Receipts) Contradictions() (found []Contradiction) {
	type place struct {
		ledger    string
		lane, seq int64
	}
	first := map[place]signedHead{}
	for _, h := range r.heads {
		at := place{h.ledger, h.lane, h.seq}
		before, known := first[at]
		if !known {
			first[at] = h
		} else if before.hash != h.hash {
			found = append(found, Contradiction{before.number, h.number,
				fmt.Sprintf("two histories: they have different blocks for lane %d, seq %d", h.lane, h.seq)})
		}
	}
	for _, h := range r.heads {
		before, known := first[place{h.ledger, h.lane, h.seq - 1}]
		if known && before.hash != h.previous {
			found = append(found, Contradiction{before.number, h.number,
				fmt.Sprintf("two histories: the block of lane %d, seq %d does not follow the other", h.lane, h.seq)})
		}
	}
	return found
}

// comparedMembers are those of a settled round that never change.
var comparedMembers = []string{
	"gameType", "rules", "token", "wager", "payout", "multiplier", "config", "outcome", "actions", "serverSeedHash", "clientSeed",
	"clientSeedSource", "nonce", "createdAt",
}

// compareHistory finds rounds of receipts that the history lacks or shows otherwise.
func compareHistory(receipts []VerifiedReceipt, history [][]byte) (findings []string, err error) {
	shown := map[string]jsonNode{}
	for _, line := range history {
		answer, err := readObject(line)
		if err != nil {
			return nil, fmt.Errorf("the history can't be read: %w", err)
		}
		for _, round := range roundsIn(answer) {
			shown[round.get("id").text] = round
		}
	}
	for _, r := range receipts {
		if r.Kind() != "round" {
			continue
		}
		mine := r.answer.get("round")
		id := mine.get("id").text
		other, found := shown[id]
		if !found {
			findings = append(findings, fmt.Sprintf("receipt %d: history: round %s is missing", r.number, id))
			continue
		}
		for _, name := range differences(mine, other) {
			findings = append(findings, fmt.Sprintf("receipt %d: history: round %s has another %s", r.number, id, name))
		}
	}
	return findings, nil
}

// differences returns the names of the members in which two rounds differ.
func differences(mine, other jsonNode) (names []string) {
	for _, name := range comparedMembers {
		if named := differenceIn(name, mine.get(name), other.get(name)); named != "" {
			names = append(names, named)
		}
	}
	return names
}

// differenceIn returns the name of a member that differs, "" if it doesn't.
func differenceIn(name string, a, b jsonNode) string {
	if name == "outcome" && (a.kind == 'n') != (b.kind == 'n') {
		return "void"
	}
	first, whole := a.integer()
	second, whole2 := b.integer()
	if (whole && whole2 && first == second) || sameValue(a, b) {
		return ""
	}
	return name
}

// roundsIn returns the rounds of an answer of GET /history or GET /history/{id}, or a bare
// round.
func roundsIn(answer jsonNode) []jsonNode {
	if list := answer.get("rounds"); list.kind == '[' {
		return list.items
	}
	if round := answer.get("round"); round.kind == '{' {
		return []jsonNode{round}
	}
	return []jsonNode{answer}
}
