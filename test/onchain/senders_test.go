package onchain_test

import (
	sol "github.com/gagliardetto/solana-go"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
)

func amountOf(units uint64) money.Amount { return money.Amount(units) }

// senderShapes are about the payer.
var senderShapes = []shape{
	{"a delegate moves another's money", func(s *stage) (string, []claim) {
		victim, mallory := s.join(), s.join()
		from := account(victim.PublicKey(), s.usd)
		s.do([]sol.Instruction{
			spltoken.NewApproveInstruction(paid, from, mallory.PublicKey(), victim.PublicKey(), nil).Build(),
		}, victim.PrivateKey)
		signature := s.do([]sol.Instruction{
			moving(s.usd, from, account(s.treasury.PublicKey(), s.usd), mallory.PublicKey(), paid),
		}, mallory.PrivateKey)
		return signature, []claim{
			{mallory, s.usd, rejected(deposit.NotSender)}, {victim, s.usd, rejected(deposit.NotSender)},
		}
	}},
	{"a delegate moves the money of one who pays the fee", func(s *stage) (string, []claim) {
		owner, mallory := s.join(), s.join()
		from := account(owner.PublicKey(), s.usd)
		s.do([]sol.Instruction{
			spltoken.NewApproveInstruction(paid, from, mallory.PublicKey(), owner.PublicKey(), nil).Build(),
		}, owner.PrivateKey)
		signature := s.do([]sol.Instruction{
			moving(s.usd, from, account(s.treasury.PublicKey(), s.usd), mallory.PublicKey(), paid),
		}, owner.PrivateKey, mallory.PrivateKey)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NotSender)}, {owner, s.usd, credited(paid)}}
	}},
	{"two pay in one transaction", func(s *stage) (string, []claim) {
		alice, bob, eve := s.join(), s.join(), s.join()
		signature := s.do([]sol.Instruction{
			s.paying(s.usd, alice.PublicKey(), paid), s.paying(s.usd, bob.PublicKey(), paid),
		}, alice.PrivateKey, bob.PrivateKey)
		return signature, []claim{
			{eve, s.usd, rejected(deposit.NotSender)},
			{alice, s.usd, review(deposit.SeveralSenders)}, {bob, s.usd, review(deposit.SeveralSenders)},
		}
	}},
	{"two pay SOL in one transaction", func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		signature := s.do([]sol.Instruction{
			s.paying(s.sol, alice.PublicKey(), paid), s.paying(s.sol, bob.PublicKey(), paid),
		}, alice.PrivateKey, bob.PrivateKey)
		return signature, []claim{
			{alice, s.sol, review(deposit.SeveralSenders)}, {bob, s.sol, review(deposit.SeveralSenders)},
		}
	}},
	{"the first signer pays nothing but the fee", func(s *stage) (string, []claim) {
		mallory, victim := s.join(), s.join()
		signature := s.do(s.pays(victim, s.usd, paid), mallory.PrivateKey, victim.PrivateKey)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NotSender)}, {victim, s.usd, credited(paid)}}
	}},
	{"the first signer pays the fee of a payment in SOL", func(s *stage) (string, []claim) {
		sponsor, alice := s.join(), s.join()
		signature := s.do(s.pays(alice, s.sol, paid), sponsor.PrivateKey, alice.PrivateKey)
		return signature, []claim{
			{alice, s.sol, review(deposit.SeveralSenders)}, {sponsor, s.sol, review(deposit.SeveralSenders)},
		}
	}},
	{"the first signer pays a third person", func(s *stage) (string, []claim) {
		mallory, victim, friend := s.join(), s.join(), s.join()
		signature := s.do([]sol.Instruction{
			moving(s.fee, account(mallory.PublicKey(), s.fee), account(friend.PublicKey(), s.fee), mallory.PublicKey(), paid),
			s.paying(s.usd, victim.PublicKey(), paid),
		}, mallory.PrivateKey, victim.PrivateKey)
		return signature, []claim{
			{mallory, s.usd, rejected(deposit.NotSender)}, {mallory, s.fee, rejected(deposit.NoCredit)}, {victim, s.usd, credited(paid)},
		}
	}},
	{"a third person is paid beside the treasury", func(s *stage) (string, []claim) {
		alice, friend := s.join(), s.join()
		signature := s.do([]sol.Instruction{
			s.paying(s.usd, alice.PublicKey(), paid),
			moving(s.usd, account(alice.PublicKey(), s.usd), account(friend.PublicKey(), s.usd), alice.PublicKey(), 3*paid),
		}, alice.PrivateKey)
		return signature, []claim{{friend, s.usd, rejected(deposit.NotSender)}, {alice, s.usd, credited(paid)}}
	}},
	{"the money passes through a signer's account", func(s *stage) (string, []claim) {
		victim, mallory := s.join(), s.join()
		signature := s.do([]sol.Instruction{
			moving(s.usd, account(victim.PublicKey(), s.usd), account(mallory.PublicKey(), s.usd), victim.PublicKey(), paid),
			s.paying(s.usd, mallory.PublicKey(), paid),
		}, mallory.PrivateKey, victim.PrivateKey)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NotSender)}, {victim, s.usd, credited(paid)}}
	}},
	{"another claims it first", func(s *stage) (string, []claim) {
		alice, mallory, eve := s.join(), s.join(), s.join()
		signature := s.do(s.pays(alice, s.usd, paid), alice.PrivateKey)
		return signature, []claim{
			{mallory, s.usd, rejected(deposit.NotSender)}, {eve, s.usd, rejected(deposit.NotSender)},
			{mallory, s.sol, rejected(deposit.NoCredit)}, {alice, s.usd, credited(paid)}, {mallory, s.usd, rejected(deposit.NotSender)},
		}
	}},
	{"a memo names another", func(s *stage) (string, []claim) {
		alice, mallory := s.join(), s.join()
		signature := s.do([]sol.Instruction{
			memo("deposit for " + string(mallory.Wallet)), s.paying(s.usd, alice.PublicKey(), paid), memo(string(mallory.Wallet)),
		}, alice.PrivateKey)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NotSender)}, {alice, s.usd, credited(paid)}}
	}},
	{"a memo that another signed", func(s *stage) (string, []claim) {
		alice, mallory := s.join(), s.join()
		signs := sol.NewInstruction(sol.MemoProgramID, sol.AccountMetaSlice{sol.Meta(mallory.PublicKey()).SIGNER()}, []byte("mine"))
		signature := s.do([]sol.Instruction{signs, s.paying(s.usd, alice.PublicKey(), paid)}, alice.PrivateKey, mallory.PrivateKey)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NotSender)}, {alice, s.usd, credited(paid)}}
	}},
	{"the treasury signs too", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do(s.pays(alice, s.usd, paid), s.treasury, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.TreasurySigned)}}
	}},
	{"the treasury's own payout", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do([]sol.Instruction{
			moving(s.usd, account(s.treasury.PublicKey(), s.usd), account(alice.PublicKey(), s.usd), s.treasury.PublicKey(), paid),
		}, s.treasury)
		return signature, []claim{{alice, s.usd, rejected(deposit.TreasurySigned)}, {alice, s.sol, rejected(deposit.TreasurySigned)}}
	}},
	{"the mint's authority makes it out of nothing", func(s *stage) (string, []claim) {
		mallory := s.join()
		signature := s.do([]sol.Instruction{
			s.minting(s.usd, account(s.treasury.PublicKey(), s.usd), paid),
		}, mallory.PrivateKey, s.authority)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NotSender)}}
	}},
	{"to oneself", func(s *stage) (string, []claim) {
		alice := s.join()
		own := account(alice.PublicKey(), s.usd)
		signature := s.do([]sol.Instruction{moving(s.usd, own, own, alice.PublicKey(), paid)}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.NoCredit)}}
	}},
	{"to somebody else", func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		signature := s.do([]sol.Instruction{
			moving(s.usd, account(alice.PublicKey(), s.usd), account(bob.PublicKey(), s.usd), alice.PublicKey(), paid),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.NoCredit)}, {bob, s.usd, rejected(deposit.NoCredit)}}
	}},
}
