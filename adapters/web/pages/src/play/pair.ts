// The seed pair that the page's bets expect, of whoever is signed in.

import { effect } from "@preact/signals";
import { ExpectedPair, newClientSeed } from "@casino-service/client";
import { useState } from "preact/hooks";
import { api } from "../shared/api";
import { t } from "../shared/i18n";
import { complain, say } from "../shared/notices";
import { session } from "../shared/session";

export const pair = new ExpectedPair({
  read: () => api.get("/seed"),
  rotate: (body) => api.post("/seed/rotate", { once: true, body }),
});

effect(() => {
  void session.value;
  pair.forget();
});

/** A random client seed, and what begins a pair with it or another one, which reveals the present
 * server seed. The seed is the same until that is done, so that a repeated rotation is the same
 * request. */
export function useRotation(done: () => void): [string, (clientSeed: string, expected: string | undefined) => void] {
  const [random, setRandom] = useState(newClientSeed);
  const rotate = (clientSeed: string, expectedServerSeedHash: string | undefined) => {
    pair.forget();
    const body = { clientSeed, ...(expectedServerSeedHash !== undefined && { expectedServerSeedHash }) };
    api.post("/seed/rotate", { once: true, body }).then(() => {
      setRandom(newClientSeed());
      say(t("fairness.rotated"), "good");
      done();
    }, complain);
  };
  return [random, rotate];
}
