package headlog_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/control"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/merkle"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/apptest"
	"github.com/casino-service/casino/test/fakes"
)

// recording is a signer that records what it signed.
type recording struct {
	fakes.StatementSigner
	mu     sync.Mutex
	signed []string
}

func (r *recording) SignText(text string) (checkpoint.Signed, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.signed = append(r.signed, text)
	return r.StatementSigner.SignText(text)
}

// outside is what a deployment keeps outside the database.
type outside struct {
	mu   sync.Mutex
	kept []witness.Head
}

func (o *outside) LogHeads(context.Context) []witness.Head {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.kept)
}

func (o *outside) KeepLogHead(h witness.Head) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, h)
}

// log opens a casino with a ledger, a recording signer and an outside.
func log(t *testing.T, at *outside, options ...func(*app.Deps)) (*apptest.House, *recording) {
	t.Helper()
	signer := &recording{}
	h := apptest.Open(t, append(options, func(d *app.Deps) { d.Receipts, d.LogHeads = signer, at })...)
	if err := h.Store.Initialize(h.Ctx, ports.Identity{Mode: ports.ModeDev, Genesis: "g", Ledger: "ledger-1"}); err != nil {
		t.Fatal(err)
	}
	return h, signer
}

// consistent fails unless all signed checkpoints are of one growing log, that of the store.
func consistent(t *testing.T, h *apptest.House, signed []string) {
	t.Helper()
	reader := tlog.HashReaderFunc(func(indexes []int64) (read []tlog.Hash, err error) {
		hashes, err := h.Store.LogHashes(h.Ctx, indexes)
		for _, hash := range hashes {
			read = append(read, tlog.Hash(hash))
		}
		return read, err
	})
	newest := tlog.Tree{N: apptest.OK(h.Store.LogSize(h.Ctx))(t)}
	newest.Hash = apptest.OK(tlog.TreeHash(newest.N, reader))(t)
	for _, text := range signed {
		tree := apptest.OK(treeOf(text))(t)
		proof := apptest.OK(tlog.ProveTree(newest.N, tree.N, reader))(t)
		if err := tlog.CheckTree(proof, newest.N, newest.Hash, tree.N, tree.Hash); err != nil {
			t.Errorf("a checkpoint of %d entries is not extended by the log of %d: %v", tree.N, newest.N, err)
		}
	}
}

// Instances that append and sign beside each other, with commits in between, sign one log.
func TestInstancesSignOneLog(t *testing.T) {
	t.Parallel()
	h, signer := log(t, &outside{})
	other := h.Remade(func(d *app.Deps) { d.LogHeads = &outside{} })
	var all sync.WaitGroup
	for name, instance := range map[string]*apptest.House{"alice": h, "bob": other} {
		player := h.NewPlayer(name, 1_000_000)
		all.Go(func() {
			for range 40 {
				if _, err := instance.Play.Play(h.Ctx, player, apptest.Dice(100)); err != nil {
					t.Error(err)
				}
				if _, err := instance.HeadLog.Step(h.Ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if len(signer.signed) < 2 {
		t.Fatalf("only %d checkpoints", len(signer.signed))
	}
	consistent(t, h, signer.signed)
}

// A database that was restored from an older copy, or changed, signs nothing that contradicts
// a checkpoint that was signed before, and says why.
func TestNothingIsSignedThatContradicts(t *testing.T) {
	t.Parallel()
	kept := &outside{}
	before, _ := log(t, kept)
	alice := before.NewPlayer("alice", 1_000_000)
	for range 5 {
		apptest.OK(before.Play.Play(before.Ctx, alice, apptest.Dice(100)))(t)
	}
	apptest.OK(before.HeadLog.Step(before.Ctx))(t)
	newest := kept.kept[len(kept.kept)-1]
	forked := newest
	forked.Hash[0] ^= 1
	later := newest
	later.Epoch++
	for name, c := range map[string]struct {
		kept []witness.Head
		bets int
	}{
		"a shorter log":      {[]witness.Head{newest}, 0},
		"another log":        {[]witness.Head{newest}, 9},
		"another root":       {[]witness.Head{forked}, 9},
		"a later epoch":      {[]witness.Head{later}, 9},
		"one of two differs": {[]witness.Head{{}, newest}, 9},
	} {
		h, signer := log(t, &outside{kept: c.kept})
		bob := h.NewPlayer("bob", 1_000_000)
		for range c.bets {
			apptest.OK(h.Play.Play(h.Ctx, bob, apptest.Dice(100)))(t)
		}
		if more, err := h.HeadLog.Step(h.Ctx); err == nil || !strings.Contains(err.Error(), "does not extend the signed checkpoint") {
			t.Errorf("%s: %t, %v", name, more, err)
		}
		if len(signer.signed) > 0 || h.CountAlarms(alarm.PublicLog.Message()) != 1 {
			t.Errorf("%s: signed %q, %d alarms", name, signer.signed, h.CountAlarms(alarm.PublicLog.Message()))
		}
		apptest.Refused(t, apptest.ErrorOf(h.HeadLog.Checkpoint(h.Ctx, 1)), fault.NotFound)
	}
	apptest.OK(before.HeadLog.Step(before.Ctx))(t)
}

// forged is a store with a changed log.
type forged struct {
	ports.HeadLog
	ports.LogCheckpoints
	checkpoints func([]ports.LogCheckpoint)
	headers     func([]hashchain.Header)
	hashes      func([]merkle.Hash)
}

func (f *forged) KeptLogCheckpoints(ctx context.Context, origin string) ([]ports.LogCheckpoint, error) {
	kept, err := f.LogCheckpoints.KeptLogCheckpoints(ctx, origin)
	if f.checkpoints != nil {
		f.checkpoints(kept)
	}
	return kept, err
}

func (f *forged) LoggedHeaders(ctx context.Context, from int64, n int) ([]hashchain.Header, error) {
	headers, err := f.HeadLog.LoggedHeaders(ctx, from, n)
	if f.headers != nil {
		f.headers(headers)
	}
	return headers, err
}

func (f *forged) LogHashes(ctx context.Context, indexes []int64) ([]merkle.Hash, error) {
	hashes, err := f.HeadLog.LogHashes(ctx, indexes)
	if f.hashes != nil && len(hashes) > 0 {
		f.hashes(hashes)
	}
	return hashes, err
}

// A changed checkpoint, entry or hash in the database is found before anything is signed.
func TestChangedRowsAreNotSigned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		forged forged
		want   string
	}{
		"a smaller checkpoint": {forged{checkpoints: func(kept []ports.LogCheckpoint) { kept[0].Size-- }}, "not one of the log"},
		"another checkpoint": {forged{checkpoints: func(kept []ports.LogCheckpoint) {
			kept[0].Note = strings.Replace(kept[0].Note, fmt.Sprint("\n", kept[0].Size, "\n"), "\n1\n", 1)
			kept[0].Size = 1
		}}, "not signed by a receipt key"},
		"no checkpoint at all": {forged{checkpoints: func(kept []ports.LogCheckpoint) { kept[0].Note = "" }}, "not signed by a receipt key"},
		"an entry":             {forged{headers: func(headers []hashchain.Header) { headers[0].Size++ }}, "not those of the blocks"},
		"a hash":               {forged{hashes: func(hashes []merkle.Hash) { hashes[0][3] ^= 1 }}, "does not extend"},
	} {
		h, signer := log(t, &outside{})
		alice := h.NewPlayer("alice", 1_000_000)
		apptest.OK(h.HeadLog.Step(h.Ctx))(t)
		apptest.OK(h.Play.Play(h.Ctx, alice, apptest.Dice(100)))(t)
		signed := len(signer.signed)
		c.forged.HeadLog, c.forged.LogCheckpoints = h.Store, h.Store
		changed := h.Remade(func(d *app.Deps) { d.Store.HeadLog, d.Store.LogCheckpoints = &c.forged, &c.forged })
		if _, err := changed.HeadLog.Step(h.Ctx); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if len(signer.signed) != signed {
			t.Errorf("%s: signed %q", name, signer.signed[signed:])
		}
		apptest.OK(h.HeadLog.Step(h.Ctx))(t) // the rows are as they were
		consistent(t, h, signer.signed)
	}
}

// After a recovery the log goes on under another name, with what is left of it.
func TestTheNextEpochIsAnotherLog(t *testing.T) {
	t.Parallel()
	kept := &outside{}
	h, signer := log(t, kept)
	h.NewPlayer("alice", 1_000_000)
	apptest.OK(h.HeadLog.Step(h.Ctx))(t)
	h.ChangeControls(func(s *control.State) { s.Restored = &control.Restored{At: h.Clock.Now(), By: "a", Reason: "a test"} })
	if more, err := h.HeadLog.Step(h.Ctx); more || err != nil {
		t.Errorf("a step while the database is restored: %t, %v", more, err)
	}
	h.BeginEpoch()
	h.ChangeControls(func(s *control.State) { s.Restored = nil })
	h.Clock.Advance(2 * time.Minute)
	h.SignIn("bob")
	for apptest.OK(h.HeadLog.Step(h.Ctx))(t) {
		continue
	}
	newest := apptest.OK(h.HeadLog.Checkpoint(h.Ctx, 2))(t)
	if newest.Origin != "casino/ledger-1/2" || newest.Size != apptest.OK(h.Store.LogSize(h.Ctx))(t) || kept.kept[len(kept.kept)-1].Epoch != 2 {
		t.Errorf("the log goes on as %+v, kept %+v", newest, kept.kept)
	}
	consistent(t, h, signer.signed)
	apptest.Refused(t, apptest.ErrorOf(h.HeadLog.Checkpoint(h.Ctx, 1)), fault.NotFound)
}
