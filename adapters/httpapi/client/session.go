package client

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/wallet"
)

// SignLogin signs the login message of a key at a moment.
func SignLogin(key ed25519.PrivateKey, at time.Time) (api.LoginRequest, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return api.LoginRequest{}, errors.New("client: not an Ed25519 key")
	}
	address, err := wallet.FromPublicKey(public)
	if err != nil {
		return api.LoginRequest{}, err
	}
	message := wallet.LoginMessage(address, at.UnixMilli())
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(message)))
	return api.LoginRequest{Wallet: string(address), Timestamp: at.UnixMilli(), Signature: signature}, nil
}

// Login sends a signed login.
func (c *Client) Login(ctx context.Context, login api.LoginRequest) (api.Session, error) {
	return do[api.Session](ctx, c, call{method: http.MethodPost, path: "/auth/login", body: login})
}

// SignIn signs in with a wallet's key at a moment, which must be near the
// service's clock, and returns a client that holds the session.
func (c *Client) SignIn(ctx context.Context, key ed25519.PrivateKey, at time.Time) (*Client, api.Session, error) {
	login, err := SignLogin(key, at)
	if err != nil {
		return nil, api.Session{}, err
	}
	session, err := c.Login(ctx, login)
	if err != nil {
		return nil, api.Session{}, err
	}
	return c.WithToken(session.Token), session, nil
}

// Logout ends all sessions of the wallet.
func (c *Client) Logout(ctx context.Context) error {
	_, err := do[struct{}](ctx, c, call{method: http.MethodPost, path: "/auth/logout"})
	return err
}
