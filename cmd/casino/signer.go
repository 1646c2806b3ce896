package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/money"
)

type signerCommand struct {
	settings.Log
	SignerAddr      string          `default:"127.0.0.1:9100" placeholder:"HOST:PORT" help:"Where the signer listens; anything but loopback needs a certificate."`
	TLSCert         string          `type:"path" placeholder:"FILE" help:"The certificate, PEM."`
	TLSKey          string          `type:"path" placeholder:"FILE" help:"Its key, PEM."`
	TreasuryKeypair string          `required:"" type:"path" placeholder:"FILE" help:"The treasury's keypair, a file of the Solana CLI that its owner alone may read."`
	TokensFile      string          `required:"" type:"path" placeholder:"FILE" help:"The tokens that may be paid, with payoutCap and payoutCapPerHour: a tokens file of this machine's own."`
	SignerToken     settings.Secret `placeholder:"TOKEN" help:"The bearer token that the service sends, at least 32 characters."`
	SignerTokenFile string          `type:"path" placeholder:"FILE" help:"A file with it."`
	SignerJournal   string          `required:"" type:"path" placeholder:"FILE" help:"Where every signature is recorded before it is returned."`
	PriorityFeeMax  int64           `default:"100000" placeholder:"LAMPORTS" help:"The most that a payment may offer for priority."`
}

// Run signs payouts, and nothing else, until the context ends.
func (c signerCommand) Run(ctx context.Context, s streams) (err error) {
	server, journal, err := c.server(s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.SignerAddr)
	if err != nil {
		return fmt.Errorf("CASINO_SIGNER_ADDR: %w", err)
	}
	serving := &http.Server{
		Handler: server, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	if c.TLSCert == "" {
		fmt.Fprintf(s.out, "The signer is served at http://%s/sign.\n", listener.Addr())
		return serveUntil(ctx, serving, listener)
	}
	fmt.Fprintf(s.out, "The signer is served at https://%s/sign.\n", listener.Addr())
	return serveTLSUntil(ctx, serving, listener, c.TLSCert, c.TLSKey)
}

// server is the signer with its journal open, or every fault of the settings.
func (c signerCommand) server(s streams) (*remotesigner.Server, *remotesigner.Journal, error) {
	var faults []error
	hold := func(name string, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
		}
	}
	if c.TLSCert == "" {
		hold("CASINO_TLS_CERT", settings.Loopback(c.SignerAddr))
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		hold("CASINO_TLS_KEY", errors.New("certificate and key must be given together"))
	}
	token, err := settings.Single(c.SignerToken, c.SignerTokenFile)
	hold("CASINO_SIGNER_TOKEN", err)
	pair, err := solana.ReadKeypair(c.TreasuryKeypair)
	hold("CASINO_TREASURY_KEYPAIR", err)
	file, err := os.Open(c.TokensFile)
	hold("CASINO_TOKENS_FILE", err)
	policy := remotesigner.Policy{Treasury: pair.Address(), PriorityFeeMax: money.Amount(c.PriorityFeeMax)}
	if err == nil {
		policy.Tokens, err = settings.ReadTokens(file, false)
		hold("CASINO_TOKENS_FILE", errors.Join(err, file.Close()))
	}
	if c.PriorityFeeMax < 0 {
		hold("CASINO_PRIORITY_FEE_MAX", errors.New("must not be negative"))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, nil, usageError{err}
	}
	journal, err := remotesigner.OpenJournal(c.SignerJournal)
	if err != nil {
		return nil, nil, err
	}
	server, err := remotesigner.NewServer(remotesigner.ServerConfig{
		Key: pair, Policy: policy, Journal: journal, Token: token, Now: system.Default().Now, Logger: newLogger(c.Log, s),
	})
	if err != nil {
		return nil, nil, errors.Join(usageError{err}, journal.Close())
	}
	return server, journal, nil
}

// serveTLSUntil is serveUntil with a certificate.
func serveTLSUntil(ctx context.Context, server *http.Server, listener net.Listener, cert, key string) error {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return usageError{fmt.Errorf("CASINO_TLS_CERT: %w", errors.Join(err, listener.Close()))}
	}
	return serveUntil(ctx, server, tls.NewListener(listener, &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12,
	}))
}
