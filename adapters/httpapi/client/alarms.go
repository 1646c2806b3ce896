package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// Alarms lists what a person has to look at, and what became of it.
func (c *Client) Alarms(ctx context.Context, f api.AlarmFilter) (api.AlarmPage, error) {
	return get[api.AlarmPage](ctx, c, "/admin/alarms", f)
}

// AcknowledgeAlarm says that the caller looks after an alarm, and clears it where it is of
// what happened once, or where it is to be.
func (c *Client) AcknowledgeAlarm(ctx context.Context, r api.AcknowledgeRequest) (api.Alarm, error) {
	response, err := do[api.AlarmResponse](ctx, c, call{method: http.MethodPost, path: "/admin/alarms/" + url.PathEscape(r.ID) + "/acknowledge", body: r})
	return response.Alarm, err
}
