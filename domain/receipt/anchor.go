package receipt

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/merkle"
)

// anchorVersion begins the memo.
const anchorVersion = "casino-log-1"

// AnchorText returns the memo that states a checkpoint of the log: the version, the origin,
// the size and the root in base64, separated by spaces.
func AnchorText(origin string, size int64, root merkle.Hash) string {
	return strings.Join([]string{anchorVersion, origin, strconv.FormatInt(size, 10), base64.StdEncoding.EncodeToString(root[:])}, " ")
}
