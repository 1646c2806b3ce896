// Receives the rounds of a pair from the player's page, which opened this one.

import { signal } from "@preact/signals";
import { AWAITED, said, type Handed, type Ready } from "../shared/hand-over";
import type { Announced } from "./many";
import { fragment, progress, showMany } from "./store";

/** Set if no rounds will come, with the other page's reason or null. */
export const refused = signal<{ why: string | null } | null>(null);

export function beginReceiving(): void {
  if (fragment.value !== AWAITED) return;
  const opener = window.opener as Window | null;
  if (opener === null || opener.closed) {
    refused.value = { why: null };
    return;
  }
  let announced: Announced | null = null;
  let lines: string[] = [];
  addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = event.source === opener ? said<Handed>(event) : null;
    if (message?.casino === "pair") {
      announced = { serverSeedHash: message.serverSeedHash, rounds: BigInt(message.rounds) };
      lines = [];
    } else if (message?.casino === "rounds") {
      lines.push(...message.lines.split("\n"));
      progress.value = { done: 0, of: lines.length };
    } else if (message?.casino === "end") {
      void showMany(lines, announced);
    } else if (message?.casino === "failed") {
      progress.value = null;
      refused.value = { why: message.why };
    }
  });
  opener.postMessage({ casino: "ready" } satisfies Ready, location.origin);
}
