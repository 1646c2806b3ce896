package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

type readyCommand struct {
	OpsAddr string        `default:"127.0.0.1:9090" placeholder:"HOST:PORT" help:"The operations address of the service."`
	Timeout time.Duration `default:"2s" help:"How long to wait for the response."`
}

// Run asks a running service whether it should get requests, for container images that
// have no other HTTP client.
func (c readyCommand) Run(ctx context.Context, s streams) error {
	host, port, err := net.SplitHostPort(c.OpsAddr)
	if err != nil {
		return usageError{fmt.Errorf("CASINO_OPS_ADDR: %q is not an address such as 127.0.0.1:9090", c.OpsAddr)}
	}
	if host == "" {
		host = "127.0.0.1" // an address that listens everywhere
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return usageError{err}
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", strings.TrimSpace(string(text)))
	}
	_, err = fmt.Fprintln(s.out, "ready")
	return err
}
