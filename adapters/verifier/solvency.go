package verifier

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
)

// SolvencyFile is what GET /account/solvency answered. docs/fairness/solvency.md has its form.
type SolvencyFile struct {
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

// ReadSolvency reads an answer of GET /account/solvency.
func ReadSolvency(text []byte) (file SolvencyFile, err error) {
	err = json.Unmarshal(text, &file, json.MatchCaseInsensitiveNames(true))
	return file, err
}

// Solvency is what a file proves.
type Solvency struct {
	Statement checkpoint.Statement
	Stated    []solvency.Stated
	Proofs    []solvency.Proof
}

// Verify verifies the statement by one of the keys, and that each proof is of the tree that it
// states.
func (f SolvencyFile) Verify(keys ...checkpoint.Key) (s Solvency, err error) {
	signed := checkpoint.Signed{Text: f.Signed.Statement, Key: f.Signed.Kid, Signature: f.Signed.Signature}
	if s.Statement, err = signed.Open(solvency.Purpose, keys...); err != nil {
		return s, err
	}
	if s.Stated, err = solvency.ParseFacts(s.Statement.Facts); err != nil {
		return s, err
	}
	salt, err := solvency.ParseHash(f.Salt)
	if err != nil {
		return s, fmt.Errorf("salt: %w", err)
	}
	for _, p := range f.Proofs {
		proof := solvency.Proof{Token: p.Token, Index: int(p.Index), Owed: solvency.Owed{
			Available: money.Amount(p.Available), Held: money.Amount(p.Held), Staked: money.Amount(p.Staked), Unclaimed: money.Amount(p.Unclaimed),
		}}
		if proof.Path, err = solvency.DecodeNodes(p.Path); err == nil {
			err = proof.Check(f.Wallet, salt, s.Stated)
		}
		if err != nil {
			return s, fmt.Errorf("%s: you are not counted as the file says: %w", p.Token, err)
		}
		s.Proofs = append(s.Proofs, proof)
	}
	return s, nil
}
