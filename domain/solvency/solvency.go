// Package solvency makes and checks Merkle-sum trees of all that is owed to players, so that
// each of them can see that the stated sum has what is owed to them.
//
// A leaf is what is owed to one wallet in one token, under a salted hash of the wallet; a
// node's hash covers the hashes and the sums of both children. docs/fairness/solvency.md has
// the form of each to the byte.
package solvency

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Hash is a SHA-256 hash.
type Hash [sha256.Size]byte

// String returns 64 hexadecimal digits in lower case.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads what String wrote, in that form alone.
func ParseHash(text string) (h Hash, err error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(h) || text != strings.ToLower(text) {
		return Hash{}, fault.Field("hash", "must be 64 hexadecimal digits in lower case")
	}
	return Hash(raw), nil
}

// Salt returns what hides a wallet in the trees of one hour from everybody who isn't told:
// a function of a secret key, which only the service has.
func Salt(key []byte, w wallet.Address, hour time.Time) Hash {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "casino solvency salt 1\nwallet: %s\nhour: %d\n", w, hour.UnixMilli())
	return Hash(mac.Sum(nil))
}

// Owner returns the salted hash of a wallet.
func Owner(w wallet.Address, salt Hash) Hash {
	return sha256.Sum256(fmt.Appendf(nil, "casino solvency owner 1\nwallet: %s\nsalt: %s\n", w, salt))
}

// Owed is what is owed to one wallet in one token.
type Owed struct {
	// Available may be played and withdrawn, Held is of open withdrawals, Staked on open
	// rounds, Unclaimed arrived before the first sign-in.
	Available, Held, Staked, Unclaimed money.Amount
}

// Sum returns all that is owed. It is false where a part is negative, or the sum above
// money.Max.
func (o Owed) Sum() (sum money.Amount, valid bool) {
	for _, part := range [...]money.Amount{o.Available, o.Held, o.Staked, o.Unclaimed} {
		if sum, valid = add(sum, part); !valid {
			return 0, false
		}
	}
	return sum, true
}

// part returns the part that accounts of a kind are, nil for kinds that are owed to nobody.
func (o *Owed) part(kind ledger.Kind) *money.Amount {
	switch kind {
	case ledger.Player:
		return &o.Available
	case ledger.Hold:
		return &o.Held
	case ledger.Stake:
		return &o.Staked
	case ledger.Unclaimed:
		return &o.Unclaimed
	}
	return nil
}

// add adds two amounts of which neither may be negative.
func add(a, b money.Amount) (sum money.Amount, valid bool) {
	if a < 0 || b < 0 {
		return 0, false
	}
	return a.Add(b)
}

// Leaf is what is owed to the wallet of a salted hash.
type Leaf struct {
	Owner Hash
	Owed
}

// Node returns the node of a leaf. It is false for amounts that have no sum.
func (l Leaf) Node(token money.Token) (Node, bool) {
	sum, valid := l.Sum()
	text := fmt.Appendf(nil, "casino solvency leaf 1\nowner: %s\ntoken: %s\navailable: %d\nheld: %d\nstaked: %d\nunclaimed: %d\n",
		l.Owner, token, l.Available, l.Held, l.Staked, l.Unclaimed)
	return Node{Sum: sum, Hash: sha256.Sum256(text)}, valid
}

// Node is a subtree: what is owed to all of its leaves, and what proves it.
type Node struct {
	Sum  money.Amount
	Hash Hash
}

// String returns the sum, a colon and the hash.
func (n Node) String() string { return strconv.FormatInt(int64(n.Sum), 10) + ":" + n.Hash.String() }

// nodeSize is the number of bytes that EncodeNodes writes for a node.
const nodeSize = 8 + sha256.Size

// EncodeNodes writes nodes as paths have them: of each the sum, as 8 bytes with the highest
// first, and the hash.
func EncodeNodes(nodes []Node) []byte {
	b := make([]byte, 0, nodeSize*len(nodes))
	for _, n := range nodes {
		b = append(binary.BigEndian.AppendUint64(b, uint64(n.Sum)), n.Hash[:]...) //nolint:gosec // sums aren't negative
	}
	return b
}

// DecodeNodes reads what EncodeNodes wrote. A sum that doesn't fit is negative, which Join
// refuses.
func DecodeNodes(b []byte) ([]Node, error) {
	if len(b)%nodeSize != 0 {
		return nil, fault.Field("path", "must have %d bytes for each node", nodeSize)
	}
	var nodes []Node
	for raw := range slices.Chunk(b, nodeSize) {
		nodes = append(nodes, Node{money.Amount(binary.BigEndian.Uint64(raw)), Hash(raw[8:])}) //nolint:gosec // see above
	}
	return nodes, nil
}

// Join returns the node above two. It is false for a sum that is negative, or above
// money.Max.
func Join(left, right Node) (Node, bool) {
	sum, valid := add(left.Sum, right.Sum)
	text := make([]byte, 0, 220)
	text = append(append(text, "casino solvency node 1\nleft: "...), left.String()...)
	text = append(append(text, "\nright: "...), right.String()...)
	return Node{Sum: sum, Hash: sha256.Sum256(append(text, '\n'))}, valid
}

// Empty is the root of a tree without leaves.
func Empty() Node { return Node{Hash: sha256.Sum256(nil)} }

// Tree is a Merkle-sum tree, of the shape of RFC 6962: the left subtree of a node has the
// greatest power of two of leaves that is less than all.
type Tree struct {
	// levels are the nodes from the leaves up to the root. The last node of a level with an
	// odd number of nodes stands on the next level as it is.
	levels [][]Node
}

// NewTree returns the tree over some nodes, which it keeps: leaves, or the roots of trees
// with equal powers of two of leaves, of which the last may have fewer. Sums above money.Max
// are a fault of kind Invalid.
func NewTree(nodes []Node) (Tree, error) {
	var t Tree
	for level := nodes; len(level) > 0; {
		t.levels = append(t.levels, level)
		if len(level) == 1 {
			break
		}
		above := make([]Node, 0, (len(level)+1)/2)
		for i := 0; i+1 < len(level); i += 2 {
			joined, valid := Join(level[i], level[i+1])
			if !valid {
				return Tree{}, fault.Field("sum", "is negative, or above %d", money.Max)
			}
			above = append(above, joined)
		}
		if len(level)%2 == 1 {
			above = append(above, level[len(level)-1])
		}
		level = above
	}
	return t, nil
}

// Root returns the root.
func (t Tree) Root() Node {
	if len(t.levels) == 0 {
		return Empty()
	}
	return t.levels[len(t.levels)-1][0]
}

// Path returns the nodes beside the way from a node of the lowest level to the root, the
// lowest first.
func (t Tree) Path(index int) []Node {
	var path []Node
	for _, level := range t.levels {
		if beside := index ^ 1; beside < len(level) {
			path = append(path, level[beside])
		}
		index /= 2
	}
	return path
}

// RootOf returns the root of the tree of size leaves that has the leaf at the index, by the
// leaf's path. It is false for a path that no such tree has, and for one with a sum that is
// negative or above money.Max.
func RootOf(leaf Node, index, size int, path []Node) (root Node, valid bool) {
	if index < 0 || index >= size {
		return Node{}, false
	}
	root = leaf
	for last := size - 1; last > 0; index, last = index/2, last/2 {
		if index%2 == 0 && index == last { // no node stands to the right on this level
			continue
		}
		if len(path) == 0 {
			return Node{}, false
		}
		left, right := root, path[0]
		if index%2 == 1 {
			left, right = right, left
		}
		if root, valid = Join(left, right); !valid {
			return Node{}, false
		}
		path = path[1:]
	}
	return root, len(path) == 0
}
