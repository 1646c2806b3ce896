package remote

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/wallet"
)

type LoginCommand struct {
	dev.APIFlags
	walletFlags
	AgentCode string `placeholder:"CODE" help:"The agent that a new player belongs to."`
}

// Run signs in and prints only the bearer token, so that a shell can use it in a header.
func (c LoginCommand) Run(ctx context.Context, s cli.Streams) error {
	base, err := c.API()
	if err != nil {
		return err
	}
	if err := dev.CheckBaseURL(base); err != nil {
		return cli.Usage(err)
	}
	signer, err := c.readSigner(s)
	if err != nil {
		return cli.Usage(err)
	}
	_, session, err := signIn(ctx, base, signer, system.Default(), c.AgentCode)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.Out, session.Token)
	return err
}

// signIn signs in with a wallet and returns a client with the session.
func signIn(ctx context.Context, base string, signer walletSigner, clock *system.System, agentCode string) (*client.Client, api.Session, error) {
	casino := client.New(strings.TrimRight(base, "/"), &http.Client{Timeout: callTime})
	signed, session, err := casino.LoginAt(ctx, clock.Now(), func(at time.Time) (api.LoginRequest, error) {
		signature, err := signer.Sign(ctx, []byte(wallet.LoginMessage(signer.Address(), at.UnixMilli())))
		return api.LoginRequest{
			Wallet: string(signer.Address()), Timestamp: at.UnixMilli(), Signature: base64.StdEncoding.EncodeToString(signature), AgentCode: agentCode,
		}, err
	})
	if err != nil {
		return nil, api.Session{}, fmt.Errorf("signing in as %s: %w", signer.Address(), err)
	}
	return signed, session, nil
}
