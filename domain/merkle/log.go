package merkle

import "crypto/sha256"

// Frontier has the roots of the complete subtrees of a growing log, from which the hashes
// of further leaves and the root of the whole follow. Its zero value is an empty log.
type Frontier struct {
	size  int64
	roots []Hash // the largest subtree first
}

// FrontierOf returns the frontier of a log of a size. The roots are the stored hashes with
// the indexes that FrontierIndexes returns.
func FrontierOf(size int64, roots []Hash) Frontier { return Frontier{size, roots} }

// FrontierIndexes returns the indexes of the stored hashes that a log's frontier has.
func FrontierIndexes(size int64) (indexes []int64) {
	for level := 62; level >= 0; level-- {
		if size>>level&1 == 1 {
			indexes = append(indexes, StoredIndex(level, size>>level-1))
		}
	}
	return indexes
}

// StoredIndex returns the index of node n of a level among the stored hashes of a log. Each
// leaf is followed by the nodes that it completes.
func StoredIndex(level int, n int64) (index int64) {
	n = (n+1)<<level - 1 // the leaf that completes the node
	for ; n > 0; n >>= 1 {
		index += n
	}
	return index + int64(level)
}

// Size returns the number of leaves.
func (f *Frontier) Size() int64 { return f.size }

// Append adds a leaf and returns the hashes to be stored: the leaf's, and those of the nodes
// that it completes, the lowest first.
func (f *Frontier) Append(leaf Hash) (stored []Hash) {
	stored = []Hash{leaf}
	for size := f.size; size&1 == 1; size >>= 1 {
		last := len(f.roots) - 1
		leaf = NodeHash(f.roots[last], leaf)
		f.roots = f.roots[:last]
		stored = append(stored, leaf)
	}
	f.roots = append(f.roots, leaf)
	f.size++
	return stored
}

// Root returns the root of the log's tree.
func (f *Frontier) Root() Hash {
	if f.size == 0 {
		return sha256.Sum256(nil)
	}
	root := f.roots[len(f.roots)-1]
	for i := len(f.roots) - 2; i >= 0; i-- {
		root = NodeHash(f.roots[i], root)
	}
	return root
}
