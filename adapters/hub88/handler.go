package hub88

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/internal/strangers"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// Refusal says why a call was rejected before it was processed.
type Refusal = strangers.Refusal

// Wallet is the interface that the calls use; *app.Casino implements it.
type Wallet interface {
	ProviderBalance(ctx context.Context, userCode string) (seamless.Decimal, error)
	ProviderTransact(ctx context.Context, call kernel.ProviderCall) (kernel.ProviderResponse, error)
	ProviderRollback(ctx context.Context, call kernel.ProviderCall) (kernel.ProviderResponse, error)
}

// HandlerConfig holds the keys, and the handler's dependencies. All but Wrong, Refused and
// Logger are required.
type HandlerConfig struct {
	Wallet   Wallet
	Keys     Keys
	Currency string // the code of the connection's currency
	// Now is the clock of sessions.
	Now func() time.Time
	// Limiter counts calls without Hub88's signature, by address, as Wrong says.
	Limiter ports.Limiter
	Wrong   limit.Rule
	Refused func(context.Context, Refusal)
	Logger  *slog.Logger
}

// Handler answers Hub88's wallet calls. The server around it must set the request's
// RemoteAddr to the address that limits should count.
type Handler struct {
	config HandlerConfig
	gate   *strangers.Gate
}

// callTime is how long a call may take.
const callTime = 15 * time.Second

// NewHandler returns the handler, or an error that names what is missing.
func NewHandler(config HandlerConfig) (*Handler, error) {
	if config.Wallet == nil || config.Limiter == nil || config.Now == nil || config.Currency == "" {
		return nil, errors.New("hub88: the handler needs a wallet, a limiter, a clock and a currency")
	}
	if err := config.Keys.check(); err != nil {
		return nil, err
	}
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	return &Handler{config: config, gate: strangers.New(strangers.Config{
		Name: "hub88", Limiter: config.Limiter, Wrong: config.Wrong, Refused: config.Refused, Logger: config.Logger,
		Reply: func(w http.ResponseWriter, code int, why Refusal) {
			said := answer{Status: statusWrongSyntax}
			if why == strangers.WrongCredentials || why == strangers.TooMany {
				said.Status = statusInvalidSignature
			}
			writeAnswer(w, code, said)
		},
	})}, nil
}

// ServeHTTP answers 200 with the protocol's status for every known outcome, and 503 where
// the outcome isn't known: Hub88 then rolls a bet back, and repeats a win or a rollback.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), callTime)
	defer cancel()
	text, client, ok := h.gate.Read(ctx, w, r)
	if !ok {
		return
	}
	if !h.config.Keys.verifies(text, r.Header.Get(signatureHeader)) {
		h.gate.TurnAway(ctx, w, client, strangers.WrongCredentials, http.StatusOK)
		return
	}
	h.gate.MarkProved(client)
	c, read := parseCall(text)
	answerCall, known := h.callAt(r.URL.Path)
	if !known {
		writeAnswer(w, http.StatusNotFound, answer{Status: statusUnknown, Request: c.RequestUUID})
		return
	}
	if read == statusOK && (c.User == "" || c.RequestUUID == "") {
		read = statusWrongSyntax
	}
	if read != statusOK {
		h.gate.Report(ctx, client, strangers.Malformed)
		writeAnswer(w, http.StatusOK, answer{Status: read, Request: c.RequestUUID})
		return
	}
	said, err := answerCall(ctx, c)
	said.Request, said.User = c.RequestUUID, c.User
	if err != nil {
		h.writeFailure(ctx, w, c, said, err)
		return
	}
	writeAnswer(w, http.StatusOK, said)
}

// callAt returns the call of a path.
func (h *Handler) callAt(path string) (func(context.Context, call) (answer, error), bool) {
	for suffix, serve := range map[string]func(context.Context, call) (answer, error){
		"/user/info": h.userInfo, "/user/balance": h.userBalance,
		"/transaction/bet": h.bet, "/transaction/win": h.win, "/transaction/rollback": h.rollback,
	} {
		if strings.HasSuffix(path, suffix) {
			return serve, true
		}
	}
	return nil, false
}

// userInfo says that the user is known: the service stores no other data of players.
func (h *Handler) userInfo(ctx context.Context, c call) (answer, error) {
	_, err := h.config.Wallet.ProviderBalance(ctx, c.User)
	return answer{Status: statusOK}, err
}

func (h *Handler) userBalance(ctx context.Context, c call) (answer, error) {
	if s := h.session(c); s != statusOK {
		return answer{Status: s}, nil
	}
	balance, err := h.config.Wallet.ProviderBalance(ctx, c.User)
	return h.balanced(statusOK, balance), err
}

// session returns the status of a call's session.
func (h *Handler) session(c call) status {
	return h.config.Keys.sessionStatus(c.Token, wallet.Address(c.User), h.config.Now())
}

// bet takes a bet. The money of a free bet is the provider's, so nothing is taken.
func (h *Handler) bet(ctx context.Context, c call) (answer, error) {
	order, s := h.order(c, seamless.Debit)
	if s == statusOK {
		s = h.session(c)
	}
	if s != statusOK {
		return answer{Status: s}, nil
	}
	if order.Bet = toDecimal(*c.Amount); c.IsFree {
		order.Bet = "0"
	}
	return h.transact(ctx, order, h.config.Wallet.ProviderTransact)
}

// win pays a win. Wins are taken after their session expired.
func (h *Handler) win(ctx context.Context, c call) (answer, error) {
	order, s := h.order(c, seamless.Credit)
	if s == statusOK && c.Reference == "" {
		s = statusWrongSyntax
	}
	if s != statusOK {
		return answer{Status: s}, nil
	}
	order.Win, order.Reference = toDecimal(*c.Amount), c.Reference
	return h.transact(ctx, order, h.config.Wallet.ProviderTransact)
}

// rollback undoes a transaction, in an expired session too. It has neither currency nor
// amount.
func (h *Handler) rollback(ctx context.Context, c call) (answer, error) {
	if c.Transaction == "" || c.Reference == "" || c.GameCode == "" {
		return answer{Status: statusWrongSyntax}, nil
	}
	order := kernel.ProviderCall{UserCode: c.User, TxnID: c.Transaction, Game: c.GameCode, WholeIDs: true, Reference: c.Reference}
	return h.transact(ctx, order, h.config.Wallet.ProviderRollback)
}

// order returns the transaction that a bet or win asks for.
func (h *Handler) order(c call, kind seamless.Kind) (kernel.ProviderCall, status) {
	order := kernel.ProviderCall{UserCode: c.User, TxnID: c.Transaction, Kind: string(kind), Game: c.GameCode, WholeIDs: true}
	switch {
	case c.Transaction == "" || c.GameCode == "" || c.Currency == "" || c.Amount == nil:
		return order, statusWrongSyntax
	case c.Currency != h.config.Currency:
		return order, statusWrongCurrency
	}
	return order, statusOK
}

func (h *Handler) transact(ctx context.Context, order kernel.ProviderCall,
	commit func(context.Context, kernel.ProviderCall) (kernel.ProviderResponse, error),
) (answer, error) {
	answered, err := commit(ctx, order)
	if err != nil {
		return answer{}, err
	}
	if answered.Accepted {
		return h.balanced(statusOK, answered.Balance), nil
	}
	return h.balanced(cmp.Or(statuses[answered.Reason], statusUnknown), answered.Balance), nil
}

func (h *Handler) balanced(s status, balance seamless.Decimal) answer {
	return answer{Status: s, Currency: h.config.Currency, Balance: fromDecimal(balance)}
}

// writeFailure answers a rejected call with its status. Every other error is answered as an
// unknown outcome.
func (h *Handler) writeFailure(ctx context.Context, w http.ResponseWriter, c call, said answer, err error) {
	said.Balance, said.Currency = nil, ""
	switch fault.KindOf(err) {
	case fault.InvalidUser:
		said.Status = statusInvalidToken
	case fault.Invalid:
		said.Status = statusWrongSyntax
	default:
		h.config.Logger.WarnContext(ctx, "the outcome of a provider callback is unknown", "txn_id", c.Transaction, "error", err.Error())
		w.Header().Set("Retry-After", "1")
		said.Status = statusUnknown
		writeAnswer(w, http.StatusServiceUnavailable, said)
		return
	}
	writeAnswer(w, http.StatusOK, said)
}

func writeAnswer(w http.ResponseWriter, code int, said answer) {
	text, err := json.Marshal(said)
	if err != nil {
		code, text = http.StatusServiceUnavailable, []byte(`{"status":"`+string(statusUnknown)+`"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(code)
	_, _ = w.Write(text) // Hub88 repeats the call, or rolls it back, if it hung up
}
