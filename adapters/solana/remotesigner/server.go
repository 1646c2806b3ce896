package remotesigner

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/solana"
)

// requestMax bounds a request's body in bytes: the base64 of the largest message and ten
// approvals, with room to spare.
const requestMax = 8192

// TokenMin is the minimum length of a bearer token in bytes.
const TokenMin = 32

type signRequest struct {
	Message   []byte     `json:"message"`
	Approvals []Approval `json:"approvals,omitempty"`
}

type signAnswer struct {
	Signature []byte `json:"signature"`
}

type refusal struct {
	Error string `json:"error"`
}

// ServerConfig configures a Server.
type ServerConfig struct {
	Key     solana.Signer
	Policy  Policy
	Journal *Journal
	// Nodes are the signer's own; it doesn't rely on the service for the state of the
	// chain.
	Nodes Nodes
	// Token is the bearer token that the service sends, at least TokenMin bytes.
	Token string
	// Now returns the time.
	Now func() time.Time
	// Logger logs every signed and every rejected payment.
	Logger *slog.Logger
}

// Server is the reference signer: POST /sign.
type Server struct {
	cfg ServerConfig
	// signing is held from reading the chain until the signature is recorded, so that two
	// messages of one withdrawal are never signed at the same time.
	signing sync.Mutex
}

// NewServer returns the signer's handler.
func NewServer(cfg ServerConfig) (*Server, error) {
	switch {
	case len(cfg.Token) < TokenMin:
		return nil, fmt.Errorf("remotesigner: the token must have at least %d bytes", TokenMin)
	case cfg.Key == nil || cfg.Journal == nil || cfg.Nodes == nil || cfg.Now == nil || cfg.Logger == nil:
		return nil, errors.New("remotesigner: a server needs a key, a journal, nodes, a clock and a logger")
	case len(cfg.Policy.Approvers) > 0 && cfg.Policy.ApprovalMaxAge <= 0:
		return nil, errors.New("remotesigner: approvers need a maximum age of their signatures")
	case cfg.Key.Address() != cfg.Policy.Treasury:
		return nil, fmt.Errorf("remotesigner: the key is of %s, the policy of %s", cfg.Key.Address(), cfg.Policy.Treasury)
	}
	return &Server{cfg: cfg}, nil
}

// ServeHTTP answers POST /sign; other requests get an error.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/sign":
		writeRefusal(w, http.StatusNotFound, "the only path is /sign")
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		writeRefusal(w, http.StatusMethodNotAllowed, "the only method is POST")
	case !s.knowsToken(r.Header.Get("Authorization")):
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeRefusal(w, http.StatusUnauthorized, "the token is not this signer's")
	default:
		s.handleSign(w, r)
	}
}

// knowsToken compares the token in constant time, for any length.
func (s *Server) knowsToken(header string) bool {
	given, isBearer := strings.CutPrefix(header, "Bearer ")
	one, other := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.cfg.Token))
	return subtle.ConstantTimeCompare(one[:], other[:]) == 1 && isBearer
}

func (s *Server) handleSign(w http.ResponseWriter, r *http.Request) {
	var asked signRequest
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestMax))
	if err == nil {
		err = json.Unmarshal(body, &asked, json.RejectUnknownMembers(true))
	}
	if err != nil || len(asked.Message) == 0 {
		writeRefusal(w, http.StatusBadRequest, `the body must be {"message": "<base64>", "approvals": [{"by": …, "timestamp": …, "signature": …}]}`)
		return
	}
	payment, err := s.cfg.Policy.Read(asked.Message)
	var signature []byte
	if err == nil {
		signature, err = s.signAdmitted(r.Context(), asked, payment)
	}
	var later unavailable
	switch {
	case errors.As(err, &later):
		s.cfg.Logger.ErrorContext(r.Context(), "signing is unavailable", "memo", payment.Memo, "reason", err.Error())
		writeRefusal(w, http.StatusServiceUnavailable, later.public)
		return
	case err != nil:
		s.cfg.Logger.WarnContext(r.Context(), "refused to sign", "reason", err.Error(), "message", base64.StdEncoding.EncodeToString(asked.Message))
		writeRefusal(w, http.StatusForbidden, err.Error())
		return
	}
	s.cfg.Logger.InfoContext(r.Context(), "signed", "memo", payment.Memo, "token", string(payment.Token),
		"amount", int64(payment.Amount), "destination", payment.Destination)
	writeJSON(w, http.StatusOK, signAnswer{signature})
}

func writeRefusal(w http.ResponseWriter, status int, why string) { writeJSON(w, status, refusal{why}) }

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the caller may have hung up
}
