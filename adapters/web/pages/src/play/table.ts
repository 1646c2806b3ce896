// A seat at a game: the wager, the current round, and its result. Boards draw it; all requests
// about rounds are here.

import { effect, signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { api } from "../shared/api";
import { language, t } from "../shared/i18n";
import { complain, say } from "../shared/notices";
import { entry, typed } from "../shared/money";
import { session } from "../shared/session";
import { pair } from "./pair";
import { still } from "./motion";
import { hidden, underway } from "./pauses";
import { setBalance, token, withhold, type Game, type OpenRound, type Round } from "./store";
import { askToSignIn } from "./view";

export type Values = Record<string, unknown>;
export type Action = { type: string } & Values;

export interface Table {
  game: Game;
  /** The wager as typed, in the token's own unit. */
  wager: Signal<string>;
  busy: Signal<boolean>;
  /** The last settled round, and the open round. */
  last: Signal<Round | null>;
  open: Signal<OpenRound | null>;
  /** The rounds settled since the page was loaded, newest first. */
  results: Signal<Round[]>;
  /** Milliseconds from the last bet to its outcome. */
  took: Signal<number | null>;
  /** Whether the last round's result is shown: false while its board animates it. */
  revealed: Signal<boolean>;
  /** How many milliseconds the board animates a settled round; its frame sets it. */
  motion: (round: Round) => number;
  /** Why the last request failed; null if it succeeded. */
  failure: Signal<unknown>;
  /** Ends the animation: the result and the balance are shown now. */
  reveal(): void;
  /** The wager in base units, or null if the typed text is not an amount. */
  staked(): bigint | null;
  /** Plays a round that is decided in one call. */
  play(config?: Values, wager?: bigint): Promise<Round | null>;
  /** Opens a round that is played step by step. */
  begin(config?: Values): Promise<void>;
  /** Takes an action in it. */
  act(action: Action): Promise<void>;
}

const RESULTS_MAX = 50;
const FIRST_WAGER = 1000n; // least wagers

/** The proposed first wager in a token: small, but not the minimum. */
function proposed(minWager: bigint, maxWager: bigint): bigint {
  const some = minWager * FIRST_WAGER;
  return some < maxWager ? some : minWager;
}

function make(game: Game): Table {
  const busy = signal(false);
  const last = signal<Round | null>(null);
  const open = signal<OpenRound | null>(null);
  const results = signal<Round[]>([]);
  const took = signal<number | null>(null);
  const revealed = signal(true);
  const failure = signal<unknown>(null);
  const wager = signal("");
  let ends: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const terms = token.value;
    if (terms !== null) wager.value = entry(proposed(BigInt(terms.minWager), BigInt(terms.maxWager)), terms.decimals, language.value);
  });
  const staked = () => (token.value === null ? null : typed(wager.value, token.value.decimals, language.value));

  /** Does one thing at a time, for a signed-in player, and reports failures. */
  async function attempt<T>(what: () => Promise<T>): Promise<T | null> {
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
  }

  function stake(wanted?: bigint): { token: string; wager: bigint } | null {
    const amount = wanted ?? staked();
    if (token.value === null || amount === null || amount <= 0n) {
      say(t("bet.invalid"), "bad", undefined, true);
      return null;
    }
    return { token: token.value.token, wager: amount };
  }

  function take(round: OpenRound | Round, balance: number | bigint): void {
    setBalance(round.token, balance, round.id);
    if ("status" in round) open.value = round;
    else {
      table.reveal();
      open.value = null;
      const pause = still() ? 0 : table.motion(round);
      if (pause > 0) {
        revealed.value = false;
        withhold(round);
        ends = setTimeout(table.reveal, pause);
      }
      last.value = round;
      results.value = [round, ...results.value.slice(0, RESULTS_MAX - 1)];
    }
  }

  const table: Table = {
    game, wager, busy, last, open, results, took, revealed, failure, staked,
    motion: () => 0,
    reveal() {
      clearTimeout(ends);
      if (revealed.value) return;
      withhold(null);
      revealed.value = true;
    },
    play: (config, wanted) => attempt(async () => {
      const bet = stake(wanted);
      if (bet === null) return null;
      const played = await pair.bet((expected) => api.post("/play", { once: true, body: { gameType: game.gameType, ...bet, ...(config && { config }), ...expected } }));
      take(played.round, played.balance);
      return played.round;
    }),
    begin: async (config) => {
      await attempt(async () => {
        const bet = stake();
        if (bet === null) return;
        const begun = await pair.bet((expected) => api.post("/rounds", { once: true, body: { gameType: game.gameType, ...bet, ...(config && { config }), ...expected } }));
        take(begun.round, begun.balance);
      });
    },
    act: async (action) => {
      const round = open.value;
      if (round === null || busy.value) return;
      const taken = await attempt(async () => {
        const stepped = await api.post("/rounds/{id}/steps", { named: true, path: { id: round.id }, body: { step: Number(round.step), action } });
        take(stepped.round, stepped.balance);
        return true;
      });
      // It may have been done without an answer, or elsewhere, so show the present state.
      if (taken === null && session.value !== null) await openRound(game).then((found) => (open.value = found), complain);
    },
  };
  return table;
}

async function openRound(game: Game): Promise<OpenRound | null> {
  const { rounds } = await api.get("/rounds");
  return rounds.find((round) => round.gameType === game.gameType) ?? null;
}

const tables = new Map<string, Table>();

/** The seat at a game, which lasts as long as the page; an open round is continued. */
export function useTable(game: Game): Table {
  const table = useMemo(() => {
    const found = tables.get(game.gameType) ?? make(game);
    tables.set(game.gameType, found);
    return found;
  }, [game]);
  const signedIn = session.value?.wallet;
  useEffect(() => {
    table.reveal();
    table.open.value = null;
    table.last.value = null;
    table.results.value = [];
    if (signedIn === undefined || game.steps === null) return;
    openRound(game).then((found) => (table.open.value ??= found), complain);
  }, [table, signedIn]);
  const away = hidden.value;
  useEffect(() => {
    const { open, busy } = table;
    const before = open.value;
    if (away || before === null) return;
    openRound(game).then((found) => void (open.value === before && !busy.value && (open.value = found)), () => {}); // another tab may have played it
  }, [table, away]);
  useEffect(() => table.reveal, [table]); // nobody watches the animation of a game that was left
  return table;
}
