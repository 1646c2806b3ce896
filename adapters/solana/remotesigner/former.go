package remotesigner

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/withdrawal"
)

// Nodes is the signer's access to the chain, needed before it signs another message of a
// withdrawal. A solana.Node or a solana.Cluster serves it.
type Nodes interface {
	// Expiry returns an upper bound of the block height at which a transaction over the
	// blockhash can land, and a slot before which it can't. It is an error if the nodes
	// don't call the blockhash valid.
	Expiry(ctx context.Context, blockhash string) (lastValid, slot uint64, err error)
	// Outcome returns the outcome of a signed transaction.
	Outcome(ctx context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error)
}

// unavailable is a temporary refusal.
type unavailable struct {
	public string
	cause  error
}

// Error returns the message and its cause, for the log.
func (u unavailable) Error() string {
	if u.cause == nil {
		return u.public
	}
	return u.public + ": " + u.cause.Error()
}

// Unwrap returns the cause.
func (u unavailable) Unwrap() error { return u.cause }

// signAdmitted signs a message that the policy allows, if the journal and the chain allow
// it too.
func (s *Server) signAdmitted(ctx context.Context, asked signRequest, p Payment) ([]byte, error) {
	s.signing.Lock()
	defer s.signing.Unlock()
	message, now := asked.Message, s.cfg.Now()
	former, again, err := s.cfg.Journal.checkPayment(message, p, s.cfg.Policy.Tokens, now)
	if err != nil {
		return nil, err
	}
	if again {
		return s.signMessage(ctx, message)
	}
	if err := s.cfg.Policy.checkApprovals(p, asked.Approvals, s.cfg.Journal.signedInDay(p, now), now); err != nil {
		return nil, err
	}
	if former != nil {
		if err := s.checkFormerDead(ctx, *former); err != nil {
			return nil, err
		}
	}
	decoded, err := decodeMessage(message)
	if err != nil {
		return nil, err
	}
	of := signed{Blockhash: decoded.RecentBlockhash.String()}
	if of.LastValidHeight, of.Slot, err = s.cfg.Nodes.Expiry(ctx, of.Blockhash); err != nil {
		return nil, unavailable{"the signer's own nodes don't know the blockhash, or can't be asked", err}
	}
	signature, err := s.signMessage(ctx, message)
	if err != nil {
		return nil, err
	}
	transaction := solana.Transaction{Message: *decoded, Signatures: []solana.Signature{solana.SignatureFromBytes(signature)}}
	of.Signature = transaction.Signatures[0].String()
	if of.Transaction, err = transaction.MarshalBinary(); err != nil {
		return nil, err
	}
	if err := s.cfg.Journal.recordSignature(message, p, of, now); err != nil {
		return nil, unavailable{errJournal.Error(), err}
	}
	return signature, nil
}

func (s *Server) signMessage(ctx context.Context, message []byte) ([]byte, error) {
	signature, err := s.cfg.Key.Sign(ctx, message)
	if err == nil && len(signature) != solana.SignatureLength {
		err = errors.New("the key returned no signature")
	}
	if err != nil {
		return nil, unavailable{"the key is not available", err}
	}
	return signature, nil
}

// checkFormerDead returns nil if the message signed before can no longer pay: it failed, or
// can never land. If it has paid, no other message is ever signed.
func (s *Server) checkFormerDead(ctx context.Context, former entry) error {
	outcome, err := s.cfg.Nodes.Outcome(ctx, withdrawal.Attempt{
		WithdrawalID: former.withdrawalID(), Number: 1, Signature: former.Signature, Transaction: former.Transaction,
		Blockhash: former.Blockhash, LastValidHeight: former.LastValidHeight, Slot: former.Slot,
	})
	switch {
	case outcome.Status == withdrawal.Finalized:
		return fmt.Errorf("withdrawal %s was paid by %s", former.withdrawalID(), former.Signature)
	case err != nil:
		return unavailable{"the signer's own nodes can't say what became of what was signed before", err}
	case outcome.Status == withdrawal.Errored, outcome.Status == withdrawal.Dead:
		return nil
	}
	return unavailable{"what was signed before for this withdrawal may still land", nil}
}
