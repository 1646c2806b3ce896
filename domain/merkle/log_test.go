package merkle_test

import (
	"strconv"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/domain/merkle"
)

// TestLogIsATlog compares the stored hashes, their numbers and the roots of every size with those
// of another implementation.
func TestLogIsATlog(t *testing.T) {
	t.Parallel()
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) (found []tlog.Hash, _ error) {
		for _, i := range indexes {
			found = append(found, stored[i])
		}
		return found, nil
	})
	var grown merkle.Frontier
	for n := range int64(300) {
		data := []byte("entry " + strconv.FormatInt(n, 10))
		want, err := tlog.StoredHashes(n, data, read)
		if err != nil {
			t.Fatal(err)
		}
		var roots []merkle.Hash
		for _, i := range merkle.FrontierIndexes(n) {
			roots = append(roots, stored[i])
		}
		loaded := merkle.FrontierOf(n, roots)
		if got := merkle.StoredIndex(0, n); got != int64(len(stored)) {
			t.Fatalf("leaf %d is stored at %d, want %d", n, got, len(stored))
		}
		leaf := merkle.LeafHash(append([]byte{merkle.LeafPrefix}, data...))
		for _, f := range []*merkle.Frontier{&grown, &loaded} {
			got := f.Append(leaf)
			if len(got) != len(want) || f.Size() != n+1 {
				t.Fatalf("leaf %d stores %d hashes of %d leaves, want %d", n, len(got), f.Size(), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("leaf %d stores another hash %d", n, i)
				}
			}
		}
		stored = append(stored, want...)
		root, err := tlog.TreeHash(n+1, read)
		if err != nil || grown.Root() != root || loaded.Root() != root {
			t.Fatalf("the root of %d leaves is not %v: %v", n+1, root, err)
		}
		for level := range 8 {
			if n>>level > 0 && merkle.StoredIndex(level, n>>level) != tlog.StoredHashIndex(level, n>>level) {
				t.Fatalf("node %d of level %d is stored elsewhere", n>>level, level)
			}
		}
	}
}
