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

// Limits of a connection.
const (
	readHeaderTime = 5 * time.Second
	readTime       = 15 * time.Second
	writeTime      = 30 * time.Second
	idleTime       = 60 * time.Second
	headerBytesMax = 16 << 10
	// headerSlop is how many bytes net/http reads beyond Server.MaxHeaderBytes.
	headerSlop = 4 << 10
)

// NewServer returns a server for the handler on the address, with time-outs for slow and
// silent clients. The caller starts and shuts it down. With a handler from PaceBodies and a
// listener from Bound, no client can take up the connections of others.
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

// Defaults of BodyPace.
const (
	BodyGraceDefault          = 5 * time.Second
	BodyBytesPerSecondDefault = 1024
)

// BodyPace is the minimum pace of a request's body. Zero fields mean the defaults.
type BodyPace struct {
	BytesPerSecond int           // the minimum rate; default BodyBytesPerSecondDefault
	Grace          time.Duration // additional waiting time; default BodyGraceDefault
}

// PaceBodies stops reading bodies that arrive more slowly than the pace, even if only the
// server reads them, not the handler. The API answers them with 408.
//
// It closes the connection after a request that another server may delimit differently. RFC
// 9112, section 6.1 demands this for Transfer-Encoding with Content-Length and for
// Transfer-Encoding in HTTP/1.0. net/http removes the other header, so all chunked and all
// HTTP/1.0 requests are treated so.
//
// The clock must be the machine's, because connection deadlines use that one. Use it with
// NewServer.
func PaceBodies(next http.Handler, clock ports.Clock, pace BodyPace) http.Handler {
	left := cmp.Or(pace.Grace, BodyGraceDefault)
	perByte := time.Second / time.Duration(cmp.Or(pace.BytesPerSecond, BodyBytesPerSecondDefault))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) {
			w.Header().Set("Connection", "close")
		}
		if r.ContentLength != 0 {
			body := &pacedBody{r.Body, http.NewResponseController(w), clock, perByte, left, clock.Now().Add(readTime)}
			_ = body.setDeadline(clock.Now()) // for the part that the handler leaves to the server
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody is a body that must arrive at a pace. Only the time that a reader waits counts.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	clock   ports.Clock
	perByte time.Duration
	left    time.Duration // remaining waiting time
	end     time.Time     // deadline of the whole request
}

// setDeadline sets the deadline of a wait that begins now.
func (b *pacedBody) setDeadline(now time.Time) error {
	return b.control.SetReadDeadline(now.Add(min(b.left, b.end.Sub(now))))
}

// Read reads available bytes, or waits for them as long as the pace allows.
func (b *pacedBody) Read(into []byte) (int, error) {
	begin := b.clock.Now()
	if err := b.setDeadline(begin); err != nil {
		return 0, err
	}
	n, err := b.ReadCloser.Read(into)
	b.left += time.Duration(n)*b.perByte - b.clock.Now().Sub(begin)
	if errors.Is(err, io.EOF) { // the server keeps reading, to notice when the client leaves
		_ = b.control.SetReadDeadline(b.end)
	}
	return n, err
}
