package system_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Clock   = system.Clock{}
	_ ports.Entropy = (*system.Entropy)(nil)
	_ io.Reader     = system.Random{}
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestTheClockIsTheMachines(t *testing.T) {
	t.Parallel()
	before := time.Now()
	now := system.Clock{}.Now()
	if now.Before(before) || now.After(time.Now()) {
		t.Fatalf("%v is not between the moments around it", now)
	}
	if !strings.Contains(now.String(), "m=") {
		t.Error("the monotonic reading is lost")
	}
}

func TestSeedsAreTheReadersBytes(t *testing.T) {
	t.Parallel()
	source := bytes.Repeat([]byte{0xab}, 32)
	source = append(source, bytes.Repeat([]byte{0xcd}, 32)...)
	entropy := system.NewEntropyFrom(bytes.NewReader(source), system.Clock{}.Now)
	if first := entropy.Seed(); first != [32]byte(source[:32]) {
		t.Errorf("the first seed is %x", first)
	}
	if second := entropy.Seed(); second != [32]byte(source[32:]) {
		t.Errorf("the second seed is %x", second)
	}
}

func TestMachinesSeedsDiffer(t *testing.T) {
	t.Parallel()
	entropy := system.NewEntropy()
	seen := map[[32]byte]bool{{}: true}
	for range 1000 {
		seed := entropy.Seed()
		if seen[seed] {
			t.Fatalf("seed %x came twice, or is zero", seed)
		}
		seen[seed] = true
	}
}

func TestWithoutRandomnessNothingGoesOn(t *testing.T) {
	t.Parallel()
	broken := system.NewEntropyFrom(brokenReader{}, system.Clock{}.Now)
	for name, draw := range map[string]func(){
		"seed": func() { broken.Seed() },
		"id":   func() { _ = broken.ID() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("it went on without randomness")
				}
			}()
			draw()
		})
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

func TestAnIDIsAVersion7UUIDOfItsMoment(t *testing.T) {
	t.Parallel()
	moment := noon.Add(123 * time.Millisecond)
	entropy := system.NewEntropyFrom(seeded(1), func() time.Time { return moment })
	text := entropy.ID()
	id, err := uuid.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if id.Version() != 7 || id.Variant() != uuid.RFC4122 || text != id.String() {
		t.Errorf("%s has version %d and variant %v", text, id.Version(), id.Variant())
	}
	seconds, nanos := id.Time().UnixTime()
	if at := time.Unix(seconds, nanos); !at.Equal(moment) {
		t.Errorf("%s says %v, made at %v", text, at.UTC(), moment)
	}
}

// TestIDsSortAsTheyWereMade moves the clock by any steps, also backwards, and
// asks for any number of ids between two of them.
func TestIDsSortAsTheyWereMade(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := noon
		entropy := system.NewEntropyFrom(seeded(rapid.Uint64().Draw(t, "seed")), func() time.Time { return now })
		last := ""
		for _, step := range rapid.SliceOfN(rapid.IntRange(-5000, 5000), 1, 20).Draw(t, "steps (ms)") {
			now = now.Add(time.Duration(step) * time.Millisecond)
			for range rapid.IntRange(1, 50).Draw(t, "ids") {
				id := entropy.ID()
				if id <= last {
					t.Fatalf("%s was made after %s", id, last)
				}
				last = id
			}
		}
	})
}

// TestIDsOutlastAMillisecond needs more ids than a millisecond's counter holds.
func TestIDsOutlastAMillisecond(t *testing.T) {
	t.Parallel()
	entropy := system.NewEntropyFrom(seeded(2), func() time.Time { return noon })
	last := ""
	for n := range 20_000 {
		id := entropy.ID()
		if id <= last {
			t.Fatalf("id %d, %s, does not sort after %s", n, id, last)
		}
		last = id
	}
	seconds, nanos := uuid.MustParse(last).Time().UnixTime()
	if lent := time.Unix(seconds, nanos).Sub(noon); lent > 10*time.Millisecond {
		t.Errorf("20,000 ids at one moment lent %v from the future", lent)
	}
}

func TestIDsAreUniqueInParallel(t *testing.T) {
	t.Parallel()
	entropy := system.NewEntropy()
	const workers, each = 16, 500
	made := make([][]string, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for range each {
				made[w] = append(made[w], entropy.ID())
			}
		})
	}
	group.Wait()
	for w, ids := range made {
		if !slices.IsSorted(ids) {
			t.Errorf("worker %d saw ids out of order", w)
		}
	}
	all := slices.Concat(made...)
	slices.Sort(all)
	if unique := len(slices.Compact(all)); unique != workers*each {
		t.Errorf("%d of %d ids are unique", unique, workers*each)
	}
}

// TestIDsTellNothingButTheirMoment holds two processes with the same clock apart.
func TestIDsTellNothingButTheirMoment(t *testing.T) {
	t.Parallel()
	still := func() time.Time { return noon }
	one, other := system.NewEntropyFrom(system.Random{}, still), system.NewEntropyFrom(system.Random{}, still)
	a, b := one.ID(), other.ID()
	if a[:13] != b[:13] || a[19:] == b[19:] {
		t.Errorf("%s and %s: the first 48 bits are the moment, the last 62 are random", a, b)
	}
}

func BenchmarkID(b *testing.B) {
	entropy := system.NewEntropy()
	b.ReportAllocs()
	for b.Loop() {
		_ = entropy.ID()
	}
}

// seeded is a reader whose bytes repeat with the seed.
func seeded(seed uint64) io.Reader {
	var key [32]byte
	key[0], key[1], key[2], key[3] = byte(seed), byte(seed>>8), byte(seed>>16), byte(seed>>24)
	return rand.NewChaCha8(key)
}
