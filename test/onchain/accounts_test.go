package onchain_test

import (
	"fmt"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/test/fakes"
)

// spare is a second account of a token, besides the associated one, which the payer makes in
// these instructions.
func (s *stage) spare(payer, owner sol.PublicKey, terms token.Terms) (sol.PrivateKey, []sol.Instruction) {
	const size, lamports = 165, 3_000_000
	s.people++
	key := sol.PrivateKey(fakes.Key(fmt.Sprint("spare ", s.people)))
	return key, []sol.Instruction{
		system.NewCreateAccountInstruction(lamports, size, program(terms), payer, key.PublicKey()).Build(),
		under(terms, spltoken.NewInitializeAccount3Instruction(owner, key.PublicKey(), mintOf(terms)).Build()),
	}
}

func handsOver(accountOf, from, to sol.PublicKey) sol.Instruction {
	return spltoken.NewSetAuthorityInstruction(spltoken.AuthorityAccountOwner, to, accountOf, from, nil).Build()
}

func closing(accountOf, to, by sol.PublicKey) sol.Instruction {
	return spltoken.NewCloseAccountInstruction(accountOf, to, by, nil).Build()
}

// accountShapes are about the accounts between which the money moves.
var accountShapes = []shape{
	{"an account full of money is handed over to the treasury", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do([]sol.Instruction{
			handsOver(account(alice.PublicKey(), s.usd), alice.PublicKey(), s.treasury.PublicKey()),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.NoCredit)}}
	}},
	{"an account is handed over beside a payment", func(s *stage) (string, []claim) {
		alice, friend := s.join(), s.join()
		key, makes := s.spare(alice.PublicKey(), alice.PublicKey(), s.usd)
		own := account(alice.PublicKey(), s.usd)
		s.do(append(makes, moving(s.usd, own, key.PublicKey(), alice.PublicKey(), 2*paid)), alice.PrivateKey, key)
		signature := s.do([]sol.Instruction{
			handsOver(key.PublicKey(), alice.PublicKey(), friend.PublicKey()), s.paying(s.usd, alice.PublicKey(), paid),
		}, alice.PrivateKey)
		return signature, []claim{{friend, s.usd, rejected(deposit.NotSender)}, {alice, s.usd, review(deposit.OwnerChanged)}}
	}},
	{"an account is handed over, and the heir pays from it", func(s *stage) (string, []claim) {
		alice, heir := s.join(), s.join()
		key, makes := s.spare(alice.PublicKey(), alice.PublicKey(), s.usd)
		s.do(append(makes, moving(s.usd, account(alice.PublicKey(), s.usd), key.PublicKey(), alice.PublicKey(), paid)), alice.PrivateKey, key)
		house := account(s.treasury.PublicKey(), s.usd)
		signature := s.do([]sol.Instruction{
			handsOver(key.PublicKey(), alice.PublicKey(), heir.PublicKey()),
			moving(s.usd, key.PublicKey(), house, heir.PublicKey(), paid),
		}, heir.PrivateKey, alice.PrivateKey)
		return signature, []claim{{heir, s.usd, rejected(deposit.NotSender)}, {alice, s.usd, review(deposit.OwnerChanged)}}
	}},
	{"into another account that the treasury owns", func(s *stage) (string, []claim) {
		alice := s.join()
		key, makes := s.spare(alice.PublicKey(), s.treasury.PublicKey(), s.usd)
		s.do(makes, alice.PrivateKey, key)
		signature := s.do([]sol.Instruction{
			moving(s.usd, account(alice.PublicKey(), s.usd), key.PublicKey(), alice.PublicKey(), paid),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.NoCredit)}}
	}},
	{"from two accounts of one owner", func(s *stage) (string, []claim) {
		alice := s.join()
		key, makes := s.spare(alice.PublicKey(), alice.PublicKey(), s.usd)
		own, house := account(alice.PublicKey(), s.usd), account(s.treasury.PublicKey(), s.usd)
		s.do(append(makes, moving(s.usd, own, key.PublicKey(), alice.PublicKey(), paid)), alice.PrivateKey, key)
		signature := s.do([]sol.Instruction{
			moving(s.usd, key.PublicKey(), house, alice.PublicKey(), paid), s.paying(s.usd, alice.PublicKey(), paid),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, credited(2 * paid)}}
	}},
	{"from an account made and filled in the same transaction", func(s *stage) (string, []claim) {
		alice := s.join()
		key, makes := s.spare(alice.PublicKey(), alice.PublicKey(), s.usd)
		signature := s.do(append(makes,
			moving(s.usd, account(alice.PublicKey(), s.usd), key.PublicKey(), alice.PublicKey(), paid),
			moving(s.usd, key.PublicKey(), account(s.treasury.PublicKey(), s.usd), alice.PublicKey(), paid),
		), alice.PrivateKey, key)
		return signature, []claim{{alice, s.usd, credited(paid)}}
	}},
	{"from an account made, minted into and emptied in the same transaction", func(s *stage) (string, []claim) {
		mallory := s.join()
		key, makes := s.spare(mallory.PublicKey(), mallory.PublicKey(), s.usd)
		signature := s.do(append(makes,
			s.minting(s.usd, key.PublicKey(), paid),
			moving(s.usd, key.PublicKey(), account(s.treasury.PublicKey(), s.usd), mallory.PublicKey(), paid),
		), mallory.PrivateKey, key, s.authority)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NotSender)}}
	}},
	{"from an account that is closed in the same transaction", func(s *stage) (string, []claim) {
		alice := s.join()
		own := account(alice.PublicKey(), s.usd)
		signature := s.do([]sol.Instruction{
			s.paying(s.usd, alice.PublicKey(), fortune), closing(own, alice.PublicKey(), alice.PublicKey()),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.usd, credited(fortune)}}
	}},
	{"into the treasury's account, which the same transaction opens", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do([]sol.Instruction{
			opens(alice.PublicKey(), s.treasury.PublicKey(), s.late), s.paying(s.late, alice.PublicKey(), paid),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.late, credited(paid)}}
	}},
	{"SOL beside the making of another account", func(s *stage) (string, []claim) {
		alice := s.join()
		key, makes := s.spare(alice.PublicKey(), alice.PublicKey(), s.usd)
		signature := s.do(append(makes, s.paying(s.sol, alice.PublicKey(), paid)), alice.PrivateKey, key)
		return signature, []claim{{alice, s.sol, credited(paid)}}
	}},
	{"an account made in the transaction passes SOL on", func(s *stage) (string, []claim) {
		alice := s.join()
		s.people++
		key := sol.PrivateKey(fakes.Key(fmt.Sprint("passing ", s.people)))
		signature := s.do([]sol.Instruction{
			system.NewTransferInstruction(paid, alice.PublicKey(), key.PublicKey()).Build(),
			s.paying(s.sol, key.PublicKey(), paid),
		}, alice.PrivateKey, key)
		return signature, []claim{{alice, s.sol, credited(paid)}}
	}},
}

// tokenShapes are about the token.
var tokenShapes = []shape{
	{"a look-alike of the token", func(s *stage) (string, []claim) {
		mallory := s.join()
		fake := s.usd
		fake.Mint = s.newMint()
		s.mint(fake, mallory.PublicKey(), fortune)
		s.mint(fake, s.treasury.PublicKey(), 1)
		signature := s.do(s.pays(mallory, fake, paid), mallory.PrivateKey)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NoCredit)}}
	}},
	{"a look-alike of the token beside a little of the true one", func(s *stage) (string, []claim) {
		mallory := s.join()
		fake := s.usd
		fake.Mint = s.newMint()
		s.mint(fake, mallory.PublicKey(), fortune)
		s.mint(fake, s.treasury.PublicKey(), 1)
		signature := s.do([]sol.Instruction{
			s.paying(fake, mallory.PublicKey(), fortune), s.paying(s.usd, mallory.PublicKey(), minDeposit),
		}, mallory.PrivateKey)
		return signature, []claim{{mallory, s.usd, credited(minDeposit)}}
	}},
	{"a look-alike under the other token program", func(s *stage) (string, []claim) {
		mallory := s.join()
		s.people++
		fake := termsOf(s.extendedMint(fmt.Sprint("look-alike ", s.people)), "USD", decimals, token.Token2022)
		s.mint(fake, mallory.PublicKey(), fortune)
		s.mint(fake, s.treasury.PublicKey(), 1)
		signature := s.do(s.pays(mallory, fake, paid), mallory.PrivateKey)
		return signature, []claim{{mallory, s.usd, rejected(deposit.NoCredit)}, {mallory, s.fee, rejected(deposit.NoCredit)}}
	}},
	{"Token-2022's transfer that names its fee", func(s *stage) (string, []claim) {
		alice := s.join()
		const fee = paid / 100
		signature := s.do([]sol.Instruction{
			feeChecked(account(alice.PublicKey(), s.fee), mintOf(s.fee), account(s.treasury.PublicKey(), s.fee), alice.PublicKey(), paid, fee),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.fee, credited(money.Amount(paid - fee))}}
	}},
	{"from a frozen account", func(s *stage) (string, []claim) {
		alice := s.join()
		own := account(alice.PublicKey(), s.usd)
		s.do([]sol.Instruction{
			spltoken.NewFreezeAccountInstruction(own, mintOf(s.usd), s.authority.PublicKey(), nil).Build(),
		}, s.authority)
		signature := s.failing(s.pays(alice, s.usd, paid), alice.PrivateKey)
		return signature, []claim{{alice, s.usd, rejected(deposit.TransactionFailed)}}
	}},
}
