package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"slices"
	"strconv"
	"time"
)

// connection sends requests one after another over a kept connection. It implements
// HTTP/1.1 itself, as far as services behind proxies use it, so that the load uses little
// of the measured machine.
type connection struct {
	target  target
	dial    func(context.Context) (net.Conn, error)
	timeout time.Duration
	clock   Clock
	open    net.Conn
	reader  *bufio.Reader
	used    time.Time // when it last sent a request
	release func() bool
	receipt bool // ask for a receipt
	request []byte
	body    []byte
}

// target locates a service: the host of requests and the base path.
type target struct{ host, base string }

// answer is a response. Its body is valid until the next request of the connection.
type answer struct {
	status int
	body   []byte
	// last means that the service closes the connection.
	last bool
}

// answerMax is the maximum size of a body in bytes.
const answerMax = 16 << 20

// idleMax is the maximum idle time of a connection. Services and proxies close connections
// after a minute, and a request sent at that moment would count as lost.
const idleMax = 30 * time.Second

// endingMax is how long open requests may take after a load is interrupted.
const endingMax = time.Second

// sendRetried sends a request and reads its answer. After an error the next request opens a
// new connection.
func (c *connection) sendRetried(ctx context.Context, method, path, token string, body []byte) (answer, error) {
	got, err := c.exchangeOnce(ctx, method, path, token, body)
	if err != nil || got.last {
		c.close()
	}
	return got, err
}

func (c *connection) exchangeOnce(ctx context.Context, method, path, token string, body []byte) (answer, error) {
	now := c.clock.Now()
	if now.Sub(c.used) > idleMax {
		c.close()
	}
	c.used = now
	if c.open == nil {
		open, err := c.dial(ctx)
		if err != nil {
			return answer{}, err
		}
		c.open, c.reader = open, bufio.NewReader(open)
		c.release = context.AfterFunc(ctx, func() { time.AfterFunc(endingMax, func() { _ = open.Close() }) })
	}
	if err := c.open.SetDeadline(now.Add(c.timeout)); err != nil {
		return answer{}, err
	}
	r := c.request[:0]
	r = append(append(append(append(append(r, method...), ' '), c.target.base...), path...), " HTTP/1.1\r\nHost: "...)
	r = append(append(r, c.target.host...), "\r\nUser-Agent: casino-bench\r\n"...)
	if token != "" {
		r = append(append(append(r, "Authorization: Bearer "...), token...), '\r', '\n')
	}
	if c.receipt {
		r = append(r, "Prefer: receipt\r\n"...)
	}
	if body != nil {
		r = append(r, "Content-Type: application/json\r\nContent-Length: "...)
		r = append(strconv.AppendInt(r, int64(len(body)), 10), '\r', '\n')
	}
	c.request = append(append(r, '\r', '\n'), body...)
	if _, err := c.open.Write(c.request); err != nil {
		return answer{}, err
	}
	return c.readAnswer()
}

func (c *connection) close() {
	if c.open != nil {
		c.release()
		_ = c.open.Close() // its content is lost anyway
		c.open = nil
	}
}

// Headers that determine the end of a body. Names are case-insensitive.
var (
	contentLength    = []byte("content-length")
	transferEncoding = []byte("transfer-encoding")
	connectionHeader = []byte("connection")
)

func (c *connection) readAnswer() (answer, error) {
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return answer{}, err
	}
	if len(line) < len("HTTP/1.1 200\r\n") || !bytes.HasPrefix(line, []byte("HTTP/1.")) {
		return answer{}, fmt.Errorf("no status line: %q", line)
	}
	got := answer{}
	if got.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return answer{}, fmt.Errorf("no status line: %q", line)
	}
	length, chunked := -1, false
	for {
		if line, err = c.reader.ReadSlice('\n'); err != nil {
			return answer{}, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, contentLength):
			if length, err = strconv.Atoi(string(value)); err != nil || length < 0 {
				return answer{}, fmt.Errorf("a Content-Length of %q", value)
			}
		case bytes.EqualFold(name, transferEncoding):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		case bytes.EqualFold(name, connectionHeader):
			got.last = bytes.EqualFold(value, []byte("close"))
		}
	}
	return c.readBody(got, length, chunked)
}

func (c *connection) readBody(got answer, length int, chunked bool) (answer, error) {
	var err error
	switch {
	case got.status == 204 || got.status == 304:
		return got, nil
	case chunked:
		var whole []byte
		whole, err = io.ReadAll(io.LimitReader(httputil.NewChunkedReader(c.reader), answerMax))
		c.body = append(c.body[:0], whole...)
		if err == nil {
			err = c.endOfChunks()
		}
	case length < 0 || length > answerMax:
		return got, fmt.Errorf("status %d with a body of %d bytes", got.status, length)
	default:
		c.body = slices.Grow(c.body[:0], length)[:length]
		_, err = io.ReadFull(c.reader, c.body)
	}
	got.body = c.body
	return got, err
}

// endOfChunks reads the line that ends a chunked body.
func (c *connection) endOfChunks() error {
	line, err := c.reader.ReadSlice('\n')
	if err == nil && len(bytes.TrimSpace(line)) > 0 {
		err = errors.New("a body with trailers, or one too large")
	}
	return err
}
