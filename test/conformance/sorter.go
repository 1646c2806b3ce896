package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/casino-service/casino/ports"
)

// Sorter is the suite of ports.Sorter.
func Sorter(t *testing.T, newSorter func(t *testing.T) ports.Sorter) {
	for sentence, prove := range map[string]func(*testing.T, ports.Sorter){
		"records come in order of keys, those of one key as they were added": sortedRecords,
		"the slices may be changed afterwards":                               changedSlices,
		"an error of visit ends the walk and is returned":                    sortedVisitEnds,
		"without a record nothing is visited":                                nothingSorted,
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			s := newSorter(t)
			prove(t, s)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func sortedRecords(t *testing.T, s ports.Sorter) {
	type record struct{ key, value string }
	var want []record
	for i := range 10_000 {
		r := record{fmt.Sprintf("%0*d", 1+i%11, i*7919%997), fmt.Sprint(i)}
		if i%100 == 0 {
			r.key, r.value = "", string(bytes.Repeat([]byte{byte(i)}, i%5_000))
		}
		want = append(want, r)
		if err := s.Add([]byte(r.key), []byte(r.value)); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortStableFunc(want, func(x, y record) int { return bytes.Compare([]byte(x.key), []byte(y.key)) })
	var got []record
	if err := s.Sorted(background, func(key, value []byte) error {
		got = append(got, record{string(key), string(value)})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d records came, of %d, or in another order", len(got), len(want))
	}
}

func changedSlices(t *testing.T, s ports.Sorter) {
	key, value := []byte("k"), []byte("v")
	if err := s.Add(key, value); err != nil {
		t.Fatal(err)
	}
	key[0], value[0] = 'x', 'y'
	if err := s.Sorted(background, func(key, value []byte) error {
		if string(key) != "k" || string(value) != "v" {
			t.Errorf("%s: %s", key, value)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func sortedVisitEnds(t *testing.T, s ports.Sorter) {
	for range 10_000 {
		if err := s.Add([]byte("key"), []byte("value")); err != nil {
			t.Fatal(err)
		}
	}
	enough, visits := errors.New("enough"), 0
	if err := s.Sorted(background, func([]byte, []byte) error { visits++; return enough }); !errors.Is(err, enough) || visits != 1 {
		t.Errorf("%d visits, %v", visits, err)
	}
}

func nothingSorted(t *testing.T, s ports.Sorter) {
	if err := s.Sorted(background, func(key, value []byte) error { t.Errorf("%s: %s", key, value); return nil }); err != nil {
		t.Error(err)
	}
}
