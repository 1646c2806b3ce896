package remotesigner_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	spltoken "github.com/gagliardetto/solana-go/programs/token"

	ours "github.com/casino-service/casino/adapters/solana"
	"github.com/casino-service/casino/adapters/solana/remotesigner"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

const secret = "a-token-of-more-than-thirty-two-characters"

var (
	treasury = fakes.Wallet("treasury")
	solTerms = token.Terms{Mint: money.SOL, Decimals: 9, Program: token.System, PayoutCap: 1_000, PayoutCapPerHour: 2_500}
	usdTerms = token.Terms{Mint: fakes.Mint("usd"), Decimals: 6, Program: token.SPL, PayoutCap: 50, PayoutCapPerHour: 100}
	policy   = remotesigner.Policy{Treasury: treasury, Tokens: []token.Terms{solTerms, usdTerms}, PriorityFeeMax: 100}
)

func key(w wallet.Address) solana.PublicKey { return solana.PublicKeyFromBytes(w.PublicKey()) }

func mintKey(t money.Token) solana.PublicKey { return solana.MustPublicKeyFromBase58(string(t)) }

// payout is a message being built; tests change its first fields.
type payout struct {
	payer   solana.PublicKey
	limit   uint32
	price   uint64
	pays    []solana.Instruction
	memo    string
	hash    byte
	without string // leaves "budget" or "memo" out
}

func solPayout(amount uint64, to string) payout {
	return payout{
		payer: key(treasury), limit: 1_000, price: 100_000, memo: "w-1",
		pays: []solana.Instruction{system.NewTransferInstruction(amount, key(treasury), key(fakes.Wallet(to))).Build()},
	}
}

func usdPayout(amount uint64, to string) payout {
	p := solPayout(1, to)
	p.pays = tokenPay(amount, usdTerms, key(treasury), key(fakes.Wallet(to)), key(fakes.Wallet(to)))
	return p
}

// tokenPay opens the account of one owner and pays the one of another.
func tokenPay(amount uint64, terms token.Terms, from, opened, to solana.PublicKey) []solana.Instruction {
	mint := mintKey(terms.Mint)
	account := func(owner solana.PublicKey) solana.PublicKey {
		found, _, err := solana.FindAssociatedTokenAddress(owner, mint)
		if err != nil {
			panic(err) // a test's own mistake
		}
		return found
	}
	return []solana.Instruction{
		associatedtoken.NewCreateIdempotentInstruction(key(treasury), opened, mint).Build(),
		spltoken.NewTransferCheckedInstruction(amount, terms.Decimals, account(from), mint, account(to), from, nil).Build(),
	}
}

func (p payout) message(t testing.TB) []byte {
	t.Helper()
	var all []solana.Instruction
	if p.without != "budget" {
		all = append(all, computebudget.NewSetComputeUnitLimitInstruction(p.limit).Build(),
			computebudget.NewSetComputeUnitPriceInstruction(p.price).Build())
	}
	all = append(all, p.pays...)
	if p.without != "memo" {
		all = append(all, solana.NewInstruction(solana.MemoProgramID, nil, []byte(p.memo)))
	}
	built, err := solana.NewTransaction(all, solana.Hash{1, p.hash}, solana.TransactionPayer(p.payer))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := built.Message.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// signer is a running reference signer with a client of it.
type signer struct {
	*remotesigner.Client
	nodes   *nodes
	journal *remotesigner.Journal
	clock   *fakes.Clock
	path    string
	url     string
	log     *lockedBuffer
	close   func()
}

// nodes are the signer's own: a message signed before is dead unless a test says otherwise.
type nodes struct {
	mu      sync.Mutex
	outcome withdrawal.Outcome
	asked   []withdrawal.Attempt
	err     error
}

func (n *nodes) say(status withdrawal.AttemptStatus, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.outcome.Status, n.err = status, err
}

func (n *nodes) Expiry(context.Context, string) (lastValid, slot uint64, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return 250, 100, n.err
}

func (n *nodes) Outcome(_ context.Context, attempt withdrawal.Attempt) (withdrawal.Outcome, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, attempt)
	return n.outcome, n.err
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func newSigner(t *testing.T) *signer {
	t.Helper()
	return openSigner(t, filepath.Join(t.TempDir(), "journal"), fakes.NewClock(fakes.Start))
}

// restart ends the signer and opens it again on its journal, with another policy.
func (s *signer) restart(t *testing.T, with remotesigner.Policy) {
	t.Helper()
	s.close()
	*s = *openWith(t, s.path, s.clock, with)
}

func openSigner(t *testing.T, path string, clock *fakes.Clock) *signer {
	t.Helper()
	return openWith(t, path, clock, policy)
}

func openWith(t *testing.T, path string, clock *fakes.Clock, with remotesigner.Policy) *signer {
	t.Helper()
	own := &nodes{outcome: withdrawal.Outcome{Status: withdrawal.Dead}}
	s := openOn(t, path, clock, with, own)
	s.nodes = own
	return s
}

// openOn opens a signer that uses these nodes.
func openOn(t *testing.T, path string, clock *fakes.Clock, with remotesigner.Policy, own remotesigner.Nodes) *signer {
	t.Helper()
	journal, err := remotesigner.OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := ours.NewKeypair(fakes.Key("treasury"))
	if err != nil {
		t.Fatal(err)
	}
	log := &lockedBuffer{}
	server, err := remotesigner.NewServer(remotesigner.ServerConfig{
		Key: pair, Policy: with, Journal: journal, Nodes: own, Token: secret, Now: clock.Now, Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(server)
	var once sync.Once
	end := func() {
		once.Do(func() {
			listening.Close()
			_ = journal.Close()
		})
	}
	t.Cleanup(end)
	return &signer{journal: journal, Client: client(t, listening.URL, secret), clock: clock, path: path, url: listening.URL, log: log, close: end}
}

func client(t *testing.T, url, bearer string) *remotesigner.Client {
	t.Helper()
	c, err := remotesigner.NewClient(remotesigner.ClientConfig{URL: url, Token: bearer, Treasury: treasury, Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hostile is a client of a server that answers as the handler says.
func hostile(t *testing.T, answer http.HandlerFunc) *remotesigner.Client {
	t.Helper()
	listening := httptest.NewServer(answer)
	t.Cleanup(listening.Close)
	return client(t, listening.URL, secret)
}

var background = context.Background()
