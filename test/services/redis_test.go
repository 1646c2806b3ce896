package services_test

import (
	"context"
	"testing"
	"time"

	"github.com/casino-service/casino/adapters/ratelimit/redis"
	"github.com/casino-service/casino/test/services"
)

func client(t *testing.T, address string) redis.Client {
	t.Helper()
	c, err := redis.Open(address, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestEachTestHasARedisDatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	first, second := client(t, services.Redis(t)), client(t, services.Redis(t))
	if err := first.Do(ctx, "SET", "key", "value").Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := second.Do(ctx, "DBSIZE").Int64(); err != nil || n != 0 {
		t.Errorf("the other test's database holds %d keys, %v", n, err)
	}
}

func TestAServerThatIsKilledFrozenAndFlushed(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server := services.StartRedis(t)
	killed := client(t, server.URL())
	set := func() {
		t.Helper()
		if err := killed.Do(ctx, "SET", "key", "value").Err(); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(keys int64) {
		t.Helper()
		if n, err := killed.Do(ctx, "DBSIZE").Int64(); err != nil || n != keys {
			t.Errorf("it holds %d keys, not %d: %v", n, keys, err)
		}
	}
	set()
	server.Flush(t)
	holds(0)
	set()
	server.Freeze(t)
	if err := killed.Do(ctx, "PING").Err(); err == nil {
		t.Error("a frozen server answers")
	}
	server.Resume(t)
	holds(1)
	server.Kill(t)
	if err := killed.Do(ctx, "PING").Err(); err == nil {
		t.Error("a killed server answers")
	}
	server.Start(t)
	holds(0)
	server.Freeze(t) // ends although it is frozen
}
