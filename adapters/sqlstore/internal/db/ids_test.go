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

// TestIDsSortAsTheirTexts draws ids and texts close to them: ids before a text have smaller bytes
// than it, so that a list continues where it stopped.
func TestIDsSortAsTheirTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")
		for i := rapid.IntRange(0, 16).Draw(t, "random"); i < len(raw); i++ {
			raw[i] = rapid.SampledFrom([]byte{0, 0xff}).Draw(t, "edge")
		}
		id := db.TextOfID(raw)
		near := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "other")
		copy(near, raw[:rapid.IntRange(0, 16).Draw(t, "alike")])
		text := []byte(db.TextOfID(near))
		if rapid.Bool().Draw(t, "spoiled") {
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.ByteRange(0x20, 0x7e).Draw(t, "by")
		}
		text = text[:rapid.IntRange(0, len(text)).Draw(t, "length")]
		text = append(text, rapid.StringMatching("[0-~]{0,4}").Draw(t, "further")...)
		bound := db.ID(string(text))
		none := bytes.Equal(bound[:], bytes.Repeat([]byte{0xff}, 16)) // no id comes after the text, or the bound does
		if before := bytes.Compare(raw, bound[:]) < 0; before != (id < string(text)) && !none {
			t.Fatalf("%s is before %q: %t, its bytes %x before %x: %t", id, text, id < string(text), raw, bound, before)
		}
		if id == string(text) && !bytes.Equal(raw, bound[:]) {
			t.Fatalf("%s has the bytes %x and %x", id, raw, bound)
		}
	})
}

// TestATextBetweenIDsIsBetweenThem uses texts between known ids: a list that begins at one, in
// either direction, misses no id.
func TestATextBetweenIDsIsBetweenThem(t *testing.T) {
	t.Parallel()
	const first, last = "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"
	for text, bound := range map[string]string{
		"": first, "-": first, strings.Repeat("-", 40): first, first + "0": first[:35] + "1",
		"g": last, strings.Repeat("z", 40): last, last: last, last + "0": last,
		"0g": "10" + first[2:], "0x": "10" + first[2:], "0x" + last: "10" + first[2:], "0A" + last: "0a" + first[2:], "0-" + last: "00" + first[2:],
		"00000000": first, "00000000~": "00000001" + first[8:], "00000000 ": first, last[:35] + "g": last, "0" + last[1:] + "0": "1" + first[1:],
	} {
		if raw := db.ID(text); db.TextOfID(raw[:]) != bound {
			t.Errorf("%q begins at %s, not at %s", text, db.TextOfID(raw[:]), bound)
		}
	}
}
