package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
)

// on returns the balance of an address on the chain, in lamports.
func (e *evening) on(address string) uint64 {
	e.Helper()
	found, err := rpc.New(e.dev.RPCURL).GetBalance(e.Context(), solana.MustPublicKeyFromBase58(address), rpc.CommitmentFinalized)
	e.must(err)
	return found.Value
}

// TestTheWholeWay tests a player with a wallet of the Wallet Standard from end to end: sign in,
// deposit, a round of every game on its board, rotate, verify all of them in the page, withdraw;
// finance approves it in the console, the money lands, and the player's page shows that by
// itself.
func TestTheWholeWay(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	_, bob := e.dev.Key(t, "bob")
	asBob := client.New(e.dev.BaseURL, nil).WithToken(e.dev.SignIn(t, "bob"))
	p := visitor(t, e.dev, desktop, "")
	p.until(`document.querySelectorAll('.tile').length > 10`)
	p.picture("play-lobby")
	p.do(chromedp.Evaluate[chromedp.Void]("{" + fmt.Sprintf(testWallet, bob) + "}"))
	p.press(`header .primary`)
	p.press(`.wallet:not(.demo)`)
	p.until(`document.querySelector('.who') !== null`)
	p.deposit("5")
	p.picture("play-wallet")

	rounds := p.everyGame()
	history, err := asBob.ListRounds(t.Context(), api.ListRoundsParams{})
	e.must(err)
	if len(history.Rounds) != len(rounds) {
		t.Fatalf("%d rounds were played, the history has %d", len(rounds), len(history.Rounds))
	}
	for i, round := range history.Rounds {
		if want := rounds[len(rounds)-1-i]; round.ID != want {
			t.Errorf("round %d of the history is %s, the page played %s", i, round.ID, want)
		}
	}
	p.visit("#/history")
	p.until(fmt.Sprintf(`document.querySelectorAll('[data-round]').length === %d && document.querySelectorAll('[data-round] [data-seal=right]').length === %[1]d`, len(rounds)))
	if accused := value[int](p.page, `document.querySelectorAll('.accused, [data-evidence]').length`); accused != 0 {
		t.Errorf("an honest service is accused: %s", p.text("#receipts"))
	}

	for _, round := range history.Rounds {
		p.told(round.ID)
		p.picture("round-" + round.GameType)
	}
	p.visit("#/fairness")
	p.press("#rotate button")
	p.until(`document.querySelector('[data-pair] .verify') !== null`)
	pair := p.opened(func() { p.press("[data-pair] .verify") })
	pair.until(fmt.Sprintf(`document.querySelector('[data-verdict=verified] [data-count=verified]')?.textContent.endsWith(': %d')`, len(rounds)))

	p.front()
	p.visit("#/wallet")
	p.fill("#withdraw input", "1")
	p.press("#withdraw [type=submit]")
	p.until(`document.querySelectorAll('[data-transaction]').length === 2`)
	had := e.on(bob)
	desk := e.console("finance", desktop)
	desk.visit("#/withdrawals")
	desk.press(`[data-row] a`)
	desk.press(`#approve`)
	desk.confirm("")
	p.front()
	p.until(`document.querySelector('[data-transaction] .tag')?.textContent === 'Paid' && document.querySelectorAll('[data-transaction] .steps-of .done').length === 4`)
	list, err := asBob.AccountTransactions(t.Context(), api.AccountTransactionsParams{})
	e.must(err)
	paid := list.Transactions[0] // the newest
	if got := e.on(bob) - had; paid.Status != "completed" || paid.Amount == nil || int64(got) != *paid.Amount {
		t.Errorf("the withdrawal is %+v, %d lamports landed", paid, got)
	}
	p.drawn()
	desk.clean()
	p.clean()
}
