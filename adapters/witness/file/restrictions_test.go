package file_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

func restrictions(t *testing.T, folder string) *file.Restrictions {
	t.Helper()
	r, err := file.OpenRestrictions(folder, fakes.Authenticator{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func linesOf(t *testing.T, folder string) (name string, content []byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.restrictions"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	content, err = os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return names[0], content
}

func TestRestrictionsConform(t *testing.T) {
	t.Parallel()
	conformance.Restrictions(t, func(t *testing.T) conformance.RestrictionsUnderTest {
		folder := filepath.Join(t.TempDir(), "restrictions")
		var under func(t *testing.T) conformance.RestrictionsUnderTest
		under = func(t *testing.T) conformance.RestrictionsUnderTest {
			return conformance.RestrictionsUnderTest{
				Restrictions: restrictions(t, folder), Traits: conformance.Traits{Durable: true}, Beside: under,
				Spoil: func(t *testing.T) {
					name, content := linesOf(t, folder)
					if err := os.WriteFile(name, bytes.ReplaceAll(content, []byte(`"kind"`), []byte(`"Kind"`)), 0o600); err != nil {
						t.Fatal(err)
					}
				},
			}
		}
		return under(t)
	})
}

func frozen(n int) restriction.Restriction {
	return restriction.Restriction{Kind: restriction.Frozen, Subject: fmt.Sprint("player ", n), At: at.Add(time.Duration(n) * time.Second), Holds: true}
}

// TestATornLineLosesNothingElse cuts the last line off at each of its bytes, as a crash
// may: earlier and later lines are kept.
func TestATornLineLosesNothingElse(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	r := restrictions(t, folder)
	keeps := func(n int) {
		t.Helper()
		if err := r.Keep(t.Context(), "ours", []restriction.Restriction{frozen(n)}); err != nil {
			t.Fatal(err)
		}
	}
	keeps(1)
	_, whole := linesOf(t, folder)
	keeps(2)
	name, two := linesOf(t, folder)
	for cut := len(whole) + 1; cut < len(two); cut += 7 {
		if err := os.WriteFile(name, two[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		keeps(3)
		kept, err := r.Kept(t.Context(), "ours")
		if err != nil || kept.Spoiled != 1 && cut < len(two)-1 || !kept.Since.Equal(at.Add(time.Second)) {
			t.Fatalf("cut at %d: %+v, %v", cut, kept, err)
		}
		if n := len(kept.All); n < 2 || kept.All[0].Subject != "player 1" || kept.All[n-1].Subject != "player 3" {
			t.Fatalf("cut at %d: %+v", cut, kept.All)
		}
	}
}

// TestAFileOfRestrictionsStaysSmall changes the same few subjects for a long time, in two
// processes that share the folder.
func TestAFileOfRestrictionsStaysSmall(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	one, two := restrictions(t, folder), restrictions(t, folder)
	var many []restriction.Restriction
	for n := range 1000 {
		many = append(many, frozen(n%50))
	}
	var both sync.WaitGroup
	for i, by := range []*file.Restrictions{one, two} {
		both.Go(func() {
			for round := range 20 { // own subjects for each, while the other may compact the file
				if err := by.Keep(t.Context(), "ours", append(slices.Clone(many), frozen(1000+20*i+round))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	if _, content := linesOf(t, folder); len(content) > 3<<20 {
		t.Errorf("%d bytes for 50 subjects", len(content))
	}
	for _, r := range []*file.Restrictions{one, two} {
		kept, err := r.Kept(t.Context(), "ours")
		if err != nil || len(kept.All) != 90 || kept.Spoiled != 0 || !kept.Since.Equal(at) {
			t.Errorf("%d are kept since %v, %d spoiled, %v", len(kept.All), kept.Since, kept.Spoiled, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(folder, "fresh-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("%v is left over, %v", left, err)
	}
	name, _ := linesOf(t, folder)
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
