// Wallets that can sign in: the browser's that implement the Wallet Standard and, in development,
// the service's demo wallets.

import { signal } from "@preact/signals";
import {
  SolanaSignAndSendTransaction, SolanaSignMessage, type SolanaSignAndSendTransactionFeature, type SolanaSignMessageFeature,
} from "@solana/wallet-standard-features";
import { getWallets } from "@wallet-standard/app";
import { api } from "./api";
import { served } from "./config";
import { t } from "./i18n";

/** The page's interface to a wallet. */
export interface Wallet {
  name: string;
  /** Its picture, as a data URL. */
  icon: string | null;
  /** Whether it is a demo wallet, which anyone may use. */
  demo: boolean;
  /** Connects it, without asking if it may; with the wanted account, if it has that. */
  connect(wanted?: string): Promise<Account>;
}

export interface Account {
  address: string;
  /** Its signature of a text's UTF-8 bytes, in base64. */
  sign(text: string): Promise<string>;
  /** Signs a transaction, sends it and returns its signature in base58. */
  send(transaction: string): Promise<string>;
}

type Installed = ReturnType<ReturnType<typeof getWallets>["get"]>[number];
type Features = SolanaSignMessageFeature & Partial<SolanaSignAndSendTransactionFeature> & {
  "standard:connect": { connect(input?: { silent: boolean }): Promise<{ accounts: Installed["accounts"] }> };
};

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
}

function base64(from: Uint8Array): string {
  return btoa(String.fromCharCode(...from));
}

function standard(wallet: Installed): Wallet {
  const features = wallet.features as unknown as Features;
  return {
    name: wallet.name,
    icon: wallet.icon,
    demo: false,
    async connect(wanted) {
      const { connect } = features["standard:connect"];
      const known = wanted === undefined ? [] : await connect({ silent: true }).then((found) => found.accounts, () => []);
      const same = (each: Installed["accounts"][number]) => each.address === wanted;
      const accounts = known.some(same) ? known : (await connect()).accounts;
      const account = accounts.find(same) ?? accounts.find((each) => each.chains.some((chain) => chain.startsWith("solana:"))) ?? accounts[0];
      if (account === undefined) throw new Error(`${wallet.name}: no account`);
      return {
        address: account.address,
        async sign(text) {
          const [signed] = await features[SolanaSignMessage].signMessage({ account, message: new TextEncoder().encode(text) });
          if (signed === undefined) throw new Error(`${wallet.name}: no signature`);
          return base64(signed.signature);
        },
        async send(transaction) {
          const sender = features[SolanaSignAndSendTransaction];
          const chain = account.chains.find((each) => each.startsWith("solana:"));
          if (sender === undefined || chain === undefined) throw new Error(`${wallet.name}: ${SolanaSignAndSendTransaction}`);
          const [sent] = await sender.signAndSendTransaction({ account, chain: chain as `solana:${string}`, transaction: bytes(transaction), options: { preflightCommitment: "confirmed" } });
          if (sent === undefined) throw new Error(`${wallet.name}: no signature`);
          return (await import("bs58")).default.encode(sent.signature);
        },
      };
    },
  };
}

function demo(name: string, address: string): Wallet {
  const account: Account = {
    address,
    sign: async (message) => (await api.post("/dev/wallets/{name}/sign", { path: { name }, body: { message } })).signature,
    send: async (transaction) => (await api.post("/dev/wallets/{name}/send", { path: { name }, body: { transaction } })).signature,
  };
  return { name, icon: null, demo: true, connect: async () => account };
}

export const wallets = signal<Wallet[]>([]);
let demos: Wallet[] = [];

export function short(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** Connects the wallet of a session again; another account of it is refused. */
export async function reconnect({ name, demo, wallet }: { name: string; demo: boolean; wallet: string }): Promise<Account> {
  const found = wallets.peek().find((each) => each.name === name && each.demo === demo);
  if (found === undefined) throw new Error(t("session.absent", { name }));
  const account = await found.connect(wallet);
  if (account.address !== wallet) throw new Error(t("session.other", { name, wallet: short(wallet), other: short(account.address) }));
  return account;
}

function list(): void {
  const installed = getWallets().get().filter((each) => SolanaSignMessage in each.features && "standard:connect" in each.features);
  wallets.value = [...installed.map(standard), ...demos];
}

/** Lists wallets, now and whenever one appears; demo wallets only with a wanted role. */
export function beginWallets(wanted: (role: string | null) => boolean): void {
  getWallets().on("register", list);
  getWallets().on("unregister", list);
  list();
  if (!served.demo) return;
  api.get("/dev/wallets").then(
    (found) => {
      demos = found.wallets.filter((each) => wanted(each.role)).map((each) => demo(each.name, each.wallet));
      list();
    },
    () => {}, // the page works with other wallets
  );
}
