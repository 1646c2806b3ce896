// Package merkle builds Merkle trees of RFC 6962 and checks that a tree has a leaf.
//
// A leaf's hash is SHA-256(0x00 || data), a node's SHA-256(0x01 || left || right). The
// left subtree of a node has the greatest power of two of leaves that is less than all.
// The root of a tree without leaves is SHA-256 of nothing.
package merkle

import (
	"crypto/sha256"
	"math/bits"
)

// Hash is the hash of a leaf or of a node.
type Hash = [sha256.Size]byte

// LeafPrefix is the byte that precedes the data of a leaf where it is hashed.
const LeafPrefix = 0x00

// LeafHash returns the hash of a leaf. The data must begin with LeafPrefix already, so
// that whoever encodes it need not copy it.
func LeafHash(prefixed []byte) Hash { return sha256.Sum256(prefixed) }

// NodeHash returns the hash of a node with two children.
func NodeHash(left, right Hash) Hash {
	var joined [1 + 2*sha256.Size]byte
	joined[0] = 0x01
	copy(joined[1:], left[:])
	copy(joined[1+sha256.Size:], right[:])
	return sha256.Sum256(joined[:])
}

// Tree is a Merkle tree. Its zero value has no leaves.
type Tree struct {
	// levels are the hashes from the leaves up to the root. The last node of a level with
	// an odd number of nodes stands on the next level as it is.
	levels [][]Hash
}

// New returns the tree with these leaves. It keeps the slice.
func New(leaves []Hash) Tree {
	if len(leaves) == 0 {
		return Tree{}
	}
	t := Tree{levels: make([][]Hash, 0, bits.Len(uint(len(leaves)))+1)}
	for level := leaves; ; {
		t.levels = append(t.levels, level)
		if len(level) == 1 {
			return t
		}
		above := make([]Hash, 0, (len(level)+1)/2)
		for i := 0; i+1 < len(level); i += 2 {
			above = append(above, NodeHash(level[i], level[i+1]))
		}
		if len(level)%2 == 1 {
			above = append(above, level[len(level)-1])
		}
		level = above
	}
}

// Size returns the number of leaves.
func (t Tree) Size() int {
	if len(t.levels) == 0 {
		return 0
	}
	return len(t.levels[0])
}

// Root returns the root.
func (t Tree) Root() Hash {
	if len(t.levels) == 0 {
		return sha256.Sum256(nil)
	}
	return t.levels[len(t.levels)-1][0]
}

// Leaf returns the hash of the leaf at an index.
func (t Tree) Leaf(index int) Hash { return t.levels[0][index] }

// Path returns the audit path of the leaf at an index: the hashes beside its way to the
// root, the lowest first.
func (t Tree) Path(index int) []Hash {
	var path []Hash
	for _, level := range t.levels {
		if beside := index ^ 1; beside < len(level) {
			path = append(path, level[beside])
		}
		index /= 2
	}
	return path
}

// RootOf returns the root of the tree of size leaves that has the leaf at the index, by
// the leaf's audit path. It is false for a path that no such tree has.
func RootOf(leaf Hash, index, size int, path []Hash) (root Hash, valid bool) {
	if index < 0 || index >= size {
		return Hash{}, false
	}
	root = leaf
	for last := size - 1; last > 0; index, last = index/2, last/2 {
		if index%2 == 0 && index == last { // no node stands to the right on this level
			continue
		}
		if len(path) == 0 {
			return Hash{}, false
		}
		if index%2 == 1 {
			root = NodeHash(path[0], root)
		} else {
			root = NodeHash(root, path[0])
		}
		path = path[1:]
	}
	return root, len(path) == 0
}
