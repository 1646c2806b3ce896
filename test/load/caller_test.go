package load_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/casino-service/casino/domain/money"
)

// caller plays over one kept connection. It writes its requests itself, so that
// the generator of the load takes little of the machine it measures.
type caller struct {
	connection net.Conn
	answers    *bufio.Reader
	request    []byte
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
func (c *caller) play(token string) error {
	c.request = fmt.Appendf(c.request[:0], "POST /casino/play HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", token, len(playBody), playBody)
	if _, err := c.connection.Write(c.request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, body)
	}
	return err
}
