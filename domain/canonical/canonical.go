// Package canonical is the one encoding of what is hashed or sealed: different
// contents never have the same bytes.
//
// Blocks (package hashchain) and seals (package seal) are made over it. It is written
// and never read back.
package canonical

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

// Encoder writes values one after the other. Every text goes with its length before it
// and every integer has eight bytes, so that no two different lists of values of the
// same types have the same bytes. A list of any length goes with its length as an
// integer before it. Errors of the writer are not looked at: it is a hash or a buffer.
type Encoder struct {
	to      io.Writer
	scratch [scratch]byte
}

// scratch is room for an integer and a text of the usual length after it, which then are
// one write and no allocation.
const scratch = 136

// To returns an encoder that writes to w.
func To(w io.Writer) Encoder { return Encoder{to: w} }

// Message returns what write encodes, after the label that tells its kind and version.
func Message(label string, write func(e *Encoder)) []byte {
	var buffer bytes.Buffer
	e := To(&buffer)
	e.Text(label)
	write(&e)
	return buffer.Bytes()
}

// Integer writes eight bytes, big-endian.
func (e *Encoder) Integer(v int64) {
	_, _ = e.to.Write(binary.BigEndian.AppendUint64(e.scratch[:0], uint64(v)))
}

// Bytes writes the length, then the bytes.
func (e *Encoder) Bytes(raw []byte) {
	e.Integer(int64(len(raw)))
	_, _ = e.to.Write(raw)
}

// Text writes the length in bytes, then the text.
func (e *Encoder) Text(s string) {
	for held := binary.BigEndian.AppendUint64(e.scratch[:0], uint64(len(s))); ; held = e.scratch[:0] {
		n := min(len(s), len(e.scratch)-len(held))
		_, _ = e.to.Write(append(held, s[:n]...))
		if s = s[n:]; s == "" {
			return
		}
	}
}

// Moment writes microseconds: what every store keeps.
func (e *Encoder) Moment(t time.Time) { e.Integer(t.UnixMicro()) }

// Flag writes 1 or 0 as an integer.
func (e *Encoder) Flag(b bool) {
	if b {
		e.Integer(1)
		return
	}
	e.Integer(0)
}
