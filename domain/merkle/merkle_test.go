package merkle_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/merkle/testonly"

	"github.com/casino-service/casino/domain/merkle"
)

func leavesOf(n int) (leaves []merkle.Hash) {
	for i := range n {
		leaves = append(leaves, merkle.LeafHash([]byte{merkle.LeafPrefix, byte(i), byte(i >> 8)}))
	}
	return leaves
}

// Trees of up to 130 leaves have the roots and paths of another implementation.
func TestTreesAreThoseOfRFC6962(t *testing.T) {
	t.Parallel()
	other := testonly.New(rfc6962.DefaultHasher)
	for size := range 131 {
		leaves := leavesOf(size)
		tree := merkle.New(leaves)
		root := tree.Root()
		if size > 0 {
			other.AppendData([]byte{byte(size - 1), byte((size - 1) >> 8)})
		}
		if want := other.HashAt(uint64(size)); !slices.Equal(root[:], want) {
			t.Fatalf("root of %d leaves: %x, want %x", size, root, want)
		}
		for index := range size {
			path := tree.Path(index)
			raw := make([][]byte, len(path))
			for i := range path {
				raw[i] = path[i][:]
			}
			if err := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(index), uint64(size), leaves[index][:], raw, root[:]); err != nil {
				t.Fatalf("leaf %d of %d: %v", index, size, err)
			}
			if got, valid := merkle.RootOf(leaves[index], index, size, path); !valid || got != root {
				t.Fatalf("leaf %d of %d: the path leads to %x", index, size, got)
			}
		}
	}
}

// A path proves one leaf at one place of one tree.
func TestForgedPathsLeadElsewhere(t *testing.T) {
	t.Parallel()
	const size = 21
	leaves := leavesOf(size)
	tree := merkle.New(leaves)
	root := tree.Root()
	leads := func(leaf merkle.Hash, index, size int, path []merkle.Hash) bool {
		got, valid := merkle.RootOf(leaf, index, size, path)
		return valid && got == root
	}
	for index := range size {
		path := tree.Path(index)
		for other := -1; other <= size; other++ {
			if other != index && leads(leaves[index], other, size, path) {
				t.Fatalf("the path of leaf %d leads from %d", index, other)
			}
		}
		forged := slices.Clone(path)
		forged[0][0] ^= 1
		for name, found := range map[string]bool{
			"another leaf":   leads(leaves[(index+1)%size], index, size, path),
			"a changed hash": leads(leaves[index], index, size, forged),
			"a longer path":  leads(leaves[index], index, size, append(slices.Clone(path), root)),
			"a shorter path": leads(leaves[index], index, size, path[1:]),
		} {
			if found {
				t.Fatalf("leaf %d: %s leads to the root", index, name)
			}
		}
	}
}

func TestTheEmptyTree(t *testing.T) {
	t.Parallel()
	root := merkle.New(nil).Root()
	if want := sha256.Sum256(nil); root != want || hex.EncodeToString(root[:4]) != "e3b0c442" {
		t.Errorf("root %x", root)
	}
	if _, valid := merkle.RootOf(root, 0, 0, nil); valid {
		t.Error("the empty tree has a leaf")
	}
}
