package client

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// SignLogin signs the login message of a key at a time.
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

// SignIn signs in with a wallet's key at a time and returns a client with the session. It
// is LoginAt with SignLogin.
func (c *Client) SignIn(ctx context.Context, key ed25519.PrivateKey, at time.Time) (*Client, api.Session, error) {
	return c.LoginAt(ctx, at, func(at time.Time) (api.LoginRequest, error) { return SignLogin(key, at) })
}

// LoginAt sends the login that sign returns for a time, and returns a client with the
// session. If the service rejects the time as stale, it signs and sends once more with the
// service's time.
func (c *Client) LoginAt(ctx context.Context, at time.Time, sign func(at time.Time) (api.LoginRequest, error)) (*Client, api.Session, error) {
	send := func(at time.Time) (api.Session, error) {
		login, err := sign(at)
		if err != nil {
			return api.Session{}, err
		}
		return c.Login(ctx, login)
	}
	session, err := send(at)
	if server, stale := ServerTime(err); stale {
		session, err = send(server)
	}
	if err != nil {
		return nil, api.Session{}, err
	}
	return c.WithToken(session.Token), session, nil
}

// SignApproval signs, with a key and at a time, the approval of a withdrawal from a
// treasury.
func SignApproval(key ed25519.PrivateKey, treasury string, w api.Withdrawal, at time.Time) api.ApproveRequest {
	message := withdrawal.Withdrawal{
		ID: w.ID, Token: money.Token(w.Token), Amount: money.Amount(w.Amount), Destination: w.Destination,
	}.ApprovalMessage(wallet.Address(treasury), at.UnixMilli())
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(message)))
	return api.ApproveRequest{ID: w.ID, Timestamp: at.UnixMilli(), Signature: signature}
}
