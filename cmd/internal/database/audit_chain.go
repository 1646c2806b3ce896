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
	"github.com/casino-service/casino/domain/wallet"
)

// reviewsShown is the maximum number of deposits in review that an audit lists.
const reviewsShown = 100

// chainFlags name the chain that an audit reads.
type chainFlags struct {
	Chain           bool              `help:"Also compare what the treasury holds on chain with the ledger."`
	SolanaRPCURLs   []settings.Secret `name:"solana-rpc-urls" placeholder:"URL" help:"The node that --chain reads from, the first one; casino dev's own unless a database is named."`
	TreasuryAddress string            `placeholder:"ADDRESS" help:"The treasury that --chain checks; casino dev's own unless a database is named."`
}

// printTreasury prints chain and ledger for each token. It returns an error if they differ
// or don't cover what players are owed.
func (f chainFlags) printTreasury(ctx context.Context, store storeFlags, o *offline, s cli.Streams) error {
	url, treasury, err := f.readFlags(store)
	if err != nil {
		return err
	}
	known, err := o.store.RegisterTokens(ctx, nil)
	if err != nil {
		return err
	}
	node, err := solana.New(solana.Config{RPC: url.Reveal(), Treasury: solana.WatchOnly(treasury), Tokens: known.All()})
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

// readFlags returns the node to read from and the treasury to check.
func (f chainFlags) readFlags(store storeFlags) (settings.Secret, wallet.Address, error) {
	node, err := dev.Folder(store.DataDir).Node()
	if err != nil {
		return "", "", err
	}
	url := settings.Secret(node)
	if len(f.SolanaRPCURLs) > 0 {
		url = f.SolanaRPCURLs[0]
	}
	switch {
	case f.TreasuryAddress != "":
		treasury, err := wallet.Parse(f.TreasuryAddress)
		if err != nil {
			return "", "", cli.Usage(fmt.Errorf("CASINO_TREASURY_ADDRESS: %w", err))
		}
		if store.Given() && len(f.SolanaRPCURLs) == 0 {
			return "", "", cli.Usage(errors.New("CASINO_SOLANA_RPC_URLS is missing: --chain needs a node"))
		}
		return url, treasury, nil
	case store.Given():
		return "", "", cli.Usage(errors.New("CASINO_TREASURY_ADDRESS is missing: --chain needs a treasury"))
	}
	pair, err := solana.ReadKeypair(dev.Folder(store.DataDir).Treasury())
	return url, pair.Address(), err
}
