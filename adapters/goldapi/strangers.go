package goldapi

import (
	"net/http"

	"github.com/casino-service/casino/adapters/internal/strangers"
)

// Refusal says why a callback was rejected before it was processed.
type Refusal = strangers.Refusal

// The refusals.
const (
	Malformed        = strangers.Malformed
	TooLarge         = strangers.TooLarge
	WrongCredentials = strangers.WrongCredentials
	TooMany          = strangers.TooMany
)

// replyToStranger answers a rejected callback.
func replyToStranger(w http.ResponseWriter, status int, why Refusal) {
	message := "INVALID_PARAMETER"
	switch {
	case why == WrongCredentials || why == TooMany:
		message = "INVALID_AGENT"
	case status == http.StatusServiceUnavailable:
		message = "INTERNAL_ERROR"
	}
	writeReply(w, status, refusedReply(message))
}
