package load_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"

	"github.com/casino-service/casino/domain/money"
)

// caller plays over one kept connection. It writes its requests itself, so that
// the generator of the load takes little of the machine it measures.
type caller struct {
	connection net.Conn
	answers    *bufio.Reader
	request    []byte
	body       []byte
}

var playBody = fmt.Sprintf(`{"gameType":"dice","wager":10000,"token":%q}`, money.SOL)

func dial(address string) (*caller, error) {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &caller{connection: connection, answers: bufio.NewReader(connection)}, nil
}

func (c *caller) close() { _ = c.connection.Close() }

// play makes one bet with the bearer token; any answer but 200 is an error.
func (c *caller) play(token string) error { return c.post("/casino/play", token, playBody) }

// post sends a body, with the bearer token unless that is empty; any answer but
// 200, or a callback that is refused, is an error.
func (c *caller) post(path, token, body string) error {
	c.request = fmt.Appendf(c.request[:0], "POST %s HTTP/1.1\r\nHost: localhost\r\n", path)
	if token != "" {
		c.request = fmt.Appendf(c.request, "Authorization: Bearer %s\r\n", token)
	}
	c.request = fmt.Appendf(c.request, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	if _, err := c.connection.Write(c.request); err != nil {
		return err
	}
	status, answer, err := c.answer()
	if err == nil && (status != http.StatusOK || bytes.HasPrefix(answer, []byte(`{"status":0`))) {
		err = fmt.Errorf("status %d: %s", status, answer)
	}
	return err
}

// answer reads one response that has a Content-Length. The body is valid until the
// next response is read.
func (c *caller) answer() (status int, body []byte, err error) {
	line, err := c.answers.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, nil, fmt.Errorf("no status line: %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, err
	}
	length := -1
	for {
		if line, err = c.answers.ReadSlice('\n'); err != nil {
			return 0, nil, err
		}
		if len(line) <= len("\r\n") {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(": ")); string(name) == "Content-Length" {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, nil, err
			}
		}
	}
	if length < 0 || length > answerMax {
		return 0, nil, fmt.Errorf("status %d with Content-Length %d", status, length)
	}
	c.body = slices.Grow(c.body[:0], length)[:length]
	_, err = io.ReadFull(c.answers, c.body)
	return status, c.body, err
}

// answerMax is the largest body that is accepted, in bytes.
const answerMax = 1 << 20
