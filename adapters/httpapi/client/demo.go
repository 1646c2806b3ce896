package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// DemoWallets lists the wallets that sign for whoever asks: casino dev alone has them.
func (c *Client) DemoWallets(ctx context.Context) (api.DemoWalletsResponse, error) {
	return get[api.DemoWalletsResponse](ctx, c, "/dev/wallets", nil)
}

// DemoSign has a demo wallet sign a text.
func (c *Client) DemoSign(ctx context.Context, name, message string) (api.DemoSigned, error) {
	return do[api.DemoSigned](ctx, c, call{
		method: http.MethodPost, path: "/dev/wallets/" + url.PathEscape(name) + "/sign", body: api.DemoSignRequest{Message: message},
	})
}

// DemoSend has a demo wallet sign a transaction and send it to the simulated chain.
func (c *Client) DemoSend(ctx context.Context, name string, transaction []byte) (api.DemoSent, error) {
	return do[api.DemoSent](ctx, c, call{
		method: http.MethodPost, path: "/dev/wallets/" + url.PathEscape(name) + "/send", body: api.DemoSendRequest{Transaction: transaction},
	})
}
