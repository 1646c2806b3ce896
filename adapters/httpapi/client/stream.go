package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/tmaxmax/go-sse"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// messageBytesMax bounds one event of a stream.
const messageBytesMax = 1 << 20

// Events calls hear with each event of the caller when it is committed. id is the
// position after the event; pass it as the query's Cursor to continue later. It returns
// io.EOF when the stream ends, or the error of the context or of hear.
func (c *Client) Events(ctx context.Context, query api.EventsParams, hear func(id string, e api.Event) error) error {
	return stream(ctx, c, call{method: http.MethodGet, path: "/events", query: query}, hear)
}

// FollowAdminEvents is Events for the events that an admin may see.
func (c *Client) FollowAdminEvents(ctx context.Context, query api.AdminEventsParams, hear func(id string, e api.Event) error) error {
	return stream(ctx, c, call{method: http.MethodGet, path: "/admin/events", query: query}, hear)
}

// Feed calls show with the bets of all players as they are played, like Events. Bets have
// no position to continue from.
func (c *Client) Feed(ctx context.Context, show func(api.RecentBet) error) error {
	return stream(ctx, c, call{method: http.MethodGet, path: "/public/feed"}, func(_ string, b api.RecentBet) error { return show(b) })
}

// CrashStream calls show with the shared crash, and then with what changes in it, like Feed.
func (c *Client) CrashStream(ctx context.Context, show func(api.CrashNews) error) error {
	return stream(ctx, c, call{method: http.MethodGet, path: "/crash/stream"}, func(_ string, n api.CrashNews) error { return show(n) })
}

func stream[T any](ctx context.Context, c *Client, what call, hear func(id string, message T) error) error {
	response, err := c.send(ctx, what, "text/event-stream")
	if err != nil {
		return err
	}
	err = read(response.Body, what.path, hear)
	if ended := ctx.Err(); ended != nil {
		err = ended
	}
	_ = response.Body.Close() // errors of Close don't matter after reading
	return err
}

// read calls hear with each message until the body ends, and then returns io.EOF.
func read[T any](body io.Reader, path string, hear func(id string, message T) error) error {
	for event, broken := range sse.Read(body, &sse.ReadConfig{MaxEventSize: messageBytesMax}) {
		if broken != nil {
			return broken
		}
		if event.Data == "" { // the position at which the stream begins
			continue
		}
		var message T
		if err := json.Unmarshal([]byte(event.Data), &message); err != nil {
			return fmt.Errorf("GET %s: an event can't be read: %w", path, err)
		}
		if err := hear(event.LastEventID, message); err != nil {
			return err
		}
	}
	return io.EOF
}
