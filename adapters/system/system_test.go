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
	"testing/iotest"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/ports"
)

var (
	_ ports.Clock   = (*system.System)(nil)
	_ ports.Entropy = (*system.System)(nil)
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestNowIsUTC(t *testing.T) {
	t.Parallel()
	elsewhere := noon.In(time.FixedZone("elsewhere", -3*60*60))
	s := system.New(func() time.Time { return elsewhere }, seeded(1))
	if now := s.Now(); !now.Equal(noon) || now.Location() != time.UTC {
		t.Errorf("now is %v", now)
	}
	before := time.Now()
	if now := system.Default().Now(); now.Before(before) || now.After(time.Now()) {
		t.Errorf("%v is not between the moments around it", now)
	}
}

func TestSeedIsTheSourcesNext32Bytes(t *testing.T) {
	t.Parallel()
	source := make([]byte, 96)
	for i := range source {
		source[i] = byte(i)
	}
	s := system.New(time.Now, bytes.NewReader(source))
	if seed := s.Seed(); seed != [32]byte(source[:32]) {
		t.Errorf("the first seed is %x", seed)
	}
	read := make([]byte, 32)
	if n, err := s.Reader().Read(read); n != 32 || err != nil || !bytes.Equal(read, source[32:64]) {
		t.Errorf("the reader gave %d bytes %x and %v", n, read, err)
	}
	if seed := s.Seed(); seed != [32]byte(source[64:]) {
		t.Errorf("the last seed is %x", seed)
	}
}

func TestSourceInSmallPiecesIsReadToTheEnd(t *testing.T) {
	t.Parallel()
	source := bytes.Repeat([]byte{0xab}, 64)
	s := system.New(time.Now, iotest.OneByteReader(bytes.NewReader(source)))
	if seed := s.Seed(); seed != [32]byte(source[:32]) {
		t.Errorf("the seed is %x", seed)
	}
	read := make([]byte, 32)
	if n, err := s.Reader().Read(read); n != 32 || err != nil || !bytes.Equal(read, source[:32]) {
		t.Errorf("the reader gave %d bytes %x and %v", n, read, err)
	}
}

func TestFailingSourceNeverGivesASeed(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]io.Reader{
		"at once":   iotest.ErrReader(errors.New("no entropy")),
		"too short": bytes.NewReader(make([]byte, 9)),
	} {
		for act, draw := range map[string]func(*system.System){
			"seed":   func(s *system.System) { s.Seed() },
			"id":     func(s *system.System) { _ = s.ID() },
			"reader": func(s *system.System) { _, _ = s.Reader().Read(make([]byte, 32)) },
		} {
			t.Run(name+", "+act, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("it went on without randomness")
					}
				}()
				draw(system.New(time.Now, source))
			})
		}
	}
}

func TestIDIsVersion7OfItsMillisecond(t *testing.T) {
	t.Parallel()
	moment := noon.Add(123 * time.Millisecond)
	text := system.New(func() time.Time { return moment }, seeded(1)).ID()
	id, err := uuid.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if id.Version() != 7 || id.Variant() != uuid.RFC4122 || text != id.String() {
		t.Errorf("%s has version %d and variant %v", text, id.Version(), id.Variant())
	}
	if at := momentOf(text); !at.Equal(moment) {
		t.Errorf("%s says %v, made at %v", text, at, moment)
	}
}

// TestIDsSortAsMade moves the clock by any steps, also backwards, and draws any number of
// ids between two of them. They sort in order, unless the clock is more than half a minute
// behind them; then they follow the clock again.
func TestIDsSortAsMade(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := noon
		s := system.New(func() time.Time { return now }, seeded(rapid.Byte().Draw(t, "seed")))
		last := ""
		for _, step := range rapid.SliceOfN(rapid.OneOf(rapid.IntRange(-5000, 5000), rapid.IntRange(-90_000, 40_000)), 1, 20).Draw(t, "steps (ms)") {
			now = now.Add(time.Duration(step) * time.Millisecond)
			for range rapid.IntRange(1, 50).Draw(t, "ids") {
				id := s.ID()
				behind := time.Duration(0)
				if last != "" {
					behind = momentOf(last).Sub(now)
				}
				switch {
				case behind <= 30*time.Second && id <= last:
					t.Fatalf("%s was made after %s", id, last)
				case behind > 30*time.Second && !momentOf(id).Equal(now):
					t.Fatalf("%s was made at %s, %s behind the one before", id, now, behind)
				}
				last = id
			}
		}
	})
}

// TestFullCounterBorrowsTheNextMillisecond draws the highest 74 bits first, so
// that the second id finds no room in its millisecond.
func TestFullCounterBorrowsTheNextMillisecond(t *testing.T) {
	t.Parallel()
	full := bytes.NewReader(bytes.Repeat([]byte{0xff}, 10))
	s := system.New(func() time.Time { return noon }, io.MultiReader(full, seeded(1)))
	first, second, third := s.ID(), s.ID(), s.ID()
	if !momentOf(first).Equal(noon) || !momentOf(second).Equal(noon.Add(time.Millisecond)) {
		t.Errorf("%s and %s are of %v and %v", first, second, momentOf(first), momentOf(second))
	}
	if first >= second || second >= third {
		t.Errorf("%s, %s, %s don't sort as made", first, second, third)
	}
}

func TestIDsAreUniqueAcrossGoroutines(t *testing.T) {
	t.Parallel()
	s := system.Default()
	const workers, each = 16, 500
	made := make([][]string, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for range each {
				made[w] = append(made[w], s.ID())
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

// momentOf returns the millisecond that an id carries.
func momentOf(text string) time.Time {
	seconds, nanos := uuid.MustParse(text).Time().UnixTime()
	return time.Unix(seconds, nanos).UTC()
}

// seeded is an endless reader whose bytes repeat with the seed.
func seeded(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }

// TestSessionIDsNeverGoBack: ids follow a clock that is set back by an hour, but those of
// sessions don't, and they never sort before another id.
func TestSessionIDsNeverGoBack(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_000)
	s := system.New(func() time.Time { return now }, rand.NewChaCha8([32]byte{3}))
	sessions := s.SessionIDs()
	last := sessions.ID()
	for range 3 {
		now = now.Add(5 * time.Second)
		other := s.ID() // such as of a sign-out
		now = now.Add(-time.Hour)
		if back := s.ID(); back > other {
			t.Errorf("an id an hour later is %s, before it %s", back, other)
		}
		for range 3 {
			next := sessions.ID()
			if next <= last || next[:13] < other[:13] {
				t.Errorf("a session's id is %s after %s and %s", next, last, other)
			}
			last = next
		}
		now = now.Add(time.Hour)
	}
}

func TestAnIDTellsWhenItWasDrawn(t *testing.T) {
	t.Parallel()
	s := system.New(func() time.Time { return noon }, seeded(1))
	if at, ok := system.DrawnAt(s.ID()); !ok || !at.Equal(noon) {
		t.Errorf("%s, %v", at, ok)
	}
	for _, text := range []string{"", "w1", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", strings.ToUpper(s.ID()), "urn:uuid:" + s.ID()} {
		if at, ok := system.DrawnAt(text); ok {
			t.Errorf("%q was drawn at %s", text, at)
		}
	}
}
