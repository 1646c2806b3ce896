package httpapi

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/casino-service/casino/ports"
)

// The bounds of a connection.
const (
	readHeaderTime = 5 * time.Second
	readTime       = 15 * time.Second
	writeTime      = 30 * time.Second
	idleTime       = 60 * time.Second
	headerBytesMax = 16 << 10
	// headerSlop is what net/http reads beyond Server.MaxHeaderBytes.
	headerSlop = 4 << 10
)

// NewServer returns a server for the handler on the address, with time-outs that
// slow or silent clients can't exceed. The caller starts and shuts it down. Give it a handler
// of PaceBodies and a listener of Bound, and no client takes up the connections of others.
func NewServer(address string, handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Addr:              address,
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytesMax - headerSlop,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// The defaults of BodyPace.
const (
	BodyGraceDefault          = 5 * time.Second
	BodyBytesPerSecondDefault = 1024
)

// BodyPace is how slowly a client may send the body of a request. Zero means the default
// named beside it.
type BodyPace struct {
	BytesPerSecond int           // the least rate; BodyBytesPerSecondDefault
	Grace          time.Duration // how long the service waits beside that; BodyGraceDefault
}

// PaceBodies stops reading bodies that come more slowly than the pace, also those that the
// handler doesn't read and the server would. The API answers them 408.
//
// It closes the connection after a request whose end another server may have found
// elsewhere, as RFC 9112, section 6.1 demands of one with Transfer-Encoding and
// Content-Length and of one of HTTP/1.0 with Transfer-Encoding. net/http takes the other
// header away, so it does so after all that are chunked or of HTTP/1.0.
//
// The clock has to be the machine's: connections know no other. Use it with NewServer.
func PaceBodies(next http.Handler, clock ports.Clock, pace BodyPace) http.Handler {
	left := cmp.Or(pace.Grace, BodyGraceDefault)
	perByte := time.Second / time.Duration(cmp.Or(pace.BytesPerSecond, BodyBytesPerSecondDefault))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) {
			w.Header().Set("Connection", "close")
		}
		if r.ContentLength != 0 {
			body := &pacedBody{r.Body, http.NewResponseController(w), clock, perByte, left, clock.Now().Add(readTime)}
			_ = body.setDeadline(clock.Now()) // of what the handler leaves to the server
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody is a body that has to come at a pace. Only the time that a reader waits for it
// counts.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	clock   ports.Clock
	perByte time.Duration
	left    time.Duration // how much longer a reader waits
	end     time.Time     // of the time for the whole request
}

// setDeadline bounds a wait that begins now.
func (b *pacedBody) setDeadline(now time.Time) error {
	return b.control.SetReadDeadline(now.Add(min(b.left, b.end.Sub(now))))
}

// Read reads what has come, or waits for it as long as the pace allows.
func (b *pacedBody) Read(into []byte) (int, error) {
	begin := b.clock.Now()
	if err := b.setDeadline(begin); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(into)
	b.left += time.Duration(n)*b.perByte - b.clock.Now().Sub(begin)
	if errors.Is(err, io.EOF) { // the server reads on, to see whether the client leaves
		_ = b.control.SetReadDeadline(b.end)
	}
	return n, err
}
