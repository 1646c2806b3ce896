// Package redis counts requests in exact sliding windows that all instances share, in one
// Redis.
//
// Commands import it for wiring, always behind package fallback, which continues when Redis
// fails; all other code uses ports.Limiter.
package redis

import (
	"context"
	_ "embed" // the script
	"fmt"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/casino-service/casino/domain/limit"
	"github.com/casino-service/casino/ports"
)

// Prefix begins every key that New's limiters write.
const Prefix = "casino:window:"

//go:embed window.lua
var source string

var window = goredis.NewScript(source)

var _ ports.Limiter = (*Limiter)(nil)

// Limiter keeps one log of admission times for each key and rule, as a sorted set that
// expires with its window. Times come from Redis's clock, so instances needn't agree on
// theirs; they are in microseconds. When that clock steps back, later entries count as of
// the present: no more requests are admitted, and none is rejected for longer than a
// window.
//
// It is safe for concurrent use. A missing or malformed response of Redis is an error and
// never an admission.
type Limiter struct {
	client  goredis.Scripter
	entropy ports.Entropy
	prefix  string
}

// New returns a limiter on a client from Open. Each admitted request is recorded under an
// id from the entropy.
func New(client goredis.Scripter, entropy ports.Entropy) *Limiter {
	return NewPrefixed(client, entropy, Prefix)
}

// NewPrefixed returns a limiter whose keys begin with the prefix, which keeps
// deployments that share one Redis apart.
func NewPrefixed(client goredis.Scripter, entropy ports.Entropy, prefix string) *Limiter {
	return &Limiter{client: client, entropy: entropy, prefix: prefix}
}

// Take admits or rejects one request under the key in one step on Redis. Only admitted ones
// count: in any window of rule.Window at most rule.Max are admitted. After an error the
// request may or may not have been counted.
func (l *Limiter) Take(ctx context.Context, key string, rule limit.Rule) (limit.Decision, error) {
	if rule.Max <= 0 {
		return limit.Decision{RetryAfter: rule.Window}, nil
	}
	micros := (rule.Window + time.Microsecond - 1) / time.Microsecond
	log := l.prefix + strconv.FormatInt(int64(micros), 10) + ":" + strconv.Itoa(rule.Max) + ":" + key
	answer, err := window.Run(ctx, l.client, []string{log}, rule.Max, int64(micros), l.entropy.ID()).Result()
	if err != nil {
		return limit.Decision{}, fmt.Errorf("redis: counting a request: %w", err)
	}
	return parseDecision(answer, rule)
}

// parseDecision reads the script's response. Any response that the script can't return is
// an error.
func parseDecision(answer any, rule limit.Rule) (limit.Decision, error) {
	parts, _ := answer.([]any)
	numbers := make([]int64, 0, 3)
	for _, part := range parts {
		if n, ok := part.(int64); ok {
			numbers = append(numbers, n)
		}
	}
	if len(parts) == 3 && len(numbers) == 3 {
		admitted, remaining, wait := numbers[0], numbers[1], numbers[2]
		switch {
		case admitted == 1 && remaining >= 0 && remaining < int64(rule.Max) && wait == 0:
			return limit.Decision{Allowed: true, Remaining: int(remaining)}, nil
		case admitted == 0 && remaining == 0 && wait > 0 && wait <= int64(rule.Window/time.Microsecond)+1:
			return limit.Decision{RetryAfter: time.Duration(wait) * time.Microsecond}, nil
		}
	}
	return limit.Decision{}, fmt.Errorf("redis: counting a request: unexpected response %v", answer)
}
