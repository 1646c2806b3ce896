package goldapi

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/internal/strangers"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/ports"
)

// Wallet is the interface that callbacks use; *app.Casino implements it.
type Wallet interface {
	ProviderBalance(ctx context.Context, userCode string) (seamless.Decimal, error)
	ProviderTransact(ctx context.Context, call kernel.ProviderCall) (kernel.ProviderResponse, error)
}

// HandlerConfig holds the credentials that the provider must send, and the handler's
// dependencies. All but Wrong, Refused and Logger are required.
type HandlerConfig struct {
	Wallet      Wallet
	AgentCode   string
	AgentSecret string `json:"-"`
	// Limiter counts calls without the right credentials, by address.
	Limiter ports.Limiter
	// Wrong limits those calls; default: 10 a minute. Beyond it, calls from an address that
	// never sent the right secret are rejected unread. Calls with the right secret are
	// never counted.
	Wrong limit.Rule
	// Refused, if set, is called for each rejected callback, for metrics.
	Refused func(context.Context, Refusal)
	Logger  *slog.Logger
}

// Handler answers the provider's callbacks. The server around it must set the request's
// RemoteAddr to the address that limits should count.
type Handler struct {
	config HandlerConfig
	proof  [2][sha256.Size]byte
	gate   *strangers.Gate
}

// callbackTime is how long a callback may take.
const callbackTime = 15 * time.Second

// NewHandler returns the handler, or an error that names what is missing.
func NewHandler(config HandlerConfig) (*Handler, error) {
	if config.Wallet == nil || config.Limiter == nil || config.AgentCode == "" || config.AgentSecret == "" {
		return nil, errors.New("goldapi: the handler needs a wallet, a limiter, and the agent's code and secret")
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	gate := strangers.New(strangers.Config{
		Name: "goldapi", Limiter: config.Limiter, Wrong: config.Wrong, Refused: config.Refused, Logger: config.Logger, Reply: replyToStranger,
	})
	// Digests have equal lengths, so comparing them doesn't reveal the length of a secret.
	return &Handler{config: config, proof: proofOf(config.AgentCode, config.AgentSecret), gate: gate}, nil
}

func proofOf(code, secret string) [2][sha256.Size]byte {
	return [2][sha256.Size]byte{sha256.Sum256([]byte(code)), sha256.Sum256([]byte(secret))}
}

// reply is the protocol's response.
type reply struct {
	Status  int            `json:"status"`
	Balance jsontext.Value `json:"user_balance"`
	Message string         `json:"msg,omitzero"`
}

func refusedReply(message string) reply { return reply{Balance: jsontext.Value("0"), Message: message} }

// ServeHTTP answers 200 with the protocol's status for every known outcome, and
// 503 where the outcome isn't known, so that the provider asks again.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), callbackTime)
	defer cancel()
	text, client, ok := h.gate.Read(ctx, w, r)
	if !ok {
		return
	}
	call, ok := parseCallback(text, methodOf(r.URL.Path))
	switch proved := h.provesSecret(call); {
	case proved:
		h.gate.MarkProved(client)
	case ok:
		h.gate.TurnAway(ctx, w, client, WrongCredentials, http.StatusOK)
		return
	default:
		h.gate.TurnAway(ctx, w, client, Malformed, http.StatusOK)
		return
	}
	if !ok { // the provider's own mistake is reported but not limited
		h.gate.Report(ctx, client, Malformed)
		writeReply(w, http.StatusOK, h.invalidReply(ctx, call))
		return
	}
	answer, err := h.answerCallback(ctx, call)
	if err != nil {
		h.writeFailure(ctx, w, call, err)
		return
	}
	writeReply(w, http.StatusOK, answer)
}

func (h *Handler) provesSecret(c callback) bool {
	given := proofOf(c.AgentCode, c.AgentSecret)
	code := subtle.ConstantTimeCompare(given[0][:], h.proof[0][:])
	secret := subtle.ConstantTimeCompare(given[1][:], h.proof[1][:])
	return code&secret == 1
}

func (h *Handler) answerCallback(ctx context.Context, c callback) (reply, error) {
	switch c.Method {
	case "user_balance":
		balance, err := h.config.Wallet.ProviderBalance(ctx, c.UserCode)
		return reply{Status: 1, Balance: jsontext.Value(balance)}, err
	case "transaction":
		order, err := c.toCall()
		if err != nil {
			return reply{}, err
		}
		answered, err := h.config.Wallet.ProviderTransact(ctx, order)
		if err != nil {
			return reply{}, err
		}
		said := reply{Balance: jsontext.Value(answered.Balance), Message: string(answered.Reason)}
		if answered.Accepted {
			said.Status = 1
		}
		return said, nil
	}
	return refusedReply("INVALID_METHOD"), nil
}

// writeFailure answers a rejected request with its code, and the balance if there is one.
// Every other error is answered as an unknown outcome.
func (h *Handler) writeFailure(ctx context.Context, w http.ResponseWriter, c callback, err error) {
	switch fault.KindOf(err) {
	case fault.InvalidUser:
		writeReply(w, http.StatusOK, refusedReply("INVALID_USER"))
		return
	case fault.AgentSeamless:
		writeReply(w, http.StatusOK, refusedReply("AGENT_SEAMLESS"))
		return
	case fault.Invalid:
		writeReply(w, http.StatusOK, h.invalidReply(ctx, c))
		return
	}
	why := "INTERNAL_ERROR"
	if fault.Is(err, fault.Maintenance) {
		why = "API_CHECKING"
	}
	h.config.Logger.WarnContext(ctx, "the outcome of a provider callback is unknown", "txn_id", c.txnID(), "error", err.Error())
	w.Header().Set("Retry-After", "1")
	writeReply(w, http.StatusServiceUnavailable, refusedReply(why))
}

// invalidReply rejects an invalid callback, and adds the balance if there is one.
func (h *Handler) invalidReply(ctx context.Context, c callback) reply {
	said := refusedReply("INVALID_PARAMETER")
	if balance, err := h.config.Wallet.ProviderBalance(ctx, c.UserCode); err == nil {
		said.Balance = jsontext.Value(balance)
	}
	return said
}

func writeReply(w http.ResponseWriter, status int, said reply) {
	text, err := json.Marshal(said)
	if err != nil {
		status, text = http.StatusServiceUnavailable, []byte(`{"status":0,"user_balance":0,"msg":"INTERNAL_ERROR"}`)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // a provider that hung up repeats the call
}
