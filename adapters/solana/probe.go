package solana

import (
	"context"
	"encoding/base64"
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
)

// Genesis returns the chain's genesis hash.
func (n *Node) Genesis(ctx context.Context) (string, error) {
	var text string
	if err := n.rpc.callMethod(ctx, &text, "getGenesisHash"); err != nil {
		return "", err
	}
	if _, err := solana.HashFromBase58(text); err != nil {
		return "", unusableError("the genesis hash is not a hash")
	}
	return text, nil
}

// Healthy returns nil if the node answers and is not behind the cluster.
func (n *Node) Healthy(ctx context.Context) error {
	var status string
	if err := n.rpc.callMethod(ctx, &status, "getHealth"); err != nil {
		return err
	}
	if status != "ok" {
		return unusableError("the node's health is %q", clipText(status))
	}
	return nil
}

// Holding returns the treasury's finalized balance of a token in base units: its lamports
// and its wrapped SOL, or the balance of its associated token account. An account that does
// not exist holds 0.
func (n *Node) Holding(ctx context.Context, terms token.Terms) (money.Amount, error) {
	if terms.Program != token.System {
		return n.tokenHolding(ctx, n.treasury, terms)
	}
	held, err := n.tokenHolding(ctx, n.treasury, token.Terms{Mint: money.SOL, Program: token.SPL})
	if err != nil {
		return 0, err
	}
	lamports, err := n.lamports(ctx, n.treasury)
	if err != nil {
		return 0, err
	}
	return amountOf(uint64(lamports) + uint64(held))
}

// lamports returns an account's finalized lamports.
func (n *Node) lamports(ctx context.Context, of solana.PublicKey) (money.Amount, error) {
	found, err := n.readAccount(ctx, of, finalized, 0)
	if err != nil || found == nil {
		return 0, err
	}
	return amountOf(found.Lamports)
}

// tokenHolding returns the finalized balance of a wallet's associated token account.
func (n *Node) tokenHolding(ctx context.Context, owner solana.PublicKey, terms token.Terms) (money.Amount, error) {
	address, mint, program, err := tokenAccount(owner, terms)
	if err != nil {
		return 0, err
	}
	found, err := n.readAccount(ctx, address, finalized, tokenAccountSize)
	if err != nil || found == nil {
		return 0, err
	}
	held, ok := found.decodeHolding(program)
	if !ok || held.mint != mint || held.owner != owner {
		return 0, unusableError("%s is not the account of %s of %s", address, mint, owner)
	}
	return amountOf(held.amount)
}

// amountOf converts a number of base units to an amount.
func amountOf(units uint64) (money.Amount, error) {
	if units > uint64(money.Max) {
		return 0, unusableError("%d is more than an amount can hold", units)
	}
	return money.Amount(units), nil
}

// account is an account in the node's JSON.
type account struct {
	Lamports   uint64            `json:"lamports"`
	Program    *solana.PublicKey `json:"owner"`
	Executable bool              `json:"executable"`
	Data       []string          `json:"data"`
	Owner      solana.PublicKey  `json:"-"` // from Program, which is never left out
	data       []byte
}

// readAccount returns an account and the beginning of its data; nil if it doesn't exist.
func (n *Node) readAccount(ctx context.Context, address solana.PublicKey, commitment string, dataLength int) (*account, error) {
	var answer contextual[jsontext.Value]
	if err := n.rpc.callMethod(ctx, &answer, "getAccountInfo", address.String(), options{
		"commitment": commitment, "encoding": "base64", "dataSlice": options{"offset": 0, "length": dataLength},
	}); err != nil {
		return nil, err
	}
	var found *account
	switch {
	case answer.Context.Slot == 0 || len(answer.Value) == 0:
		// Without a context or a value this is no answer, so don't read it as "absent".
		return nil, unusableError("account %s is shown without its context or its value", address)
	case json.Unmarshal(answer.Value, &found) != nil:
		return nil, unusableError("account %s is not shown as an account", address)
	case found == nil:
		return nil, nil
	case found.Program == nil: // the zero key is the system program
		return nil, unusableError("account %s is shown without its owner", address)
	case len(found.Data) != 2 || found.Data[1] != "base64":
		return nil, unusableError("account %s is not shown in base64", address)
	}
	found.Owner = *found.Program
	var err error
	if found.data, err = base64.StdEncoding.DecodeString(found.Data[0]); err != nil {
		return nil, unusableError("account %s: %v", address, err)
	}
	return found, nil
}

// The layout of a token account, the same in both token programs: mint, owner, amount, an
// optional delegate, and the state.
const (
	tokenAccountSize = 165
	stateAt          = 108
	stateInitialized = 1
)

// holding is a decoded token account.
type holding struct {
	mint, owner solana.PublicKey
	amount      uint64
	usable      bool // initialized and not frozen
}

// decodeHolding decodes a token account of a program; false if the account is nil or not
// one.
func (a *account) decodeHolding(program solana.PublicKey) (holding, bool) {
	if a == nil || a.Owner != program || len(a.data) < tokenAccountSize {
		return holding{}, false
	}
	return holding{
		mint: solana.PublicKeyFromBytes(a.data[:32]), owner: solana.PublicKeyFromBytes(a.data[32:64]),
		amount: binary.LittleEndian.Uint64(a.data[64:72]), usable: a.data[stateAt] == stateInitialized,
	}, true
}
