package solana

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// Defaults of Config.
const (
	DefaultTimeout        = 10 * time.Second
	DefaultPriorityFeeMax = money.Amount(100_000)
	DefaultBlockhashAge   = 150 // a validator's MAX_PROCESSING_AGE
)

// Signer holds the treasury's key, or calls the service that does. Sign returns the Ed25519
// signature of a transaction's message; the Node verifies it before use.
type Signer interface {
	Address() wallet.Address
	Sign(ctx context.Context, message []byte) ([]byte, error)
}

// ApprovalSigner is a Signer that requires approvals of a payment and verifies their
// signatures itself.
type ApprovalSigner interface {
	Signer
	SignApproved(ctx context.Context, message []byte, approvals []withdrawal.Approval) ([]byte, error)
}

// Config selects the chain and the treasury.
type Config struct {
	// RPC is the node's JSON-RPC URL, http or https. It may carry an API key.
	RPC string
	// Treasury signs payouts; deposits are sent to its address.
	Treasury Signer
	// Tokens are the accepted tokens, including closing ones.
	Tokens []token.Terms
	// Timeout bounds one call; 0 means DefaultTimeout.
	Timeout time.Duration
	// PriorityFeeMax is the highest priority fee of one payout in lamports, above the base
	// fee; 0 means DefaultPriorityFeeMax.
	PriorityFeeMax money.Amount
	// Called, if set, is called before each call to a node, and the returned function when
	// that call has ended, for metrics and traces. Errors contain no part of a URL that may
	// be a key.
	Called func(ctx context.Context, method string) (_ context.Context, done func(err error)) `json:"-"`
	// BlockhashAge is the number of blocks for which a blockhash stays valid; 0 means
	// DefaultBlockhashAge. Development chains may keep them longer.
	BlockhashAge uint64
	// Timeouts sets how overloaded or unreachable nodes are treated.
	Timeouts Timeouts
}

// Node reads from one Solana node and pays from one treasury. Its methods may be called
// concurrently.
type Node struct {
	rpc            *client
	signer         Signer
	treasury       solana.PublicKey
	reserved       map[string]bool
	priorityFeeMax money.Amount
	blockhashAge   uint64
	backlogs       backlogs
	looked         lookups
}

var (
	_ ports.DepositReader   = (*Node)(nil)
	_ ports.DepositHistory  = (*Node)(nil)
	_ ports.TreasuryHistory = (*Node)(nil)
	_ ports.Mints           = (*Node)(nil)
	_ ports.Payer           = (*Node)(nil)
	_ ports.ChainProbe      = (*Node)(nil)
	_ ports.HouseAddresses  = (*Node)(nil)
)

// New returns a Node, or an error that names every fault of the configuration. It makes no
// call.
func New(cfg Config) (*Node, error) {
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.PriorityFeeMax == 0 {
		cfg.PriorityFeeMax = DefaultPriorityFeeMax
	}
	if cfg.BlockhashAge == 0 {
		cfg.BlockhashAge = DefaultBlockhashAge
	}
	var faults []error
	if u, err := url.Parse(cfg.RPC); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		// Don't quote the URL: it may contain a key.
		faults = append(faults, errors.New("the RPC URL must be of the form http://host or https://host"))
	}
	if cfg.Timeout < 0 || cfg.PriorityFeeMax < 0 {
		faults = append(faults, errors.New("a timeout and a priority fee can't be negative"))
	}
	node := &Node{
		signer: cfg.Treasury, priorityFeeMax: cfg.PriorityFeeMax, blockhashAge: cfg.BlockhashAge,
		backlogs: backlogs{kept: map[string]backlog{}},
	}
	if cfg.Treasury == nil {
		return nil, fmt.Errorf("solana: %w", errors.Join(append(faults, errors.New("no treasury"))...))
	}
	address, err := wallet.Parse(string(cfg.Treasury.Address()))
	if err != nil {
		faults = append(faults, fmt.Errorf("treasury: %w", err))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("solana: %w", err)
	}
	node.treasury = solana.PublicKeyFromBytes(address.PublicKey())
	if node.reserved, err = node.houseAddresses(cfg.Tokens); err != nil {
		return nil, fmt.Errorf("solana: %w", err)
	}
	node.rpc = newClient(cfg.RPC, cfg.Timeout, cfg.Timeouts)
	if cfg.Called != nil {
		node.rpc.called = cfg.Called
	}
	return node, nil
}

// Close drops idle connections. Calls in progress continue.
func (n *Node) Close() { n.rpc.http.CloseIdleConnections() }

// treasuryKey returns the treasury's public key in the type of crypto/ed25519.
func (n *Node) treasuryKey() ed25519.PublicKey { return n.treasury[:] }
