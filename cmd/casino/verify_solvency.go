package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/verifier"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
)

// verifySolvency checks a player's proofs, and says what they prove and what they don't.
func (c verifyCommand) verifySolvency(s cli.Streams) error {
	keys := make([]checkpoint.Key, len(c.Key))
	for i, text := range c.Key {
		var err error
		if keys[i], err = cli.TrustedKey(text); err != nil {
			return cli.Usage(err)
		}
	}
	if len(keys) == 0 {
		return cli.Usage(errors.New("--solvency needs --key: the service's key, kept from before"))
	}
	text, err := readRound(c.Solvency)
	if err != nil {
		return cli.Usage(err)
	}
	file, err := verifier.ReadSolvency(text)
	if err != nil {
		return cli.Usage(fmt.Errorf("%s is no answer of GET /account/solvency: %w", c.Solvency, err))
	}
	made, err := file.Verify(keys...)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "signed by %s: ledger %s at %s\n", file.Signed.Kid, made.Statement.Ledger, made.Statement.At.Format(time.RFC3339))
	proved := map[money.Token]bool{}
	for _, p := range made.Proofs {
		proved[p.Token] = true
	}
	for _, t := range made.Stated {
		printStated(s, t)
		if !proved[t.Token] {
			fmt.Fprintf(s.Out, "  the file has no proof of yours: in this token nothing was counted as owed to %s\n", file.Wallet)
		}
		for _, p := range made.Proofs {
			if p.Token == t.Token {
				fmt.Fprintf(s.Out, "  counted as owed to %s: %d available, %d held, %d staked, %d unclaimed\n", file.Wallet, p.Available, p.Held, p.Staked, p.Unclaimed)
			}
		}
	}
	_, err = fmt.Fprint(s.Out, solvencyMeans)
	return err
}

func printStated(s cli.Streams, t solvency.Stated) {
	fmt.Fprintf(s.Out, "%s: %d is owed to %d wallets", t.Token, t.Root.Sum, t.Leaves)
	switch {
	case t.Holding == nil:
		fmt.Fprintf(s.Out, "; what %s held was not known\n", t.Treasury)
	case *t.Holding < t.Root.Sum:
		fmt.Fprintf(s.Out, "; %s held %d, which is less\n", t.Treasury, *t.Holding)
	default:
		fmt.Fprintf(s.Out, "; %s held %d\n", t.Treasury, *t.Holding)
	}
}

const solvencyMeans = `
This proves that these amounts are in the sums above, which the service signed. It does not prove that
nobody else was left out: each player has to look. Compare the amounts with your own records, the
statement with the one that GET /public/solvency shows, and the holdings with the chain.
`
