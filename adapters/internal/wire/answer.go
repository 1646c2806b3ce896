package wire

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

// answer is what is kept with a unique key of the change that took it. A round is named
// by its id only: it and its pair are rows that never change and hold the rest.
type answer struct {
	Round      string            `json:"round,omitzero"`
	Open       *openAnswer       `json:"open,omitzero"`
	Withdrawal *withdrawalAnswer `json:"withdrawal,omitzero"`
	Deposit    *depositAnswer    `json:"deposit,omitzero"`
	Adjustment *adjustmentAnswer `json:"adjustment,omitzero"`
	Approval   *approvalAnswer   `json:"approval,omitzero"`
	Retired    *retiredAnswer    `json:"retired,omitzero"`
	Pair       *pairAnswer       `json:"pair,omitzero"`
	Seamless   *seamlessAnswer   `json:"seamless,omitzero"`
	Funding    *fundingAnswer    `json:"funding,omitzero"`
	Balance    int64             `json:"balance"`
}

type withdrawalAnswer struct {
	ID          string       `json:"id"`
	Wallet      string       `json:"wallet"`
	Token       string       `json:"token"`
	Amount      int64        `json:"amount"`
	Fee         int64        `json:"fee,omitzero"`
	Destination string       `json:"destination"`
	Status      string       `json:"status"`
	Approvals   []voteAnswer `json:"approvals,omitzero"`
	Attempt     int          `json:"attempt,omitzero"`
	Signature   string       `json:"signature,omitzero"`
	Reason      string       `json:"reason,omitzero"`
	Note        string       `json:"note,omitzero"`
	Seal        string       `json:"seal,omitzero"`
	CreatedAt   int64        `json:"createdAt"`
	UpdatedAt   int64        `json:"updatedAt"`
}

type voteAnswer struct {
	By        string `json:"by"`
	At        int64  `json:"at"`
	Note      string `json:"note,omitzero"`
	Attempt   int    `json:"attempt,omitzero"`
	Needed    int    `json:"needed,omitzero"`
	Signature string `json:"signature,omitzero"`
	Timestamp int64  `json:"timestamp,omitzero"`
	Treasury  string `json:"treasury,omitzero"`
	Seal      string `json:"seal,omitzero"`
}

type depositAnswer struct {
	ID        string `json:"id"`
	Wallet    string `json:"wallet"`
	Signature string `json:"signature"`
	Token     string `json:"token"`
	Status    string `json:"status"`
	Amount    int64  `json:"amount"`
	Reason    string `json:"reason,omitzero"`
	CreatedAt int64  `json:"createdAt"`
	UpdatedAt int64  `json:"updatedAt"`
}

type adjustmentAnswer struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Wallet string `json:"wallet"`
	Token  string `json:"token"`
	Amount int64  `json:"amount"`
	Reason string `json:"reason"`
	By     string `json:"by"`
	At     int64  `json:"at"`
}

type fundingAnswer struct {
	ID      string `json:"id"`
	Agent   string `json:"agent"`
	Token   string `json:"token"`
	Amount  int64  `json:"amount"`
	Balance int64  `json:"balance"`
	Reason  string `json:"reason"`
	By      string `json:"by"`
	At      int64  `json:"at"`
}

type retiredAnswer struct {
	ID           string `json:"id"`
	ServerSeed   string `json:"serverSeed"`
	Commitment   string `json:"commitment"`
	ClientSeed   string `json:"clientSeed"`
	ClientSource string `json:"clientSource"`
	Rounds       int64  `json:"rounds"`
	Since        int64  `json:"since"`
}

// pairAnswer has no place for a seed.
type pairAnswer struct {
	ID             string `json:"id"`
	Commitment     string `json:"commitment"`
	ClientSeed     string `json:"clientSeed"`
	ClientSource   string `json:"clientSource"`
	Nonce          int64  `json:"nonce"`
	Epoch          int64  `json:"epoch"`
	Since          int64  `json:"since"`
	NextID         string `json:"nextId"`
	NextCommitment string `json:"nextCommitment"`
}

// EncodeAnswer returns the JSON that is kept with a unique key: of a change with a round
// the round's id and the balance, of any other the last of the Steps, the Withdrawal, Deposit, Adjustment,
// Approval, Retired, Pair without seeds, and Balance.
func EncodeAnswer(c player.Change) ([]byte, error) {
	kept := answer{Balance: int64(c.Balance)}
	if c.Round != nil {
		kept.Round = c.Round.ID
		return marshal(kept)
	}
	if len(c.Steps) > 0 {
		kept.Open = ofOpen(c.Steps[len(c.Steps)-1])
	}
	if c.Withdrawal != nil {
		kept.Withdrawal = ofWithdrawal(*c.Withdrawal)
	}
	if d := c.Deposit; d != nil {
		kept.Deposit = &depositAnswer{
			ID: d.ID, Wallet: string(d.Wallet), Signature: d.Signature, Token: string(d.Token), Status: string(d.Status),
			Amount: int64(d.Amount), Reason: d.Reason, CreatedAt: d.CreatedAt.UnixMicro(), UpdatedAt: d.UpdatedAt.UnixMicro(),
		}
	}
	if a := c.Adjustment; a != nil {
		kept.Adjustment = &adjustmentAnswer{
			ID: a.ID, Kind: a.Kind.String(), Wallet: string(a.Wallet), Token: string(a.Token), Amount: a.Amount,
			Reason: a.Reason, By: string(a.By), At: a.At.UnixMicro(),
		}
	}
	if c.Seamless != nil {
		kept.Seamless = ofSeamless(*c.Seamless)
	}
	if f := c.Funding; f != nil {
		kept.Funding = &fundingAnswer{
			ID: f.ID, Agent: f.Ref.Agent, Token: string(f.Ref.Token), Amount: f.Amount, Balance: f.Balance,
			Reason: f.Reason, By: string(f.By), At: f.At.UnixMicro(),
		}
	}
	if c.Approval != nil {
		kept.Approval = ofApproval(*c.Approval)
	}
	if r := c.Retired; r != nil {
		kept.Retired = &retiredAnswer{
			ID: r.ID, ServerSeed: r.ServerSeed, Commitment: r.Commitment, ClientSeed: r.ClientSeed,
			ClientSource: r.ClientSource.String(), Rounds: r.Rounds, Since: r.Since.UnixMicro(),
		}
	}
	if p := c.Pair; p != nil {
		kept.Pair = &pairAnswer{
			ID: p.ID, Commitment: p.Commitment, ClientSeed: p.ClientSeed, ClientSource: p.ClientSource.String(),
			Nonce: p.Nonce, Epoch: p.Epoch, Since: p.Since.UnixMicro(), NextID: p.Next.ID, NextCommitment: p.Next.Commitment,
		}
	}
	return marshal(kept)
}

func marshal(kept answer) ([]byte, error) {
	text, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("wire: encode answer: %w", err)
	}
	return text, nil
}

// DecodeAnswer reads what EncodeAnswer wrote. Of a change with a round it returns the
// balance only, and the round's id beside it; otherwise the id is empty.
func DecodeAnswer(text []byte) (c player.Change, roundID string, err error) {
	var kept answer
	if err := json.Unmarshal(text, &kept, json.RejectUnknownMembers(true)); err != nil {
		return player.Change{}, "", fmt.Errorf("wire: decode answer: %w", err)
	}
	c.Balance = money.Amount(kept.Balance)
	if kept.Withdrawal != nil {
		c.Withdrawal = kept.Withdrawal.withdrawal()
	}
	if d := kept.Deposit; d != nil {
		c.Deposit = &deposit.Claim{
			ID: d.ID, Wallet: wallet.Address(d.Wallet),
			Ref:    deposit.Ref{Signature: d.Signature, Token: money.Token(d.Token)},
			Status: deposit.Status(d.Status), Amount: money.Amount(d.Amount), Reason: d.Reason,
			CreatedAt: moment(d.CreatedAt), UpdatedAt: moment(d.UpdatedAt),
		}
	}
	if kept.Adjustment != nil {
		if c.Adjustment, err = kept.Adjustment.adjustment(); err != nil {
			return player.Change{}, "", err
		}
	}
	if f := kept.Funding; f != nil {
		c.Funding = &player.Funding{
			ID: f.ID, Ref: agent.FundsRef{Agent: f.Agent, Token: money.Token(f.Token)}, Amount: f.Amount, Balance: f.Balance, Reason: f.Reason,
			By: wallet.Address(f.By), At: moment(f.At),
		}
	}
	if kept.Seamless != nil {
		c.Seamless = kept.Seamless.transaction()
	}
	if kept.Approval != nil {
		c.Approval = kept.Approval.approval()
	}
	if kept.Open != nil {
		open, err := kept.Open.open()
		if err != nil {
			return player.Change{}, "", fmt.Errorf("wire: decode answer: %w", err)
		}
		c.Steps = []bet.Open{open}
	}
	c.Retired, c.Pair, err = pairs(kept)
	return c, kept.Round, err
}

func (a *adjustmentAnswer) adjustment() (*player.Adjustment, error) {
	kind, ok := player.ParseAdjustmentKind(a.Kind)
	if !ok {
		return nil, fmt.Errorf("wire: decode answer: kind of adjustment %q", a.Kind)
	}
	return &player.Adjustment{
		ID: a.ID, Kind: kind, Wallet: wallet.Address(a.Wallet), Token: money.Token(a.Token), Amount: a.Amount,
		Reason: a.Reason, By: wallet.Address(a.By), At: moment(a.At),
	}, nil
}

func pairs(kept answer) (retired *fairness.Revealed, active *fairness.Pair, err error) {
	source := func(name string) fairness.ClientSource {
		parsed, ok := fairness.ParseClientSource(name)
		if !ok {
			err = fmt.Errorf("wire: decode answer: client source %q", name)
		}
		return parsed
	}
	if r := kept.Retired; r != nil {
		retired = &fairness.Revealed{
			ID: r.ID, ServerSeed: r.ServerSeed, Commitment: r.Commitment, ClientSeed: r.ClientSeed,
			ClientSource: source(r.ClientSource), Rounds: r.Rounds, Since: moment(r.Since),
		}
	}
	if p := kept.Pair; p != nil {
		active = &fairness.Pair{
			ID: p.ID, Commitment: p.Commitment, ClientSeed: p.ClientSeed, ClientSource: source(p.ClientSource),
			Nonce: p.Nonce, Epoch: p.Epoch, Since: moment(p.Since), Next: fairness.NextSeed{ID: p.NextID, Commitment: p.NextCommitment},
		}
	}
	return retired, active, err
}

func ofWithdrawal(w withdrawal.Withdrawal) *withdrawalAnswer {
	kept := &withdrawalAnswer{
		ID: w.ID, Wallet: string(w.Wallet), Token: string(w.Token), Amount: int64(w.Amount), Fee: int64(w.Fee), Destination: w.Destination,
		Status: string(w.Status), Attempt: w.Attempt, Signature: w.Signature, Reason: w.Reason, Note: w.Note,
		Seal: w.Seal, CreatedAt: w.CreatedAt.UnixMicro(), UpdatedAt: w.UpdatedAt.UnixMicro(),
	}
	for _, a := range w.Approvals {
		kept.Approvals = append(kept.Approvals, voteAnswer{
			By: string(a.By), At: a.At.UnixMicro(), Note: a.Note, Attempt: a.Attempt, Needed: a.Needed,
			Signature: a.Signature, Timestamp: a.Timestamp, Treasury: string(a.Treasury), Seal: a.Seal,
		})
	}
	return kept
}

func (w *withdrawalAnswer) withdrawal() *withdrawal.Withdrawal {
	made := &withdrawal.Withdrawal{
		ID: w.ID, Wallet: wallet.Address(w.Wallet), Token: money.Token(w.Token), Amount: money.Amount(w.Amount), Fee: money.Amount(w.Fee),
		Destination: w.Destination, Status: withdrawal.Status(w.Status), Attempt: w.Attempt, Signature: w.Signature,
		Reason: w.Reason, Note: w.Note, Seal: w.Seal, CreatedAt: moment(w.CreatedAt), UpdatedAt: moment(w.UpdatedAt),
	}
	for _, a := range w.Approvals {
		made.Approvals = append(made.Approvals, withdrawal.Approval{
			By: wallet.Address(a.By), At: moment(a.At), Note: a.Note, Attempt: a.Attempt, Needed: a.Needed,
			Signature: a.Signature, Timestamp: a.Timestamp, Treasury: wallet.Address(a.Treasury), Seal: a.Seal,
		})
	}
	return made
}

// moment converts microseconds since 1970.
func moment(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
