package e2e_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/httpapi/api"
)

// TestConsoleAcknowledgesAnAlarm moves unannounced money out of the treasury; the admin at the
// console sees the alarm arrive, and that payouts are paused, and acknowledges it.
func TestConsoleAcknowledgesAnAlarm(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	folder := t.TempDir()
	e := begin(t, folder)
	p := e.console("superadmin", desktop)
	p.visit("#/alarms")
	p.until(`document.querySelector('tbody .muted') !== null`)
	treasury, err := solana.PrivateKeyFromSolanaKeygenFile(filepath.Join(folder, "treasury.json"))
	e.must(err)
	node := rpc.New(e.dev.RPCURL)
	latest, err := node.GetLatestBlockhash(t.Context(), rpc.CommitmentConfirmed)
	e.must(err)
	theft, err := solana.NewTransaction([]solana.Instruction{
		system.NewTransferInstruction(1_000_000_000, treasury.PublicKey(), solana.MustPublicKeyFromBase58(e.address)).Build(),
	}, latest.Value.Blockhash, solana.TransactionPayer(treasury.PublicKey()))
	e.must(err)
	_, err = theft.Sign(func(solana.PublicKey) *solana.PrivateKey { return &treasury })
	e.must(err)
	signature, err := node.SendTransactionWithOpts(t.Context(), theft, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentConfirmed})
	e.must(err)
	p.until(`[...document.querySelectorAll('[data-row]')].some((each) => each.textContent.includes('` + signature.String() + `'))`)
	if runbook := value[string](p.page, `document.querySelector('[data-row] a').href`); !strings.HasSuffix(runbook, "#casinotreasuryforeign") {
		t.Errorf("what to do stands at %s", runbook)
	}
	p.picture("console-alarms")
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('[data-row]')].find((each) => each.textContent.includes('` + signature.String() + `')).querySelector('.acknowledge').click()`))
	p.confirm("a theft: the key is replaced")
	p.until(`![...document.querySelectorAll('[data-row]')].some((each) => each.textContent.includes('` + signature.String() + `'))`)
	ended, err := e.admin.ListAlarms(t.Context(), api.ListAlarmsParams{State: "cleared", About: signature.String()})
	e.must(err)
	if len(ended.Alarms) != 1 || ended.Alarms[0].Note == nil || *ended.Alarms[0].Note != "a theft: the key is replaced" {
		t.Errorf("the alarms that are over: %+v", ended.Alarms)
	}
	p.visit("#/status")
	p.until(`document.querySelector('#payouts')?.dataset.paused === 'true'`)
	p.clean()
}
