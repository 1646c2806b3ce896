package redis

import (
	"context"
	"fmt"
	"log/slog"

	goredis "github.com/redis/go-redis/v9"
)

// LogTo sends what the Redis library reports about failed connections to the logger, at
// level DEBUG; otherwise each is a line on standard error. The library has one logger
// for the whole process, so commands call this and embedders decide.
func LogTo(logger *slog.Logger) { goredis.SetLogger(libraryLog{logger}) }

type libraryLog struct{ logger *slog.Logger }

// Printf logs a line of the library's.
func (l libraryLog) Printf(ctx context.Context, format string, values ...any) {
	l.logger.DebugContext(ctx, fmt.Sprintf(format, values...))
}
