package onchain_test

import (
	"encoding/binary"
	"fmt"

	sol "github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/test/fakes"
)

// wrapping puts a player's SOL into the player's account of wrapped SOL.
func wrapping(p person, lamports uint64) (sol.PublicKey, []sol.Instruction) {
	own, _, err := sol.FindAssociatedTokenAddress(p.PublicKey(), sol.WrappedSol)
	if err != nil {
		panic(err)
	}
	return own, []sol.Instruction{
		associatedtoken.NewCreateIdempotentInstruction(p.PublicKey(), p.PublicKey(), sol.WrappedSol).Build(),
		system.NewTransferInstruction(lamports, p.PublicKey(), own).Build(),
		spltoken.NewSyncNativeInstruction(own).Build(),
	}
}

// nativeShapes are the indirect ways in which SOL arrives.
var nativeShapes = []shape{
	{"wrapped SOL is closed to the treasury", func(s *stage) (string, []claim) {
		alice, mallory := s.join(), s.join()
		own, wraps := wrapping(alice, paid)
		s.do(wraps, alice.PrivateKey)
		signature := s.do([]sol.Instruction{closing(own, s.treasury.PublicKey(), alice.PublicKey())}, alice.PrivateKey)
		return signature, []claim{
			{mallory, s.sol, rejected(deposit.NotSender)}, {alice, s.sol, review(deposit.WrappedSOL)},
		}
	}},
	{"SOL is wrapped and closed to the treasury in one transaction", func(s *stage) (string, []claim) {
		alice := s.join()
		own, wraps := wrapping(alice, paid)
		signature := s.do(append(wraps, closing(own, s.treasury.PublicKey(), alice.PublicKey())), alice.PrivateKey)
		return signature, []claim{{alice, s.sol, credited(paid + 2_039_280)}}
	}},
	{"wrapped SOL is paid to the treasury's account of it", func(s *stage) (string, []claim) {
		alice := s.join()
		own, wraps := wrapping(alice, paid)
		s.do(wraps, alice.PrivateKey)
		theirs, _, err := sol.FindAssociatedTokenAddress(s.treasury.PublicKey(), sol.WrappedSol)
		noError(s, err)
		signature := s.do([]sol.Instruction{
			associatedtoken.NewCreateIdempotentInstruction(alice.PublicKey(), s.treasury.PublicKey(), sol.WrappedSol).Build(),
			spltoken.NewTransferCheckedInstruction(paid, 9, own, sol.WrappedSol, theirs, alice.PublicKey(), nil).Build(),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.sol, review(deposit.WrappedSOL)}}
	}},
	{"an empty token account is closed to the treasury", func(s *stage) (string, []claim) {
		alice := s.join()
		key, makes := s.spare(alice.PublicKey(), alice.PublicKey(), s.usd)
		s.do(makes, alice.PrivateKey, key)
		signature := s.do([]sol.Instruction{closing(key.PublicKey(), s.treasury.PublicKey(), alice.PublicKey())}, alice.PrivateKey)
		return signature, []claim{{alice, s.sol, review(deposit.SeveralSenders)}}
	}},
	{"a nonce account pays the treasury", func(s *stage) (string, []claim) {
		alice := s.join()
		s.people++
		key := sol.PrivateKey(fakes.Key(fmt.Sprint("nonce ", s.people)))
		const size, begins, withdraws = 80, 6, 5
		by := alice.PublicKey()
		s.do([]sol.Instruction{
			system.NewCreateAccountInstruction(paid, size, sol.SystemProgramID, by, key.PublicKey()).Build(),
			sol.NewInstruction(sol.SystemProgramID, sol.AccountMetaSlice{
				sol.Meta(key.PublicKey()).WRITE(), sol.Meta(sol.SysVarRecentBlockHashesPubkey), sol.Meta(sol.SysVarRentPubkey),
			}, append(binary.LittleEndian.AppendUint32(nil, begins), by[:]...)),
		}, alice.PrivateKey, key)
		s.slots(3)
		signature := s.do([]sol.Instruction{
			sol.NewInstruction(sol.SystemProgramID, sol.AccountMetaSlice{
				sol.Meta(key.PublicKey()).WRITE(), sol.Meta(s.treasury.PublicKey()).WRITE(), sol.Meta(sol.SysVarRecentBlockHashesPubkey),
				sol.Meta(sol.SysVarRentPubkey), sol.Meta(by).SIGNER(),
			}, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, withdraws), paid)),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.sol, review(deposit.SeveralSenders)}}
	}},
	{"SOL with a priority fee", func(s *stage) (string, []claim) {
		alice := s.join()
		price := sol.NewInstruction(sol.ComputeBudget, nil, binary.LittleEndian.AppendUint64([]byte{3}, 1_000_000))
		signature := s.do([]sol.Instruction{price, s.paying(s.sol, alice.PublicKey(), paid)}, alice.PrivateKey)
		return signature, []claim{{alice, s.sol, credited(paid)}}
	}},
	{"all SOL that one has", func(s *stage) (string, []claim) {
		alice := s.join()
		const all = playerLamports - 5_000
		signature := s.do(s.pays(alice, s.sol, all), alice.PrivateKey)
		return signature, []claim{{alice, s.sol, credited(all)}}
	}},
}
