package hashchain

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/merkle"
)

// Header is a block without its content. Its hash is the SHA-256 of its text.
type Header struct {
	Lane     int
	Seq      int64
	Epoch    int64
	Previous Hash
	// At is to the microsecond.
	At time.Time
	// Root is the root of the content's Merkle tree (RFC 6962), Size its number of leaves.
	Root Hash
	Size int
}

// headerVersion is the first line of every header. A change of what blocks cover needs
// another version.
const headerVersion = "casino block 3"

// Text returns the header in the form that is hashed and signed: a line for the version and
// one for each field, with its name, a colon, a space and its value. Each line ends with a
// line feed. Numbers are decimal, the time is in microseconds since 1970, and hashes are 64
// hexadecimal digits.
func (h Header) Text() string {
	b := make([]byte, 0, 300)
	b = append(b, headerVersion...)
	number := func(name string, v int64) {
		b = append(b, name...)
		b = strconv.AppendInt(b, v, 10)
	}
	number("\nlane: ", int64(h.Lane))
	number("\nseq: ", h.Seq)
	number("\nepoch: ", h.Epoch)
	b = append(append(b, "\nprevious: "...), h.Previous.String()...)
	number("\ntime: ", h.At.UnixMicro())
	b = append(append(b, "\nroot: "...), h.Root.String()...)
	number("\nsize: ", int64(h.Size))
	return string(append(b, '\n'))
}

// LogLeaf returns the hash of the header as a leaf of the log of headers.
func (h Header) LogLeaf() merkle.Hash {
	return merkle.LeafHash(append([]byte{merkle.LeafPrefix}, h.Text()...))
}

// Hash returns the block's hash.
func (h Header) Hash() Hash { return sha256.Sum256([]byte(h.Text())) }

// Head returns the block's lane, number and hash.
func (h Header) Head() Head { return Head{Lane: h.Lane, Seq: h.Seq, Hash: h.Hash()} }

// Link returns the block's head with its epoch.
func (h Header) Link() Link { return Link{Head: h.Head(), Epoch: h.Epoch} }

// Holds reports whether the audit path proves that the block has the leaf at the index.
func (h Header) Holds(leaf merkle.Hash, index int, path []merkle.Hash) bool {
	root, valid := merkle.RootOf(leaf, index, h.Size, path)
	return valid && Hash(root) == h.Root
}

// ParseHeader parses the result of Text. Any other form is a fault of kind Invalid.
func ParseHeader(text string) (Header, error) {
	broken := fault.Field("header", "must be the text of a block's header")
	lines := strings.Split(text, "\n")
	if len(lines) != 9 {
		return Header{}, broken
	}
	var h Header
	var micros int64
	for i, format := range []string{"lane: %d", "seq: %d", "epoch: %d", "", "time: %d", "", "size: %d"} {
		if format == "" {
			continue
		}
		into := []any{&h.Lane, &h.Seq, &h.Epoch, nil, &micros, nil, &h.Size}[i]
		if _, err := fmt.Sscanf(lines[i+1], format, into); err != nil {
			return Header{}, broken
		}
	}
	h.At = time.UnixMicro(micros).UTC()
	var previousErr, rootErr error
	h.Previous, previousErr = ParseHash(strings.TrimPrefix(lines[4], "previous: "))
	h.Root, rootErr = ParseHash(strings.TrimPrefix(lines[6], "root: "))
	if previousErr != nil || rootErr != nil || h.Text() != text {
		return Header{}, broken
	}
	return h, nil
}

// Sealed is a block's header with the tree of its leaves.
type Sealed struct {
	Header
	Tree merkle.Tree
}

func sealed(previous Head, seq int64, c Content) *Sealed {
	tree := merkle.New(c.leaves())
	return &Sealed{Header{
		Lane: previous.Lane, Seq: seq, Epoch: c.Epoch, Previous: previous.Hash, At: c.At, Root: tree.Root(), Size: tree.Size(),
	}, tree}
}
