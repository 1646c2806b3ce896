package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/domain/wallet"
)

type loginCommand struct {
	apiFlags
	AgentCode string `placeholder:"CODE" help:"The agent that a new player belongs to."`
	Keypair   string `required:"" type:"path" placeholder:"FILE" help:"The wallet's keypair, a file of the Solana CLI that its owner alone may read."`
}

// Run signs in and prints the bearer token, nothing else, so that a shell can put it into
// a header.
func (c loginCommand) Run(ctx context.Context, s streams) error {
	base, err := c.base()
	if err != nil {
		return err
	}
	if err := checkBaseURL(base); err != nil {
		return usageError{err}
	}
	pair, err := solana.ReadKeypair(c.Keypair)
	if err != nil {
		return usageError{err}
	}
	_, session, err := signIn(ctx, base, pair, system.Default(), c.AgentCode)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, session.Token)
	return err
}

// signIn signs in with a wallet's key and returns a client that holds the session.
func signIn(ctx context.Context, base string, pair solana.Keypair, clock *system.System, agentCode string) (*client.Client, api.Session, error) {
	at := clock.Now().UnixMilli()
	signature, err := pair.Sign(ctx, []byte(wallet.LoginMessage(pair.Address(), at)))
	if err != nil {
		return nil, api.Session{}, err
	}
	casino := client.New(strings.TrimRight(base, "/"), &http.Client{Timeout: callTime})
	session, err := casino.Login(ctx, api.LoginRequest{
		Wallet: string(pair.Address()), Timestamp: at, Signature: base64.StdEncoding.EncodeToString(signature), AgentCode: agentCode,
	})
	if err != nil {
		return nil, api.Session{}, fmt.Errorf("signing in as %s: %w", pair.Address(), err)
	}
	return casino.WithToken(session.Token), session, nil
}
