package receipt

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/merkle"
)

// Anchor is a state of the public log that a memo on chain states.
type Anchor struct {
	// Origin is the first line of the log's checkpoints. It has no space.
	Origin string
	Size   int64
	Root   merkle.Hash
}

// anchorVersion begins the memo.
const anchorVersion = "casino-log-1"

// Text returns the memo: the version, the origin, the size and the root in base64,
// separated by spaces.
func (a Anchor) Text() string {
	return strings.Join([]string{anchorVersion, a.Origin, strconv.FormatInt(a.Size, 10), base64.StdEncoding.EncodeToString(a.Root[:])}, " ")
}

// ParseAnchor reads what Text wrote, in that form alone. Anything else is a fault of kind
// Invalid.
func ParseAnchor(text string) (Anchor, error) {
	broken := fault.Field("memo", "must be an anchor of a log")
	parts := strings.Split(text, " ")
	if len(parts) != 4 {
		return Anchor{}, broken
	}
	size, sizeErr := strconv.ParseInt(parts[2], 10, 64)
	root, rootErr := base64.StdEncoding.DecodeString(parts[3])
	if sizeErr != nil || rootErr != nil || len(root) != len(merkle.Hash{}) {
		return Anchor{}, broken
	}
	a := Anchor{Origin: parts[1], Size: size, Root: merkle.Hash(root)}
	if a.Text() != text || a.Origin == "" || size < 0 {
		return Anchor{}, broken
	}
	return a, nil
}
