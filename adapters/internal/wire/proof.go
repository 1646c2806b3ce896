package wire

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/proof"
)

// walletProof is the stored form of a proof, without its wallet and its seal.
type walletProof struct {
	At     int64       `json:"at"` // microseconds
	Rounds int64       `json:"rounds"`
	Heads  []proofHead `json:"heads,omitempty"`
	Sums   []proofSum  `json:"sums,omitempty"`
	Holds  []proofHold `json:"holds,omitempty"`
}

type proofHead struct {
	Lane int    `json:"lane"`
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
}

type proofSum struct {
	Token     string `json:"token"`
	Player    int64  `json:"player,omitzero"`
	Unclaimed int64  `json:"unclaimed,omitzero"`
	Owed      int64  `json:"owed,omitzero"`
}

type proofHold struct {
	Withdrawal string `json:"withdrawal"`
	Token      string `json:"token"`
	Amount     int64  `json:"amount"`
}

// EncodeProof returns a wallet's proof as JSON.
func EncodeProof(p proof.Proof) (string, error) {
	kept := walletProof{At: p.At.UnixMicro(), Rounds: p.Rounds}
	for _, h := range p.Heads {
		kept.Heads = append(kept.Heads, proofHead{h.Lane, h.Seq, h.Hash.String()})
	}
	for _, s := range p.Sums {
		kept.Sums = append(kept.Sums, proofSum{string(s.Token), int64(s.Player), int64(s.Unclaimed), int64(s.Owed)})
	}
	for _, h := range p.Holds {
		kept.Holds = append(kept.Holds, proofHold{h.Withdrawal, string(h.Token), int64(h.Amount)})
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return "", fmt.Errorf("wire: encode a wallet's proof: %w", err)
	}
	return string(text), nil
}

// DecodeProof reads the output of EncodeProof.
func DecodeProof(text string) (proof.Proof, error) {
	var kept walletProof
	if err := json.Unmarshal([]byte(text), &kept, json.RejectUnknownMembers(true)); err != nil {
		return proof.Proof{}, fmt.Errorf("wire: decode a wallet's proof: %w", err)
	}
	p := proof.Proof{At: time.UnixMicro(kept.At).UTC(), Rounds: kept.Rounds}
	for _, h := range kept.Heads {
		hash, err := hashchain.ParseHash(h.Hash)
		if err != nil {
			return proof.Proof{}, fmt.Errorf("wire: decode a wallet's proof: %w", err)
		}
		p.Heads = append(p.Heads, hashchain.Head{Lane: h.Lane, Seq: h.Seq, Hash: hash})
	}
	for _, s := range kept.Sums {
		p.Sums = append(p.Sums, proof.Sum{
			Token: money.Token(s.Token), Player: money.Amount(s.Player), Unclaimed: money.Amount(s.Unclaimed), Owed: money.Amount(s.Owed),
		})
	}
	for _, h := range kept.Holds {
		p.Holds = append(p.Holds, proof.Hold{Withdrawal: h.Withdrawal, Token: money.Token(h.Token), Amount: money.Amount(h.Amount)})
	}
	return p, nil
}
