package receipts

import (
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/refusal"
	"github.com/casino-service/casino/domain/wallet"
)

// Refuse signs that the order of a wallet was refused under a code, with what that was
// decided on. It reads nothing: the refusal has it all.
func (s *Service) Refuse(of wallet.Address, o refusal.Order, r *refusal.Refused, code string) (checkpoint.Signed, error) {
	made := r.Statement(of, o, code)
	text, err := made.Text()
	if err != nil {
		return checkpoint.Signed{}, err
	}
	return s.signer.SignText(text)
}
