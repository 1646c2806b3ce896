// Package redis counts requests in exact sliding windows that all instances share, in
// one Redis.
//
// Commands import it for wiring, always behind package fallback, which continues when
// Redis fails; everything else knows only ports.Limiter.
package redis

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// Timeout suits logins: they wait no longer than this for Redis to connect, and again
// for its response.
const Timeout = 150 * time.Millisecond

// Prefix begins every key that New's limiters write.
const Prefix = "casino:window:"

//go:embed window.lua
var source string

var window = goredis.NewScript(source)

var _ ports.Limiter = (*Limiter)(nil)

// Limiter keeps one log of admission times for each key and rule, as a sorted set that
// expires with its window. Time is Redis's own, so that instances needn't agree on
// theirs; it is in microseconds. When that clock steps back, whatever it recorded counts
// as of the present: never more are admitted, and nobody is refused for longer than a
// window.
//
// It is safe for concurrent use. A missing or malformed response of Redis is an error
// and never an admission.
type Limiter struct {
	client  goredis.Scripter
	entropy ports.Entropy
	prefix  string
}

// New returns a limiter on a client from Open. Each admitted request is recorded under
// an id of the entropy.
func New(client goredis.Scripter, entropy ports.Entropy) *Limiter {
	return NewPrefixed(client, entropy, Prefix)
}

// NewPrefixed returns a limiter whose keys begin with the prefix, which keeps
// deployments that share one Redis apart.
func NewPrefixed(client goredis.Scripter, entropy ports.Entropy, prefix string) *Limiter {
	return &Limiter{client: client, entropy: entropy, prefix: prefix}
}

// Open returns a client for a URL such as redis://user:password@host:6379/0, rediss://
// (TLS) or unix:///path?db=0. It connects at the first request. The client never
// retries, because Redis may have counted a request whose response was lost, and gives
// up after the time-out, whatever the URL says about that. No error of Open holds the
// URL, which may carry a password.
func Open(address string, timeout time.Duration) (*goredis.Client, error) {
	options, err := goredis.ParseURL(address)
	if err != nil {
		var unparsable *url.Error
		if errors.As(err, &unparsable) {
			err = unparsable.Err
		}
		return nil, fmt.Errorf("redis: the URL can't be used: %w", err)
	}
	options.MaxRetries, options.DialerRetries = -1, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = timeout, timeout, timeout, timeout
	options.ContextTimeoutEnabled = true
	// What a new connection sends before its first request counts against the time-out
	// too.
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return goredis.NewClient(options), nil
}

// Take admits or refuses one request under the key in one step on Redis. Admitted
// ones count, refused ones don't: in any window of rule.Window at most rule.Max
// are admitted. After an error the request may or may not have been counted.
func (l *Limiter) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	if rule.Max <= 0 {
		return limit.Decision{RetryAfter: rule.Window}, nil
	}
	micros := (rule.Window + time.Microsecond - 1) / time.Microsecond
	log := l.prefix + strconv.FormatInt(int64(micros), 10) + ":" + strconv.Itoa(rule.Max) + ":" + key
	answer, err := window.Run(ctx, l.client, []string{log}, rule.Max, int64(micros), l.entropy.ID()).Int64Slice()
	if err != nil {
		return limit.Decision{}, fmt.Errorf("redis: counting a request: %w", err)
	}
	return decision(answer, rule)
}

// decision reads the script's response, and accepts only what the script can return.
func decision(answer []int64, rule limit.Rule) (limit.Decision, error) {
	if len(answer) == 3 {
		admitted, remaining, wait := answer[0], answer[1], answer[2]
		switch {
		case admitted == 1 && remaining >= 0 && remaining < int64(rule.Max) && wait == 0:
			return limit.Decision{Allowed: true, Remaining: int(remaining)}, nil
		case admitted == 0 && remaining == 0 && wait > 0 && wait <= int64(rule.Window/time.Microsecond)+1:
			return limit.Decision{RetryAfter: time.Duration(wait) * time.Microsecond}, nil
		}
	}
	return limit.Decision{}, fmt.Errorf("redis: counting a request: unexpected response %v", answer)
}
