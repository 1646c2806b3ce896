package onchain_test

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"math"
	"net/http/httptest"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	"github.com/casino-service/casino/adapters/memory"
	"github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/app/accounts"
	"github.com/casino-service/casino/domain/branding"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/conformance"
	"github.com/casino-service/casino/test/fakes"
	"github.com/casino-service/casino/test/validator"
)

const decimals = 6

// Store is every port of a store, for tests that wrap it.
type Store = conformance.Ports

// stage is a casino in memory on its own chain, with the tokens of the suites: native SOL, an SPL
// token, a Token-2022 token with a transfer fee of one percent, and one without an open treasury
// account.
type stage struct {
	testing.TB
	*app.Casino
	clock               *fakes.Clock
	chain               *validator.Chain
	url                 string
	node                *solana.Node
	store               *memory.Store
	entropy             *fakes.Entropy // one for all lives, so that ids never repeat
	treasury, authority sol.PrivateKey
	sol, usd, fee, late token.Terms
	people              int
	relaying            bool // the relay is deployed
	unindexed           bool // the treasury's transactions are not read
}

// planted replaces parts of a casino by a test's own.
type planted struct {
	chain func(s *stage, honest app.Chain) app.Chain
	store func(s *stage, honest Store) Store
}

// newStage makes a stage on Surfpool.
func newStage(t testing.TB, plant planted) *stage { return newStageOn(t, plant, validator.Start) }

func newStageOn(t testing.TB, plant planted, start func(testing.TB, func() time.Time) *validator.Chain) *stage {
	t.Helper()
	clock := fakes.NewClock(fakes.Start)
	s := &stage{
		TB: t, clock: clock, chain: start(t, clock.Now), store: memory.New(), entropy: fakes.NewEntropy(1),
		treasury: sol.PrivateKey(fakes.Key("treasury")), authority: sol.PrivateKey(fakes.Key("authority")),
	}
	server := httptest.NewServer(s.chain.Handler())
	t.Cleanup(server.Close)
	s.url = server.URL
	s.makeTokens()
	s.node = s.newNode(s.url)
	var chain app.Chain = s.node
	if plant.chain != nil {
		chain = plant.chain(s, chain)
	}
	var store Store = s.store
	if plant.store != nil {
		store = plant.store(s, store)
	}
	s.Casino = s.casino(chain, store)
	s.must(s.Deposits.MintWorker().Step(t.Context()))
	s.must(nil, s.Deposits.BeginWatch(t.Context()))
	return s
}

func (s *stage) casino(chain app.Chain, store Store) *app.Casino {
	s.Helper()
	casino, err := app.New(s.deps(chain, store))
	noError(s, err)
	return casino
}

func (s *stage) deps(chain app.Chain, store Store) app.Deps {
	s.Helper()
	games, err := fakes.StandardGames()
	noError(s, err)
	return app.Deps{
		Store: app.StoreOf(store), Chain: chain, TreasuryHistory: s.signed(), Clock: s.clock, Entropy: s.entropy,
		Sessions: fakes.NewSessions(s.clock, "onchain", time.Hour), Games: games,
		Tokens: token.NewBook(s.sol, s.usd, s.fee, s.late), Policy: rbac.DefaultPolicy(), Branding: branding.Default(),
	}
}

// must fails the test on an error.
func (s *stage) must(_ any, err error) {
	s.Helper()
	noError(s, err)
}

func termsOf(mint money.Token, symbol string, decimals uint8, program token.Program) token.Terms {
	return token.Terms{
		Mint: mint, Symbol: symbol, Decimals: decimals, Program: program, MinDeposit: minDeposit,
		MinWager: 10_000, MaxWager: 1_000_000, MaxPayout: 10_000_000, MinWithdrawal: 1_000, MaxWithdrawal: 1_000_000_000,
		TwoPersonAbove: token.NoTwoPerson, TwoPersonAbovePerDay: token.NoTwoPerson, PayoutCap: 1_000_000_000, PayoutCapPerHour: money.Max / 2,
		BankrollShare: money.Ratio{Num: 1, Den: 5},
	}
}

const minDeposit = 1_000

// makeTokens makes the mints and opens all of the treasury's accounts except the last.
func (s *stage) makeTokens() {
	s.Helper()
	s.airdrop(s.treasury.PublicKey(), 1_000_000_000_000)
	s.airdrop(s.authority.PublicKey(), 10_000_000_000_000)
	s.sol = termsOf(money.SOL, "SOL", 9, token.System)
	s.usd = termsOf(s.newMint(), "USD", decimals, token.SPL)
	s.late = termsOf(s.newMint(), "LATE", decimals, token.SPL)
	fee := s.extendedMint("fee", transferFee)
	s.fee = termsOf(fee, "FEE", decimals, token.Token2022)
	for _, terms := range []token.Terms{s.usd, s.fee} {
		s.mint(terms, s.treasury.PublicKey(), 1_000_000_000_000)
	}
	s.slots(40)
}

func (s *stage) newMint() money.Token {
	s.Helper()
	mint, err := s.chain.CreateMint(s.authority, decimals)
	noError(s, err)
	return money.Token(mint.String())
}

// pair is the treasury's keypair.
func (s *stage) pair() solana.Keypair {
	s.Helper()
	pair, err := solana.NewKeypair(ed25519.PrivateKey(s.treasury))
	noError(s, err)
	return pair
}

// newNode makes an adapter to the node at a URL.
func (s *stage) newNode(url string) *solana.Node {
	s.Helper()
	node, err := solana.New(solana.Config{
		RPC: url, Treasury: s.pair(), Tokens: []token.Terms{s.sol, s.usd, s.fee, s.late},
		// There are thousands of faults: no pauses, and no node is skipped after failures.
		Timeouts: solana.Timeouts{Tries: 1, BreakAfter: math.MaxUint32},
	})
	noError(s, err)
	s.Cleanup(node.Close)
	return node
}

// slots advances the chain.
func (s *stage) slots(count int) { s.clock.Advance(time.Duration(count) * validator.SlotDuration) }

func (s *stage) finalize() { s.slots(40) }

func (s *stage) airdrop(to sol.PublicKey, lamports uint64) {
	s.Helper()
	if _, err := s.chain.Airdrop(to, lamports); err != nil {
		s.Fatal(err)
	}
}

// program returns a token's program on chain.
func program(terms token.Terms) sol.PublicKey {
	if terms.Program == token.Token2022 {
		return sol.Token2022ProgramID
	}
	return sol.TokenProgramID
}

func mintOf(terms token.Terms) sol.PublicKey { return sol.MPK(string(terms.Mint)) }

// account returns an owner's associated token account.
func account(owner sol.PublicKey, terms token.Terms) sol.PublicKey {
	found, _, err := sol.FindAssociatedTokenAddressWithProgram(owner, mintOf(terms), program(terms))
	if err != nil {
		panic(err)
	}
	return found
}

// opens returns the instruction that makes an owner's associated token account, paid by payer.
func opens(payer, owner sol.PublicKey, terms token.Terms) sol.Instruction {
	return associatedtoken.NewCreateIdempotentInstructionBuilder().SetPayer(payer).SetWallet(owner).SetMint(mintOf(terms)).
		SetTokenProgram(program(terms)).Build()
}

// under changes an instruction of the SPL token program into one of the token's own program: both
// have the same encoding.
func under(terms token.Terms, instruction sol.Instruction) sol.Instruction {
	data, err := instruction.Data()
	if err != nil {
		panic(err)
	}
	return sol.NewInstruction(program(terms), instruction.Accounts(), data)
}

// mint mints units of a token to an owner.
func (s *stage) mint(terms token.Terms, owner sol.PublicKey, units uint64) {
	s.Helper()
	s.do([]sol.Instruction{
		opens(s.authority.PublicKey(), owner, terms), s.minting(terms, account(owner, terms), units),
	}, s.authority)
}

func (s *stage) minting(terms token.Terms, to sol.PublicKey, units uint64) sol.Instruction {
	return under(terms, spltoken.NewMintToInstruction(units, mintOf(terms), to, s.authority.PublicKey(), nil).Build())
}

// moving pays units of a token from one account to another, signed by an authority.
func moving(terms token.Terms, from, to, by sol.PublicKey, units uint64) sol.Instruction {
	return under(terms, spltoken.NewTransferCheckedInstruction(units, decimals, from, mintOf(terms), to, by, nil).Build())
}

// paying pays units of a token from a wallet's own account to the treasury's.
func (s *stage) paying(terms token.Terms, from sol.PublicKey, units uint64) sol.Instruction {
	house := s.treasury.PublicKey()
	if terms.Program == token.System {
		return system.NewTransferInstruction(units, from, house).Build()
	}
	return moving(terms, account(from, terms), account(house, terms), from, units)
}

// built returns a transaction with the newest blockhash, signed by the keys; the first pays.
func (s *stage) built(instructions []sol.Instruction, keys []sol.PrivateKey, options ...sol.TransactionOption) *sol.Transaction {
	s.Helper()
	recent, err := s.chain.Blockhash()
	noError(s, err)
	tx, err := sol.NewTransaction(instructions, recent, append(options, sol.TransactionPayer(keys[0].PublicKey()))...)
	noError(s, err)
	if _, err := tx.Sign(func(wanted sol.PublicKey) *sol.PrivateKey {
		for i := range keys {
			if keys[i].PublicKey() == wanted {
				return &keys[i]
			}
		}
		return nil
	}); err != nil {
		s.Fatal(err)
	}
	return tx
}

// do lands a transaction that works and returns its signature.
func (s *stage) do(instructions []sol.Instruction, keys ...sol.PrivateKey) string {
	s.Helper()
	return s.land(s.built(instructions, keys))
}

func (s *stage) land(tx *sol.Transaction) string {
	s.Helper()
	signature, err := s.chain.Submit(tx)
	noError(s, err)
	return signature.String()
}

// failing lands a transaction with an error and returns its signature.
func (s *stage) failing(instructions []sol.Instruction, keys ...sol.PrivateKey) string {
	s.Helper()
	signature, err := s.chain.Submit(s.built(instructions, keys))
	if refusal := (*validator.Refusal)(nil); !errors.As(err, &refusal) || !refusal.Landed {
		s.Fatalf("landing a transaction that fails: %v", err)
	}
	return signature.String()
}

// person is a player with a wallet, money in it, and a session.
type person struct {
	app.Caller
	sol.PrivateKey
}

// The initial money of every player: units of each token, and lamports.
const (
	fortune        = 100_000_000
	playerLamports = 10_000_000_000
)

// join makes a person who owns some of each token and has signed in.
func (s *stage) join() person {
	s.Helper()
	p := s.stranger()
	s.signIn(p)
	return p
}

// stranger makes a person who never signed in.
func (s *stage) stranger() person {
	s.Helper()
	s.people++
	name := fmt.Sprint("person ", s.people)
	p := person{app.Caller{Wallet: fakes.Wallet(name), RequestID: name}, sol.PrivateKey(fakes.Key(name))}
	gifts := []sol.Instruction{system.NewTransferInstruction(playerLamports, s.authority.PublicKey(), p.PublicKey()).Build()}
	for _, terms := range []token.Terms{s.usd, s.fee, s.late} {
		gifts = append(gifts, opens(s.authority.PublicKey(), p.PublicKey(), terms), s.minting(terms, account(p.PublicKey(), terms), fortune))
	}
	s.do(gifts, s.authority)
	return p
}

func (s *stage) signIn(p person) {
	s.Helper()
	now := s.clock.Now().UnixMilli()
	_, err := s.Accounts.SignIn(s.Context(), accounts.SignInRequest{
		Wallet: string(p.Wallet), Timestamp: now, RequestID: p.RequestID,
		Signature: ed25519.Sign(ed25519.PrivateKey(p.PrivateKey), []byte(wallet.LoginMessage(p.Wallet, now))),
	})
	noError(s, err)
}

// balance returns a person's balance in the casino.
func (s *stage) balance(p person, terms token.Terms) money.Amount {
	s.Helper()
	balances, err := s.Accounts.Balances(s.Context(), p.Caller, time.Time{})
	noError(s, err)
	for _, b := range balances {
		if b.Token == terms.Mint {
			return b.Amount
		}
	}
	return 0
}

// signed returns the treasury's transactions on the chain. A planted chain has none: reading them
// would hide the plant's mistakes.
func (s *stage) signed() ports.TreasuryHistory {
	if s.unindexed {
		return nil
	}
	return s.node
}

// noError ends the test on an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
