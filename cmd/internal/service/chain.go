package service

import (
	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/telemetry"
	"github.com/casino-service/casino/domain/token"
)

// Chain says which chain is asked, and whose money is moved.
type Chain struct {
	RPC      string
	Treasury solana.Signer
	// BlockhashAge is that of a development chain; zero on a real one.
	BlockhashAge uint64
}

// chainModule is the adapter that talks to a node over its JSON-RPC.
var chainModule = fx.Module("chain", fx.Provide(openNode))

func openNode(life fx.Lifecycle, chain Chain, known token.Book, calls *telemetry.Calls) (*solana.Node, error) {
	node, err := solana.New(solana.Config{
		RPC: chain.RPC, Treasury: chain.Treasury, Tokens: known.All(), BlockhashAge: chain.BlockhashAge,
		Called: calls.Called,
	})
	if err != nil {
		return nil, err
	}
	life.Append(fx.StopHook(node.Close))
	return node, nil
}
