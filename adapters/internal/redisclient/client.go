// Package redisclient asks one Redis over a pool of connections. Each command is sent
// once and answered within a bounded time.
//
// The adapters that keep something in Redis import it; ratelimit/redis opens it for
// commands.
package redisclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	redigo "github.com/gomodule/redigo/redis"
)

// Doer does one command. What it returns is what Redis answers: an int64, a string, a
// []byte, a []any of these, or nil; an error that Redis answers is an error.
type Doer interface {
	Do(ctx context.Context, command string, arguments ...any) (reply any, err error)
}

// Observer is called before each command, with its name. The context that it returns is
// the command's, and what it returns is called with how the command ended.
type Observer func(ctx context.Context, command string) (context.Context, func(error))

// idleFor is how long a connection rests until it is given up, so that a Redis that was
// started again, or a firewall that forgot the connection, costs no command. It is
// shorter than the rest of package fallback, and connecting anew takes what a few
// commands do.
const idleFor = 500 * time.Millisecond

var _ Doer = (*Client)(nil)

// Client is a pool of connections to one Redis. It is safe for concurrent use.
type Client struct {
	pool    *redigo.Pool
	timeout time.Duration
	observe Observer
}

// Open returns a client for a URL such as redis://user:password@host:6379/0, rediss://
// (TLS) or unix:///path?db=0. It connects at the first command. Connecting waits no
// longer than the time-out, nor does a response. No error holds the URL, which may carry
// a password. The observer may be nil.
func Open(address string, timeout time.Duration, observe Observer) (*Client, error) {
	target, err := parse(address)
	if err != nil {
		return nil, fmt.Errorf("redis: the URL can't be used: %w", err)
	}
	if observe == nil {
		observe = func(ctx context.Context, _ string) (context.Context, func(error)) { return ctx, func(error) {} }
	}
	options := []redigo.DialOption{
		redigo.DialConnectTimeout(timeout), redigo.DialTLSHandshakeTimeout(timeout),
		redigo.DialReadTimeout(timeout), redigo.DialWriteTimeout(timeout),
		redigo.DialUsername(target.username), redigo.DialPassword(target.password), redigo.DialDatabase(target.database),
	}
	if target.tls {
		options = append(options, redigo.DialUseTLS(true), redigo.DialTLSConfig(&tls.Config{
			MinVersion:         tls.VersionTLS12,
			InsecureSkipVerify: target.skipVerify, // #nosec G402 -- the operator's URL asks for it
		}))
	}
	connections := 10 * runtime.GOMAXPROCS(0)
	return &Client{timeout: timeout, observe: observe, pool: &redigo.Pool{
		MaxActive: connections, MaxIdle: connections, IdleTimeout: idleFor, Wait: true,
		DialContext: func(ctx context.Context) (redigo.Conn, error) {
			return redigo.DialContext(ctx, target.network, target.address, options...)
		},
	}}, nil
}

// Do implements Doer. It never retries, because Redis may have done a command whose
// response was lost.
func (c *Client) Do(ctx context.Context, command string, arguments ...any) (reply any, err error) {
	ctx, done := c.observe(ctx, command)
	defer func() { done(err) }()
	ctx, cancel := context.WithTimeout(ctx, 2*c.timeout)
	defer cancel()
	conn, err := c.pool.GetContext(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // back to the pool, or away after a failure
	return redigo.DoContext(conn, ctx, command, arguments...)
}

// Close ends the connections. Commands under way are finished.
func (c *Client) Close() error { return c.pool.Close() }

// Script is a Lua script, which Redis is sent once and then knows by its hash.
type Script struct{ source, hash string }

// NewScript returns a script.
func NewScript(source string) Script {
	return Script{source: source, hash: redigo.NewScript(0, source).Hash()}
}

// Run runs the script on a key.
func (s Script) Run(ctx context.Context, client Doer, key string, arguments ...any) (any, error) {
	all := append([]any{s.hash, 1, key}, arguments...)
	reply, err := client.Do(ctx, "EVALSHA", all...)
	answered := redigo.Error("")
	if errors.As(err, &answered) && strings.HasPrefix(string(answered), "NOSCRIPT ") {
		all[0] = s.source
		return client.Do(ctx, "EVAL", all...)
	}
	return reply, err
}
