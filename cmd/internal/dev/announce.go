package dev

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/manual"
	"github.com/casino-service/casino/adapters/web"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/service"
	"github.com/casino-service/casino/domain/money"
)

// announcement is the output of `casino dev` when it is ready.
type announcement struct {
	fx.In

	Flags Flags
	Dir   Folder
	Keys  devKeys
	API   service.APIListener
	Chain chainListener
	Games providerListener
	Terms service.Terms
}

// ReadyLine is the output of --json.
type ReadyLine struct {
	Pages    string        `json:"pagesUrl,omitzero"` // the page for players; empty if pages are off
	BaseURL  string        `json:"baseUrl"`
	RPCURL   string        `json:"rpcUrl"`
	Socket   string        `json:"websocketUrl"` // of the chain
	Provider string        `json:"providerUrl"`
	Site     string        `json:"siteUrl"` // the siteEndpoint for agents with players at the demo site
	Treasury string        `json:"treasury"`
	Tokens   []readyToken  `json:"tokens"`
	Wallets  []readyWallet `json:"wallets"`
}

type readyToken struct {
	Mint     string `json:"mint"`
	Symbol   string `json:"symbol"`
	Decimals uint8  `json:"decimals"`
}

type readyWallet struct {
	Name        string `json:"name"`
	Address     string `json:"address"`
	KeypairFile string `json:"keypairFile"` // absolute
	Role        string `json:"role"`        // empty for players
}

func (a announcement) readyLine() ReadyLine {
	line := ReadyLine{
		BaseURL: "http://" + a.API.Addr().String() + a.Flags.Prefix(), RPCURL: rpcURL(a.Chain), Socket: socketURL(a.Chain), Provider: a.Games.baseURL(), Site: a.Games.siteURL(),
		Treasury: PublicKey(a.Keys.treasury).String(),
	}
	if a.Flags.Pages {
		at := ""
		if a.Flags.Prefix() == "" {
			at = web.PathBesideRoot
		}
		line.Pages = "http://" + a.API.Addr().String() + at + "/"
	}
	for _, t := range a.Terms {
		line.Tokens = append(line.Tokens, readyToken{string(t.Mint), t.Symbol, t.Decimals})
	}
	for _, name := range demoWallets {
		line.Wallets = append(line.Wallets, readyWallet{
			name, PublicKey(a.Keys.wallets[name]).String(), a.Dir.Wallet(name), demoRoles[name],
		})
	}
	return line
}

// manualLine returns the line of the manual, if it is served.
func (a announcement) manualLine() string {
	if !a.Flags.Manual {
		return ""
	}
	return fmt.Sprintf("  manual     http://%s%s/   how to use it, operate it, verify it\n", a.API.Addr(), manual.Path)
}

// printTo writes one JSON line, or a page of text.
func (a announcement) printTo(s cli.Streams, asJSON bool) error {
	line := a.readyLine()
	if asJSON {
		if err := json.MarshalWrite(s.Out, line); err != nil {
			return err
		}
		_, err := fmt.Fprintln(s.Out)
		return err
	}
	page := fmt.Sprintf("\nCasino is ready. Ctrl-C ends it; everything is kept in %s.\n\n", a.Flags.DataDir)
	if line.Pages != "" {
		page += fmt.Sprintf("  play       %[1]s   sign in as alice or bob, or with a wallet of your own\n"+
			"  verify     %[1]sverify   compute a round again in the browser\n"+
			"  console    %[1]sadmin   sign in as superadmin or finance: withdrawals, players, agents, switches\n", line.Pages)
	}
	page += fmt.Sprintf(`  API        %s
  docs       %s/docs   the API's reference
%s  chain      %s   simulated: a Solana node's JSON-RPC, no real network, no real money
  websocket  %s     its signatureSubscribe and slotSubscribe
  provider   %s   simulated: third-party games, POST /legacy/launch gives their addresses
  site       %s   simulated: a site of agents' own, which keeps their players' balances (docs/providers.md)
  treasury   %s
`, line.BaseURL, line.BaseURL, a.manualLine(), line.RPCURL, line.Socket, line.Provider, line.Site, line.Treasury)
	for _, t := range line.Tokens {
		page += fmt.Sprintf("  %-9s  %s   %d decimals\n", t.Symbol, t.Mint, t.Decimals)
	}
	page += "\nDemo wallets, as keypair files of the Solana CLI:\n"
	for _, w := range line.Wallets {
		page += fmt.Sprintf("  %-10s %s   %s\n", w.Name, w.Address, w.KeypairFile)
	}
	page += fmt.Sprintf(`
Try:
  curl -s %[1]s/health
  curl -s %[1]s/public/games
  curl -s %[1]s/public/verify -H 'Content-Type: application/json' -d '{"gameType":"dice","rules":"dice/1","config":{},"serverSeed":"anything","clientSeed":"mine","nonce":0}'
  curl -s %[2]s -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["%[3]s"]}'
  casino pay %[4]s/wallets/alice.json 1 --data-dir %[4]s
  curl -s %[1]s/play -H "Authorization: Bearer $(casino login --keypair %[4]s/wallets/alice.json --data-dir %[4]s)" -H 'Content-Type: application/json' -d '{"gameType":"dice","wager":1000000,"token":"%[5]s"}'
  casino demo      a whole session: sign-in, deposits, games, rotation, withdrawal, payout (make demo)
  casino audit     prove the ledger

Simulated here: the chain, its tokens and the money. Real: signatures, sessions, the ledger, the games and every rule.
`, line.BaseURL, line.RPCURL, line.Treasury, a.Flags.DataDir, money.SOL)
	_, err := fmt.Fprint(s.Out, page)
	return err
}
