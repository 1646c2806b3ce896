// Package canonical encodes values for hashing and sealing: different contents never
// have the same bytes.
//
// Blocks (package hashchain) and seals (package seal) use it. The encoding is never
// decoded.
package canonical

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

// Encoder writes values in sequence. A text is preceded by its length, and an integer
// has eight bytes, so two different lists of values of the same types have different
// bytes. A list of variable length is preceded by its length as an integer. Errors of
// the writer, a hash or a buffer, are ignored.
type Encoder struct {
	to      io.Writer
	scratch [scratch]byte
}

// scratch is the size of a buffer for an integer and a text of usual length, so that
// they are one write without allocation.
const scratch = 136

// To returns an encoder that writes to w.
func To(w io.Writer) Encoder { return Encoder{to: w} }

// Message returns the encoding by write after a label for its kind and version.
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

// Moment writes a time in microseconds, the precision of every store.
func (e *Encoder) Moment(t time.Time) { e.Integer(t.UnixMicro()) }

// Flag writes 1 or 0 as an integer.
func (e *Encoder) Flag(b bool) {
	if b {
		e.Integer(1)
		return
	}
	e.Integer(0)
}
