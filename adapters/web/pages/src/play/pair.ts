// The seed pair that the page's bets expect, of whoever is signed in.

import { effect } from "@preact/signals";
import { ExpectedPair } from "@casino-service/client";
import { api } from "../shared/api";
import { session } from "../shared/session";

export const pair = new ExpectedPair({
  read: () => api.get("/seed"),
  rotate: (body) => api.post("/seed/rotate", { once: true, body }),
});

effect(() => {
  void session.value;
  pair.forget();
});
