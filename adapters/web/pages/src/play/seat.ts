// What the controls of all games share: the wager, and one request at a time for a signed-in player.

import { effect, signal, type Signal } from "@preact/signals";
import { language, t } from "../shared/i18n";
import { complain, say } from "../shared/notices";
import { entry, typed } from "../shared/money";
import { session } from "../shared/session";
import { underway } from "./pauses";
import { token } from "./store";
import { askToSignIn } from "./view";

export interface Seat {
  /** The wager as typed, in the token's own unit. */
  wager: Signal<string>;
  busy: Signal<boolean>;
  /** Milliseconds from the last bet to its outcome. */
  took: Signal<number | null>;
  /** Why the last request failed; null if it succeeded. */
  failure: Signal<unknown>;
  /** The wager in base units, or null if the typed text is not an amount. */
  staked(): bigint | null;
  /** The wager with its token, null and a message if there is none. */
  stake(wanted?: bigint): { token: string; wager: bigint } | null;
  /** Does one thing at a time, for a signed-in player, and reports failures; null for one. */
  attempt<T>(what: () => Promise<T>): Promise<T | null>;
}

const FIRST_WAGER = 1000n; // least wagers

/** The proposed first wager in a token: small, but not the minimum. */
function proposed(minWager: bigint, maxWager: bigint): bigint {
  const some = minWager * FIRST_WAGER;
  return some < maxWager ? some : minWager;
}

export function makeSeat(): Seat {
  const busy = signal(false);
  const took = signal<number | null>(null);
  const failure = signal<unknown>(null);
  const wager = signal("");
  effect(() => {
    const terms = token.value;
    if (terms !== null) wager.value = entry(proposed(BigInt(terms.minWager), BigInt(terms.maxWager)), terms.decimals, language.value);
  });
  const staked = () => (token.value === null ? null : typed(wager.value, token.value.decimals, language.value));
  return {
    wager, busy, took, failure, staked,
    stake(wanted) {
      const amount = wanted ?? staked();
      if (token.value === null || amount === null || amount <= 0n) {
        say(t("bet.invalid"), "bad", undefined, true);
        return null;
      }
      return { token: token.value.token, wager: amount };
    },
    async attempt(what) {
      if (session.value === null) {
        askToSignIn();
        return null;
      }
      if (busy.value) return null;
      busy.value = true;
      underway.value++;
      failure.value = null;
      const begun = performance.now();
      try {
        const got = await what();
        took.value = performance.now() - begun;
        return got;
      } catch (refused) {
        failure.value = refused;
        complain(refused);
        return null;
      } finally {
        busy.value = false;
        underway.value--;
      }
    },
  };
}
