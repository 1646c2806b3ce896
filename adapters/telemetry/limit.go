package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// linesAtOnce is the number of warnings or errors of one message written in a window;
	// the rest are counted.
	linesAtOnce = 5
	// lineWindow is the length of the window. One line at its end reports the count.
	lineWindow = 10 * time.Second
	// messagesMax bounds the number of messages counted separately. Messages are constants
	// of the program, so there are few; any beyond it are not limited.
	messagesMax = 1024
)

// limited writes the first warnings and errors of a message in a window and counts the
// others. A database outage fails thousands of requests a second, and their lines could
// fill the disk.
type limited struct {
	slog.Handler
	counts *counts
}

type counts struct {
	mu       sync.Mutex
	messages map[string]*count
}

// count is the number of records of a message in its window, and the time of the last.
type count struct {
	times int
	last  time.Time
}

func newLimited(h slog.Handler) *limited {
	return &limited{Handler: h, counts: &counts{messages: map[string]*count{}}}
}

// Handle writes the record, or counts it.
func (l *limited) Handle(ctx context.Context, record slog.Record) error {
	if record.Level >= slog.LevelWarn && !l.counts.admitRecord(record, l.Handler) {
		return nil
	}
	return l.Handler.Handle(ctx, record)
}

// admitRecord counts a record and reports whether to write it.
func (c *counts) admitRecord(record slog.Record, lines slog.Handler) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := c.messages[record.Message]
	if seen == nil {
		if len(c.messages) >= messagesMax {
			return true
		}
		seen = &count{}
		c.messages[record.Message] = seen
		message, level := record.Message, record.Level
		time.AfterFunc(lineWindow, func() { c.endWindow(lines, level, message) })
	}
	seen.times, seen.last = seen.times+1, record.Time
	return seen.times <= linesAtOnce
}

// endWindow ends the window of a message, and logs the number of suppressed records.
func (c *counts) endWindow(lines slog.Handler, level slog.Level, message string) {
	c.mu.Lock()
	seen := *c.messages[message]
	delete(c.messages, message)
	c.mu.Unlock()
	if left := seen.times - linesAtOnce; left > 0 {
		record := slog.NewRecord(seen.last, level, message, 0)
		record.AddAttrs(slog.Int("not_shown", left), slog.String("within", lineWindow.String()))
		_ = lines.Handle(context.Background(), record) // slog ignores such errors too
	}
}

// WithAttrs returns a handler that adds the attributes to every record it writes.
func (l *limited) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &limited{l.Handler.WithAttrs(attrs), l.counts}
}

// WithGroup returns a handler that puts what follows into a group.
func (l *limited) WithGroup(name string) slog.Handler {
	return &limited{l.Handler.WithGroup(name), l.counts}
}
