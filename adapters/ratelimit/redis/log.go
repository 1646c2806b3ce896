package redis

import (
	"context"
	"fmt"
	"log/slog"

	goredis "github.com/redis/go-redis/v9"
)

// LogTo hands what the Redis library says of connections it can't make to the
// logger, as debugging; otherwise each is a line of its own on standard error.
// The library has one logger for the whole process, so that commands call this
// and embedders decide.
func LogTo(logger *slog.Logger) { goredis.SetLogger(libraryLog{logger}) }

type libraryLog struct{ logger *slog.Logger }

// Printf takes a line of the library's.
func (l libraryLog) Printf(ctx context.Context, format string, values ...any) {
	l.logger.DebugContext(ctx, fmt.Sprintf(format, values...))
}
