package e2e_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// testWallet is a wallet of the Wallet Standard with bob's key: bob's demo wallet carries out its
// requests.
const testWallet = `
	const ask = async (what, body) => (await (await fetch('/casino/dev/wallets/bob/' + what, {
		method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json());
	const account = { address: %q, publicKey: new Uint8Array(32), chains: ['solana:mainnet'], features: ['solana:signMessage', 'solana:signAndSendTransaction'] };
	const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', ofSignature = (text) => {
		let n = [...text].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n);
		return new Uint8Array(64).map(() => { const least = Number(n & 255n); n >>= 8n; return least; }).reverse();
	};
	const wallet = {
		version: '1.0.0', name: 'Test Wallet', icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
		chains: ['solana:mainnet'], accounts: [account],
		features: {
			'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
			'solana:signMessage': { version: '1.0.0', signMessage: async ({ message }) => {
				window.signed = new TextDecoder().decode(message);
				const { signature } = await ask('sign', { message: window.signed });
				return [{ signedMessage: message, signature: Uint8Array.from(atob(signature), (each) => each.charCodeAt(0)) }];
			} },
			'solana:signAndSendTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], signAndSendTransaction: async ({ transaction, chain }) => {
				if (chain !== 'solana:mainnet') throw new Error(chain);
				const { signature } = await ask('send', { transaction: btoa(String.fromCharCode(...transaction)) });
				return [{ signature: ofSignature(signature) }];
			} },
		},
	};
	window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: ({ register }) => register(wallet) }));
`

// TestPlaySignsInWithAWalletOfTheStandard signs in with a wallet that appears after the page was
// loaded, in the dark theme and in Portuguese, and signs out again.
func TestPlaySignsInWithAWalletOfTheStandard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs a browser") // allowed: make test runs it
	}
	e := begin(t, t.TempDir())
	_, bob := e.dev.Key(t, "bob")
	p := visitor(t, e.dev, desktop, "")
	p.until(`document.querySelectorAll('.tile').length > 10`)
	p.fill(".switches label:nth-of-type(1) select", "pt-BR")
	p.fill(".switches label:nth-of-type(2) select", "dark")
	p.until(`document.documentElement.lang === 'pt-BR' && document.querySelector('h1').textContent.startsWith('Jogue limpo')`)
	p.do(chromedp.Evaluate[chromedp.Void]("{" + fmt.Sprintf(testWallet, bob) + "}"))
	p.press(`header .primary`)
	p.until(`document.querySelector('.wallet:not(.demo)') !== null`)
	p.picture("play-signin-dark")
	p.press(`.wallet:not(.demo)`)
	p.until(`document.querySelector('.who') !== null`)
	if signed, begins := value[string](p.page, `window.signed`), "casino-auth:"+bob+":"; len(signed) <= len(begins) || signed[:len(begins)] != begins {
		t.Errorf("the wallet signed %q", signed)
	}
	p.visit("#/wallet")
	p.fill("#withdraw input", "1")
	p.until(`document.querySelector('#withdraw .loss')?.textContent.startsWith('Você tem 0,00')`)
	p.visit("#/game/blackjack")
	p.until(`document.querySelector('.blackjack') !== null`)
	p.picture("play-blackjack-dark")
	p.press(`.who .menu button`)
	p.until(`document.querySelector('.who') === null`)
	p.clean()
}
