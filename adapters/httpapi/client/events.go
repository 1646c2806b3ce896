package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/tmaxmax/go-sse"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// messageBytesMax bounds one event of a stream.
const messageBytesMax = 1 << 20

// Events calls hear with what concerns the caller, as it is committed: id is the place
// after the event, where a later call goes on with it as the filter's Cursor. It returns
// when the stream ends, the context does, or hear returns an error, with io.EOF, the
// context's error or that one.
func (c *Client) Events(ctx context.Context, f api.EventFilter, hear func(id string, e api.Event) error) error {
	return stream(ctx, c, "/events", f, hear)
}

// AdminEvents is a page of what was committed, in the caller's scope.
func (c *Client) AdminEvents(ctx context.Context, f api.AdminEventFilter) (api.EventPage, error) {
	return get[api.EventPage](ctx, c, "/admin/events", f)
}

// FollowAdminEvents is Events for what an admin may hear.
func (c *Client) FollowAdminEvents(ctx context.Context, f api.AdminEventFilter, hear func(id string, e api.Event) error) error {
	return stream(ctx, c, "/admin/events", f, hear)
}

// Feed calls show with everybody's bets as they are played, as Events does; they have no
// place to go on from.
func (c *Client) Feed(ctx context.Context, show func(api.RecentBet) error) error {
	return stream(ctx, c, "/public/feed", nil, func(_ string, b api.RecentBet) error { return show(b) })
}

func stream[T any](ctx context.Context, c *Client, path string, filter any, hear func(id string, message T) error) error {
	request, err := c.request(ctx, call{method: http.MethodGet, path: path, filter: filter})
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	sent, err := c.http.Do(request)
	if err != nil {
		return err
	}
	if sent.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(sent.Body, responseBytesMax))
		if err := errors.Join(err, sent.Body.Close()); err != nil {
			return fmt.Errorf("GET %s: %w", path, err)
		}
		return response{status: sent.StatusCode, header: sent.Header, body: text}.failure()
	}
	err = io.EOF
	for event, broken := range sse.Read(sent.Body, &sse.ReadConfig{MaxEventSize: messageBytesMax}) {
		if err = broken; err != nil {
			break
		}
		if event.Data == "" { // the place that the stream begins at
			err = io.EOF
			continue
		}
		var message T
		if err = json.Unmarshal([]byte(event.Data), &message); err != nil {
			err = fmt.Errorf("GET %s: an event can't be read: %w", path, err)
			break
		}
		if err = hear(event.LastEventID, message); err != nil {
			break
		}
		err = io.EOF
	}
	if ended := ctx.Err(); ended != nil {
		err = ended
	}
	_ = sent.Body.Close() // what it was read for is known
	return err
}
