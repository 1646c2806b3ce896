package cli

import (
	"errors"
	"net"
	"net/url"
	"regexp"
	"strings"
	"syscall"

	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/jackc/pgx/v5/pgconn"
)

// NodeRefusal returns the refusal of a Solana node in an error, or nil.
func NodeRefusal(err error) *jsonrpc.RPCError {
	var refusal *jsonrpc.RPCError
	if errors.As(err, &refusal) {
		return refusal
	}
	return nil
}

// rpcCall matches the prefix of errors of the client of Solana's nodes.
var rpcCall = regexp.MustCompile(`rpc call \w+\(\)( on \S+)?: `)

// ErrorText returns an error's text for the user of a command. It prints a node's refusal
// as its message, describes unreachable addresses in words, and puts PostgreSQL's DETAIL
// and HINT on separate lines.
func ErrorText(err error) string {
	text := err.Error()
	if refusal := NodeRefusal(err); refusal != nil {
		text = strings.ReplaceAll(text, refusal.Error(), "the chain refuses: "+refusal.Message)
	}
	var called *url.Error
	if errors.As(err, &called) {
		why := called.Err.Error()
		var connecting *net.OpError
		switch {
		case errors.Is(called.Err, syscall.ECONNREFUSED):
			why = "nothing listens there"
		case called.Timeout():
			why = "no answer came in time"
		case errors.As(called.Err, &connecting):
			why = connecting.Err.Error()
		}
		text = strings.ReplaceAll(text, called.Error(), called.URL+": "+why)
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		for _, line := range []struct{ label, text string }{{"DETAIL", refused.Detail}, {"HINT", refused.Hint}} {
			if line.text != "" {
				text += "\n" + line.label + ": " + line.text
			}
		}
	}
	return rpcCall.ReplaceAllString(text, "")
}
