package remote

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	solanago "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/cmd/internal/settings"
)

type PayCommand struct {
	dev.APIFlags
	dev.LocalnetFlags
	File   string        `arg:"" type:"path" help:"The wallet's keypair, a file of the Solana CLI that its owner alone may read."`
	Amount string        `arg:"" help:"How much, as a decimal such as 0.5."`
	Token  string        `default:"SOL" placeholder:"SYMBOL" help:"The token's symbol or mint."`
	Wait   time.Duration `default:"30s" help:"How long to wait until it is credited."`
}

// Run pays to the casino of the folder on its simulated chain, registers the transaction as
// a deposit, and waits until it is credited.
func (c PayCommand) Run(ctx context.Context, s cli.Streams) error {
	base, baseErr := c.API()
	node, nodeErr := c.Chain(c.DataDir)
	if err := errors.Join(baseErr, nodeErr); err != nil {
		return err
	}
	if err := errors.Join(dev.CheckBaseURL(base), checkNode(node)); err != nil {
		return cli.Usage(err)
	}
	pair, key, err := readBoth(c.File)
	if err != nil {
		return cli.Usage(err)
	}
	clock := system.Default()
	d := &demo{DemoCommand: DemoCommand{Wait: c.Wait}, out: s, casino: client.New(base, nil), chain: rpc.New(node), clock: clock, alice: key}
	if err := refuseMainnet(ctx, d.chain); err != nil {
		return err
	}
	if d.treasury, err = dev.Folder(c.DataDir).OurTreasury(ctx, d.casino, base); err != nil {
		return err
	}
	if d.tokens, err = d.casino.Tokens(ctx); err != nil {
		return err
	}
	accepted, err := d.findToken(c.Token)
	if err != nil {
		return cli.Usage(err)
	}
	units, err := unitsOf(c.Amount, accepted.Decimals)
	if err != nil {
		return cli.Usage(err)
	}
	if err := d.checkFunds(ctx, accepted, units); err != nil {
		return err
	}
	payer, _, err := signIn(ctx, base, pair, clock, "")
	if err != nil {
		return err
	}
	d.player = payer.Player()
	signature, balance, err := d.payIn(ctx, accepted, units)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "Paid %s in with transaction %s. The balance is %s.\n", formatAmount(accepted, int64(units)), signature, formatAmount(accepted, balance))
	return err
}

// checkNode allows payments only at nodes on this machine, where the simulated chain is.
func checkNode(text string) error {
	node, err := url.Parse(text)
	if err != nil || node.Scheme != "http" || !dev.OnThisMachine(node) {
		return errors.New("--rpc-url: must be the simulated chain, at http on this machine")
	}
	return nil
}

// refuseMainnet refuses a node of this machine that is on mainnet.
func refuseMainnet(ctx context.Context, node *rpc.Client) error {
	genesis, err := node.GetGenesisHash(ctx)
	if err != nil {
		return fmt.Errorf("asking the chain: %w", err)
	}
	if genesis.String() == settings.MainnetGenesis {
		return cli.Usage(errors.New("--rpc-url: this node is on Solana's mainnet; casino pay pays on the simulated chain only"))
	}
	return nil
}

// readBoth reads a keypair file for messages and for transactions.
func readBoth(path string) (solana.Keypair, solanago.PrivateKey, error) {
	pair, err := solana.ReadKeypair(path)
	if err != nil {
		return solana.Keypair{}, nil, err
	}
	key, err := solanago.PrivateKeyFromSolanaKeygenFile(path)
	return pair, key, err
}

// findToken finds an accepted token by symbol or mint.
func (d *demo) findToken(text string) (api.TokenTerms, error) {
	at := slices.IndexFunc(d.tokens, func(t api.TokenTerms) bool { return strings.EqualFold(t.Symbol, text) || t.Token == text })
	if at < 0 {
		var symbols []string
		for _, t := range d.tokens {
			symbols = append(symbols, t.Symbol)
		}
		slices.Sort(symbols)
		return api.TokenTerms{}, fmt.Errorf("--token: the service does not accept %s, only %s", text, strings.Join(symbols, " and "))
	}
	return d.tokens[at], nil
}

// unitsOf parses a decimal amount of a token.
func unitsOf(text string, decimals uint8) (uint64, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	padded := fraction + strings.Repeat("0", max(0, int(decimals)-len(fraction)))
	units, err := strconv.ParseUint(whole+padded, 10, 63)
	if err != nil || whole == "" || len(fraction) > int(decimals) || units == 0 {
		return 0, fmt.Errorf("%q is not an amount such as 0.5, with at most %d digits behind the point", text, decimals)
	}
	return units, nil
}

// lamportsPerPayment is the fee of a transfer with one signature.
const lamportsPerPayment = 5_000

// checkFunds returns an error if the wallet can't pay the amount and the fee.
func (d *demo) checkFunds(ctx context.Context, accepted api.TokenTerms, units uint64) error {
	held, err := d.onChain(ctx, accepted)
	if errors.Is(err, rpc.ErrNotFound) || cli.NodeRefusal(err) != nil {
		held, err = 0, nil // it has no account of this token
	}
	needed := units
	if accepted.Symbol == "SOL" {
		needed += lamportsPerPayment
	}
	if err == nil && held < needed {
		return fmt.Errorf("%s holds %s on the simulated chain, and %s are needed", d.alice.PublicKey(), formatAmount(accepted, int64(held)), formatAmount(accepted, int64(needed)))
	}
	return err
}
