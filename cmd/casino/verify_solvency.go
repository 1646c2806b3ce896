package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
)

// solvencyFile is what GET /account/solvency answered. docs/fairness/solvency.md has its form.
type solvencyFile struct {
	Signed struct {
		Statement string
		Kid       string
		Signature []byte
	}
	Wallet wallet.Address
	Salt   string
	Proofs []struct {
		Token                              money.Token
		Index                              number
		Available, Held, Staked, Unclaimed number
		Path                               []byte
	}
}

// number is a JSON integer, or one in a string.
type number int64

func (n *number) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseInt(string(bytes.Trim(text, `"`)), 10, 64)
	*n = number(value)
	return err
}

// verifySolvency checks a player's proofs, and says what they prove and what they don't.
func (c verifyCommand) verifySolvency(s cli.Streams) error {
	keys := make([]checkpoint.Key, len(c.Key))
	for i, text := range c.Key {
		kid, encoded, _ := strings.Cut(text, ":")
		der, err := base64.StdEncoding.DecodeString(encoded)
		if err == nil {
			keys[i], err = checkpoint.KeyOf(kid, der)
		}
		if err != nil {
			return cli.Usage(errors.New("--key: must be KID:KEY, the key in base64 as GET /public/keys shows it"))
		}
	}
	if len(keys) == 0 {
		return cli.Usage(errors.New("--solvency needs --key: the service's key, kept from before"))
	}
	text, err := readRound(c.Solvency)
	if err != nil {
		return cli.Usage(err)
	}
	var file solvencyFile
	if err := json.Unmarshal(text, &file, json.MatchCaseInsensitiveNames(true)); err != nil {
		return cli.Usage(fmt.Errorf("%s is no answer of GET /account/solvency: %w", c.Solvency, err))
	}
	signed := checkpoint.Signed{Text: file.Signed.Statement, Key: file.Signed.Kid, Signature: file.Signed.Signature}
	statement, err := signed.Open(solvency.Purpose, keys...)
	if err != nil {
		return err
	}
	stated, err := solvency.ParseFacts(statement.Facts)
	if err != nil {
		return err
	}
	salt, err := solvency.ParseHash(file.Salt)
	if err != nil {
		return fmt.Errorf("salt: %w", err)
	}
	fmt.Fprintf(s.Out, "signed by %s: ledger %s at %s\n", signed.Key, statement.Ledger, statement.At.Format(time.RFC3339))
	proved := map[money.Token]bool{}
	for _, p := range file.Proofs {
		proof := solvency.Proof{Token: p.Token, Index: int(p.Index), Owed: solvency.Owed{
			Available: money.Amount(p.Available), Held: money.Amount(p.Held), Staked: money.Amount(p.Staked), Unclaimed: money.Amount(p.Unclaimed),
		}}
		if proof.Path, err = solvency.DecodeNodes(p.Path); err != nil {
			return fmt.Errorf("%s: %w", p.Token, err)
		}
		if err := proof.Check(file.Wallet, salt, stated); err != nil {
			return fmt.Errorf("%s: you are not counted as the file says: %w", p.Token, err)
		}
		proved[p.Token] = true
	}
	for _, t := range stated {
		printStated(s, t)
		if !proved[t.Token] {
			fmt.Fprintf(s.Out, "  the file has no proof of yours: in this token nothing was counted as owed to %s\n", file.Wallet)
		}
		for _, p := range file.Proofs {
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
