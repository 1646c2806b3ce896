package db_test

import (
	"errors"
	"testing"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
)

type name string

type upper struct{ text string }

// ScanText implements db.TextScanner.
func (u *upper) ScanText(text string) error {
	if text == "" {
		return errors.New("empty")
	}
	u.text = "scanned " + text
	return nil
}

// TestValuesComeIntoPlaces: what doesn't fit a place is an error, and nothing is cut off.
func TestValuesComeIntoPlaces(t *testing.T) {
	t.Parallel()
	var of struct {
		text  string
		named name
		up    upper
		big   int64
		small int8
		plain uint8
		flag  bool
		raw   []byte
	}
	for _, put := range []error{
		db.PutText(&of.text, "t"), db.PutText(&of.named, "n"), db.PutText(&of.up, "u"),
		db.PutInteger(&of.big, -1<<62), db.PutInteger(&of.small, -128), db.PutInteger(&of.plain, 255), db.PutInteger(&of.flag, 1),
		db.PutOther(&of.raw, []byte{1}),
	} {
		if put != nil {
			t.Error(put)
		}
	}
	if of.text != "t" || of.named != "n" || of.up.text != "scanned u" || of.big != -1<<62 || of.small != -128 || of.plain != 255 || !of.flag || len(of.raw) != 1 {
		t.Errorf("%+v", of)
	}
	if err := db.PutOther(&of.raw, nil); err != nil || of.raw != nil {
		t.Errorf("null: %v, %v", of.raw, err)
	}
	for what, err := range map[string]error{
		"a text in an integer": db.PutText(&of.big, "7"), "a text that its place refuses": db.PutText(&of.up, ""),
		"129 in eight bits": db.PutInteger(&of.small, 129), "-1 in an unsigned one": db.PutInteger(&of.plain, -1),
		"an integer in a text": db.PutInteger(&of.text, 7), "null in a text": db.PutOther(&of.text, nil),
		"a flag in a text": db.PutOther(&of.text, true), "bytes in a flag": db.PutOther(&of.flag, []byte("t")),
		"a flag in bytes": db.PutOther(&of.raw, true), "2 in a flag": db.PutInteger(&of.flag, 2),
	} {
		if err == nil {
			t.Errorf("%s was taken", what)
		}
	}
}
