package sorter_test

import (
	"os"
	"testing"

	"github.com/casino-service/casino/adapters/sorter"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
)

func TestSorterConforms(t *testing.T) {
	t.Parallel()
	for name, memory := range map[string]int{"in memory": 0, "in many runs": 4 << 10, "a record a run": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conformance.Sorter(t, func(t *testing.T) ports.Sorter {
				return sorter.New(sorter.Options{Dir: t.TempDir(), Memory: memory})
			})
		})
	}
}

// TestNothingIsLeft: from its first record on, the file has no name to open it by.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sorter.New(sorter.Options{Dir: dir, Memory: 1})
	for range 10 {
		if err := s.Add([]byte("key"), []byte("value")); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Fatalf("%v, %v", left, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskIsAnError(t *testing.T) {
	t.Parallel()
	s := sorter.New(sorter.Options{Dir: t.TempDir() + "/missing", Memory: 1})
	err := s.Add([]byte("1"), nil)
	if err == nil {
		err = s.Add([]byte("2"), nil)
	}
	if err == nil {
		t.Fatal("a folder that isn't there took records")
	}
}
