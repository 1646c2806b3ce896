// Recomputes a round of the shared crash from what GET /crash/rounds/{number} answers, as
// docs/fairness/shared-crash.md says.

import { ascii, hex, hmacSha256, sha256 } from "@casino-service/verify";
import { hundredthsOf, outAt, payoutAt, type CrashBet, type CrashRound, type Known } from "./news.js";

export interface Told {
  chain: NonNullable<Known["chain"]>;
  round: CrashRound;
  bets: CrashBet[];
}
export type CheckName = "hash" | "closing" | "beacon" | "point" | "payouts";

/** The value of a line of a published text. */
export function lineOf(text: string, name: string): string | undefined {
  return text.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
}

export const hashOf = (text: string) => hex(sha256(ascii(text)));

/** The point in hundredths of a hash and a salt. */
export function pointOf(hash: string, salt: string): number {
  const k = new DataView(hmacSha256(ascii(hash), ascii(salt)).buffer).getUint32(0);
  return Math.max(100, Number((99n << 32n) / (BigInt(k) + 1n)));
}

const node = (mark: number, ...parts: Uint8Array[]) => sha256(Uint8Array.from([mark, ...parts.flatMap((part) => [...part])]));

/** The root of the tree of RFC 6962 over texts. */
export function rootOf(texts: string[]): Uint8Array {
  if (texts.length === 0) return sha256(ascii(""));
  if (texts.length === 1) return node(0, ascii(texts[0]!));
  let half = 1;
  while (half * 2 < texts.length) half *= 2;
  return node(1, rootOf(texts.slice(0, half)), rootOf(texts.slice(half)));
}

/** Each check that the round's state allows, with its result. */
export function check({ chain, round, bets }: Told): Map<CheckName, boolean> {
  const found = new Map<CheckName, boolean>();
  const { hash, salt, closing, point } = round;
  const place = `chain: ${round.chain}\nround: ${String(round.number)}\n`;
  const cap = hundredthsOf(round.cap);
  if (hash !== undefined) found.set("hash", hashOf(hash) === round.previousHash && (Number(round.number) > 1 || lineOf(chain.commitment, "terminal") === round.previousHash));
  if (closing !== undefined) {
    const leaves = bets.map((bet) => `casino crash bet 1\n${place}id: ${bet.id}\ntoken: ${bet.token}\nwager: ${String(bet.wager)}\ncash-out: ${hundredthsOf(bet.cashOut)}\n`);
    const seen = Math.max(Number(lineOf(closing, "seen")), Number(round.aboveHeight));
    const text = `casino crash round 1\n${place}cap: ${cap}\nseen: ${lineOf(closing, "seen")}\nheight: ${seen + Number(lineOf(chain.commitment, "delay"))}\nbets: ${bets.length}\nroot: ${hex(rootOf(leaves))}\n`;
    found.set("closing", closing === text && lineOf(chain.commitment, "chain") === round.chain);
  }
  if (salt !== undefined && round.height !== undefined) {
    const [kind, came] = salt.split(":");
    const [height, window] = [Number(round.height), Number(lineOf(chain.commitment, "window"))];
    const inTime = kind === "drand" ? Number(came) === height : Number(came) >= height && Number(came) < height + window;
    found.set("beacon", kind === lineOf(chain.commitment, "beacon") && came === String(round.beaconHeight) && lineOf(closing ?? "", "height") === String(height) && inTime);
  }
  if (hash !== undefined && salt !== undefined && point !== undefined) {
    const is = pointOf(hash, salt);
    found.set("point", hundredthsOf(point) === is);
    const paid = bets.filter((bet) => bet.payout !== undefined);
    if (paid.length > 0 && round.recovered !== true) {
      found.set("payouts", paid.every((bet) => {
        const out = outAt(bet, is);
        return BigInt(bet.payout ?? 0) === (out === null || out > is ? 0n : payoutAt(bet, out));
      }));
    }
  }
  return found;
}

const SLICE = 5000;

/** Whether a revealed hash leads to the terminal one in as many steps as the round's number. Alive ends
 * it; then the answer is null. */
export async function leadsToTerminal({ chain, round }: Told, alive: () => boolean): Promise<boolean | null> {
  let hash = round.hash ?? "";
  for (let left = Number(round.number); left > 0; left -= SLICE) {
    for (let i = Math.min(left, SLICE); i > 0; i--) hash = hashOf(hash);
    await new Promise((next) => setTimeout(next));
    if (!alive()) return null;
  }
  return hash === lineOf(chain.commitment, "terminal");
}
