package e2e_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/test/services"
)

// evening is a player and an admin at a running `casino dev`.
type evening struct {
	*testing.T
	dev           *services.Dev
	player, admin *client.Client
	address       string
	mint          string // of the token for the provider's games
	decimals      int
}

const (
	paid = 25_000_000 // base units that the player deposits
	game = "cherry-rush"
)

// TestAnEveningAtTheSlots tests a provider's game from end to end: a deposit on chain, a launch,
// spins in a real browser that change the balance through wallet callbacks, and the same rounds
// in every list and figure.
func TestAnEveningAtTheSlots(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	folder := t.TempDir()
	e := begin(t, folder)
	e.deposit()
	before := e.ggr()
	s := openSlot(t, desktop, e.launch())
	if shown := s.text("#balance"); shown != "25.00" || e.balance() != paid {
		t.Fatalf("the page shows %q, the balance is %d", shown, e.balance())
	}
	const spins = 8
	for i := range spins {
		s.bet(fmt.Sprintf("0.%d5", i+1))
		s.spin()
		if shown := e.units(s.text("#balance")); shown != e.balance() {
			t.Fatalf("after spin %d the page shows %d, the balance is %d", i+1, shown, e.balance())
		}
	}
	e.refused(s)
	s.picture("evening")
	list := s.spins()
	if len(list) != spins {
		t.Fatalf("the page lists %d spins of %d", len(list), spins)
	}
	wagered, won := e.sameRounds(list)
	if got, want := e.balance(), paid-wagered+won; got != want {
		t.Errorf("the balance is %d, deposit and spins make %d", got, want)
	}
	after := e.ggr()
	if after.rounds-before.rounds != spins || after.ggr-before.ggr != wagered-won {
		t.Errorf("GGR went from %+v to %+v by %d spins of %d that won %d", before, after, spins, wagered, won)
	}
	e.dev.Stop(t)
	if out, err := services.Audit(t, folder); err != nil {
		t.Errorf("the ledger doesn't hold: %v\n%s", err, out)
	}
}

// begin starts the casino and signs both in.
func begin(t *testing.T, folder string) *evening {
	t.Helper()
	dev := services.NewDev(t, folder, "--crash=solana")
	e := &evening{T: t, dev: dev}
	e.player = client.New(dev.BaseURL, nil).WithToken(dev.SignIn(t, "alice"))
	e.admin = client.New(dev.BaseURL, nil).WithToken(dev.SignIn(t, "superadmin"))
	_, e.address = dev.Key(t, "alice")
	last := dev.Tokens[len(dev.Tokens)-1]
	e.mint, e.decimals = last.Mint, int(last.Decimals)
	return e
}

func (e *evening) must(err error) {
	e.Helper()
	noError(e, err)
}

// eventually calls is repeatedly until it returns true, waiting for the service.
func (e *evening) eventually(what string, is func() bool) {
	e.Helper()
	for begun := time.Now(); !is(); time.Sleep(50 * time.Millisecond) { // allowed: another process is waited for
		if time.Since(begun) > time.Minute {
			e.Fatalf("%s: not within a minute", what)
		}
	}
}

// pay pays the token from a demo wallet to the treasury on chain, and returns the transaction's
// signature.
func (e *evening) pay(name string) string {
	e.Helper()
	ctx, node := e.Context(), rpc.New(e.dev.RPCURL)
	key, _ := e.dev.Key(e.T, name)
	payer, mint := solana.PrivateKey(key), solana.MustPublicKeyFromBase58(e.mint)
	from, _, err := solana.FindAssociatedTokenAddress(payer.PublicKey(), mint)
	e.must(err)
	to, _, err := solana.FindAssociatedTokenAddress(solana.MustPublicKeyFromBase58(e.dev.Treasury), mint)
	e.must(err)
	pay := token.NewTransferCheckedInstruction(paid, uint8(e.decimals), from, mint, to, payer.PublicKey(), nil).Build()
	latest, err := node.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
	e.must(err)
	transaction, err := solana.NewTransaction([]solana.Instruction{pay}, latest.Value.Blockhash, solana.TransactionPayer(payer.PublicKey()))
	e.must(err)
	_, err = transaction.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer })
	e.must(err)
	signature, err := node.SendTransactionWithOpts(ctx, transaction, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentConfirmed})
	e.must(err)
	return signature.String()
}

// deposit pays the token as the player and registers it.
func (e *evening) deposit() {
	e.Helper()
	signature := e.pay("alice")
	e.eventually("the deposit is credited", func() bool {
		reported, err := e.player.Deposit(e.Context(), api.DepositRequest{Signature: signature, Token: e.mint})
		e.must(err)
		return reported.Transaction.Status == "credited"
	})
}

// launch enables the game if it is disabled, and requests its URL.
func (e *evening) launch() string {
	e.Helper()
	e.eventually("the catalogue has the game", func() bool {
		games, err := e.admin.ProviderGames(e.Context(), api.ProviderGamesParams{Q: game})
		e.must(err)
		return len(games.Games) == 1
	})
	_, err := e.admin.SwitchGame(e.Context(), game, api.SwitchGameRequest{Enabled: false})
	e.must(err)
	if _, err := e.player.Launch(e.Context(), api.LaunchRequest{GameCode: game, UserCode: e.address}); client.CodeOf(err) != "GAME_DISABLED" {
		e.Fatalf("a game that is off answers %v", err)
	}
	_, err = e.admin.SwitchGame(e.Context(), game, api.SwitchGameRequest{Enabled: true})
	e.must(err)
	address, err := e.player.Launch(e.Context(), api.LaunchRequest{GameCode: game, UserCode: e.address, Language: "en"})
	e.must(err)
	if !strings.HasPrefix(address, e.dev.ProviderURL+"/play/") {
		e.Fatalf("the game is at %s, the provider at %s", address, e.dev.ProviderURL)
	}
	return address
}

// refused bets more than the balance.
func (e *evening) refused(s slot) {
	e.Helper()
	had := e.balance()
	s.bet("99999.99")
	s.spin()
	if shown := s.text("#said"); shown != "Your balance is too small for this bet." {
		e.Errorf("a bet above the balance: the page says %q", shown)
	}
	if shown := e.units(s.text("#balance")); shown != had || e.balance() != had {
		e.Errorf("a refused bet: the page shows %d, the balance is %d, it was %d", shown, e.balance(), had)
	}
}

// balance returns the player's balance of the token by the service.
func (e *evening) balance() int64 {
	e.Helper()
	lines, err := e.player.Balance(context.Background(), api.BalanceParams{})
	e.must(err)
	for _, line := range lines {
		if line.Token == e.mint {
			return line.Balance
		}
	}
	return 0
}

// units parses a decimal of the page exactly.
func (e *evening) units(text string) int64 {
	e.Helper()
	read, ok := new(big.Rat).SetString(text)
	if !ok {
		e.Fatalf("the page shows %q for an amount", text)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(e.decimals)), nil)
	if read.Mul(read, new(big.Rat).SetInt(scale)); !read.IsInt() {
		e.Fatalf("the page shows %q, which is finer than the token", text)
	}
	return read.Num().Int64()
}

// figure is the service's report on the token.
type figure struct{ rounds, ggr int64 }

// ggr returns the newest day's figure; a test that runs across midnight sees both days.
func (e *evening) ggr() (f figure) {
	e.Helper()
	days, err := e.admin.GGRDaily(e.Context(), api.GGRDailyParams{Days: 2, Token: e.mint})
	e.must(err)
	for _, day := range days.Metrics {
		ggr, err := day.GGR.Int64()
		e.must(err)
		f.rounds, f.ggr = f.rounds+day.Rounds, f.ggr+ggr
	}
	return f
}

// sameRounds compares every list of rounds with the page's list, and returns the wagers and wins
// in base units.
func (e *evening) sameRounds(list []spun) (wagered, won int64) {
	e.Helper()
	history, err := e.player.ListRounds(e.Context(), api.ListRoundsParams{})
	e.must(err)
	recent, err := e.player.RecentBets(e.Context())
	e.must(err)
	admin, err := e.admin.AdminGames(e.Context(), api.AdminGamesParams{Wallet: e.address})
	e.must(err)
	if len(history.Rounds) != len(list) || len(recent) != len(list) || len(admin.Rounds) != len(list) {
		e.Fatalf("%d spins; %d in history, %d recent bets, %d for admins", len(list), len(history.Rounds), len(recent), len(admin.Rounds))
	}
	type reported struct {
		id, game, token string
		wager, payout   int64
	}
	for i, spin := range list { // all newest first
		h, r, a := history.Rounds[i], recent[i], admin.Rounds[i]
		want := reported{h.ID, game, e.mint, e.units(spin.Bet), e.units(spin.Win)}
		for where, got := range map[string]reported{
			"history": {h.ID, h.GameType, h.Token, h.Wager, h.Payout}, "recent bets": {r.ID, r.GameType, r.Token, r.Wager, r.Payout},
			"admin games": {a.ID, a.GameType, a.Token, a.Wager, a.Payout},
		} {
			if got != want {
				e.Errorf("spin %s in %s: %+v, the page says %+v", spin.Txn, where, got, want)
			}
		}
		if h.Provider != "DEMOSPIN" || a.Wallet != e.address {
			e.Errorf("spin %s: provider %s, wallet %s", spin.Txn, h.Provider, a.Wallet)
		}
		wagered, won = wagered+want.wager, won+want.payout
	}
	return wagered, won
}
