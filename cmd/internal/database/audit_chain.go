package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/solana"
	apptreasury "github.com/casino-service/casino/app/treasury"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

// reviewsShown is the maximum number of deposits in review that an audit lists.
const reviewsShown = 100

// chainFlags name the chain that an audit reads.
type chainFlags struct {
	Chain bool `help:"Also compare what the treasury holds on chain with the ledger."`
	nodeFlags
}

// nodeFlags name the nodes that a command reads, and the treasury.
type nodeFlags struct {
	SolanaRPCURLs   []settings.Secret `name:"solana-rpc-urls" placeholder:"URL" help:"The nodes that the chain is read from; of several, two must agree. casino dev's own unless a database is named."`
	TreasuryAddress string            `placeholder:"ADDRESS" help:"The treasury on chain; casino dev's own unless a database is named."`
}

// chainReader reads the chain for a command.
type chainReader interface {
	ports.ChainProbe
	ports.DepositReader
	Close()
}

// open connects to the named nodes.
func (f nodeFlags) open(store storeFlags, known token.Book) (chainReader, error) {
	urls, treasury, err := f.read(store)
	if err != nil {
		return nil, err
	}
	config := solana.Config{Treasury: solana.WatchOnly(treasury), Tokens: known.All()}
	if len(urls) > 1 {
		return solana.NewCluster(config, "", urls...)
	}
	config.RPC = urls[0]
	return solana.New(config)
}

// printTreasury prints chain and ledger for each token. It returns an error if they differ
// or don't cover what players are owed.
func (f chainFlags) printTreasury(ctx context.Context, store storeFlags, o *offline, s cli.Streams) error {
	known, err := o.store.RegisterTokens(ctx, nil)
	if err != nil {
		return err
	}
	node, err := f.open(store, known)
	if err != nil {
		return err
	}
	defer node.Close()
	kept := apptreasury.TreasuryStore{Figures: o.store, Withdrawals: o.store, Unbooked: o.store}
	states, err := apptreasury.CheckTreasury(ctx, kept, node, known.All(), o.machine.Now())
	if err != nil {
		return err
	}
	wrong := 0
	for _, state := range states {
		fmt.Fprintf(s.Out, "%s: the treasury holds %d, the ledger says %v, %v arrived and was not booked, up to %v is in flight; players are owed %v\n",
			state.Token, state.Holding, state.Booked, state.Unbooked, state.InFlight, state.Liabilities())
		if !state.Reconciled() {
			wrong++
			fmt.Fprintf(s.Out, "FOUND %s: chain and ledger differ by %v\n", state.Token, state.Difference())
		}
		if !state.Solvent() {
			wrong++
			fmt.Fprintf(s.Out, "FOUND %s: the treasury does not cover what players are owed\n", state.Token)
		}
	}
	waiting, err := o.store.ParkedIn(ctx, deposit.Review, reviewsShown)
	if err != nil {
		return err
	}
	for _, p := range waiting {
		fmt.Fprintf(s.Out, "in review: %d of %s by %s, found %s: %s\n",
			p.Amount, p.Token, p.Signature, p.FoundAt.UTC().Format(time.RFC3339), p.Reason.Describe())
	}
	if wrong > 0 {
		return fmt.Errorf("chain and ledger: %d findings", wrong)
	}
	return nil
}

// read returns the nodes to read from and the treasury.
func (f nodeFlags) read(store storeFlags) (urls []string, treasury wallet.Address, err error) {
	node, err := dev.Folder(store.DataDir).Node()
	if err != nil {
		return nil, "", err
	}
	for _, url := range f.SolanaRPCURLs {
		urls = append(urls, url.Reveal())
	}
	named := len(urls) > 0
	if !named {
		urls = []string{node}
	}
	switch {
	case f.TreasuryAddress != "":
		if treasury, err = wallet.Parse(f.TreasuryAddress); err != nil {
			return nil, "", cli.Usage(fmt.Errorf("CASINO_TREASURY_ADDRESS: %w", err))
		}
		if store.Given() && !named {
			return nil, "", cli.Usage(errors.New("CASINO_SOLANA_RPC_URLS is missing: the chain is read from a node"))
		}
		return urls, treasury, nil
	case store.Given():
		return nil, "", cli.Usage(errors.New("CASINO_TREASURY_ADDRESS is missing: the chain is read for a treasury"))
	}
	pair, err := solana.ReadKeypair(dev.Folder(store.DataDir).Treasury())
	return urls, pair.Address(), err
}
