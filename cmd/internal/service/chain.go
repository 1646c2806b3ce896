package service

import (
	"context"
	"time"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/domain/token"
)

// Chain says which chain is asked, and whose money is moved.
type Chain struct {
	// Nodes are JSON-RPC URLs. One is believed alone; of several, two must agree.
	Nodes []string
	// Genesis is the genesis hash that every one of several nodes must have.
	Genesis  string
	Treasury solana.Signer
	// BlockhashAge is that of a development chain; zero on a real one.
	BlockhashAge uint64
}

// nodes are what talks to the chain, one node or several.
type nodes interface {
	app.Chain
	Head(ctx context.Context) (slot uint64, made time.Time, err error)
	Close()
}

// chainModule is the adapter that talks to nodes over their JSON-RPC.
var chainModule = fx.Module("chain", fx.Provide(openNodes))

func openNodes(life fx.Lifecycle, chain Chain, known token.Book, calls *telemetry.Calls) (nodes, error) {
	config := solana.Config{
		Treasury: chain.Treasury, Tokens: known.All(), BlockhashAge: chain.BlockhashAge, Called: calls.Called,
	}
	opened, err := connect(config, chain)
	if err != nil {
		return nil, err
	}
	life.Append(fx.StopHook(opened.Close))
	return opened, nil
}

func connect(config solana.Config, chain Chain) (nodes, error) {
	if len(chain.Nodes) == 1 {
		config.RPC = chain.Nodes[0]
		return solana.New(config)
	}
	return solana.NewCluster(config, chain.Genesis, chain.Nodes...)
}
