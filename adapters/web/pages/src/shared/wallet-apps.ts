// Wallets for those who have none in this browser: their universal links, which open a page in the
// app's own browser, and where to get them.

interface WalletApp {
  name: string;
  /** Where its app opens a page. */
  browse: string;
  site: string;
}

export const walletApps: readonly WalletApp[] = [
  { name: "Phantom", browse: "https://phantom.app/ul/browse/", site: "https://phantom.com/download" },
  { name: "Solflare", browse: "https://solflare.com/ul/v1/browse/", site: "https://solflare.com/download" },
  { name: "Backpack", browse: "https://backpack.app/ul/v1/browse/", site: "https://backpack.app/download" },
];

/** The link that opens an address, with its part behind the #, in a wallet's app. */
export function inApp({ browse }: WalletApp, address: string): string {
  return `${browse}${encodeURIComponent(address)}?ref=${encodeURIComponent(new URL(address).origin)}`;
}
