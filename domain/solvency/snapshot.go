package solvency

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// ChunkSize is how many leaves a chunk has, the last one fewer. It is a power of two, so
// that the tree over the roots of chunks is the tree over all leaves.
const ChunkSize = 256

// Chunk is some leaves of a snapshot next to each other.
type Chunk []Leaf

// Tree returns the tree of a chunk alone.
func (c Chunk) Tree(token money.Token) (Tree, error) {
	nodes := make([]Node, len(c))
	for i, leaf := range c {
		node, valid := leaf.Node(token)
		if !valid {
			return Tree{}, fault.Field("sum", "is negative, or above %d", money.Max)
		}
		nodes[i] = node
	}
	return NewTree(nodes)
}

// Ledger is all that is owed in one token at an hour, as it is kept to make proofs of.
type Ledger struct {
	Token money.Token
	// Chunks are all leaves, sorted by their owners. Roots are those of the chunks.
	Chunks []Chunk
	Roots  []Node
}

// NewLedger returns what is owed in a token at an hour, under salts of the key. Wallets to
// which nothing is owed have no leaf. An amount that is negative, and sums above money.Max,
// are faults of kind Invalid.
func NewLedger(token money.Token, key []byte, hour time.Time, debts map[wallet.Address]Owed) (Ledger, error) {
	leaves := make([]Leaf, 0, len(debts))
	for w, owed := range debts {
		if owed != (Owed{}) {
			leaves = append(leaves, Leaf{Owner(w, Salt(key, w, hour)), owed})
		}
	}
	slices.SortFunc(leaves, func(a, b Leaf) int { return bytes.Compare(a.Owner[:], b.Owner[:]) })
	l := Ledger{Token: token}
	for chunk := range slices.Chunk(leaves, ChunkSize) {
		tree, err := Chunk(chunk).Tree(token)
		if err != nil {
			return Ledger{}, err
		}
		l.Chunks, l.Roots = append(l.Chunks, chunk), append(l.Roots, tree.Root())
	}
	_, err := NewTree(slices.Clone(l.Roots))
	return l, err
}

// Size returns the number of leaves.
func (l Ledger) Size() int {
	if len(l.Chunks) == 0 {
		return 0
	}
	return (len(l.Chunks)-1)*ChunkSize + len(l.Chunks[len(l.Chunks)-1])
}

// held returns the sum of what withdrawals hold.
func (l Ledger) held() (sum money.Amount) {
	for _, chunk := range l.Chunks {
		for _, leaf := range chunk {
			sum += leaf.Held
		}
	}
	return sum
}

// Root returns the root of the tree of all leaves.
func (l Ledger) Root() Node {
	tree, err := NewTree(slices.Clone(l.Roots))
	if err != nil { // a ledger that NewLedger made has sums
		return Node{}
	}
	return tree.Root()
}

// Prove returns the proof of an owner's leaf in the n-th chunk, by the roots of all chunks.
// It is false where the chunk hasn't the owner, and for chunks that aren't of the roots.
func Prove(token money.Token, roots []Node, n int, chunk Chunk, owner Hash) (p Proof, found bool) {
	at, found := slices.BinarySearchFunc(chunk, owner, func(l Leaf, owner Hash) int { return bytes.Compare(l.Owner[:], owner[:]) })
	if !found || n < 0 || n >= len(roots) {
		return Proof{}, false
	}
	lower, err := chunk.Tree(token)
	if err != nil || lower.Root() != roots[n] {
		return Proof{}, false
	}
	upper, err := NewTree(slices.Clone(roots))
	if err != nil {
		return Proof{}, false
	}
	return Proof{Token: token, Owed: chunk[at].Owed, Index: n*ChunkSize + at, Path: append(lower.Path(at), upper.Path(n)...)}, true
}

// Debts are what is owed to wallets, by token.
type Debts map[money.Token]map[wallet.Address]Owed

// Add adds an account's balance to what is owed to a wallet. It is false for a balance that
// is negative, and for a sum above money.Max.
func (d Debts) Add(kind ledger.Kind, w wallet.Address, token money.Token, amount money.Amount) (valid bool) {
	if d[token] == nil {
		d[token] = map[wallet.Address]Owed{}
	}
	owed := d[token][w]
	part := owed.part(kind)
	if part == nil {
		return true // owed to nobody
	}
	*part, valid = add(*part, amount)
	d[token][w] = owed
	return valid
}

// Event returns the fact that a block has of a ledger stated at a moment, with the heads of
// the blocks that it is of.
func (l Ledger) Event(at time.Time, heads []hashchain.Head) event.Event {
	texts := make([]string, len(heads))
	for i, head := range heads {
		texts[i] = checkpoint.HeadText(head)
	}
	root := l.Root()
	return event.New(event.Solvency, EventID(at, l.Token), "", event.Text("token", l.Token), event.Text("root", root.Hash.String()),
		event.Int("sum", root.Sum), event.Int("held", l.held()), event.Int("leaves", l.Size()), event.Text("heads", strings.Join(texts, " ")))
}

// EventID returns the id of the fact of a token. Ids sort by moment, which they have in
// milliseconds.
func EventID(at time.Time, token money.Token) string {
	return fmt.Sprintf("%013d/%s", at.UnixMilli(), token)
}

// ParseEventID reads what EventID wrote.
func ParseEventID(id string) (at time.Time, token money.Token, valid bool) {
	moment, mint, valid := strings.Cut(id, "/")
	millis, err := strconv.ParseInt(moment, 10, 64)
	return time.UnixMilli(millis).UTC(), money.Token(mint), valid && err == nil
}
