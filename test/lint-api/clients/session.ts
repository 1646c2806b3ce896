// A session of a player and an admin that every generated client plays against casino dev.
import { randomUUID } from "node:crypto";

export const base = process.env["CASINO_URL"] ?? "http://127.0.0.1:8080/casino";
export const token = "So11111111111111111111111111111111111111112";

export interface Client {
  wallets(): Promise<{ name: string; wallet: string }[]>;
  sign(name: string, message: string): Promise<string>;
  send(name: string, transaction: string): Promise<string>;
  login(wallet: string, timestamp: number, signature: string): Promise<string>;
  /** use sends the bearer token from now on. */
  use(bearer: string): void;
  depositTransaction(amount: number): Promise<string>;
  deposit(signature: string): Promise<string>;
  play(wager: number, key: string): Promise<string>;
  history(): Promise<string[]>;
  withdraw(amount: number, destination: string, key: string): Promise<string>;
  cancel(id: string): Promise<string>;
  approve(id: string, key: string): Promise<string>;
}

export function must<T>(what: string, value: T | null | undefined, error?: unknown): T {
  if (value === null || value === undefined) throw new Error(`${what}: ${JSON.stringify(error)}`);
  return value;
}

function same(what: string, got: string, want: string) {
  if (got !== want) throw new Error(`${what}: ${got}, want ${want}`);
}

export async function session(client: Client) {
  const wallets = await client.wallets();
  const signIn = async (name: string) => {
    const wallet = must(name, wallets.find((w) => w.name === name)).wallet;
    const timestamp = Date.now();
    client.use(await client.login(wallet, timestamp, await client.sign(name, `casino-auth:${wallet}:${timestamp}`)));
    return wallet;
  };
  const alice = await signIn("alice");
  const signature = await client.send("alice", await client.depositTransaction(1_000_000_000));
  let status = "pending";
  for (let tries = 0; status !== "credited" && tries < 100; tries++) {
    status = await client.deposit(signature);
    if (status !== "credited") await new Promise((done) => setTimeout(done, 200));
  }
  same("deposit", status, "credited");
  const round = await client.play(1_000_000, randomUUID());
  same("newest round", must("history", (await client.history())[0]), round);
  same("cancel", await client.cancel(await client.withdraw(10_000_000, alice, randomUUID())), "cancelled");
  const withdrawal = await client.withdraw(20_000_000, alice, randomUUID());
  await signIn("finance");
  same("approve", await client.approve(withdrawal, randomUUID()), "approved");
}
