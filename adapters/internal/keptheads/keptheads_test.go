package keptheads_test

import (
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/internal/keptheads"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/witness"
	"github.com/casino-service/casino/test/fakes"
)

func TestALineIsReadAsItWasWrittenAndNoOther(t *testing.T) {
	t.Parallel()
	e := keptheads.Entry{
		Ledger: strings.Repeat("l", 64), At: time.UnixMicro(1_800_000_000_000_001).UTC(),
		Head: witness.Head{Head: hashchain.Head{Lane: 64, Seq: hashchain.SeqMax, Hash: hashchain.Hash{1, 2}}, Epoch: 3},
	}
	seals := fakes.Authenticator{}
	line, err := keptheads.Encode(seals, e)
	if err != nil || len(line) > keptheads.LineMax {
		t.Fatalf("%d bytes, %v", len(line), err)
	}
	if got, err := keptheads.Decode(seals, line); err != nil || got != e {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range line {
		changed := []byte(line)
		changed[i] ^= 1
		if got, err := keptheads.Decode(seals, string(changed)); err == nil {
			t.Errorf("byte %d changed reads as %+v", i, got)
		}
		if got, err := keptheads.Decode(seals, line[:i]); err == nil {
			t.Errorf("cut at %d reads as %+v", i, got)
		}
	}
	if _, err := keptheads.Decode(fakes.Authenticator{Names: []string{"theirs"}}, line); err == nil {
		t.Error("the seal of another key is taken")
	}
	for _, ledger := range []string{"", "a b", "a\n", strings.Repeat("l", 400)} {
		e.Ledger = ledger
		if line, err := keptheads.Encode(seals, e); err == nil {
			t.Errorf("ledger %q is written as %q", ledger, line)
		}
	}
}

func TestARecordIsItsEntries(t *testing.T) {
	t.Parallel()
	at := time.UnixMicro(5).UTC()
	want := witness.Of("ours", at, witness.Head{Head: hashchain.Head{Lane: 2, Seq: 3}, Epoch: 1}, witness.Head{Head: hashchain.Head{Lane: 1, Seq: 9}, Epoch: 2})
	want.RolesVersion = 7
	want.Log = witness.Head{Head: hashchain.Head{Lane: witness.LogLane, Seq: 12, Hash: hashchain.Hash{7}}, Epoch: 2}
	var records []witness.Record
	for _, e := range keptheads.Entries(want) {
		records = keptheads.Add(records, e)
	}
	if len(records) != 1 || !records[0].Covers(want) || !want.Covers(records[0]) || records[0].Log != want.Log || records[0].At != at {
		t.Errorf("%+v", records)
	}
}

// TestAHeadThatNoBlockCanHaveIsRefused: an earlier version kept the heads of empty lanes.
func TestAHeadThatNoBlockCanHaveIsRefused(t *testing.T) {
	t.Parallel()
	seals := fakes.Authenticator{}
	for _, h := range []hashchain.Head{{Lane: 1}, {Lane: 1, Seq: -1}, {Lane: keptheads.RolesLane}, {Lane: witness.LogLane}, {Lane: -3, Seq: 1}} {
		line, err := keptheads.Encode(seals, keptheads.Entry{Ledger: "ours", Head: witness.Head{Head: h, Epoch: 1}, At: time.UnixMicro(1).UTC()})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := keptheads.Decode(seals, line); err == nil {
			t.Errorf("%+v was read", got)
		}
	}
}
