package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/fault"
)

// request is one request on its way through a route.
type request struct {
	ctx    context.Context
	http   *http.Request
	writer http.ResponseWriter // for http.MaxBytesReader alone
	route  route
	params map[string]string
	query  map[string]string
	caller app.Caller
}

func (r *request) context() context.Context { return r.ctx }

// bearerMax is the longest bearer token that is looked at, in bytes.
const bearerMax = 4096

// bearerOf returns the token of the one Authorization header. Another scheme, or
// the scheme without a token, is as good as none.
func bearerOf(header http.Header) (string, error) {
	values := header.Values("Authorization")
	if len(values) > 1 {
		return "", fault.New(fault.InvalidToken, "Authorization is given more than once")
	}
	if len(values) == 0 {
		return "", noBearer()
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimLeft(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", noBearer()
	}
	if len(token) > bearerMax {
		return "", fault.New(fault.InvalidToken, "the bearer token is not one of ours")
	}
	return token, nil
}

func noBearer() error {
	return missingAuth.because("this needs the header Authorization: Bearer <token>, with the token of POST /auth/login")
}

// requestIDOf returns the request's own id when it sent one that can be kept.
func requestIDOf(header http.Header) (string, bool) {
	values := header.Values("X-Request-Id")
	if len(values) != 1 || len(values[0]) == 0 || len(values[0]) > 64 {
		return "", false
	}
	return values[0], strings.Trim(values[0], segmentAlphabet) == ""
}
