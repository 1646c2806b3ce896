// The rounds of a pair of seeds, read from the history unchanged, to be handed to the page that
// verifies or saved as a file.

import { parse, stringify } from "@casino-service/verify";
import { api, type Schemas } from "../../shared/api";
import { served } from "../../shared/config";
import { AWAITED, said, type Handed, type Ready } from "../../shared/hand-over";
import { t } from "../../shared/i18n";
import { complain, explain, Told } from "../../shared/notices";
import { save } from "../../shared/save";
import { member, roundsOf } from "./rounds-of";

type Revealed = Schemas["RevealedSeed"];

const PAGE = 100;

/** The rounds of a pair, a page of the history at a time, each round a line. */
async function* linesOf(pair: Revealed): AsyncGenerator<string> {
  let left = BigInt(pair.rounds);
  for (let cursor: string | undefined; left > 0n; ) {
    const text = await api.text("/history", { query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } });
    const found = roundsOf(text).filter((round) => member(round, "serverSeedHash") === pair.serverSeedHash);
    if (found.length > 0) yield found.map(stringify).join("\n");
    left -= BigInt(found.length);
    const next = member(parse(text), "nextCursor");
    if (typeof next !== "string") break;
    cursor = next;
  }
  if (left > 0n) throw new Told(t("pair.incomplete"));
}

const handing = new Map<Window, Revealed>();

/** Answers each page that was opened, whenever it says that it is ready. */
async function answer(event: MessageEvent<unknown>): Promise<void> {
  const page = event.source as Window;
  const pair = handing.get(page);
  if (pair === undefined || said<Ready>(event)?.casino !== "ready") return;
  const say = (message: Handed): void => page.postMessage(message, location.origin);
  try {
    say({ casino: "pair", serverSeedHash: pair.serverSeedHash, rounds: String(pair.rounds) });
    for await (const lines of linesOf(pair)) say({ casino: "rounds", lines });
    say({ casino: "end" });
  } catch (failure) {
    say({ casino: "failed", why: explain(failure) });
  }
}

/** Opens the page that verifies, and hands it the pair's rounds. */
export function verifyPair(pair: Revealed): void {
  if (handing.size === 0) addEventListener("message", (event) => void answer(event));
  for (const page of handing.keys()) if (page.closed) handing.delete(page);
  const page = open(`${served.path}/verify${AWAITED}`, "_blank");
  if (page === null) return complain(new Told(t("pair.blocked")));
  handing.set(page, pair);
}

/** Saves the pair's rounds, each on a line. */
export async function savePair(pair: Revealed): Promise<void> {
  const parts: string[] = [];
  for await (const lines of linesOf(pair)) parts.push(lines, "\n");
  save(`rounds-${pair.serverSeedHash.slice(0, 12)}.jsonl`, ...parts);
}
