package service

import (
	"context"
	"encoding/binary"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/headlog"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/ports"
)

// Chain selects the chain and the treasury.
type Chain struct {
	// Nodes are JSON-RPC URLs. A single node is trusted alone; of several nodes, two must
	// agree.
	Nodes []string
	// Genesis is the genesis hash that every node must have if there are several.
	Genesis  string
	Treasury solana.Signer
	// Anchor writes the anchors of the log, one in each AnchorPeriod; nil writes none.
	Anchor       solana.Signer
	AnchorPeriod time.Duration
	// BlockhashAge is set for a development chain and zero for a real one.
	BlockhashAge uint64
}

// nodes is the connection to one or several nodes.
type nodes interface {
	app.Chain
	ports.DepositTransactions
	ports.TreasuryHistory
	headlog.AnchorChain
	ports.ChainHead
	ports.Beacons
	Close()
}

// depositsPerSecond is the rate of lookups of claimed deposits, and of transactions built
// for players. Each is a tenth of what public nodes allow a client.
const depositsPerSecond = 10

// chainModule provides the adapter to the chain's nodes.
var chainModule = fx.Module("chain", fx.Provide(openNodes, openDeposits, openAnchors))

// connections makes connections with the same settings, each with its own circuit breakers.
type connections struct {
	fx.In

	Life    fx.Lifecycle
	Held    *Held
	Chain   Chain
	Known   token.Book
	Calls   *telemetry.Calls
	Entropy ports.Entropy
}

// openNodes opens the service's own connection.
func openNodes(c connections) (nodes, error) { return c.openNodes(c.Chain.Treasury) }

// deposits is the separate connection for players' deposits. Their load can't affect the
// workers: it has its own connections, circuit breakers, and share of the nodes' quota.
type deposits struct{ solana.PlayerPorts }

func openDeposits(c connections, machine *system.System) (deposits, error) {
	opened, err := c.openNodes(c.Chain.Treasury)
	if err != nil {
		return deposits{}, err
	}
	return deposits{solana.NewQuota(opened, machine, depositsPerSecond)}, nil
}

// anchors is the connection with the key of the anchors, empty without one.
type anchors struct{ headlog.AnchorChain }

func openAnchors(c connections) (anchors, error) {
	if c.Chain.Anchor == nil {
		return anchors{}, nil
	}
	opened, err := c.openNodes(c.Chain.Anchor)
	return anchors{opened}, err
}

func (c connections) openNodes(signer solana.Signer) (nodes, error) {
	config := solana.Config{
		Treasury: signer, Tokens: c.Known.All(), BlockhashAge: c.Chain.BlockhashAge, Called: c.Calls.Called,
		Timeouts: solana.Timeouts{Jitter: func() float64 { return randomFraction(c.Entropy.Seed()) }},
	}
	opened, err := connectChain(config, c.Chain)
	if err != nil {
		return nil, err
	}
	c.Held.Hold(c.Life, func(context.Context) error { opened.Close(); return nil })
	return opened, nil
}

// randomFraction returns a number in [0, 1) made of random bytes.
func randomFraction(drawn [32]byte) float64 {
	const bits = 53 // bits of a float64 without rounding
	return float64(binary.BigEndian.Uint64(drawn[:])>>(64-bits)) / (1 << bits)
}

func connectChain(config solana.Config, chain Chain) (nodes, error) {
	if len(chain.Nodes) == 1 {
		config.RPC = chain.Nodes[0]
		return solana.New(config)
	}
	return solana.NewCluster(config, chain.Genesis, chain.Nodes...)
}
