package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

// Timeout suits logins: they wait at most this long for Redis to connect, and again for its
// response.
const Timeout = 150 * time.Millisecond

// idleTime is how long an unused connection is kept. It is shorter than the Rest of package
// fallback, so that a restarted Redis or a firewall that dropped the connection costs no
// command.
const idleTime = 500 * time.Millisecond

// Client is a pool of connections to one Redis, to a primary found by Sentinel, or to a
// cluster. It is safe for concurrent use.
type Client = goredis.UniversalClient

// Observer is called with each command's name before it runs. The function that it returns
// is called with the command's error.
type Observer func(ctx context.Context, command string) (context.Context, func(error))

func init() { logging.Disable() } // failures are returned; the library would write them to stderr

// Open returns a client for a URL such as redis://user:password@host:6379/0, rediss://
// (TLS) or unix:///path?db=0, with the query options of go-redis. Further hosts of
// Sentinel or of a cluster are given by addr=host:port, as often as needed:
//
//   - master_name=NAME makes the hosts those of Sentinel (its own account:
//     sentinel_username and sentinel_password);
//   - cluster=true makes them the first nodes of a cluster.
//
// It connects at the first command. No command is retried, because Redis may have done
// one whose response was lost. Only a cluster's client repeats one, at most three times, as
// it must to follow slots that move: the scripts of the limiter and of the witness have the
// same outcome then. Connecting waits no longer than the timeout, nor does a response. No
// error of Open holds the URL, which may carry a password.
func Open(address string, timeout time.Duration) (Client, error) {
	return OpenObserved(address, timeout, nil)
}

// OpenObserved is Open with an observer of each command, which may be nil.
func OpenObserved(address string, timeout time.Duration, observe Observer) (Client, error) {
	options, err := parseURL(address)
	if err != nil {
		return nil, fmt.Errorf("redis: the URL can't be used: %w", err)
	}
	options.DialTimeout = cmp.Or(options.DialTimeout, timeout)
	options.ReadTimeout, options.WriteTimeout = cmp.Or(options.ReadTimeout, timeout), cmp.Or(options.WriteTimeout, timeout)
	options.PoolTimeout = cmp.Or(options.PoolTimeout, timeout)
	options.ConnMaxIdleTime = cmp.Or(options.ConnMaxIdleTime, idleTime)
	options.MaxRetries, options.DialerRetries, options.ContextTimeoutEnabled = -1, 1, true
	options.Protocol, options.DisableIdentity = 2, true
	client := goredis.NewUniversalClient(options)
	client.AddHook(hook{2 * timeout, observe})
	return client, nil
}

// parseURL reads a URL. The options of Sentinel and cluster are read here, all others by
// go-redis, which refuses those it doesn't know.
func parseURL(address string) (*goredis.UniversalOptions, error) {
	u, err := url.Parse(address)
	if err != nil { // its text may hold a part of the password
		return nil, errors.New("it can't be parsed: the port must be a number, and special characters of the password percent-encoded")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errors.New("its options can't be read")
	}
	take := func(name string) string {
		defer query.Del(name)
		return query.Get(name)
	}
	hosts := query["addr"]
	query.Del("addr")
	master, username, password := take("master_name"), take("sentinel_username"), take("sentinel_password")
	cluster := take("cluster")
	if cluster != "" && cluster != "true" || len(hosts) > 0 && master == "" && cluster == "" || master != "" && cluster != "" {
		return nil, errors.New("several hosts need either master_name=NAME, for Sentinel, or cluster=true")
	}
	u.RawQuery = query.Encode()
	o, err := goredis.ParseURL(u.String())
	switch {
	case err != nil:
		return nil, err
	case o.MaxRetries != 0:
		return nil, errors.New("max_retries is not supported: a command whose response was lost may have been done")
	case o.DB < 0 || cluster != "" && o.DB != 0:
		return nil, errors.New("the database must be 0 or above, and 0 in a cluster")
	}
	if o.TLSConfig != nil && master+cluster != "" {
		o.TLSConfig.ServerName = "" // each host's certificate must match that host
	}
	return &goredis.UniversalOptions{
		Addrs: append([]string{o.Addr}, hosts...), DB: o.DB, ClientName: o.ClientName, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig,
		MasterName: master, SentinelUsername: username, SentinelPassword: password, IsClusterMode: cluster != "",
		DialTimeout: o.DialTimeout, ReadTimeout: o.ReadTimeout, WriteTimeout: o.WriteTimeout,
		PoolFIFO: o.PoolFIFO, PoolSize: o.PoolSize, PoolTimeout: o.PoolTimeout, MinIdleConns: o.MinIdleConns, MaxIdleConns: o.MaxIdleConns,
		MaxActiveConns: o.MaxActiveConns, ConnMaxIdleTime: o.ConnMaxIdleTime, ConnMaxLifetime: o.ConnMaxLifetime,
	}, nil
}

// hook bounds the duration of each command and calls the observer.
type hook struct {
	timeout time.Duration
	observe Observer
}

func (hook) DialHook(next goredis.DialHook) goredis.DialHook { return next }

func (hook) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return next
}

func (h hook) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, command goredis.Cmder) (err error) {
		if h.observe != nil {
			var done func(error)
			ctx, done = h.observe(ctx, strings.ToUpper(command.Name()))
			defer func() { done(err) }()
		}
		ctx, cancel := context.WithTimeout(ctx, h.timeout)
		defer cancel()
		return next(ctx, command)
	}
}
