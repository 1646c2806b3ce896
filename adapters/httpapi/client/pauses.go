package client

import (
	"context"
	"net/http"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// PlayPauses lists what play is paused.
func (c *Client) PlayPauses(ctx context.Context) ([]api.PlayPause, error) {
	found, err := get[api.PlayResponse](ctx, c, "/admin/play", nil)
	return found.Pauses, err
}

// PausePlay refuses new bets from the moment it returns, and returns what is paused
// then.
func (c *Client) PausePlay(ctx context.Context, r api.PlayPauseRequest) ([]api.PlayPause, error) {
	paused, err := do[api.PlayResponse](ctx, c, call{method: http.MethodPost, path: "/admin/play/pause", body: r})
	return paused.Pauses, err
}

// ResumePlay ends one pause, and returns those that are left.
func (c *Client) ResumePlay(ctx context.Context, r api.PlayPauseRequest) ([]api.PlayPause, error) {
	left, err := do[api.PlayResponse](ctx, c, call{method: http.MethodPost, path: "/admin/play/resume", body: r})
	return left.Pauses, err
}
