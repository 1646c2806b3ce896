package file_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/sealer"
	"github.com/casino-service/casino/adapters/witness/file"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
)

func open(t testing.TB, folder string, seals ports.Authenticator) *file.Witness {
	t.Helper()
	w, err := file.Open(folder, seals)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Witness(t, func(t *testing.T) conformance.WitnessUnderTest {
		folder := filepath.Join(t.TempDir(), "heads")
		var under func(t *testing.T) conformance.WitnessUnderTest
		under = func(t *testing.T) conformance.WitnessUnderTest {
			w := open(t, folder, fakes.Authenticator{})
			return conformance.WitnessUnderTest{
				Witness: w, Traits: conformance.Traits{Durable: true}, Beside: under,
				Flush: func(t *testing.T) {
					if worked, err := w.Step(t.Context()); worked || err != nil {
						t.Errorf("a step worked %v, %v", worked, err)
					}
				},
				Spoil: func(t *testing.T) { edit(t, folder, func(line []byte) { line[30] ^= 1 }) },
			}
		}
		return under(t)
	})
}

// edit changes the lines of all files of the folder in place.
func edit(t *testing.T, folder string, change func(line []byte)) {
	t.Helper()
	for _, name := range files(t, folder) {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(content); at += 512 {
			if line := content[at : at+512]; strings.Trim(string(line), " \n\x00") != "" {
				change(line)
			}
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.heads"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	return names
}

func head(lane int, seq int64) witness.Head {
	return witness.Head{Head: hashchain.Head{Lane: lane, Seq: seq, Hash: hashchain.Hash{byte(seq)}}, Epoch: 1}
}

var at = time.UnixMicro(1_800_000_000_000_000).UTC()

func keep(t testing.TB, w *file.Witness, heads ...witness.Head) {
	t.Helper()
	if err := w.Keep(witness.Of("ours", at, heads...)); err != nil {
		t.Fatal(err)
	}
}

func kept(t *testing.T, w *file.Witness) ports.Kept {
	t.Helper()
	k, err := w.Kept(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestATornWriteLosesNothing cuts the newest line off at each of its bytes, as a crash may:
// the head before it is kept, and the next one is stored.
func TestATornWriteLosesNothing(t *testing.T) {
	t.Parallel()
	for cut := 0; cut < 170; cut += 13 {
		folder := t.TempDir()
		w := open(t, folder, fakes.Authenticator{})
		keep(t, w, head(1, 7))
		keep(t, w, head(1, 8))
		edit(t, folder, func(line []byte) {
			if strings.Contains(string(line), " 8 ") {
				clear(line[cut:])
			}
		})
		w = open(t, folder, fakes.Authenticator{})
		k := kept(t, w)
		if len(k.Records) != 1 || k.Records[0].Heads[1] != head(1, 7) || k.Spoiled > 1 {
			t.Fatalf("cut at %d: %+v", cut, k)
		}
		keep(t, w, head(1, 9))
		edit(t, folder, func(line []byte) { // the torn line was written over, not the good one
			if strings.Contains(string(line), " 9 ") {
				clear(line)
			}
		})
		if k := kept(t, open(t, folder, fakes.Authenticator{})); k.Records[0].Heads[1] != head(1, 7) {
			t.Fatalf("cut at %d: the good line was written over: %+v", cut, k)
		}
	}
}

// TestAFolderThatWasTakenAwayIsWrittenAgain deletes the files under a running service.
func TestAFolderThatWasTakenAwayIsWrittenAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	w := open(t, folder, fakes.Authenticator{})
	keep(t, w, head(1, 7))
	if err := os.Remove(files(t, folder)[0]); err != nil {
		t.Fatal(err)
	}
	if k := kept(t, w); len(k.Records) != 0 {
		t.Fatalf("what was deleted is read: %+v", k)
	}
	keep(t, w, head(1, 7))
	if k := kept(t, open(t, folder, fakes.Authenticator{})); len(k.Records) != 1 || k.Records[0].Heads[1] != head(1, 7) {
		t.Errorf("kept %+v", k)
	}
}

func TestItsOwnerAloneMayReadIt(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "heads")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	keep(t, open(t, folder, fakes.Authenticator{}), head(1, 7))
	for path, want := range map[string]os.FileMode{folder: 0o700, files(t, folder)[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
	}
	if _, err := file.Open(files(t, folder)[0], fakes.Authenticator{}); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// TestAProcessThatStandsStillHoldsNobodyUp holds the lock like a process that was frozen in
// the middle.
func TestAProcessThatStandsStillHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	w := open(t, folder, fakes.Authenticator{})
	keep(t, w, head(1, 7))
	frozen, err := os.Open(files(t, folder)[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(frozen.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := w.Keep(witness.Of("ours", at, head(1, 8))); err == nil {
		t.Error("kept although another process holds the file")
	}
	if err := frozen.Close(); err != nil {
		t.Fatal(err)
	}
	keep(t, w, head(1, 8))
	if k := kept(t, w); k.Records[0].Heads[1] != head(1, 8) {
		t.Errorf("kept %+v", k)
	}
}

func TestALaneThatThereIsNoPlaceForIsRefused(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), fakes.Authenticator{})
	for _, lane := range []int{-3, 4096} {
		if err := w.Keep(witness.Record{Ledger: "ours", Heads: map[int]witness.Head{lane: head(lane, 1)}}); err == nil {
			t.Errorf("lane %d is kept", lane)
		}
	}
}

// BenchmarkKeep measures the cost of the file for a batch: a write of each newer head,
// without waiting for the disk, and with a step every 50 ms beside it as in the service.
// slowest-µs is the longest wait of a write for a sync in progress.
func BenchmarkKeep(b *testing.B) {
	ring, err := sealer.ParseKeys([]string{"k1:" + strings.Repeat("0123456789abcdef", 4)})
	if err != nil {
		b.Fatal(err)
	}
	w := open(b, b.TempDir(), sealer.NewAuthenticator(ring))
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	go func() {
		ticks := time.NewTicker(50 * time.Millisecond)
		defer ticks.Stop()
		for ctx.Err() == nil {
			<-ticks.C
			_, _ = w.Step(ctx)
		}
	}()
	b.ReportAllocs()
	var slowest time.Duration
	for seq := int64(1); b.Loop(); seq++ {
		began := time.Now()
		keep(b, w, head(1, seq))
		slowest = max(slowest, time.Since(began))
	}
	b.ReportMetric(float64(slowest.Microseconds()), "slowest-µs")
}
