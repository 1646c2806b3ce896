package services_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"github.com/casino-service/casino/test/services"
)

func TestMain(m *testing.M) {
	logging.Disable() // the library's log of a server that was killed on purpose
	os.Exit(m.Run())
}

func client(t *testing.T, address string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	options.MaxRetries, options.ReadTimeout = -1, 200*time.Millisecond
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestEachTestHasARedisDatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	first, second := client(t, services.Redis(t)), client(t, services.Redis(t))
	if err := first.Set(ctx, "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := second.DBSize(ctx).Result(); err != nil || n != 0 {
		t.Errorf("the other test's database holds %d keys, %v", n, err)
	}
}

func TestAServerThatIsKilledFrozenAndFlushed(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server := services.StartRedis(t)
	redis := client(t, server.URL())
	set := func() {
		t.Helper()
		if err := redis.Set(ctx, "key", "value", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(keys int64) {
		t.Helper()
		if n, err := redis.DBSize(ctx).Result(); err != nil || n != keys {
			t.Errorf("it holds %d keys, not %d: %v", n, keys, err)
		}
	}
	set()
	server.Flush(t)
	holds(0)
	set()
	server.Freeze(t)
	if err := redis.Ping(ctx).Err(); err == nil {
		t.Error("a frozen server answers")
	}
	server.Resume(t)
	holds(1)
	server.Kill(t)
	if err := redis.Ping(ctx).Err(); err == nil {
		t.Error("a killed server answers")
	}
	server.Start(t)
	holds(0)
	server.Freeze(t) // ends in spite of that
}
