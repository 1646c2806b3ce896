package db_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

func TestIDsAreTheirBytes(t *testing.T) {
	t.Parallel()
	const id = "01993b3a-2c00-7abc-8def-00123456789a"
	raw := db.ID(id)
	if hex.EncodeToString(raw[:]) != strings.ReplaceAll(id, "-", "") || db.TextOfID(raw[:]) != id || !db.IsID(id) {
		t.Errorf("%s is %x, and back %s", id, raw, db.TextOfID(raw[:]))
	}
	for _, other := range []string{
		"", "x", id[:35], id + "0", strings.ToUpper(id), strings.Replace(id, "-", "0", 1), strings.Replace(id, "0", "-", 1),
		strings.Replace(id, "a", "g", 1), "{" + id[1:],
	} {
		if db.IsID(other) || db.ID(other) == raw {
			t.Errorf("%q passes for an id", other)
		}
	}
}

// TestIDsSortAsTheirTexts draws ids and any texts near them: whatever comes before a text
// comes before its bytes, so that a list goes on where it stopped.
func TestIDsSortAsTheirTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")
		id := db.TextOfID(raw)
		near := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "other")
		copy(near, raw[:rapid.IntRange(0, 16).Draw(t, "alike")])
		text := []byte(db.TextOfID(near))
		if rapid.Bool().Draw(t, "spoiled") {
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.ByteRange(0x20, 0x7e).Draw(t, "by")
		}
		text = text[:rapid.IntRange(0, len(text)).Draw(t, "length")]
		bound := db.ID(string(text))
		switch order := strings.Compare(id, string(text)); {
		case order < 0 && bytes.Compare(raw, bound[:]) > 0, order > 0 && bytes.Compare(raw, bound[:]) < 0:
			t.Fatalf("%s and %q sort as %d, their bytes %x and %x don't", id, text, order, raw, bound)
		case order == 0 && !bytes.Equal(raw, bound[:]):
			t.Fatalf("%s has the bytes %x and %x", id, raw, bound)
		}
	})
}
