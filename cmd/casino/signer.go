package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/casino-service/casino/adapters/hsm"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

type signerCommand struct {
	settings.Log
	SignerAddr        string            `default:"127.0.0.1:9100" placeholder:"HOST:PORT" help:"Where the signer listens; anything but loopback needs a certificate."`
	TLSCert           string            `type:"path" placeholder:"FILE" help:"The certificate, PEM."`
	TLSKey            string            `type:"path" placeholder:"FILE" help:"Its key, PEM."`
	TreasuryKeypair   string            `type:"path" placeholder:"FILE" help:"The treasury's keypair, a file of the Solana CLI that its owner alone may read; or name a key in a hardware security module."`
	HSMModule         string            `name:"hsm-module" type:"path" placeholder:"FILE" help:"The PKCS#11 library of the hardware security module that holds the treasury's key; needs a binary built with cgo."`
	HSMToken          string            `name:"hsm-token" placeholder:"LABEL" help:"The label of its token."`
	HSMKey            string            `name:"hsm-key" placeholder:"LABEL" help:"The label of the Ed25519 key in it."`
	HSMPIN            settings.Secret   `name:"hsm-pin" placeholder:"PIN" help:"The PIN of the token's user."`
	HSMPINFile        string            `name:"hsm-pin-file" type:"path" placeholder:"FILE" help:"A file with it."`
	TokensFile        string            `required:"" type:"path" placeholder:"FILE" help:"The tokens that may be paid, with payoutCap and payoutCapPerHour: a tokens file of this machine's own."`
	SignerToken       settings.Secret   `placeholder:"TOKEN" help:"The bearer token that the service sends, at least 32 characters."`
	SignerTokenFile   string            `type:"path" placeholder:"FILE" help:"A file with it."`
	SignerJournal     string            `required:"" type:"path" placeholder:"FILE" help:"Where every signature is recorded before it is returned."`
	SolanaRPCURLs     []settings.Secret `name:"solana-rpc-urls" placeholder:"URL" help:"JSON-RPC URLs of Solana nodes that the signer asks itself: others than the service's, or what one says decides alone."`
	SolanaRPCURLsFile string            `name:"solana-rpc-urls-file" type:"path" placeholder:"FILE" help:"A file with them, one a line."`
	SolanaGenesis     string            `default:"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d" placeholder:"HASH" help:"The genesis hash the chain must have; mainnet's unless another is named."`
	SignerApprovers   []string          `placeholder:"WALLET" help:"Whose signatures let a payment go: one of them, two above the token's twoPersonAbove and twoPersonAbovePerDay of the signer's own tokens file. Without any the signer asks for none."`
	ApprovalMaxAge    time.Duration     `name:"signer-approval-max-age" default:"168h" placeholder:"TIME" help:"How old an approver's signature may be."`
	PriorityFeeMax    int64             `default:"100000" placeholder:"LAMPORTS" help:"The most that a payment may offer for priority."`
}

// Run signs payouts until the context ends.
func (c signerCommand) Run(ctx context.Context, s cli.Streams) (err error) {
	server, opened, err := c.newServer(s)
	defer func() { err = errors.Join(err, opened.Close()) }()
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.SignerAddr)
	if err != nil {
		return fmt.Errorf("CASINO_SIGNER_ADDR: %w", err)
	}
	serving := &http.Server{
		Handler: server, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	if c.TLSCert == "" {
		fmt.Fprintf(s.Out, "The signer is served at http://%s/sign.\n", listener.Addr())
		return dev.ServeUntil(ctx, serving, listener)
	}
	fmt.Fprintf(s.Out, "The signer is served at https://%s/sign.\n", listener.Addr())
	return serveTLSUntil(ctx, serving, listener, c.TLSCert, c.TLSKey)
}

// closers are the open files and sessions of a signer.
type closers []io.Closer

// Close closes all of them.
func (c closers) Close() (err error) {
	for _, one := range c {
		err = errors.Join(err, one.Close())
	}
	return err
}

// openKey opens the treasury's key: a keypair file, or a key in a hardware security module.
// It returns the name of the setting that an error is about.
func (c signerCommand) openKey() (_ solana.Signer, setting string, err error) {
	switch {
	case c.TreasuryKeypair == "" && c.HSMModule == "":
		return nil, "CASINO_TREASURY_KEYPAIR", errors.New("is missing, and so is CASINO_HSM_MODULE: the signer needs a key")
	case c.TreasuryKeypair != "" && c.HSMModule != "":
		return nil, "CASINO_HSM_MODULE", errors.New("and CASINO_TREASURY_KEYPAIR exclude each other: the key is in one place")
	case c.HSMModule == "":
		pair, err := solana.ReadKeypair(c.TreasuryKeypair)
		return pair, "CASINO_TREASURY_KEYPAIR", err
	}
	pin, err := settings.Single(c.HSMPIN, c.HSMPINFile)
	if err != nil || pin == "" {
		return nil, "CASINO_HSM_PIN", cmp.Or(err, errors.New("is missing"))
	}
	key, err := hsm.Open(hsm.Config{Module: c.HSMModule, Token: c.HSMToken, Key: c.HSMKey, PIN: pin})
	return key, "CASINO_HSM_MODULE", err
}

// newServer returns the signer and what it opened, or all faults of the settings.
func (c signerCommand) newServer(s cli.Streams) (*remotesigner.Server, closers, error) {
	var faults []error
	var opened closers
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
	bearer, err := settings.Single(c.SignerToken, c.SignerTokenFile)
	hold("CASINO_SIGNER_TOKEN", err)
	key, setting, err := c.openKey()
	hold(setting, err)
	if err != nil {
		key = solana.WatchOnly(wallet.Address(money.SOL)) // any address: the other settings are checked nevertheless
	} else if closer, ok := key.(io.Closer); ok {
		opened = append(opened, closer)
	}
	file, err := os.Open(c.TokensFile)
	hold("CASINO_TOKENS_FILE", err)
	policy := remotesigner.Policy{Treasury: key.Address(), PriorityFeeMax: money.Amount(c.PriorityFeeMax)}
	if err == nil {
		policy.Tokens, err = settings.ReadTokens(file, len(c.SignerApprovers) > 0) // with approvers, the thresholds for two persons must be stated
		hold("CASINO_TOKENS_FILE", errors.Join(err, file.Close()))
	}
	policy.Approvers, err = c.readApprovers(policy)
	hold("CASINO_SIGNER_APPROVERS", err)
	if policy.ApprovalMaxAge = c.ApprovalMaxAge; c.ApprovalMaxAge <= 0 {
		hold("CASINO_SIGNER_APPROVAL_MAX_AGE", errors.New("must be positive"))
	}
	nodes, err := c.connectNodes(key, policy.Tokens)
	hold("CASINO_SOLANA_RPC_URLS", err)
	if c.PriorityFeeMax < 0 {
		hold("CASINO_PRIORITY_FEE_MAX", errors.New("must not be negative"))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, opened, cli.Usage(err)
	}
	journal, err := remotesigner.OpenJournal(c.SignerJournal)
	if err != nil {
		return nil, opened, err
	}
	opened = append(opened, journal)
	server, err := remotesigner.NewServer(remotesigner.ServerConfig{
		Key: key, Policy: policy, Journal: journal, Nodes: nodes, Token: bearer, Now: system.Default().Now, Logger: cli.NewLogger(c.Log, s),
	})
	if err != nil {
		return nil, opened, cli.Usage(err)
	}
	return server, opened, nil
}

// readApprovers returns the signer's approvers, at least as many as the policy can require.
func (c signerCommand) readApprovers(policy remotesigner.Policy) ([]wallet.Address, error) {
	var all []wallet.Address
	for _, text := range c.SignerApprovers {
		address, err := wallet.Parse(strings.TrimSpace(text))
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is not a wallet", text)
		case slices.Contains(all, address):
			return nil, fmt.Errorf("%s is named twice, and one person counts once", address)
		case address == policy.Treasury:
			return nil, errors.New("names the treasury: the signer already has its key")
		}
		all = append(all, address)
	}
	two := func(t token.Terms) bool {
		return t.TwoPersonAbove < t.PayoutCap || t.TwoPersonAbovePerDay != token.NoTwoPerson
	}
	if at := slices.IndexFunc(policy.Tokens, two); len(all) == 1 && at >= 0 {
		return nil, fmt.Errorf("names one wallet, and payments of %s can take two", policy.Tokens[at].Symbol)
	}
	return all, nil
}

// connectNodes connects to the signer's nodes. A single node must at least be on the right
// chain.
func (c signerCommand) connectNodes(treasury solana.Signer, tokens []token.Terms) (remotesigner.Nodes, error) {
	urls, err := settings.URLs(c.SolanaRPCURLs, c.SolanaRPCURLsFile)
	if err != nil {
		return nil, err
	}
	config := solana.Config{Treasury: treasury, Tokens: tokens}
	if len(urls) == 1 {
		config.RPC = urls[0]
		node, err := solana.New(config)
		return ownNode{node, c.SolanaGenesis}, err
	}
	return solana.NewCluster(config, c.SolanaGenesis, urls...)
}

// ownNode is a single node. Its chain is checked with each request.
type ownNode struct {
	*solana.Node
	genesis string
}

func (n ownNode) checkNode(ctx context.Context) error {
	genesis, err := n.Genesis(ctx)
	if err == nil && genesis != n.genesis {
		err = errors.New("the signer's node is on another chain")
	}
	return err
}

// Expiry implements remotesigner.Nodes.
func (n ownNode) Expiry(ctx context.Context, blockhash string) (lastValid, slot uint64, err error) {
	if err := n.checkNode(ctx); err != nil {
		return 0, 0, err
	}
	return n.Node.Expiry(ctx, blockhash)
}

// Outcome implements remotesigner.Nodes.
func (n ownNode) Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	if err := n.checkNode(ctx); err != nil {
		return withdrawal.Outcome{}, err
	}
	return n.Node.Outcome(ctx, attempt)
}

// serveTLSUntil serves with a certificate until the context ends.
func serveTLSUntil(ctx context.Context, server *http.Server, listener net.Listener, cert, key string) error {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return cli.Usage(fmt.Errorf("CASINO_TLS_CERT: %w", errors.Join(err, listener.Close())))
	}
	return dev.ServeUntil(ctx, server, tls.NewListener(listener, &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12,
	}))
}
